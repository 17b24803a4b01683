"""A person's profile, as far as the conversation needs it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.records.own_record import OwnRecord

#: The option that turns advice on or off; without it, it comes in a person's first games.
ADVICE: Final = "advice"
#: In so many games somebody is advised.
ADVISED_GAMES: Final = 3
#: The option that asks for a second tap on more answers than fatal ones.
CONFIRM: Final = "confirm"
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
    #: How they play.
    record: OwnRecord = field(default_factory=OwnRecord)
    #: In how many more games they are advised, unless they turn it off.
    advised: int = 0
    #: Whether nominating, discarding and enacting take a second tap.
    confirms: bool = False


def is_counted(options: Mapping[str, Any]) -> bool:
    """Return whether a person is in statistics: everyone is who did not opt out."""
    return options.get(COUNTED) is not False


def games_advised(counts: Mapping[str, int], options: Mapping[str, Any]) -> int:
    """Return how many more games a person is advised in. Advice that they asked for never ends."""
    wanted = options.get(ADVICE)
    if wanted is not None:
        return ADVISED_GAMES + 1 if wanted else 0
    played = counts.get("games", 0) + counts.get("games/computers", 0)
    return max(0, ADVISED_GAMES - played)
