"""/stats in a group: its leaderboard."""

from handlers.conversation.incoming import Command
from handlers.conversation.outcome import Known, Need, Outcome, found
from handlers.conversation.posting import to_group, words_of
from handlers.display.statistics import leaderboard_text
from handlers.rooms.model import Room


def leaderboard(room: Room, said: Command, known: Known) -> Outcome:
    """The best players of the group, those left out who do not want to be counted."""
    best = found(known.leaderboard, Need.LEADERBOARD)
    return Outcome(room, (to_group(leaderboard_text(words_of(room), best)),))
