"""Handle players' answers to the questions of a game."""

from dataclasses import replace
from functools import partial

from markupsafe import Markup

from bot.computers import with_claims
from bot.conversation.game.announce import (
    NOMINATE,
    announce,
    announce_answered,
    announce_picked,
    asked_in_group,
    edit_of_post,
    prompt_post,
)
from bot.conversation.game.claims import end_session, tell_dropped
from bot.conversation.game.deadlines import may_not_claim
from bot.conversation.game.practising import begin_message
from bot.conversation.incoming import Tap
from bot.conversation.limits import is_quiet
from bot.conversation.outcome import Context, Edit, Effects, Outcome, Post, Toast, ToSeat
from bot.conversation.posting import claim_names, group_link, prompt_name, telling_for_seat
from bot.conversation.rights import no_seat_text
from bot.display.expansions import SHOWN
from bot.display.prompts import ballot_over, label
from bot.display.words import Words
from bot.rooms.model import FirstTap, Match, Room
from bot.rooms.rounds import HANDS
from engine import Illegal, QuestionNumber, Reply, Seat, answer, question_for, waiting_on
from engine.facts import Enacted, Vetoed

# --- ballots ------------------------------------------------------------------------------------------------
# Tell the group how many have voted. Move the buttons if the setting for the place to vote changes.

#: Seconds for which a ballot must have been open before the group is told how many have voted.
COUNT_AFTER = 15


def count_votes(outcome: Outcome, context: Context) -> Outcome:
    """Add to the outcome of a vote the news of how many have voted, at most once a ballot.

    The news never says who has voted, or in which order. It comes only when more than half have voted, and
    not if only computers are missing or the bot wrote much to the group lately.
    """
    room, match = outcome.room, outcome.room.playing
    question = None if match is None else match.game.question
    if match is None or question is None or question.step != "ballot" or room.private:
        return outcome
    missing = waiting_on(match.game)
    told = match.ballot_count is not None and match.ballot_count[0] == question.number
    early = context.now < match.opened_at + COUNT_AFTER
    if told or early or match.in_person.keys().isdisjoint(missing) or not is_quiet(room, context):
        return outcome
    done = len(question.seats) - len(missing)
    if done <= len(missing):
        return outcome
    match = replace(match, ballot_count=(question.number, done))
    room = replace(room, match=match)
    # Droppable: while many messages wait, it would come after the result, and delay somebody's prompt.
    told_now = replace(edit_of_post(room, match), droppable=True)
    return replace(outcome, room=room, effects=(*outcome.effects, told_now))


def move_question(before: Room, room: Room) -> Effects:
    """Move the open question's buttons if the group's setting for them changed (private chats or group)."""
    match = room.playing
    question = None if match is None else question_for(match.game, None)
    if match is None or question is None:
        return ()
    in_group = asked_in_group(room, question)
    if in_group == asked_in_group(before, question):
        return ()
    moved: list[Post | Edit] = [edit_of_post(room, match)]
    for seat in question.seats:
        asked = question_for(match.game, seat)
        assert asked is not None
        prompt = prompt_post(room, match, seat, asked)
        lines = [prompt.text]
        if seat in waiting_on(match.game):
            lines.append(telling_for_seat(room, match, seat).html("clock.reminder.group"))
        # A prompt without buttons says where they are now, if the seat must still vote.
        bare = Edit(prompt.to, prompt_name(seat), Markup("\n").join(lines))
        moved.append(bare if in_group else prompt)
    return tuple(moved)


# --- answering ----------------------------------------------------------------------------------------------

#: Questions whose answers take two taps from people who chose that (/confirm). Fatal ones always take two.
CONFIRMED = frozenset({NOMINATE, *HANDS})
#: The second tap counts if it comes at least ``SOONEST`` and at most ``LATEST`` milliseconds after the first.
#: An earlier one may be the same tap, which arrived twice.
SOONEST, LATEST = 1_000, 10_000


