"""Answers to buttons and commands about a group: its settings, boards, statistics, rules, game nights."""

from bot.conversation import nights
from bot.conversation.group import boards, forgetting, rules, settings, statistics
from bot.conversation.incoming import Command
from bot.conversation.outcome import Answerer, Context, Outcome
from bot.rooms.model import Room


def settings_command(room: Room, said: Command, context: Context) -> Outcome:
    """Answer /settings: show the settings, or with an argument perhaps change the group's boards."""
    return (boards.boards_command if boards.about_boards(said) else settings.show)(room, said, context)


TAPS: dict[str, Answerer] = {
    "set": settings.set_tap,
    "board": boards.board_tap,
    "rules": rules.rules_tap,
    "howto": rules.how_to_tap,
    "learn": rules.learn_tap,
    "erase": forgetting.forget_tap,
    "night": nights.night_tap,
}

COMMANDS: dict[str, Answerer] = {
    "settings": settings_command,
    "schedule": nights.schedule,
    "timezone": nights.timezone,
    "forget": forgetting.forget,
    "stats": statistics.leaderboard,
    "rules": rules.show,
}
