"""A group's own boards: built by buttons, imported and exported as short JSON, stored with the group.

Every tap and every command checks again that the person is an admin now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from markupsafe import Markup

from bot.conversation.group import settings
from bot.conversation.incoming import Command, Tap, cleaned
from bot.conversation.outcome import Context, Outcome, Toast
from bot.conversation.posting import edit_in_group, to_group, words_of
from bot.conversation.rights import is_admin, refusal_key
from bot.display import board_panels as panels
from bot.display.buttons import Row
from bot.display.own_board import KNOWLEDGE, THRESHOLDS, board_text, boards_text, reasons_text
from bot.display.words import Words, closest
from bot.rooms.model import Room
from bot.rooms.own_board import (
    LONGEST_NAME,
    MOST_BOARDS,
    MOST_SLOTS,
    MOST_THRESHOLD,
    MOST_TILES,
    OwnBoard,
    from_json,
)
from engine import OFFERED, Board, Illegal
from engine.board import PARTIES, Party, Slots

#: The largest of the random numbers that name boards in callback data.
_NUMBERS = 1_000_000
T = TypeVar("T")


def settings_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /settings: show the settings, or change the group's boards if the argument is about those."""
    about_boards = incoming.argument.partition(" ")[0] in ("board", "name")
    return (boards_command if about_boards else settings.show)(room, incoming, context)


