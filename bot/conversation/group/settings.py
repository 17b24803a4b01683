"""A group's settings by buttons, for its admins. Every tap checks again that the person is an admin."""

from dataclasses import replace
from functools import partial
from typing import get_args

from markupsafe import Markup

from bot.conversation.game.answering import move_question
from bot.conversation.game.deadlines import CLOCKS
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Erase, Lookup, Outcome, Post, Toast, require
from bot.conversation.posting import edit_in_group, to_group, words_of
from bot.conversation.rights import is_admin, refusal_key
from bot.display.buttons import ALL, CLOSE, Button, MenuItem, Row, data, menu
from bot.display.statistics import leaderboard_text
from bot.display.words import THEMES, Words, bold, closest, languages
from bot.display.words import name as shown_name
from bot.rooms.model import Ballots, Nights, Room, Settings, Silence, Switch

#: The name of the settings' message.
MESSAGE = "settings"
#: Lengths of a meeting in seconds, from a minute to a day.
MEETINGS = (60, 180, 600, 3600, 86400)
BALLOTS: tuple[Ballots, ...] = get_args(Ballots)
SILENCE: tuple[Silence, ...] = get_args(Silence)
#: Settings that affect what is hidden in a game, or who decides. A change during a game is told to the group.
TO_ANNOUNCE = frozenset({"open_cards", "meeting", "stand_in", "ballots"})


def items(room: Room) -> tuple[MenuItem, ...]:
    """Return everything that a group can set, in order."""
    now = room.settings
    return (
        MenuItem("language", languages(), now.language),
        MenuItem("theme", THEMES, now.theme),
        MenuItem("clock", tuple(CLOCKS), now.clock),
        MenuItem("meeting", tuple(str(seconds) for seconds in MEETINGS), str(now.meeting)),
        MenuItem("ballots", BALLOTS, now.ballots),
        MenuItem("silence", SILENCE, now.silence),
        MenuItem("open_cards", ("off", "on"), now.open_cards),
        MenuItem("stand_in", get_args(Switch), now.stand_in),
        MenuItem("talk", get_args(Switch), now.talk),
        MenuItem("nights", get_args(Nights), now.nights),
    )


def show(room: Room, incoming: Command, context: Context) -> Outcome:
    """Show the settings with their buttons."""
    room = replace(room, title=incoming.title or room.title)
    return Outcome(room, (to_group(_text(room), _keyboard(room, ALL), MESSAGE),))


def set_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle a tap in the settings, by an admin."""
    words = Words(closest(incoming.person.language))
    if not is_admin(context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-admin", context)), alert=True))
    number, place = incoming.args
    if number == CLOSE:
        return Outcome(room, (edit_in_group(MESSAGE, _text(room)),))
    things = items(room)
    shown = number if 0 < number <= len(things) else ALL
    before, toast = room, None
    if shown and 0 < place <= len(things[shown - 1].values):
        item = things[shown - 1]
        room = replace(room, settings=_changed(room, item.key, item.values[place - 1]))
        # If the bot may not delete messages later, the start of a game says so.
        silent = (item.key, item.values[place - 1]) == ("silence", "on")
        chosen = replace(item, value=item.values[place - 1])
        shown, toast = ALL, Toast(chosen.now(replace(words, theme=room.settings.theme)))
        if silent and require(context.may_delete, Lookup.MAY_DELETE) is False:
            toast = Toast(words.plain("silence.needs"), alert=True)
    edit = replace(edit_in_group(MESSAGE, _text(room), _keyboard(room, shown)), patient=True)
    return Outcome(room, (*_announced(before, room, incoming), edit, *move_question(before, room)), toast)


def _announced(before: Room, room: Room, incoming: Tap) -> tuple[Post, ...]:
    if room.playing is None:
        return ()
    words = words_of(room)
    was = {item.key: item.value for item in items(before)}
    who = bold(shown_name(incoming.person.name))
    return tuple(
        to_group(words.html("settings.changed", who=who, what=item.now(words)))
        for item in items(room)
        if item.key in TO_ANNOUNCE and item.value != was[item.key]
    )


def _changed(room: Room, key: str, value: str) -> Settings:
    return replace(room.settings, **{key: int(value) if key == "meeting" else value})  # type: ignore[arg-type]


def _text(room: Room) -> Markup:
    words = words_of(room)
    lines = [
        words.html("lobby.option", option=item.label(words), value=item.value_label(words, item.value))
        for item in items(room)
    ]
    zone = words.html("lobby.option", option=words.html("setup.timezone"), value=room.settings.timezone)
    return Markup("\n").join([words.html("settings.title"), *lines, zone])


def _keyboard(room: Room, shown: int) -> tuple[Row, ...]:
    rows = menu(words_of(room), items(room), shown, partial(data, room.name, "set"))
    if shown:
        return rows
    boards = Button(words_of(room).plain("button.boards"), data(room.name, "board", 0, 0, 0, 0))
    return (*rows[:-1], (boards,), rows[-1])


# --- forgetting ---------------------------------------------------------------------------------------------
# /forget in a group: delete everything stored about it, after an admin confirms.

#: The name of the message that asks for confirmation.
FORGET_MESSAGE = "forget"
NO, YES = 0, 1


def forget(room: Room, incoming: Command, context: Context) -> Outcome:
    """Ask an admin for confirmation. A lobby or a game must be ended with /cancel first."""
    words = words_of(room)
    if refusal := _refusal(room, context):
        return Outcome(room, (to_group(words.html(refusal)),))
    yes, no = (data(room.name, "erase", room.lobby_count, answer) for answer in (YES, NO))
    keep = Button(words.plain("button.keep"), no)
    keyboard = ((Button(words.plain("button.forget-group"), yes),), (keep,))
    return Outcome(room, (to_group(words.html("forget-group.ask"), keyboard, FORGET_MESSAGE),))


def forget_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle an admin's answer. The room becomes empty, but its count of lobbies and chain of seals go on.

    If another lobby was opened since the question, the answer does not count.
    """
    words = Words(closest(incoming.person.language))
    games, answer = incoming.args
    if games != room.lobby_count:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if refusal := _refusal(room, context):
        return Outcome(room, toast=Toast(words.plain(refusal), alert=True))
    if answer != YES:
        return Outcome(room, (edit_in_group(FORGET_MESSAGE, words_of(room).html("forget.kept")),))
    bare = Room(
        room.chat,
        room.topic,
        lobby_count=room.lobby_count,
        pictures=room.pictures,
        origin=room.origin,
        last_seal=room.last_seal,
    )
    done = edit_in_group(FORGET_MESSAGE, words_of(room).html("forget-group.done"))
    return Outcome(bare, (done,), erase=Erase(everything=True, people=tuple(sorted(room.user_ids))))


def _refusal(room: Room, context: Context) -> str | None:
    """Return the catalogue's key for why the group cannot be forgotten now; None if it can."""
    if not is_admin(context):
        return refusal_key("only-admin", context)
    begun = room.lobby or room.sealed or room.playing
    return None if begun is None else "forget-group.running"


# --- statistics ---------------------------------------------------------------------------------------------
# /stats in a group: its leaderboard.


def leaderboard(room: Room, incoming: Command, context: Context) -> Outcome:
    """Show the group's best players, without people who do not want to be counted."""
    best = require(context.leaderboard, Lookup.LEADERBOARD)
    return Outcome(room, (to_group(leaderboard_text(words_of(room), best)),))
