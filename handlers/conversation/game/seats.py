"""Seats of a running game that change their player: leaving, substitutes, replacement by vote."""

from collections.abc import Sequence
from dataclasses import replace

from engine import question_for
from handlers.conversation.game.announce import Effects, prompt_post, role_card, telling_group
from handlers.conversation.game.memory import learned
from handlers.conversation.game.watching import to_dead_seat
from handlers.conversation.incoming import Command, Person, Tap
from handlers.conversation.outcome import Edit, Known, Need, Outcome, Post, Toast, found
from handlers.conversation.players import player_of, without_seat
from handlers.conversation.posting import edit_in_group, name_of, to_group, words_of
from handlers.display.buttons import Button, Row, data
from handlers.display.words import Html, Words, closest
from handlers.rooms.model import Match, Room

#: So many decisions in a row left to the clock let the others vote for a substitute.
MISSED = 2


def leave(room: Room, match: Match, person: Person) -> Outcome:
    """A player gets up: the seat is open to a substitute, and until then the clock's.

    Who has got up already is shown the seat, to take it back.
    """
    seat = match.seat_of(person.id)
    if seat is None:
        return Outcome(room)
    if seat in match.away:
        return Outcome(room, (_offer(room, match, seat, "seat.open"),))
    return _open(room, match, seat, "seat.left")


def sub(room: Room, said: Command, known: Known) -> Outcome:
    """/sub: a player offers their seat; anyone else is shown the seats that are open."""
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (to_group(words.html("lobby.none")),))
    if match.seat_of(said.person.id) is not None:
        return leave(room, match, said.person)
    if not match.away:
        return Outcome(room, (to_group(words.html("seat.none-open")),))
    return Outcome(room, tuple(_offer(room, match, seat, "seat.open") for seat in match.away))


def sit(room: Room, said: Tap, known: Known) -> Outcome:
    """Take an open seat: who has or had it may take it back, everyone else needs to be new at this table."""
    number, seat = said.args
    match = room.playing
    words = Words(closest(said.person.language))
    if match is None or match.number != number or seat not in match.away:
        return Outcome(room, toast=Toast(words.plain("seat.taken")))
    own = match.seat_of(said.person.id)
    if own is not None and own != seat:
        return Outcome(room, toast=Toast(words.plain("toast.already-in")))
    # Who had another seat knows what it knew, and perhaps, being dead, all cards.
    if match.former.get(said.person.id, seat) != seat:
        return Outcome(room, toast=Toast(words.plain("seat.another"), alert=True))
    if not found(known.is_member, Need.IS_MEMBER):
        return Outcome(room, toast=Toast(words.plain("toast.not-member")))
    if not found(known.may_write, Need.MAY_WRITE):
        return Outcome(room, toast=Toast(url=f"https://t.me/{known.username}?start=hello"))
    return _seated(room, match, seat, said.person, known)


def offer_replacement(room: Room, match: Match, seats: Sequence[int]) -> Effects:
    """For each seat that has just missed too many decisions: a vote on a substitute."""
    if match.over:
        return ()
    return tuple(
        to_group(_vote_text(room, match, seat), _vote_keyboard(room, match, seat), _vote(seat))
        for seat in seats
        if match.missed.get(seat, 0) == MISSED and _replaceable(match, seat) and _voters(match, seat)
    )


def replace_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """A vote to open a seat to a substitute: more than half of the other people decide."""
    number, seat = said.args
    match = room.playing
    words = Words(closest(said.person.language))
    voter = None if match is None or match.number != number else match.seat_of(said.person.id)
    if match is None or voter is None or voter == seat or not 0 <= seat < len(match.players):
        return Outcome(room, toast=Toast(without_seat(room, said, words)))
    if not _replaceable(match, seat):
        return Outcome(room, toast=Toast(words.plain("seat.back")))
    votes = tuple(sorted({*match.against.get(seat, ()), voter}))
    counted = replace(match, against={**match.against, seat: votes})
    if len(votes) >= _needed(match, seat):
        return _open(room, counted, seat, "seat.replaced")
    edit = _vote_edit(room, counted, seat)
    return Outcome(replace(room, match=counted), (edit,), Toast(words.plain("seat.voted")))


def unreachable(room: Room, match: Match, seat: int) -> Post:
    """The group hears that a seat's player cannot be written to: a vote on a substitute, or the open seat."""
    if seat in match.away or not _voters(match, seat):
        text = words_of(room).html("unreachable", seat=telling_group(room, match).seat(seat))
        return to_group(text, offer_keyboard(room, match, seat) if seat in match.away else ())
    return to_group(_vote_text(room, match, seat), _vote_keyboard(room, match, seat), _vote(seat))


