"""Remove buttons and deadlines of questions that are closed, and show a deadline that has changed.

This is never urgent. The calls that remove buttons are dropped if the chat's limit leaves no room.
"""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.announce import (
    MESSAGE,
    asked_in_group,
    claim_message,
    claimable_facts,
    edit_of_post,
    group_keyboard,
    record_edit,
    told_line,
    under_spoiler,
)
from bot.conversation.game.claim_buttons import claim_rows
from bot.conversation.game.deadlines import call_after_restart, deadline, people_who_moved, time_restarts
from bot.conversation.game.guessing import results
from bot.conversation.game.watching import may_watch
from bot.conversation.outcome import (
    GROUP,
    ClearButtons,
    Context,
    Edit,
    Effects,
    Outcome,
    Post,
    Private,
    ToSeat,
)
from bot.conversation.posting import (
    claim_names,
    dead_name,
    group_link,
    prompt_name,
    telling_for_seat,
    to_group,
    words_for,
    words_of,
)
from bot.display.buttons import Row
from bot.display.history import known_texts, remembered, whisper
from bot.display.prompts import hand_seen, trace
from bot.display.telling import Telling, seat_name
from bot.rooms.model import Match, Room
from bot.rooms.rounds import PARTY, PEEK, rounds_of, truth
from engine import Event, Seat, question_for
from engine.facts import CandidacyPassed, ClockAnswered, Discarded, Fact, Nominated
from engine.steps.sealed_veto import Selected

#: The name of the group's latest message about the open question, besides the game's own post.
NOTICE = "notice"


def notice(room: Room, match: Match, text: Markup, keyboard: tuple[Row, ...]) -> Outcome:
    """Post a separate message about the open question, and mark an earlier such message as over.

    The match remembers the message if it has a deadline, or buttons that end with the question.
    """
    passes = deadline(room, match) is not None or any(button.data for row in keyboard for button in row)
    noticed = replace(room, match=replace(match, has_notice=match.has_notice or passes))
    earlier = (_notice_over(room),) if match.has_notice else ()
    return Outcome(noticed, (*earlier, to_group(text, keyboard, NOTICE)))


def with_new_deadline(before: Room, outcome: Outcome, context: Context) -> Outcome:
    """If a question stays open but its deadline changed, show the new one in the group's post.

    If the question's time starts again, note that first.
    """
    room = outcome.room
    was, now = before.playing, room.playing
    if was is None or now is None or (was.number, was.game.asked) != (now.number, now.game.asked):
        return outcome
    if time_restarts(before, room):
        now = replace(
            now,
            time_began_at=context.now,
            reminders=0,
            clock_call=call_after_restart(before, room, context.now),
            restarted_by=(*now.restarted_by, *people_who_moved(was, now)),
        )
        room = replace(room, match=now)
    at = deadline(room, now)
    # A deadline that has passed is not shown: the clock answers before anybody could read it.
    stale = at != deadline(before, was) and (at is None or at > context.now)
    effects = (*outcome.effects, edit_of_post(room, now)) if stale else outcome.effects
    return replace(outcome, room=room, effects=effects)


def with_old_buttons_cleared(before: Room, outcome: Outcome) -> Outcome:
    """Put effects that remove old buttons and deadlines before all other effects of the outcome.

    They are removed if their question is closed, if their seat has another player or is dead, or if the game
    is over.
    """
    was, match = before.playing, outcome.room.match
    if was is None or match is None or match.number != was.number:
        return outcome
    gone: Effects = ()
    new = match.log[len(was.log) :]
    if match.over or match.game.asked != was.game.asked:
        gone = _prompts(before, was, outcome)
        if deadline(before, was) is not None:
            gone = (*gone, edit_of_post(before, was, over=True))
        if was.has_notice:
            gone = (*gone, _notice_over(before))
        if Nominated in [type(event.fact) for event in new]:
            # Claims that were made can no longer be changed. Players without a claim keep the buttons for it.
            made = {(one.seat, claim_message(one)) for one in match.claims if one.round == match.round - 1}
            gone = (*gone, *_clear_buttons(match, sorted(made)))
    if match.over:
        alive = was.view(None).table.alive
        gone = (*gone, *_close_last_claims(was, [seat for seat in was.people if alive[seat]]))
        if may_watch(before, was):
            # Dead players who did not tap the button that offers all cards.
            dead = [seat for seat in was.seats if not alive[seat] and seat not in was.watching]
            gone = (*gone, *_clear_buttons(was, [(seat, dead_name(seat)) for seat in dead]))
        if match.guessers:
            # The guessers are told how well they did, after everything else.
            outcome = replace(outcome, effects=(*outcome.effects, *results(outcome.room, match)))
        done = replace(match, notes={}, first_tap=None, guessers=())
        outcome = replace(outcome, room=replace(outcome.room, match=done))
    else:
        for seat in [seat for seat, person in was.in_person.items() if match.in_person.get(seat) != person]:
            gone = (
                *gone,
                *_clear_buttons(was, [(seat, prompt_name(seat))]),
                *_close_last_claims(was, [seat]),
            )
        if new:  # most ballots tell nothing, so do not fold the log for them
            alive, still = was.view(None).table.alive, match.view(None).table.alive
            # The dead make no claims.
            if dead := [seat for seat in was.in_person if alive[seat] and not still[seat]]:
                gone = (*gone, *_close_last_claims(was, dead))
    return replace(outcome, effects=(*gone, *outcome.effects)) if gone else outcome


