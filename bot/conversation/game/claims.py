"""Claims: what people say that they saw, true or not. The group reads them in its latest post."""

from dataclasses import replace

from bot.conversation.game.announce import edit_of_post
from bot.conversation.game.claim_buttons import KINDS, sayings
from bot.conversation.game.practising import message_edit, open_question
from bot.conversation.game.silence import claims_nothing
from bot.conversation.incoming import Tap
from bot.conversation.outcome import Context, Outcome, Toast
from bot.conversation.players import without_seat
from bot.display.words import Words, closest
from bot.rooms.governments import CHANCELLOR, PARTY, PEEK, PRESIDENT, Government, governments
from bot.rooms.model import Match, Room
from engine.claim import Claim


def claim_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """Claim what one saw; a later claim of the same thing replaces the earlier one."""
    number, now, kind, choice = said.args
    match = room.match
    seat = None if match is None or match.number != number else match.seat_played_by(said.person.id)
    words = Words(closest(said.person.language))
    if match is None or seat is None:
        return Outcome(room, toast=Toast(without_seat(room, said, words)))
    words = Words(match.players[seat].language, room.settings.theme)
    if match.over:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    if claims_nothing(room, match, seat):
        return Outcome(room, toast=Toast(words.plain("claim.silenced"), alert=True))
    if not 0 <= kind < len(KINDS) or not _may_claim(match, seat, now, KINDS[kind]):
        return Outcome(room, toast=Toast(words.plain("claim.not-yet")))
    choices = sayings(match, KINDS[kind])
    if not 0 <= choice < len(choices):
        return Outcome(room, toast=Toast(words.plain("illegal.no-option")))
    claim = Claim(seat, now, KINDS[kind], choices[choice], len(match.view(None).facts))
    others = tuple(c for c in match.claims if (c.seat, c.round, c.kind) != (seat, now, claim.kind))
    claimed = replace(match, claims=(*others, claim))
    room = replace(room, match=claimed)
    made = Toast(words.plain("claim.made"))
    if not room.private:
        return Outcome(room, (edit_of_post(room, claimed),), made)
    question = open_question(claimed)
    return Outcome(room, () if question is None else (message_edit(room, claimed, seat, question),), made)


def _may_claim(match: Match, seat: int, number: int, kind: str) -> bool:
    """Whether this seat saw such a thing in that round, and the session is over."""
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
