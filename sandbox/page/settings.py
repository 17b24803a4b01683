"""The settings of a page: the people of its group, and the lobby to open."""

from dataclasses import dataclass

from sandbox.game import NAMES


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The settings of a page.

    With ``computers``, the group is one person, and a lobby with the bot's computers is open from the start.
    Otherwise the group has ``players`` people. With ``others``, all but the first play automatically.
    """

    players: int = 7
    others: bool = True
    #: The ruleset of the lobby that is open from the start. None: with computers, the default ruleset; with
    #: people, no lobby is open.
    ruleset: str | None = None
    computers: bool = False

    @property
    def people(self) -> list[str]:
        """Return the names of the people in the group."""
        return NAMES[: 1 if self.computers else self.players]
