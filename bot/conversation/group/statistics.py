"""/stats in a group: its leaderboard."""

from bot.conversation.incoming import Command
from bot.conversation.outcome import Context, Need, Outcome, found
from bot.conversation.posting import to_group, words_of
from bot.display.statistics import leaderboard_text
from bot.rooms.model import Room


def leaderboard(room: Room, said: Command, context: Context) -> Outcome:
    """Show the best players of the group, without those who do not want to be counted."""
    best = found(context.leaderboard, Need.LEADERBOARD)
    return Outcome(room, (to_group(leaderboard_text(words_of(room), best)),))