def offer_keyboard(room: Room, match: Match, seat: int) -> tuple[Row, ...]:
    """The button that takes an open seat."""
    text = words_of(room).plain("button.sit")
    return ((Button(text, data(name_of(room), "sit", match.number, seat)),),)


def _open(room: Room, match: Match, seat: int, why: str) -> Outcome:
    against = {s: votes for s, votes in match.against.items() if s != seat}
    opened = replace(match, away=(*match.away, seat), against=against)
    room = replace(room, match=opened)
    return Outcome(room, (_offer(room, opened, seat, why),))


def _offer(room: Room, match: Match, seat: int, why: str) -> Post:
    text = words_of(room).html(why, seat=telling_group(room, match).seat(seat))
    return to_group(text, offer_keyboard(room, match, seat))


def _seated(room: Room, match: Match, seat: int, person: Person, known: Known) -> Outcome:
    """The seat has a player again, who is told in private all that the seat knows and owes."""
    before = telling_group(room, match).seat(seat)
    player = player_of(person, known)
    votes: Effects = ()
    if person.id != match.players[seat].id:
        match, votes = _handed_on(room, match, seat)
    players = (*match.players[:seat], player, *match.players[seat + 1 :])
    seated = replace(
        match,
        players=players,
        away=tuple(other for other in match.away if other != seat),
        missed={s: n for s, n in match.missed.items() if s != seat},
        unreached=tuple(other for other in match.unreached if other != seat),
    )
    room = replace(room, match=seated)
    text = words_of(room).html("seat.sat", seat=telling_group(room, seated).seat(seat), before=before)
    return Outcome(
        room,
        (to_group(text), *votes, *owed(room, seated, seat)),
        Toast(Words(player.language).plain("toast.joined")),
        remember=person.id,
    )


def _handed_on(room: Room, match: Match, seat: int) -> tuple[Match, Effects]:
    """The game once a seat's player is another one: it is noted who it was, and what they voted goes."""
    voted = {other: votes for other, votes in match.against.items() if seat in votes}
    left = {other: tuple(voter for voter in votes if voter != seat) for other, votes in voted.items()}
    before = match.people.get(seat)
    former = match.former if before is None else {**match.former, before: seat}
    watching = tuple(other for other in match.watching if other != seat)
    handed = replace(match, former=former, against={**match.against, **left}, watching=watching)
    shown = (other for other in voted if _replaceable(handed, other))
    return handed, tuple(_vote_edit(room, handed, other) for other in shown)


def owed(room: Room, match: Match, seat: int) -> Effects:
    """All that a seat knows, and what it is asked now."""
    question = question_for(match.game, seat)
    asked = () if question is None else (prompt_post(room, match, seat, question),)
    dead = to_dead_seat(room, match, seat)
    return (role_card(room, match, seat), *learned(room, match, seat), *asked, *dead)


def _replaceable(match: Match, seat: int) -> bool:
    """Whether the others may vote on a seat's player.

    It must be a person who left too much to the clock, or cannot be asked.
    """
    missing = match.missed.get(seat, 0) >= MISSED or seat in match.unreached
    return missing and seat in match.people and seat not in match.away


def _voters(match: Match, seat: int) -> int:
    """How many decide about a seat's player: the other people at the table."""
    return sum(other != seat for other in match.people)


def _needed(match: Match, seat: int) -> int:
    """How many votes replace a seat's player: more than half of those who decide."""
    return _voters(match, seat) // 2 + 1


def _vote(seat: int) -> str:
    return f"vote{seat}"


def _vote_edit(room: Room, match: Match, seat: int) -> Edit:
    return edit_in_group(_vote(seat), _vote_text(room, match, seat), _vote_keyboard(room, match, seat))


def _vote_text(room: Room, match: Match, seat: int) -> Html:
    telling = telling_group(room, match)
    votes = len(match.against.get(seat, ()))
    why = "unreachable.vote" if seat in match.unreached else "seat.vote"
    return telling.html(why, seat=telling.seat(seat), votes=votes, needed=_needed(match, seat))


def _vote_keyboard(room: Room, match: Match, seat: int) -> tuple[Row, ...]:
    text = words_of(room).plain("button.replace")
    return ((Button(text, data(name_of(room), "replace", match.number, seat)),),)
