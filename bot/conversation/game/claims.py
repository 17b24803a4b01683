"""Claims: what people say that they saw, true or not. The group reads them as news in its next post."""

from dataclasses import replace

from bot.conversation.game.announce import (
    asked_in_group,
    claimed_edit,
    edit_of_post,
    prompt_name,
    prompt_post,
)
from bot.conversation.game.claim_buttons import KINDS, possible_claims
from bot.conversation.game.deadlines import may_not_claim
from bot.conversation.game.practising import message_edit, open_question
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Edit, Effects, Outcome, Seat, Toast
from bot.conversation.posting import telling_for_group, to_group, words_of
from bot.conversation.rights import no_seat_text
from bot.display.history import claims_line, suspicion_line
from bot.display.words import Html, Words, closest
from bot.rooms.governments import CHANCELLOR, PARTY, PEEK, PRESIDENT, Government, governments
from bot.rooms.model import Match, Room, Suspicion
from engine import question_for
from engine.claim import Claim

#: Seconds that claims wait for the group's next post.
TELL_AFTER = 20


def claim_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """Make or change a claim. It can be changed until the next nomination."""
    number, now, kind, choice = said.args
    match = room.match
    seat = None if match is None or match.number != number else match.seat_played_by(said.person.id)
    words = Words(closest(said.person.language))
    if match is None or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, said, words)))
    words = Words(match.players[seat].language, room.settings.theme)
    if match.over:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    if may_not_claim(room, match, seat):
        return Outcome(room, toast=Toast(words.plain("claim.silenced"), alert=True))
    if not 0 <= kind < len(KINDS) or not _may_claim(match, seat, now, KINDS[kind]):
        return Outcome(room, toast=Toast(words.plain("claim.not-yet")))
    choices = possible_claims(match, KINDS[kind])
    if not 0 <= choice < len(choices):
        return Outcome(room, toast=Toast(words.plain("illegal.no-option")))
    said_before = any((c.seat, c.round, c.kind) == (seat, now, KINDS[kind]) for c in match.claims)
    if said_before and _nominated_since(match, now):
        return Outcome(room, toast=Toast(words.plain("claim.final")))
    claim = Claim(seat, now, KINDS[kind], choices[choice], len(match.view(None).facts))
    claimed = match.with_claims((claim,), context.now)
    room = replace(room, match=claimed)
    made = Toast(words.plain("claim.made"))
    if not room.private:
        return Outcome(room, claimed_edit(room, claimed, claim), made)
    question = open_question(claimed)
    return Outcome(room, () if question is None else (message_edit(room, claimed, seat, question),), made)


def tell_claims(room: Room, match: Match, now: int) -> Outcome:
    """Tell the group the new claims, if no other post has told them for a while.

    They get a post of their own only in a round that will have no other post, and at most once in it.
    Otherwise they are added to the latest post.
    """
    question = match.game.question
    if claims_due_at(match) is None or now < match.untold_at + TELL_AFTER:
        return Outcome(room)
    apart = question is not None and question.step == "nominate" and match.told_round < match.round
    if not apart:
        room = replace(room, match=match.told(afresh=False))
        assert room.match is not None
        return Outcome(room, (edit_of_post(room, room.match), *_recapped(room, room.match)))
    text = claims_line(
        telling_for_group(room, match),
        match.find_claims(match.untold),
        match.claims,
        talk=room.settings.talk == "on",
    )
    told = replace(match, untold=(), untold_at=0, told_round=match.round)
    room = replace(room, match=told)
    return Outcome(room, (to_group(text or Html("")), *_recapped(room, told)))


def _recapped(room: Room, match: Match) -> Effects:
    """Return the edit that shows the nominating President in private the claims made meanwhile."""
    question = match.game.question
    if question is None or question.step != "nominate" or asked_in_group(room, question):
        return ()
    (seat,) = question.seats
    asked = question_for(match.game, seat)
    assert asked is not None
    post = prompt_post(room, match, seat, asked)
    return (Edit(Seat(seat), prompt_name(seat), post.text, post.keyboard, spare=True),)


def claims_due_at(match: Match) -> int | None:
    """Return when the group is told what was claimed at the latest, in seconds since 1970, or None."""
    return match.untold_at + TELL_AFTER if match.untold and match.practice is None else None


def _nominated_since(match: Match, number: int) -> bool:
    """Return whether somebody was nominated in a later round than this one."""
    return any(now.chancellor is not None for now in governments(match.view(None).facts)[number:])


def _may_claim(match: Match, seat: int, number: int, kind: str) -> bool:
    """Return whether this seat saw such a thing in that round, and the session is over."""
    rounds = governments(match.view(None).facts)
    if not 0 < number <= len(rounds):
        return False
    now = rounds[number - 1]
    if kind == PEEK:
        return any(looker == seat for looker, _ in now.peeked)
    if kind == PARTY:
        return any(looker == seat for looker, _, _ in now.looked)
    holder = {PRESIDENT: now.president, CHANCELLOR: now.chancellor}[kind]
    return holder == seat and now.elected and _session_over(now)


def _session_over(now: Government) -> bool:
    return bool(now.enacted) or now.vetoed


# --- suspecting ---------------------------------------------------------------------------------------------
# /suspect 3 5: a player tells the group whom they suspect.
# The suspicion is kept, and compared with the truth at the end.


def suspect(room: Room, said: Command, context: Context) -> Outcome:
    """Record which seats a living player suspects, and tell the group.

    A later suspicion in the same round replaces the earlier one.
    """
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (to_group(words.html("lobby.none")),))
    seat, table = match.seat_played_by(said.person.id), match.view(None).table
    if seat is None or not table.alive[seat]:
        return Outcome(room, (to_group(words.html("suspect.players")),))
    suspects = _seats(said.argument, table.seats, seat)
    if not suspects:
        return Outcome(room, (to_group(words.html("suspect.usage")),))
    suspicion: Suspicion = (seat, match.round, suspects)
    kept = tuple(one for one in match.suspicions if one[:2] != suspicion[:2])
    match = replace(match, suspicions=(*kept, suspicion))
    line = suspicion_line(telling_for_group(room, match), suspicion)
    return Outcome(replace(room, match=match), (to_group(line),))


def _seats(argument: str, seats: int, own: int) -> tuple[int, ...]:
    """Return the seats named by number, with or without ``#``; none if anything else was said."""
    named = argument.replace(",", " ").replace("#", " ").split()
    if not all(number.isdecimal() and len(number) <= 2 for number in named):
        return ()
    chosen = sorted({int(number) - 1 for number in named} - {own})
    return tuple(chosen) if all(0 <= seat < seats for seat in chosen) else ()
