"""The buttons with which a group's admins build a board, one panel for each thing that they can change."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bot.display.buttons import Button, Row, data
from bot.display.own_board import KNOWLEDGE, THRESHOLDS, knowledge_key, secret_role, slot_label, tile_label
from bot.display.words import Words, plain_name
from bot.rooms.names import RoomName
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, Board
from engine.board import PARTIES
from engine.tiles import UNKNOWN, card

#: The panels, by their number in callback data: add at the end only.
LIST, NEW, SHOW, TRACK, SLOT, DECK, ROLES, SECRET, KNOWS, LIMITS, SIZE, SHARE, DELETE = range(13)
#: Callback data numbers a slot as its colour's index times this, plus its own index.
SLOTS = 100

#: Returns a button's callback data for a panel, the index of a thing in it, and a change to that thing.
TapData = Callable[[int, int, int], str]


def list_keyboard(words: Words, where: RoomName, boards: Sequence[OwnBoard]) -> tuple[Row, ...]:
    """Return buttons for every board, for a new one, and back to the settings."""
    rows = [(Button(plain_name(own.name), data(where, "board", own.number, SHOW, 0, 0)),) for own in boards]
    new = Button(words.plain("button.new-board"), data(where, "board", 0, NEW, 0, 0))
    return (*rows, (new,), (Button(words.plain("button.back"), data(where, "set", 0, 0)),))


def new_keyboard(words: Words, where: RoomName) -> tuple[Row, ...]:
    """Return buttons for the rulesets that a new board can begin with."""
    rows = [
        (Button(words.plain(f"ruleset.{rules.name}"), data(where, "board", 0, NEW, number, 1)),)
        for number, rules in enumerate(OFFERED, start=1)
    ]
    return (*rows, (Button(words.plain("button.back"), data(where, "board", 0, LIST, 0, 0)),))


def panel_keyboard(words: Words, where: RoomName, own: OwnBoard, panel: int, thing: int) -> tuple[Row, ...]:
    """Return the buttons of one panel of a board, with one that leads back."""
    tap = partial(data, where, "board", own.number)
    back = data(where, "board", 0, LIST, 0, 0) if panel == SHOW else tap(SHOW, 0, 0)
    if panel == SLOT:
        back = tap(TRACK, thing // SLOTS, 0)
    return (*_PANELS[panel](words, own, thing, tap), (Button(words.plain("button.back"), back),))


def tiles(own: OwnBoard, board: Board) -> tuple[str, ...]:
    """Return the tiles that a deck of this ruleset may hold, and any others that this board's deck holds."""
    offered: list[str] = []
    for kind, powers in own.rules.tiles.items():
        offered += [kind] if not card(kind) else []
        offered += [f"{kind}:{UNKNOWN}"] if powers else []
    return (*offered, *sorted(tile for tile in board.deck if tile not in offered))


def slot_powers(own: OwnBoard) -> tuple[str | None, ...]:
    """Return the powers that a slot can have. The first is None: no power."""
    return (None, *sorted(own.rules.powers))


def secret_cards(own: OwnBoard) -> tuple[str, ...]:
    """Return this ruleset's secret roles as ``party:role``, once for each party that can have the role."""
    return tuple(f"{party}:{role}" for role, parties in own.rules.secret_roles.items() for party in parties)


def _show(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    if own.gone:
        return [(Button(words.plain("button.delete"), tap(DELETE, 0, 0)),)]
    tracks = [
        Button(words.plain("own.button.track", party=words.plain(f"party.{colour}")), tap(TRACK, place, 0))
        for place, colour in enumerate(PARTIES)
    ]
    panels = [(DECK, "deck"), (ROLES, "roles"), (KNOWS, "knows"), (LIMITS, "limits")]
    if own.rules.secret_roles:
        panels.insert(2, (SECRET, "secret-roles"))
    others = [Button(words.plain(f"own.button.{label}"), tap(panel, 0, 0)) for panel, label in panels]
    pairs = [tuple(others[at : at + 2]) for at in range(0, len(others), 2)]
    size = _stepper(words.plain("own.button.size", size=own.size), lambda by: tap(SIZE, 0, by))
    share = Button(words.plain("button.share"), tap(SHARE, 0, 0))
    delete = Button(words.plain("button.delete"), tap(DELETE, 0, 0))
    return [size, *((track,) for track in tracks), *pairs, (share, delete)]


def _track(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    slots = own.board().tracks.get(PARTIES[thing], ())
    length = _stepper(words.plain("own.button.slots", count=len(slots)), lambda by: tap(TRACK, thing, by))
    powers = [
        (Button(f"{place + 1}. {slot_label(words, slot)}", tap(SLOT, thing * SLOTS + place, 0)),)
        for place, slot in enumerate(slots[:-1])
    ]
    return [length, *powers]


def _slot(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    now = own.board().tracks.get(PARTIES[thing // SLOTS], ())[thing % SLOTS]
    return [
        (Button(_ticked(slot == now, slot_label(words, slot)), tap(SLOT, thing, number)),)
        for number, slot in enumerate(slot_powers(own), start=1)
    ]


def _deck(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    board = own.board()
    counts = {tile_label(words, tile): board.deck.get(tile, 0) for tile in tiles(own, board)}
    return _steppers(words, counts, tap, DECK)


def _roles(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    roles = own.board().roles
    counts = {words.plain(f"role.{party}"): roles.get(party, 0) for party in PARTIES}
    return _steppers(words, counts, tap, ROLES)


def _secret(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    chosen = own.board().secret_roles
    return [
        (Button(_ticked(card in chosen, secret_role(words, card)), tap(SECRET, place, 1)),)
        for place, card in enumerate(secret_cards(own))
    ]


def _knows(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    board = own.board()
    return [
        (Button(_ticked(getattr(board, field), words.plain(knowledge_key(field))), tap(KNOWS, place, 1)),)
        for place, field in enumerate(KNOWLEDGE)
    ]


def _limits(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    board = own.board()
    values = {words.plain(f"own.{field}"): getattr(board, field) for field in THRESHOLDS}
    return _steppers(words, values, tap, LIMITS)


def _delete(words: Words, own: OwnBoard, thing: int, tap: TapData) -> list[Row]:
    return [(Button(words.plain("button.delete-board", name=plain_name(own.name)), tap(DELETE, 0, 1)),)]


_PANELS: Mapping[int, Callable[[Words, OwnBoard, int, TapData], list[Row]]] = {
    SHOW: _show,
    TRACK: _track,
    SLOT: _slot,
    DECK: _deck,
    ROLES: _roles,
    SECRET: _secret,
    KNOWS: _knows,
    LIMITS: _limits,
    DELETE: _delete,
}


def _steppers(words: Words, counts: Mapping[str, int], tap: TapData, panel: int) -> list[Row]:
    """Return a row for each thing: one less, the number, one more."""
    return [
        _stepper(words.plain("named", name=label, value=count), lambda by, place=place: tap(panel, place, by))  # type: ignore[misc]
        for place, (label, count) in enumerate(counts.items())
    ]


def _stepper(label: str, tap: Callable[[int], str]) -> Row:
    return Button("➖", tap(-1)), Button(label, tap(0)), Button("➕", tap(1))


def _ticked(on: bool, label: str) -> str:
    return f"{'●' if on else '○'} {label}"
