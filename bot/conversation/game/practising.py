"""Practice: one message tells what happened since the person's last answer, and asks the next question.

It is posted once the person is asked, or the game is over. Until then each act of a computer adds to it.
``Match.post_start`` is the index of the event with which it begins.
"""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.claim_buttons import claim_rows
from bot.conversation.incoming import Tap
from bot.conversation.outcome import ClearButtons, Context, Edit, Effects, Outcome, Post, Toast, ToSeat
from bot.conversation.posting import (
    NO_NOTES,
    answer_rows,
    claim_names,
    group_link,
    prompt_name,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_for,
)
from bot.display.advice import advice_line, board_explained, hint_text
from bot.display.board_picture import picture_of
from bot.display.buttons import LONGEST, Button, Row, data, latest
from bot.display.history import claim_line, line, replay_texts
from bot.display.prompts import board_lines, prompt, record
from bot.display.reveal import ending_text, roles_text
from bot.display.words import Words, closest, shown_length
from bot.rooms.model import Match, Room
from engine import Event, Question, Seat, question_for, seen
from engine.facts import CandidacyPassed, Enacted, GameOver, Killed

#: Lengths in UTF-16 units: the longest caption, which is below Telegram's limit, and the most that a hint and
#: a claim may add to it. In a meeting, ``CLAIM`` is the most that one player's pick and claim may add.
CAPTION, HINT, CLAIM = 1000, 320, 140


def person_in(match: Match) -> Seat:
    """Return the seat of the person who practises."""
    return next(iter(match.people))


def open_question(match: Match) -> Question | None:
    """Return the person's open question, or None. In a meeting they may have answered it already."""
    seat = person_in(match)
    question = question_for(match.game, seat)
    if question is None:
        return None
    answer = question.answers[question.seats.index(seat)]
    return question if answer is None or question.meeting else None


def person_decides_first(match: Match) -> bool:
    """Return True if the computers wait for the person's answer, to hear what the person claims."""
    question = open_question(match)
    return question is not None and not question.meeting


def all_have_picked(match: Match) -> bool:
    """Return True if a meeting is open in which everybody has picked, so that it can close early."""
    question = match.game.question
    return question is not None and question.meeting and None not in question.answers


def begin_message(match: Match) -> Match:
    """Let the next message begin with the next event, because the person has answered."""
    return replace(match, post_start=len(match.log))


def announce(room: Room, match: Match, events: Sequence[Event]) -> tuple[Room, Effects]:
    """Return the messages after these events; none while the computers still have to act."""
    seat, question = person_in(match), open_question(match)
    if match.over:
        return room, _ending(room, match, seat)
    if question is not None:
        post = message(room, match, seat, question)
        return replace(room, match=replace(match, pictured=post.picture is not None)), (post,)
    if any(isinstance(event.fact, Killed) and event.fact.seat == seat for event in events):
        telling = telling_for_seat(room, match, seat)
        text = _fitting(room, match, [telling.html("practice.dead")], LONGEST)
        match = replace(begin_message(match), pictured=False)
        return replace(room, match=match), (to_group(text),)
    return room, ()


def message(room: Room, match: Match, seat: Seat, question: Question) -> Post:
    """Return what happened and the question with its buttons, and a picture if something was enacted.

    There is no picture if the events, and the claims that may follow, do not all fit into its caption. A hint
    may push out older events until the question is answered.
    """
    asks, rows = _asks(room, match, seat, question, None), _rows(room, match, seat, question, None)
    kinds = set(map(type, seen(match.log, None, match.post_start)))
    picture = picture_of(room, match) if match.post_start == 0 or Enacted in kinds else None
    text = _fitting(room, match, asks, LONGEST)
    free = CAPTION - CLAIM * (len(question.seats) if question.meeting else 1)
    if shown_length(text) > free or shown_length(Markup("\n").join(asks)) > free - HINT:
        picture = None
    return Post(ToSeat(seat), text, rows, prompt_name(seat), protect=True, picture=picture)


def message_edit(
    room: Room, match: Match, seat: Seat, question: Question, hint: Markup | None = None
) -> Edit:
    """Return the edit that updates the message."""
    asks, rows = _asks(room, match, seat, question, hint), _rows(room, match, seat, question, hint)
    text = _fitting(room, match, asks, CAPTION if match.pictured else LONGEST)
    if match.pictured and shown_length(text) > CAPTION:
        text = Markup("\n").join([group_link(room), *([] if hint is None else [hint])])
    return Edit(ToSeat(seat), prompt_name(seat), text, rows, caption=match.pictured)


def _asks(room: Room, match: Match, seat: Seat, question: Question, hint: Markup | None) -> list[Markup]:
    """Return the question, with advice or with the hint that was asked for."""
    telling = replace(telling_for_seat(room, match, seat), notes=match.notes.get(seat, {}))
    advice: list[Markup] = []
    if hint is not None:
        advice = [hint]  # it says more than the advice would
    elif match.practice is not None and match.practice.advice:
        first = [board_explained(telling)] if match.post_start == 0 else []
        advice = [*first, advice_line(telling, question)]
    board = board_lines(telling, question)
    return [Markup(), prompt(telling, question, match.claims, board=board, advice=advice, last=True)]