def _prompts(room: Room, match: Match, outcome: Outcome) -> Effects:
    """Take the buttons from a closed question's prompts, except from those that become records.

    Prompts for a ballot become traces, which say what the seat voted and how the ballot ended.
    """
    question = match.game.question
    assert question is not None, "a game that goes on asks something"
    if asked_in_group(room, question):
        timed = deadline(room, match) is not None  # then an edit changes the text and removes the buttons
        return (ClearButtons(GROUP, MESSAGE),) if group_keyboard(room, match) and not timed else ()
    if question.step == "ballot" and room.private:
        return ()  # the person's prompt became a record when they voted
    records = [(effect.to, effect.name) for effect in outcome.effects if isinstance(effect, Edit)]
    left = [seat for seat in question.seats if (ToSeat(seat), prompt_name(seat)) not in records]
    if question.step == "ballot" and outcome.room.match is not None:
        return _traces(room, match, outcome.room.match, left)
    return _clear_buttons(match, [(seat, prompt_name(seat)) for seat in left])


def _traces(room: Room, match: Match, now: Match, seats: Sequence[Seat]) -> Effects:
    """Turn a ballot's prompts into texts that say what the seat voted and how the ballot ended."""
    assert match.game.question is not None
    voted, table = now.ballot(match.game.question.number), match.view(None).table
    stood = [one for one in (table.president, table.chancellor) if one is not None]
    texts: dict[tuple[str, str | None], Markup] = {}
    effects: Effects = ()
    for seat in seats:
        person = match.in_person.get(seat)
        if voted is None or person is None:
            effects = (*effects, *_clear_buttons(match, [(seat, prompt_name(seat))]))
            continue
        words, choice = words_for(room, match, seat), voted.ballots[seat]
        if (words.language, choice) not in texts:
            names = Markup(" → ").join([seat_name(match.players[one].shown, one) for one in stood])
            told = trace(words, voted, seat) or words.html("trace.none")
            texts[words.language, choice] = Markup("{}\n🗳 {}\n{}").format(group_link(room), names, told)
        name, text = match.message_name(seat, prompt_name(seat)), texts[words.language, choice]
        effects = (*effects, Edit(Private(person), name, text, droppable=True))
    return effects


def _notice_over(room: Room) -> Edit:
    return Edit(GROUP, NOTICE, words_of(room).html("notice.over"))


def _close_last_claims(match: Match, seats: Sequence[Seat]) -> Effects:
    """Remove the buttons from these seats' latest messages with claims that still have some."""
    # A nomination has removed the buttons of claims that were made about earlier rounds.
    nominated = rounds_of(match.view(None))[-1].chancellor is not None
    open_from = match.round if nominated else match.round - 1
    left = []
    for seat in seats:
        made = {(one.round, one.kind) for one in match.claims if one.seat == seat}
        last = {kind in (PEEK, PARTY): (number, kind) for number, kind, _ in claimable_facts(match, seat)}
        for saw, about in sorted(last.items()):
            if about[0] >= open_from or about not in made:
                left.append((seat, claim_names(seat)[saw]))
    return _clear_buttons(match, left)


def _clear_buttons(match: Match, messages: Sequence[tuple[Seat, str]]) -> Effects:
    """Take the buttons from messages to seats, in the chats of the players who have the seats in ``match``.

    ``messages``: each message's seat and name.
    """
    cleared = []
    for seat, name in messages:
        if seat in match.in_person:
            to = Private(match.in_person[seat])
            cleared.append(ClearButtons(to, match.message_name(seat, name)))
    return tuple(cleared)


# --- memory -------------------------------------------------------------------------------------------------
# Repeat what a seat has seen, and turn a prompt that the clock answered into a record.


def learned(room: Room, match: Match, seat: Seat) -> tuple[Post, ...]:
    """Return everything that a seat learned in private since the deal, round by round, under spoilers.

    It is not part of the role card, because the card's length would reveal how much there is.
    """
    telling, number = telling_for_seat(room, match, seat).compact, 0
    lies = _lies(telling, match, seat)
    mine = []
    for event in match.log:
        number += isinstance(event.fact, CandidacyPassed)
        if event.to is not None and seat in event.to:
            text = whisper(telling, event.fact) or remembered(telling, event.fact)
            mine += [(number, text)] if text else []
            lie = lies.get((number, event.fact))
            mine += [(number, lie)] if lie else []
    return tuple(under_spoiler(room, match, seat, text, "role-seen") for text in known_texts(telling, mine))


def _lies(telling: Telling, match: Match, seat: Seat) -> dict[tuple[int, Fact], Markup]:
    """Return the seat's claims that were lies, as texts, by the round and the fact that it saw."""
    rounds = rounds_of(telling.view)
    lies: dict[tuple[int, Fact], Markup] = {}
    made = {(one.round, one.kind): one for one in match.claims if one.seat == seat}
    for number, kind, fact in claimable_facts(match, seat):
        claim = made.get((number, kind))
        if claim is not None and truth(rounds[number - 1], claim) not in (None, tuple(sorted(claim.said))):
            lies[number, fact] = told_line(telling, claim)
    return lies


def announce_missed(room: Room, match: Match, seat: Seat, events: Sequence[Event]) -> Effects:
    """Turn a prompt that showed a hand into the record of what the clock did with the hand.

    ``match`` is as it was when the seat was asked, ``room`` as it is now. ``events``: the result of the
    clock's answer.
    """
    assert room.match is not None
    question, telling = question_for(match.game, seat), telling_for_seat(room, room.match, seat)
    if question is None or not (hand := hand_seen(telling, question)):
        return ()
    of_clock = (
        event.fact
        for event in events
        if isinstance(event.fact, ClockAnswered)
        or (isinstance(event.fact, Discarded | Selected) and event.fact.seat == seat)
    )
    told = [*hand, *(text for fact in of_clock if (text := remembered(telling, fact)))]
    rows = () if room.playing is None else claim_rows(room, match, seat, question)
    return record_edit(room, match, seat, Markup("\n").join(told), rows)
