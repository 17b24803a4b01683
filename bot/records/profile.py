"""What is kept of a person, as far as the conversation needs it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: The option that keeps a person out of all statistics when it is False.
COUNTED: Final = "statistics"


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's own choices and figures."""

    #: The language that they chose; None: Telegram's word decides.
    language: str | None = None
    #: Statistics by name.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: Whether they are in statistics.
    counted: bool = True


def is_counted(options: Mapping[str, Any]) -> bool:
    """Return whether a person is in statistics: everyone is who did not opt out."""
    return options.get(COUNTED) is not False
