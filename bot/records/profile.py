"""The part of a person's profile that the conversation needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.records.own_record import OwnRecord

#: The option that turns advice on or off. Without it, a person gets advice in their first games.
ADVICE: Final = "advice"
#: The number of a person's first games with advice.
ADVISED_GAMES: Final = 3
#: The option that asks for a second tap on more answers than fatal ones.
CONFIRM: Final = "confirm"
#: The option that keeps a person out of all statistics when it is False.
COUNTED: Final = "statistics"


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's choices and figures."""

    #: The language that they chose; None: the one that Telegram names.
    language: str | None = None
    #: Statistics by name.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: True if they are in statistics.
    counted: bool = True
    #: Their own record of games.
    record: OwnRecord = field(default_factory=OwnRecord)
    #: In how many more games they get advice.
    advised: int = 0
    #: True if nominating, discarding and enacting take a second tap.
    confirms: bool = False


def is_counted(options: Mapping[str, Any]) -> bool:
    """Return True if a person is in statistics, which everyone is who has not opted out."""
    return options.get(COUNTED) is not False


def games_advised(counts: Mapping[str, int], options: Mapping[str, Any]) -> int:
    """Return in how many more games a person gets advice. Advice that they asked for never ends."""
    wanted = options.get(ADVICE)
    if wanted is not None:
        return ADVISED_GAMES + 1 if wanted else 0
    played = counts.get("games", 0) + counts.get("games/computers", 0)
    return max(0, ADVISED_GAMES - played)
