"""/stats in a group: its leaderboard."""

from handlers.conversation.incoming import Command
from handlers.conversation.outcome import Known, Outcome, Unknown
from handlers.conversation.places import to_group, words_of
from handlers.display.statistics import leaderboard_text
from handlers.rooms.model import Room


def leaderboard(room: Room, said: Command, known: Known) -> Outcome:
    """The best players of the group, those left out who do not want to be counted."""
    if known.leaderboard is None:
        raise Unknown("leaderboard")
    return Outcome(room, (to_group(room, leaderboard_text(words_of(room), known.leaderboard)),))
