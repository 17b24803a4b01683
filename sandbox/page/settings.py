"""The people at the table of a page."""

from dataclasses import dataclass

from sandbox.game import NAMES


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The people at the table.

    With ``computers``: one person and the bot's own computers, in a lobby that is open from the beginning.
    Otherwise this many people, all but the first playing by themselves from the beginning (``others``).
    """

    players: int = 7
    others: bool = True
    #: The ruleset of a lobby that is open from the beginning. None: no lobby yet with people; with computers,
    #: the default ruleset of a group.
    ruleset: str | None = None
    computers: bool = False

    @property
    def people(self) -> list[str]:
        """The people of the group, by name."""
        return NAMES[: 1 if self.computers else self.players]