def _rows(room: Room, match: Match, seat: Seat, question: Question, hint: Markup | None) -> tuple[Row, ...]:
    """Return the buttons that answer, and one that asks for a hint if there is none yet."""
    words = words_for(room, match, seat)
    tap = data(room.name, "advise", match.number, question.number)
    lamp = [] if hint is not None else [(Button(words.plain("button.advise"), tap),)]
    return (*answer_rows(room, match, words, question, seat, match.notes.get(seat, NO_NOTES)), *lamp)


def record_edit(room: Room, match: Match, seat: Seat, question: Question, choice: int) -> Effects:
    """Turn the message into the record of an answer. ``match`` is as it was when the seat was asked."""
    assert room.match is not None
    telling = telling_for_seat(room, room.match, seat)
    rows = claim_rows(room, match, seat, question)
    ask = [telling.html("claim.ask")] if rows else []
    kept = [Markup(), record(telling, question, question.options[0][choice]), *ask]
    text = _fitting(room, match, kept, CAPTION if match.pictured else LONGEST)
    session, _ = claim_names(seat)
    to, name = ToSeat(seat), prompt_name(seat)
    if not rows:
        return (Edit(to, name, text, caption=match.pictured),)
    edit = Edit(to, name, text, rows, caption=match.pictured, known_as=session)
    return (ClearButtons(to, session), edit)


def repeated(room: Room, match: Match) -> tuple[Room, Effects]:
    """Repeat the question as the chat's newest message."""
    seat, question = person_in(match), open_question(match)
    if question is None:
        return room, ()
    bare = ClearButtons(ToSeat(seat), prompt_name(seat))
    post = message(room, match, seat, question)
    return replace(room, match=replace(match, pictured=post.picture is not None)), (bare, post)


def _ending(room: Room, match: Match, seat: Seat) -> Effects:
    """Return the end: what happened, how the game ended for the person, all roles, and the replay.

    A button begins another game.
    """
    telling, everybody = telling_for_seat(room, match, seat), telling_for_group(room, match)
    last = [Markup(), ending_text(telling, match, seat), roles_text(everybody, match)]
    picture, text = picture_of(room, match), _fitting(room, match, last, LONGEST)
    if shown_length(text) > CAPTION:
        picture = None
    where = room.name
    rows = (
        (Button(telling.words.plain("button.rematch"), data(where, "rematch", match.number)),),
        (Button(telling.words.plain("button.setup"), data(where, "practice", 0, 0)),),
    )
    *first, end = replay_texts(everybody, match.claims)
    posts = (to_group(text, picture=picture), *(to_group(replay) for replay in first))
    return (*posts, to_group(end, rows))


def _fitting(room: Room, match: Match, below: Sequence[Markup], longest: int) -> Markup:
    """Return the heading, as many events as there is room for, and ``below``."""
    heading = group_link(room)
    left = longest - sum(shown_length(text) + 1 for text in (heading, *below))
    news = latest(_news(room, match), left)
    # The empty line separates what happened from what follows.
    return Markup("\n").join([heading, *news, *(below if news else below[1:])])


def _news(room: Room, match: Match) -> list[Markup]:
    """Return a line for each public fact since the message began, and for each claim, by round."""
    telling, log = telling_for_group(room, match), match.log
    # The end makes earlier secrets public, so the facts before it are read without it.
    over = [log[-1].fact] if isinstance(log[-1].fact, GameOver) else []
    before = log[: len(log) - len(over)]
    facts = [*seen(before, None, match.post_start), *over]
    now = sum(isinstance(event.fact, CandidacyPassed) for event in before[: match.post_start])
    rounds: dict[int, list[Markup]] = {now: []}
    for number, fact in enumerate(facts, start=len(seen(before[: match.post_start], None)) + 1):
        if isinstance(fact, CandidacyPassed):
            now += 1
            # Hints and the history call rounds by their number.
            rounds[now] = [telling.html("practice.round", round=now)]
        if words := line(telling, fact):
            rounds[now].append(words)
        for claim in match.claims:
            if claim.at == number:
                rounds.get(claim.round, rounds[now]).append(claim_line(telling, claim))
    return [line for told in rounds.values() for line in told]


def advise_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Show in the prompt what an experienced player in this seat would choose, and why."""
    number, question_number = incoming.args
    match = room.playing
    seat = None if match is None else match.seat_of(incoming.person.id)
    words = Words(closest(incoming.person.language), room.settings.theme)
    if match is None or match.number != number or seat is None:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    question = question_for(match.game, seat)
    if question is None or question.number != question_number:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    # Imported late, so that only a process that needs it pays for it.
    import ai

    choice, reasons = ai.advise(match.view(seat), match.claims, question)
    hint = hint_text(telling_for_seat(room, match, seat), question, choice, reasons)
    return Outcome(room, (message_edit(room, match, seat, question, hint),), Toast())
