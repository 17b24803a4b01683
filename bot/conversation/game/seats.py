"""Seats that change their player in a running game: leaving, substitutes, replacement by vote."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game import deadlines, practising
from bot.conversation.game.announce import prompt_post, role_offer
from bot.conversation.game.endings import announce_cancelled
from bot.conversation.game.tidying import learned
from bot.conversation.game.watching import to_dead_seat
from bot.conversation.incoming import Command, Person, Tap
from bot.conversation.outcome import (
    GROUP,
    ClearButtons,
    Context,
    Edit,
    Effects,
    Lookup,
    Outcome,
    Post,
    Private,
    Toast,
    require,
)
from bot.conversation.posting import (
    edit_in_group,
    group_link,
    no_game,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_of,
)
from bot.conversation.rights import is_admin, membership_refusal, no_seat_text, player_of, refusal_key
from bot.display.buttons import Button, Row, data
from bot.display.commands import GREETING
from bot.display.telling import called
from bot.display.words import Words, closest, plain_name
from bot.display.words import name as shown_name
from bot.rooms.model import Match, Room
from bot.rooms.names import UserId
from engine import Seat, question_for

#: After this many consecutive decisions by the clock, the others may vote for a substitute.
MISSED = 2
#: Texts for the group about an open seat, by the group's setting ``stand_in``.
LEFT = {"on": "seat.left.computer", "off": "seat.left"}
REPLACED = {"on": "seat.replaced.computer", "off": "seat.replaced"}
#: The same for people who are thrown out, or unseated by an admin. A computer always plays there, because
#: they could otherwise still answer.
THROWN_OUT = dict.fromkeys(("on", "off"), "seat.thrown-out")
UNSEATED = dict.fromkeys(("on", "off"), "seat.unseated")
#: The name of the message that asks which seat to free, and in place of a seat: show that message.
UNSEAT, WHICH = "unseat", -1
#: A player's answers to the question whether they want to leave.
STAY, LEAVE = 0, 1
#: How the names of messages begin: that question, and a vote on a substitute.
_QUESTION, _VOTE = "leave", "vote"


def ask_to_leave(room: Room, match: Match, seat: Seat) -> Outcome:
    """Ask a player whether they want to leave the game. If they have left already, show their seat."""
    if seat in match.away:
        return Outcome(room, (_offer(room, match, seat),))
    words = words_of(room)
    row = tuple(
        Button(words.plain(text), data(room.name, "quit", match.number, seat, answer))
        for text, answer in (("button.leave", LEAVE), ("button.stay", STAY))
    )
    text = words.html("leave.ask", seat=telling_for_group(room, match).seat(seat))
    return Outcome(room, (to_group(text, (row,), f"{_QUESTION}{seat}"),))


def quit_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Let a player leave, or stay after all. Only the player who was asked can answer."""
    number, seat, answer = incoming.args[0], Seat(incoming.args[1]), incoming.args[2]
    match, words = room.playing, Words(closest(incoming.person.language))
    if match is None or match.number != number:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if match.seat_of(incoming.person.id) != seat:
        return Outcome(room, toast=Toast(words.plain("illegal.not-asked")))
    bare = ClearButtons(GROUP, f"{_QUESTION}{seat}")
    if seat in match.away:
        return Outcome(room, (bare,), Toast(words.plain("illegal.closed")))
    if answer != LEAVE:
        return Outcome(room, (bare,))
    left = _open(room, match, seat, LEFT, context)
    return replace(left, effects=(bare, *left.effects))


def throw_out(room: Room, match: Match, user: UserId, by_admin: bool, context: Context) -> Outcome:
    """Open the seat of somebody who is no longer in the group. A computer plays on.

    The game does not count for a person whom an admin removed.
    """
    if by_admin:
        match = _unrated(match, user)
        room = replace(room, match=match)
    seat = match.seat_of(user)
    if seat is None or match.players[seat].computer:
        return Outcome(room)
    if seat in match.away:
        return Outcome(replace(room, match=_with_computer(match, seat, context)))
    return _open(room, match, seat, THROWN_OUT, context)


def unseat_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /unseat: free the seat of the player whose message it replies to, or show the seats."""
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (no_game(room),))
    if not may_unseat(incoming, context):
        return Outcome(room, (to_group(words.html(refusal_key("only-admin", context))),))
    seat = match.seat_of(incoming.replies_to)
    if seat not in match.present:
        return Outcome(room, (_which(room, match),))
    assert seat is not None, "who is present has a seat"
    who = incoming.title if incoming.as_group else incoming.person.name
    return _unseat(room, match, seat, shown_name(who), context)


def may_unseat(incoming: Command, context: Context) -> bool:
    """Return True if the person is an admin. Only admins can write in the group's own name."""
    return incoming.as_group or is_admin(context)


