"""Private notes: a player puts a sign on another seat. Nobody else sees it.

The signs appear in the player's own prompts, and on the buttons below /role, which set them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.conversation.incoming import Tap
from bot.conversation.outcome import Context, Outcome, Toast
from bot.conversation.posting import words_for, words_of
from bot.conversation.rights import no_seat_text
from bot.display.buttons import Button, Row, data
from bot.display.signs import NOTES
from bot.display.telling import called
from bot.display.words import plain_name
from bot.rooms.model import Note, Room
from bot.rooms.names import UserId
from engine import Seat

#: The notes that a button can set; the button carries the index. Each tap on a seat takes the next note.
_CARRIED: Final[tuple[Note | None, ...]] = (None, *NOTES)
#: In place of a seat in a button: show this game's buttons.
SHOW: Final = -1
#: Letters of a name on a button.
_ON_BUTTON = 24


def note_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Store a note on a seat, or remove it. The button says which, so a double tap is harmless."""
    number, other, which = incoming.args[0], Seat(incoming.args[1]), incoming.args[2]
    match = room.playing
    seat = None if match is None or match.number != number else match.seat_played_by(incoming.person.id)
    if match is None or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, incoming)))
    words = words_for(room, match, seat)
    if other == seat or not 0 <= other < len(match.players) or not 0 <= which < len(_CARRIED):
        return Outcome(room, toast=Toast(words.plain("illegal.no-option")))
    note = _CARRIED[which]
    own = {one: kept for one, kept in match.notes.get(seat, {}).items() if one != other}
    if note is not None:
        own[other] = note
    match = match.without_seat(seat, "notes")
    if own:
        match = replace(match, notes={**match.notes, seat: own})
    name = plain_name(called(match.players[other], other))
    return Outcome(replace(room, match=match), toast=Toast(words.plain(f"note.{note or 'none'}", seat=name)))


def note_rows(room: Room, user: UserId) -> tuple[Row, ...]:
    """Return a button for every other seat, two in a row; none for a person without a seat here."""
    match = room.playing
    seat = None if match is None else match.seat_played_by(user)
    if match is None or seat is None:
        return ()
    notes, buttons = match.notes.get(seat, {}), []
    for other in [other for other in match.seats if other != seat]:
        note = notes.get(other)
        name = plain_name(called(match.players[other], other), _ON_BUTTON)
        text = name if note is None else f"{NOTES[note]} {name}"
        following = (_CARRIED.index(note) + 1) % len(_CARRIED)
        buttons.append(Button(text, data(room.name, "note", match.number, other, following)))
    return tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))


def role_rows(rooms: Sequence[Room], user: UserId) -> tuple[Row, ...]:
    """Return the buttons below /role: those of the person's only game, or one for each of several games."""
    games = [room for room in rooms if note_rows(room, user)]
    if len(games) == 1:
        return note_rows(games[0], user)
    rows = []
    for room in games:
        assert room.playing is not None, "there are notes"
        title = words_of(room).plain("practice.title") if room.private else plain_name(room.title or "…")
        rows.append((Button(title, data(room.name, "note", room.playing.number, SHOW, 0)),))
    return tuple(rows)
