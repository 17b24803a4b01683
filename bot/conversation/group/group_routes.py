"""The handlers of buttons and commands about a group: settings, boards, statistics, rules, game nights."""

from bot.conversation import nights
from bot.conversation.group import boards, rules, settings
from bot.conversation.incoming import Command
from bot.conversation.outcome import Answerer, Context, Lookup, Outcome, require
from bot.conversation.posting import to_group, words_of
from bot.display.buttons import Verb
from bot.display.statistics import leaderboard_text
from bot.rooms.model import Room


def settings_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /settings: show the settings, or change the group's boards if the argument is about those."""
    about_boards = incoming.argument.partition(" ")[0] in ("board", "name")
    return (boards.boards_command if about_boards else settings.show)(room, incoming, context)


# --- statistics ---------------------------------------------------------------------------------------------
# /stats in a group: its leaderboard.


def leaderboard(room: Room, incoming: Command, context: Context) -> Outcome:
    """Show the group's best players, without people who do not want to be counted."""
    best = require(context.leaderboard, Lookup.LEADERBOARD)
    return Outcome(room, (to_group(leaderboard_text(words_of(room), best)),))


TAPS: dict[Verb, Answerer] = {
    "set": settings.set_tap,
    "board": boards.board_tap,
    "rules": rules.into_private,
    "howto": rules.into_private,
    "learn": rules.into_private,
    "erase": settings.forget_tap,
    "night": nights.night_tap,
}

COMMANDS: dict[str, Answerer] = {
    "settings": settings_command,
    "schedule": nights.schedule,
    "timezone": nights.timezone,
    "forget": settings.forget,
    "stats": leaderboard,
    "rules": rules.show,
}