def unseat_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Free a seat for an admin, or show them the seats first."""
    number, seat = incoming.args[0], Seat(incoming.args[1])
    match, words = room.playing, Words(closest(incoming.person.language))
    if match is None or match.number != number:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    if not is_admin(context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-admin", context)), alert=True))
    if seat == WHICH:
        return Outcome(room, (_which(room, match),))
    if seat not in match.present:
        return Outcome(room, toast=Toast(words.plain("seat.taken")))
    return _unseat(room, match, seat, shown_name(incoming.person.name), context)


def unseat_row(room: Room, match: Match) -> Row:
    """Return the button that shows an admin the seats that can be freed."""
    text = words_of(room).plain("button.unseat")
    return (Button(text, data(room.name, "unseat", match.number, WHICH)),)


def _which(room: Room, match: Match) -> Post:
    rows = []
    for seat in match.present:
        label = plain_name(called(match.players[seat], seat))
        rows.append((Button(label, data(room.name, "unseat", match.number, seat)),))
    return to_group(words_of(room).html("unseat.which"), tuple(rows), UNSEAT)


def _unseat(room: Room, match: Match, seat: Seat, who: Markup, context: Context) -> Outcome:
    bare = ClearButtons(GROUP, UNSEAT)
    match = _unrated(match, match.people[seat])
    after = _open(replace(room, match=match), match, seat, UNSEATED, context, who=who)
    return replace(after, effects=(bare, *after.effects))


def _unrated(match: Match, user: UserId) -> Match:
    """Return the game so that it does not count for a person, because an admin removed them."""
    return replace(match, rated={seat: one for seat, one in match.rated.items() if one.id != user})


def sub(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /sub: ask a player whether they want to leave, and show anybody else the open seats."""
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (no_game(room),))
    if (seat := match.seat_of(incoming.person.id)) is not None:
        return ask_to_leave(room, match, seat)
    if not match.away:
        return Outcome(room, (to_group(words.html("seat.none-open")),))
    return Outcome(room, tuple(_offer(room, match, seat) for seat in match.away))