def answer_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle a tap on an option. It counts only from a seat that is asked, while the question is open."""
    number, asked, choice = incoming.args
    question_number = QuestionNumber(asked)
    match = room.match
    seat = None if match is None else match.seat_played_by(incoming.person.id)
    if match is None or match.number != number or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, incoming)))
    words = Words(match.players[seat].language, room.settings.theme)
    reply = Reply(seat, question_number, choice)
    if (first := _ask_again(room, match, reply, context)) is not None:
        return first
    try:
        outcome = answer_question(room, reply, context)
    except Illegal as illegal:
        voted = match.ballot(question_number)
        why = words.plain(f"illegal.{illegal.reason}") if voted is None else ballot_over(words, voted, seat)
        return Outcome(room, toast=Toast(why))
    if outcome.effects and not room.private:
        _, saw = claim_names(seat)
        if saw in [effect.name for effect in outcome.effects]:
            outcome = replace(outcome, effects=_with_result(room, outcome.effects, seat, saw))
    question = question_for(match.game, seat)
    assert question is not None, "an answer was taken"
    place, now = question.seats.index(seat), outcome.room.match
    open_now = None if now is None else now.game.question
    # In a secret meeting the toast does not depend on the others' picks. At a practice table only computers
    # still have to answer.
    is_open = question.meeting or (open_now is not None and open_now.number == question.number)
    key = "toast.answered"
    if question.changeable and is_open and not room.private:
        is_same_vote = question.step == "ballot" and question.answers[place] == choice
        key = "toast.same-vote" if is_same_vote else "toast.changeable"
    chosen = label(words, match.players, question.options[place][choice])
    outcome = replace(outcome, toast=Toast(words.plain(key, choice=chosen)))
    return count_votes(outcome, context) if question.step == "ballot" else outcome


def _with_result(room: Room, effects: Effects, seat: Seat, saw: str) -> Effects:
    """Merge the message about what an answer showed its seat into the record of the answer.

    The record is the edited prompt. The person is looking at it, so they need no new message.
    """
    shown = [one for one in effects if isinstance(one, Post) and one.to == ToSeat(seat) and one.name == saw]
    records = [one for one in effects if isinstance(one, Edit) and one.name == prompt_name(seat)]
    if len(shown) != 1 or len(records) != 1 or records[0].keyboard:
        return effects
    (post,), (record,) = shown, records
    text = record.text + "\n" + post.text.removeprefix(group_link(room) + "\n")
    both = replace(record, text=text, keyboard=post.keyboard, known_as=saw)
    return tuple(both if one is record else one for one in effects if one is not post)


def answer_question(room: Room, reply: Reply, context: Context) -> Outcome:
    """Return the outcome of a seat's answer, given by a person or a computer.

    Raises Illegal, with the reason, if the engine refuses it.
    """
    match = room.match
    if match is None or match.over:
        raise Illegal("over")
    question = question_for(match.game, reply.seat)
    game, events = answer(match.game, reply)
    assert question is not None, "who is not asked cannot answer"
    played, over = replace(match, game=game), False
    if events:
        played = match.advance(game, events, context.now)
        over = not {Enacted, Vetoed}.isdisjoint([type(event.fact) for event in events])
        if over:
            played = end_session(played, context.now)
        if played.computer_seats:
            quiet = partial(may_not_claim, room, played)
            played = with_claims(played, events, room.settings.strength, context.now, quiet)
    if room.private and not question.meeting and reply.seat in match.people:
        played = replace(played, post_start=begin_message(match).post_start)
    # A secret answer must not show the group that its player is there.
    if not question.meeting and reply.seat in played.missed and reply.seat not in played.asleep:
        played = played.without_seat(reply.seat, "missed")
        if reply.seat not in match.unreached:
            played = played.without_seat(reply.seat, "replacement_votes")
    room = replace(room, match=played)
    if question.meeting:
        recorded = announce_picked(room, played)
    else:
        recorded = announce_answered(room, match, reply.seat, question, reply.choice)
    in_private = question.step in (NOMINATE, "ballot") and not asked_in_group(room, question)
    tapped = reply.seat if in_private else None
    room, told = announce(room, events, tapped=tapped) if events else (room, ())
    dropped = tell_dropped(room, match, played) if over and not played.over else ()
    return Outcome(room, (*recorded, *told, *dropped))


def _ask_again(room: Room, match: Match, reply: Reply, context: Context) -> Outcome | None:
    """Ask for a second tap on the same option; None if none is needed, or if this is the second one.

    A tap that comes too early is answered like the first one and changes nothing.
    """
    question = question_for(match.game, reply.seat)
    if match.over or question is None or question.number != reply.question:
        return None
    options, player = question.options[question.seats.index(reply.seat)], match.players[reply.seat]
    fatal = question.step in SHOWN.fatal
    asks = fatal or (player.confirms and question.step in CONFIRMED)
    if not asks or not 0 <= reply.choice < len(options):
        return None
    first, now = match.first_tap, context.now * 1000 + context.milliseconds
    since = None if first is None or first.choice != reply.choice else now - first.at
    if since is not None and SOONEST <= since <= LATEST:
        return None
    if since is None or abs(since) >= SOONEST:
        room = replace(room, match=replace(match, first_tap=FirstTap(reply.choice, now)))
    words = Words(player.language, room.settings.theme)
    chosen = label(words, match.players, options[reply.choice])
    asked = words.plain(f"tap-again.{question.step}" if fatal else "tap-again", choice=chosen)
    within = words.plain("tap-again.within", seconds=LATEST // 1000)
    return Outcome(room, toast=Toast(words.plain("sentences", first=asked, second=within)))