def boards_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /settings ``board NAME {…}`` (add a board) and ``name NUMBER NAME`` (rename one)."""
    what, _, rest = incoming.argument.partition(" ")
    words = words_of(room)
    if incoming.anonymous:
        return Outcome(room, (to_group(words.html("boards.anonymous")),))
    if not is_admin(context):
        return Outcome(room, (to_group(words.html(refusal_key("only-admin", context))),))
    room = replace(room, title=incoming.title or room.title)
    return _import_board(room, rest, context) if what == "board" else _rename(room, rest)


def board_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle a tap in the panels of the boards."""
    words = Words(closest(incoming.person.language), room.settings.theme)
    if not is_admin(context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-admin", context)), alert=True))
    number, panel, thing, change = incoming.args
    if panel == panels.NEW and change:
        return _new(room, words, thing, context)
    if panel == panels.NEW:
        return _shown(room, words_of(room).html("boards.new"), panels.new_keyboard(words_of(room), room.name))
    own = next((own for own in room.boards if own.number == number), None)
    if own is None:
        return _list(room)
    if panel == panels.SHARE:
        # The command that makes the same board in another group. A tap copies it.
        command = f"/settings board {own.name} {own.as_json()}"
        return Outcome(room, (to_group(words_of(room).html("boards.share", command=command)),))
    if panel == panels.DELETE and change:
        return _list(replace(room, boards=tuple(other for other in room.boards if other.number != number)))
    if own.gone:
        return _panel(room, own, panels.DELETE if panel == panels.DELETE else panels.SHOW, 0)
    try:
        edited = _EDITS[panel](own, thing, change) if change and panel in _EDITS else own
    except (LookupError, ValueError):
        return Outcome(room, toast=Toast(words.plain("boards.limit")))
    boards = tuple(edited if other.number == number else other for other in room.boards)
    back = {panels.SLOT: panels.TRACK, panels.SIZE: panels.SHOW} if change else {}
    shown = back.get(panel, panel)
    thing = thing // panels.SLOTS if panel == panels.SLOT and change else thing
    return _panel(replace(room, boards=boards), edited, shown, thing)


def _list(room: Room) -> Outcome:
    words = words_of(room)
    return _shown(room, boards_text(words, room.boards), panels.list_keyboard(words, room.name, room.boards))


def _panel(room: Room, own: OwnBoard, panel: int, thing: int) -> Outcome:
    words = words_of(room)
    try:
        keyboard = panels.panel_keyboard(words, room.name, own, panel, thing)
    except LookupError:  # a forged button, or one of a track that was shortened since
        keyboard = panels.panel_keyboard(words, room.name, own, panels.SHOW, 0)
    return _shown(room, board_text(words, own), keyboard)


def _shown(room: Room, text: Markup, keyboard: tuple[Row, ...]) -> Outcome:
    return Outcome(room, (edit_in_group(settings.MESSAGE, text, keyboard),))


def _new(room: Room, words: Words, thing: int, context: Context) -> Outcome:
    if len(room.boards) >= MOST_BOARDS:
        return Outcome(room, toast=Toast(words.plain("boards.too-many", most=MOST_BOARDS), alert=True))
    if not 0 < thing <= len(OFFERED):
        return _list(room)
    rules = OFFERED[thing - 1]
    taken, ours = {own.name for own in room.boards}, words_of(room)
    names = (ours.plain("boards.called", number=number) for number in range(1, MOST_BOARDS + 2))
    name = next(name for name in names if name not in taken)
    own = OwnBoard(_number(context), name, rules.id, min(rules.players))
    return _panel(replace(room, boards=(*room.boards, own)), own, panels.SHOW, 0)


def _number(context: Context) -> int:
    return int(context.entropy[:12], 16) % _NUMBERS + 1


def _import_board(room: Room, rest: str, context: Context) -> Outcome:
    """Store a pasted board in place of any board of that name, or say why it cannot be stored."""
    words = words_of(room)
    name, brace, text = rest.partition("{")
    name = cleaned(name)[:LONGEST_NAME]
    if not name or not brace:
        return Outcome(room, (to_group(words.html("boards.usage")),))
    before = next((own for own in room.boards if own.name == name), None)
    if before is None and len(room.boards) >= MOST_BOARDS:
        return Outcome(room, (to_group(words.html("boards.too-many", most=MOST_BOARDS)),))
    try:
        own = from_json(brace + text, name, _number(context) if before is None else before.number)
        reasons = own.reasons()
    except Illegal as illegal:
        reasons = (illegal.reason,)
    if reasons:
        return Outcome(room, (to_group(reasons_text(words, reasons)),))
    boards = tuple(own if other.name == name else other for other in room.boards)
    room = replace(room, boards=boards if before else (*boards, own))
    keyboard = panels.panel_keyboard(words, room.name, own, panels.SHOW, 0)
    return Outcome(room, (to_group(board_text(words, own), keyboard, settings.MESSAGE),))


def _rename(room: Room, rest: str) -> Outcome:
    words = words_of(room)
    place, _, name = rest.strip().partition(" ")
    name = cleaned(name.replace("{", " "))[:LONGEST_NAME]
    taken = {own.name for own in room.boards}
    numbers = [str(number) for number in range(1, len(room.boards) + 1)]
    if place not in numbers or not name:
        return Outcome(room, (to_group(words.html("boards.usage")),))
    if name in taken:
        return Outcome(room, (to_group(words.html("boards.name-taken")),))
    at = numbers.index(place)
    renamed = replace(room.boards[at], name=name)
    room = replace(room, boards=(*room.boards[:at], renamed, *room.boards[at + 1 :]))
    keyboard = panels.list_keyboard(words, room.name, room.boards)
    return Outcome(room, (to_group(boards_text(words, room.boards), keyboard, settings.MESSAGE),))


# --- edits --------------------------------------------------------------------------------------------------
# Each takes a board, an index in a panel and a change. It returns the changed board, or raises ValueError or
# LookupError if that is impossible.


def _track(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    """Add a slot before the last one, or remove one. A track that has no slots left is removed."""
    board, colour = own.board(), _pick(PARTIES, thing)
    slots = board.tracks.get(colour, ())
    if change > 0:
        slots = (*slots[:-1], None, None) if slots else (None,)
    else:
        slots = (*slots[:-2], None) if len(slots) > 1 else ()
    _within(len(slots), 0, MOST_SLOTS)
    return _with_track(own, board, colour, slots)


def _slot(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board, colour = own.board(), _pick(PARTIES, thing // panels.SLOTS)
    slots = list(board.tracks[colour])
    place = _within(thing % panels.SLOTS, 0, len(slots) - 2)  # the last one has no power
    slots[place] = _pick(panels.slot_powers(own), change - 1)
    return _with_track(own, board, colour, tuple(slots))


def _with_track(own: OwnBoard, board: Board, colour: Party, slots: Slots) -> OwnBoard:
    tracks = {**board.tracks, colour: slots}
    return own.edited(replace(board, tracks={c: tracks[c] for c in PARTIES if tracks.get(c)}))


def _deck(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board = own.board()
    deck = _counted(board.deck, _pick(panels.tiles(own, board), thing), change)
    return own.edited(replace(board, deck=deck))


def _roles(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board = own.board()
    return own.edited(replace(board, roles=_counted(board.roles, _pick(PARTIES, thing), change)))


def _secret(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board, card = own.board(), _pick(panels.secret_cards(own), thing)
    held = [other for other in board.secret_roles if other != card]
    chosen = held if card in board.secret_roles else [*held, card]
    return own.edited(replace(board, secret_roles=tuple(chosen)))


def _knows(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board, field = own.board(), _pick(KNOWLEDGE, thing)
    return own.edited(_with(board, field, not getattr(board, field)))


def _limits(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    board, field = own.board(), _pick(THRESHOLDS, thing)
    value = _within(getattr(board, field) + _sign(change), 1, MOST_THRESHOLD)
    return own.edited(_with(board, field, value))


def _size(own: OwnBoard, thing: int, change: int) -> OwnBoard:
    """Set the number of players for which the board is shown. The changes made to it stay."""
    players = own.rules.players
    return replace(own, size=_within(own.size + _sign(change), min(players), max(players)))


_EDITS: Mapping[int, Callable[[OwnBoard, int, int], OwnBoard]] = {
    panels.TRACK: _track,
    panels.SLOT: _slot,
    panels.DECK: _deck,
    panels.ROLES: _roles,
    panels.SECRET: _secret,
    panels.KNOWS: _knows,
    panels.LIMITS: _limits,
    panels.SIZE: _size,
}


def _with(board: Board, field: str, value: int) -> Board:
    return replace(board, **cast(Any, {field: value}))


def _counted(counts: Mapping[str, int], thing: str, change: int) -> dict[str, int]:
    """Return the counts with one more or one fewer of a thing. Counts of zero are left out."""
    count = _within(counts.get(thing, 0) + _sign(change), 0, MOST_TILES)
    changed = {name: number for name, number in {**counts, thing: count}.items() if number}
    _within(sum(changed.values()), 1, MOST_TILES)
    return changed


def _sign(change: int) -> int:
    return 1 if change > 0 else -1


def _within(number: int, least: int, most: int) -> int:
    if not least <= number <= most:
        raise ValueError("beyond the limit")
    return number


def _pick(things: Sequence[T], place: int) -> T:
    return things[_within(place, 0, len(things) - 1)]
