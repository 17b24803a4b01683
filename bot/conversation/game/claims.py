"""Claims: players say what they saw, true or not. The group reads new claims in its next post.

A claim about a session that is not over yet waits for the session's end, so that it tells no more than the
table may know.
"""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.announce import (
    asked_in_group,
    claim_edit,
    claim_message,
    claimable_facts,
    dropped_edit,
    edit_of_post,
    prompt_post,
    told_line,
)
from bot.conversation.game.claim_buttons import KINDS, offered, possible_claims, rows_about
from bot.conversation.game.deadlines import claims_due_at, may_not_claim
from bot.conversation.game.practising import message_edit, open_question
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import ClearButtons, Context, Edit, Effects, Outcome, Toast, ToSeat
from bot.conversation.posting import (
    no_game,
    prompt_name,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_of,
)
from bot.conversation.rights import no_seat_text
from bot.display.history import claims_line, suspicion_line
from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Match, Room, Suspicion
from bot.rooms.rounds import CHANCELLOR, PARTY, PEEK, PRESIDENT, claimable_colours, rounds_of, session_over
from engine import Seat, question_for
from engine.claim import Claim


def claim_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Make or change a claim. It can be changed until the next nomination."""
    number, round_number, kind, choice = incoming.args
    match = room.match
    seat = None if match is None or match.number != number else match.seat_played_by(incoming.person.id)
    if match is None or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, incoming)))
    words = Words(match.players[seat].language, room.settings.theme)
    if match.over:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    known = 0 <= kind < len(KINDS)
    early = known and _is_early(match, seat, round_number, KINDS[kind])
    if not early and may_not_claim(room, match, seat):
        return Outcome(room, toast=Toast(words.plain("claim.silenced"), alert=True))
    if not early and not (known and _may_claim(match, seat, round_number, KINDS[kind])):
        return Outcome(room, toast=Toast(words.plain("claim.not-yet")))
    choices = possible_claims(match, KINDS[kind])
    if not 0 <= choice < len(choices):
        return Outcome(room, toast=Toast(words.plain("illegal.no-option")))
    said_before = any((c.seat, c.round, c.kind) == (seat, round_number, KINDS[kind]) for c in match.claims)
    late = any(later.chancellor is not None for later in rounds_of(match.view(None))[round_number:])
    if said_before and late:
        return Outcome(room, toast=Toast(words.plain("claim.final")))
    if choice not in offered(match, seat, KINDS[kind], round_number):
        return Outcome(room, toast=Toast(words.plain("claim.impossible")))
    claim = Claim(seat, round_number, KINDS[kind], choices[choice], len(match.view(None).facts))
    if early:
        others = [one for one in match.early if (one.seat, one.kind) != (seat, claim.kind)]
        claimed = replace(match, early=(*others, claim))
    else:
        claimed = match.with_claims((claim,), context.now)
    room = replace(room, match=claimed)
    made = Toast(words.plain("claim.early" if early else "claim.made.late" if late else "claim.made"))
    if not room.private:
        told = told_line(telling_for_seat(room, claimed, seat), claim)
        rows = () if late else rows_about(room, claimed, seat, claim.kind, round_number)
        return Outcome(room, (claim_edit(room, claimed, claim, told, rows),), made)
    question = open_question(claimed)
    news = () if early or question is None else (message_edit(room, claimed, seat, question),)
    bare = (ClearButtons(ToSeat(seat), claim_message(claim)),) if late else ()
    return Outcome(room, (*news, *bare), made)


def end_session(match: Match, now: int) -> Match:
    """Return the match in which early claims now count, because their session is over.

    An early claim is dropped if the enacted tile proves that it is a lie.
    """
    if not match.early:
        return match
    at = len(match.view(None).facts)
    rounds = rounds_of(match.view(None))
    told = []
    for claim in match.early:
        enacted = claimable_colours(rounds[claim.round - 1], claim.kind, veto=False)
        if not enacted or not enacted.isdisjoint(claim.said):
            told.append(replace(claim, at=at))
    match = replace(match, early=())
    return match.with_claims(told, now) if told else match


def tell_dropped(room: Room, before: Match, match: Match) -> Effects:
    """Tell seats that their early claims were dropped at the session's end, and ask them again.

    ``before`` is the match before the session ended.
    """
    round_ = rounds_of(match.view(None))[before.round - 1]
    enacted = claimable_colours(round_, PRESIDENT, veto=False)
    dropped = [one for one in before.early if enacted and enacted.isdisjoint(one.said)]
    told = [dropped_edit(room, match, claim) for claim in dropped if claim.seat in before.in_person]
    return tuple(effect for effects in told for effect in effects)


def _is_early(match: Match, seat: Seat, number: int, kind: str) -> bool:
    """Return True if this seat has seen a hand of the present session, which is not over yet."""
    if number != match.round or kind not in (PRESIDENT, CHANCELLOR):
        return False
    over = session_over(rounds_of(match.view(None))[number - 1])
    return not over and any(one[:2] == (number, kind) for one in claimable_facts(match, seat))


def tell_claims(room: Room, match: Match, now: int) -> Outcome:
    """Tell the group the new claims, if they have waited for its next post long enough.

    They get a post of their own only while a nomination is awaited, and at most once a round. Otherwise they
    are added to the latest post.
    """
    question = match.game.question
    at = claims_due_at(match)
    if at is None or now < at:
        return Outcome(room)
    apart = question is not None and question.step == "nominate" and match.claims_post_round < match.round
    if not apart:
        room = replace(room, match=match.mark_claims_posted(afresh=False))
        assert room.match is not None
        return Outcome(room, (edit_of_post(room, room.match), *_recapped(room, room.match)))
    new, talk = match.find_claims(match.unposted_claims), room.settings.talk == "on"
    text = claims_line(telling_for_group(room, match), new, match.claims, talk=talk)
    told = replace(match, unposted_claims=(), unposted_since=0, claims_post_round=match.round)
    room = replace(room, match=told)
    return Outcome(room, (to_group(text or Markup()), *_recapped(room, told)))


def _recapped(room: Room, match: Match) -> Effects:
    """Return the edit that shows new claims in the prompt of the President who has to nominate."""
    question = match.game.question
    if question is None or question.step != "nominate" or asked_in_group(room, question):
        return ()
    (seat,) = question.seats
    asked = question_for(match.game, seat)
    assert asked is not None
    post = prompt_post(room, match, seat, asked)
    return (Edit(ToSeat(seat), prompt_name(seat), post.text, post.keyboard, droppable=True),)


def _may_claim(match: Match, seat: Seat, number: int, kind: str) -> bool:
    """Return True if a seat saw what such a claim is about in that round, and the session is over."""
    rounds = rounds_of(match.view(None))
    if not 0 < number <= len(rounds):
        return False
    round_ = rounds[number - 1]
    if kind == PEEK:
        return any(looker == seat for looker, _ in round_.peeked)
    if kind == PARTY:
        return any(looker == seat for looker, _, _ in round_.looked)
    holder = {PRESIDENT: round_.president, CHANCELLOR: round_.chancellor}[kind]
    return holder == seat and round_.elected and session_over(round_)


# --- suspecting ---------------------------------------------------------------------------------------------
# /suspect 3 5: a player tells the group whom they suspect. At the end each suspicion is shown with the truth.


def suspect(room: Room, incoming: Command, context: Context) -> Outcome:
    """Store which seats a living player suspects, and tell the group.

    A later suspicion in the same round replaces the earlier one.
    """
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (no_game(room),))
    seat, table = match.seat_played_by(incoming.person.id), match.view(None).table
    if seat is None or not table.alive[seat]:
        return Outcome(room, (to_group(words.html("suspect.players")),))
    suspects = _seats(incoming.argument, table.seats)
    if (wrong := _mistake(telling_for_group(room, match), seat, incoming.argument, suspects)) is not None:
        return Outcome(room, (to_group(wrong),))
    suspicion: Suspicion = (seat, match.round, suspects)
    kept = tuple(one for one in match.suspicions if one[:2] != suspicion[:2])
    match = replace(match, suspicions=(*kept, suspicion))
    line = suspicion_line(telling_for_group(room, match), suspicion)
    return Outcome(replace(room, match=match), (to_group(line),))


def _seats(argument: str, seats: int) -> tuple[Seat, ...]:
    """Return the seats that are named by number, with or without ``#``; none if anything else is written."""
    named = argument.replace(",", " ").replace("#", " ").split()
    if not all(number.isdecimal() and len(number) <= 2 for number in named):
        return ()
    chosen = sorted({Seat(int(number) - 1) for number in named})
    return tuple(chosen) if all(0 <= seat < seats for seat in chosen) else ()


def _mistake(telling: Telling, own: Seat, argument: str, suspects: Sequence[Seat]) -> Markup | None:
    """Say what is wrong with a suspicion, and what to write instead; None if nothing is wrong."""
    table = telling.view.table
    others = [seat for seat in range(table.seats) if table.alive[seat] and seat != own]
    example = " ".join(str(seat + 1) for seat in others[:2])
    dead = [seat for seat in suspects if not table.alive[seat]]
    if not argument.strip():
        return telling.html("suspect.usage", example=example)
    if not suspects:
        return telling.html("suspect.unknown", seats=table.seats, example=example)
    if own in suspects:
        return telling.html("suspect.own", seat=telling.seat(own), example=example)
    return telling.html("suspect.dead", seats=telling.seats(dead), example=example) if dead else None