def sit(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Take an open seat. Its earlier players may take it back. Anybody else must be new to this game."""
    number, seat = incoming.args[0], Seat(incoming.args[1])
    match = room.playing
    words = Words(closest(incoming.person.language))
    if match is None or match.number != number or seat not in match.away:
        return Outcome(room, toast=Toast(words.plain("seat.taken")))
    own = match.seat_of(incoming.person.id)
    if own is not None and own != seat:
        return Outcome(room, toast=Toast(words.plain("toast.already-in")))
    # Somebody who had another seat knows its secrets, and if it was dead, perhaps all cards.
    if match.former.get(incoming.person.id, seat) != seat:
        return Outcome(room, toast=Toast(words.plain("seat.another"), alert=True))
    if refusal := membership_refusal(room, incoming, context):
        return Outcome(room, toast=Toast(words.plain(refusal)))
    if not require(context.may_write, Lookup.MAY_WRITE):
        return Outcome(room, toast=Toast(url=context.deep_link(GREETING)))
    return _seat(room, match, seat, incoming.person, context)


def offer_replacement(room: Room, match: Match, seats: Sequence[Seat]) -> Effects:
    """Offer a vote on a substitute for each seat that has just missed too many decisions."""
    if match.over:
        return ()
    return tuple(
        _vote_post(room, match, seat)
        for seat in seats
        if match.missed.get(seat, 0) == MISSED and _replaceable(match, seat) and _voters(match, seat)
    )


def replace_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Count a vote to open a seat to a substitute. It takes more than half of the other people."""
    number, seat = incoming.args[0], Seat(incoming.args[1])
    match = room.playing
    words = Words(closest(incoming.person.language))
    voter = None if match is None or match.number != number else match.seat_of(incoming.person.id)
    if match is None or voter not in match.present or voter == seat or not 0 <= seat < len(match.players):
        return Outcome(room, toast=Toast(no_seat_text(room, incoming)))
    if not _replaceable(match, seat):
        return Outcome(room, toast=Toast(words.plain("seat.back")))
    assert voter is not None, "who is present has a seat"
    votes = tuple(sorted({*match.replacement_votes.get(seat, ()), voter}))
    counted = replace(match, replacement_votes={**match.replacement_votes, seat: votes})
    if len(votes) >= _needed(match, seat):
        return _open(room, counted, seat, REPLACED, context)
    edit = _vote_edit(room, counted, seat)
    return Outcome(replace(room, match=counted), (edit,), Toast(words.plain("seat.voted")))


def fall_asleep(room: Room, match: Match, seats: Sequence[Seat], context: Context) -> tuple[Room, Effects]:
    """Let a computer answer for players who missed ``MISSED`` decisions in a row, until they tap again.

    It does so only if the group's settings allow it. The game still counts for the players.
    """
    if match.over or room.private or room.settings.stand_in != "on":
        return room, ()
    here = match.in_person.keys() & match.present.keys()
    due = [seat for seat in seats if match.missed.get(seat, 0) >= MISSED and seat in here]
    if not due:
        return room, ()
    players = tuple(
        replace(player, computer=True) if seat in due else player for seat, player in enumerate(match.players)
    )
    asleep = tuple(sorted({*match.asleep, *due}))
    told: list[Post] = []
    for seat in due:
        telling, person = telling_for_seat(room, match, seat), match.people[seat]
        back = Button(telling.words.plain("button.back-in-game"), data(room.name, "back", match.number))
        text = Markup("{}\n{}").format(group_link(room), telling.html("asleep.private"))
        told.append(Post(Private(person), text, ((back,),)))
    telling = telling_for_group(room, match)
    told.insert(0, to_group(telling.html("asleep", seats=telling.seats(due))))
    match = replace(match, players=players, asleep=asleep, stood_in_at=context.now)
    return replace(room, match=match), tuple(told)


def wake_up(room: Room, user: UserId) -> tuple[Room, Effects]:
    """Give the seat back to a player for whom a computer answered. Tell them what it knows and is asked."""
    match = room.playing
    seat = None if match is None else match.seat_of(user)
    if match is None or seat is None or seat not in match.asleep:
        return room, ()
    player = replace(match.players[seat], computer=False)
    woken = match.without_seat(seat, "asleep", "missed", "replacement_votes", "computer_choices")
    woken = replace(woken, players=(*match.players[:seat], player, *match.players[seat + 1 :]))
    room = replace(room, match=woken)
    told = to_group(words_of(room).html("awake", seat=telling_for_group(room, woken).seat(seat)))
    room, knows = catch_up(room, woken, seat)
    return room, (told, *knows)


def back_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Greet a player who returns. Before any tap of theirs, ``routing`` gives the seat back to them."""
    return Outcome(room, toast=Toast(Words(closest(incoming.person.language)).plain("awake.toast")))


def unreachable(room: Room, match: Match, seat: Seat) -> Post:
    """Tell the group that the bot cannot write to a player, and offer a vote on a substitute.

    If the seat is open already, offer the seat instead.
    """
    if seat in match.away or not _voters(match, seat):
        text = words_of(room).html("unreachable", seat=telling_for_group(room, match).seat(seat))
        return to_group(text, offer_keyboard(room, match, seat) if seat in match.away else ())
    return _vote_post(room, match, seat)


def offer_keyboard(room: Room, match: Match, seat: Seat) -> tuple[Row, ...]:
    """Return the button that takes an open seat."""
    text = words_of(room).plain("button.sit")
    return ((Button(text, data(room.name, "sit", match.number, seat)),),)


def _open(
    room: Room, match: Match, seat: Seat, why: Mapping[str, str], context: Context, **values: Markup
) -> Outcome:
    """Open a seat to anybody new. A computer plays it until then, if the group's settings or ``why`` say so.

    If the last person has left, the game is cancelled. The old player's votes to replace others no longer
    count. Fewer votes are needed now, so other votes may succeed at once.
    """
    if match.present.keys() <= {seat}:
        why_cancelled = words_of(room).html("seat.last", seat=telling_for_group(room, match).seat(seat))
        away = (*match.away, seat)
        over = replace(match, away=away, cancelled=True, former={}, silent_leavers=(), rated={})
        room = replace(room, match=over)
        return Outcome(room, announce_cancelled(room, over, why_cancelled))
    voted = [other for other, votes in match.replacement_votes.items() if seat in votes]
    against = {
        other: tuple(voter for voter in votes if voter != seat)
        for other, votes in match.replacement_votes.items()
        if other != seat
    }
    opened = match.without_seat(seat, "asleep")
    opened = replace(opened, away=(*match.away, seat), replacement_votes=against)
    if room.settings.stand_in == "on" or why in (THROWN_OUT, UNSEATED):
        opened = _with_computer(opened, seat, context)
    # The person who left is named without the computer's sign.
    named = telling_for_group(room, match).seat(seat)
    text = words_of(room).html(why[room.settings.stand_in], seat=named, **values)
    offer = replace(to_group(text, offer_keyboard(room, opened, seat)), key=_key(seat))
    room = replace(room, match=opened)
    for other, votes in against.items():
        if _replaceable(opened, other) and len(votes) >= _needed(opened, other):
            after = _open(room, opened, other, REPLACED, context)
            return replace(after, effects=(offer, *after.effects))
    shown = (other for other in voted if _replaceable(opened, other))
    return Outcome(room, (offer, *(_vote_edit(room, opened, other) for other in shown)))


def _with_computer(match: Match, seat: Seat, context: Context) -> Match:
    player = replace(match.players[seat], computer=True)
    players = (*match.players[:seat], player, *match.players[seat + 1 :])
    return replace(match, players=players, stood_in_at=context.now)


def _offer(room: Room, match: Match, seat: Seat) -> Post:
    text = words_of(room).html("seat.open", seat=telling_for_group(room, match).seat(seat))
    return replace(to_group(text, offer_keyboard(room, match, seat)), key=_key(seat))


def _key(seat: Seat) -> str:
    """Return the key of posts about who has a seat, so that a newer one replaces one that still waits."""
    return f"seat/{seat}"


def _seat(room: Room, match: Match, seat: Seat, person: Person, context: Context) -> Outcome:
    before = telling_for_group(room, match).seat(seat)
    player = player_of(person, context)
    if person.id != match.players[seat].id:
        match = deadlines.note_silent_leaver(match, seat).without_seat(seat, "notes", "watching")
        former = {**match.former, **({match.people[seat]: seat} if seat in match.people else {})}
        match = replace(match, former=former, first_tap=None)
    players = (*match.players[:seat], player, *match.players[seat + 1 :])
    silent_leavers = tuple(user for user in match.silent_leavers if user != person.id)
    seated = match.without_seat(seat, "away", "missed", "unreached", "computer_choices")
    seated = replace(seated, players=players, silent_leavers=silent_leavers)
    room = replace(room, match=seated)
    text = words_of(room).html("seat.sat", seat=telling_for_group(room, seated).seat(seat), before=before)
    room, told = catch_up(room, seated, seat)
    toast = Toast(Words(player.language).plain("toast.joined"))
    effects = (replace(to_group(text), key=_key(seat)), *told)
    return Outcome(room, effects, toast, remember=person.id)


def _repeatable(told: Effects, seat: Seat) -> Effects:
    """Give these messages keys, so that a repetition replaces one that still waits."""
    return tuple(
        replace(each, key=f"told/{seat}/{place}") if isinstance(each, Post) else each
        for place, each in enumerate(told)
    )


def catch_up(room: Room, match: Match, seat: Seat) -> tuple[Room, Effects]:
    """Tell a seat again what it knows and is asked. Return the room with what it must remember of this."""
    knows: Effects = (role_offer(room, match, seat), *learned(room, match, seat))
    if room.private:
        room, asked = practising.repeated(room, match)
        return room, _repeatable((*knows, *asked), seat)
    question = question_for(match.game, seat)
    prompts = () if question is None else (prompt_post(room, match, seat, question),)
    return room, _repeatable((*knows, *prompts, *to_dead_seat(room, match, seat)), seat)


def _replaceable(match: Match, seat: Seat) -> bool:
    """Return True if the others may vote to replace a seat's player.

    The player must be a person who missed too many decisions, or to whom the bot cannot write.
    """
    missing = match.missed.get(seat, 0) >= MISSED or seat in match.unreached
    return missing and seat in match.present


def _voters(match: Match, seat: Seat) -> int:
    """Return how many people may vote on a seat's player: the others who have not left."""
    return sum(other != seat for other in match.present)


def _needed(match: Match, seat: Seat) -> int:
    """Return how many votes replace a seat's player: more than half of ``_voters``."""
    return _voters(match, seat) // 2 + 1


def _vote_edit(room: Room, match: Match, seat: Seat) -> Edit:
    post = _vote_post(room, match, seat)
    return edit_in_group(f"{_VOTE}{seat}", post.text, post.keyboard)


def _vote_post(room: Room, match: Match, seat: Seat) -> Post:
    telling = telling_for_group(room, match)
    votes = len(match.replacement_votes.get(seat, ()))
    why = "unreachable.vote" if seat in match.unreached else "seat.vote"
    text = telling.html(why, seat=telling.seat(seat), votes=votes, needed=_needed(match, seat))
    tap = data(room.name, "replace", match.number, seat)
    button = Button(telling.words.plain("button.replace"), tap)
    return to_group(text, ((button,),), f"{_VOTE}{seat}")
