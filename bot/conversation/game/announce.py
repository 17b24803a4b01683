"""Turn a game's events into messages to the group and to each seat."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from bot.conversation.game import endings, practising, watching
from bot.conversation.game.claim_buttons import claim_rows, rows_about, whisper_rows
from bot.conversation.game.deadlines import deadline
from bot.conversation.outcome import GROUP, ClearButtons, Edit, Effects, Post, ToSeat
from bot.conversation.posting import (
    answer_rows,
    claim_names,
    edit_in_group,
    group_link,
    prompt_name,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_for,
    words_of,
)
from bot.display.advice import advice_line
from bot.display.board import board_text, marked_text, warning_lines
from bot.display.board_picture import picture_of
from bot.display.buttons import LONGEST, Button, Row, data, latest
from bot.display.expansions import SHOWN
from bot.display.history import claims_line, last_ballot, line, recap_lines, whisper
from bot.display.own_board import known_to_all
from bot.display.prompts import board_lines, danger_lines, prompt, record, waiting
from bot.display.role_card import card
from bot.display.telling import Telling
from bot.display.words import Words, shown_length
from bot.rooms.model import Match, Room
from bot.rooms.rounds import CHANCELLOR, OF_SESSION, PARTY, PEEK, PRESIDENT, party_shown, rounds_of
from engine import Event, Question, Seat, board_of, in_hitler_zone, question_for, seen, view
from engine import facts as f
from engine.claim import Claim
from engine.facts import CandidacyPassed, Discarded, Drew, Enacted, Fact, GameOver, Nominated, Passed, Voted
from engine.rulesets.xl.emergency import Impeached
from engine.steps.sealed_veto import Selected
from engine.tiles import HAND, UNKNOWN

#: The name of the group's latest post about the game.
MESSAGE = "game"

#: Lengths in UTF-16 units. ``LONGEST_CAPTION`` is the longest caption. It leaves room for later edits.
#: ``NAMED`` is the longest text in which the marks on seats have names and not only numbers. It leaves room
#: for claims.
LONGEST_CAPTION, NAMED = 900, 650

#: Facts that begin a new post in the group. All others are added to the latest post. This is so even in a
#: long round, for example after a refused veto, or if one power leads to another.
BEGINS = (Nominated, Voted, f.NoElection, Enacted, CandidacyPassed, GameOver)

#: Facts that show a seat something that it may make a claim about.
_Shown = Drew | Passed | f.Peeked | f.Investigated | Impeached
#: The round, the kind of claim, and the fact that it is about.
ClaimableFact = tuple[int, str, _Shown]

NOMINATE = "nominate"

#: By words, last ballot, options and notes: the parts of a prompt that seats may share. These are the group's
#: link, the recap, the lines about the board, and the buttons.
PromptParts = dict[tuple[Any, ...], tuple[Markup, list[Markup], list[Markup], tuple[Row, ...]]]


def announce_start(room: Room, match: Match) -> Effects:
    """Tell each seat in private that its role is dealt."""
    return tuple(role_offer(room, match, seat) for seat in match.seats)


def role_offer(room: Room, match: Match, seat: Seat) -> Post:
    """Return the message with the button that shows the seat's role. It is the same for every seat."""
    words = words_for(room, match, seat)
    known = known_to_all(words, board_of(match.game.setup))
    text = Markup("\n").join([group_link(room), words.html("role-dealt"), *known])
    button = Button(words.plain("button.show-role"), data(room.name, "role", match.number))
    return Post(ToSeat(seat), text, ((button,),), protect=True)


def role_card(room: Room, match: Match, seat: Seat) -> Post:
    """Return the seat's whole role under a spoiler, and below it what everybody knows."""
    post = under_spoiler(room, match, seat, card(telling_for_seat(room, match, seat), match))
    words = words_for(room, match, seat)
    known = known_to_all(words, board_of(match.game.setup))
    return replace(post, text=Markup("\n").join([post.text, words.html("role-start"), *known]))


def under_spoiler(room: Room, match: Match, seat: Seat, told: Markup, key: str = "role-card") -> Post:
    """Return a private message for a seat, under a spoiler. ``key``: of the text around it."""
    text = words_for(room, match, seat).html(key, group=group_link(room), card=told)
    return Post(ToSeat(seat), text, protect=True)


def announce(room: Room, events: Sequence[Event], *, tapped: Seat | None = None) -> tuple[Room, Effects]:
    """Return the messages about these events (at least one), and the room with what it must remember of them.

    ``room.match`` already contains the events. ``tapped`` is the seat whose player has just nominated or
    voted in private. If this seat is asked again, its prompt is edited into the next one, because the person
    is looking at it.
    """
    match = room.match
    assert match is not None
    first = len(match.log) - len(events)
    whispers = [
        effect
        for number, event in enumerate(events, start=first + 1)
        if type(event.fact) in SHOWN.whispers
        for seat in _hearers(room, match, event)
        for effect in _whispered(room, match, seat, event, number)
    ]
    if room.private:
        room, told = practising.announce(room, match, events)
        return room, (*whispers, *told)
    question = match.game.question
    asks = question is not None and not asked_in_group(room, question)
    prompts = _prompts(room, match, events, tapped) if asks else ()
    room, group = _to_group(room, match, events)
    told = (*whispers, *group, *prompts)
    if match.over or all(match.view(None).table.alive):
        return room, told
    died = [event.fact.seat for event in events if isinstance(event.fact, f.Killed)]
    dead = [post for seat in died for post in watching.to_dead_seat(room, match, seat)]
    return room, (*told, *dead, *watching.updates(room, match, events))


def _hearers(room: Room, match: Match, event: Event) -> tuple[Seat, ...]:
    """Return the seats that are told of an event in private.

    At a practice table, none are told so of a public event, because ``practising.message`` tells it.
    """
    if event.to is not None:
        return event.to
    struck = SHOWN.struck.get(type(event.fact))
    return () if struck is None or room.private or match.over else (struck(event.fact),)


def announce_answered(room: Room, match: Match, seat: Seat, question: Question, choice: int) -> Effects:
    """Turn a prompt into the record of its answer, such as a hand or a target.

    A nomination has no record: the group's post says it, and the prompt becomes the ballot. The record of the
    answer that ends the game offers no claim.

    ``match`` is as it was when the seat was asked, ``room`` as it is now. The record uses the present view,
    so that all messages after one tap share one view, which is folded once.
    """
    assert room.match is not None
    if room.private:
        if room.match.over:
            return ()
        final = not question.changeable or question.step == "ballot"
        return practising.record_edit(room, match, seat, question, choice) if final else ()
    if question.changeable or asked_in_group(room, question) or question.step == NOMINATE:
        return ()
    telling = telling_for_seat(room, room.match, seat)
    rows = () if room.match.over else claim_rows(room, match, seat, question)
    kept = record(telling, question, question.options[0][choice])
    of_round = [claim for claim in match.claims if claim.round == match.round]
    if rows and (said := claims_line(telling, of_round, match.claims)):
        kept = Markup("{}\n{}").format(kept, said)
    return record_edit(room, match, seat, kept, rows)


def record_edit(room: Room, match: Match, seat: Seat, kept: Markup, rows: tuple[Row, ...]) -> Effects:
    """Turn a seat's prompt into this record, with these buttons for claims."""
    text = _claimable(room, words_for(room, match, seat), kept, rows)
    session, _ = claim_names(seat)
    edit = Edit(ToSeat(seat), prompt_name(seat), text, rows, known_as=session if rows else None)
    return (*(_close_session_claim(room, match, seat) if rows else ()), edit)


def _close_session_claim(room: Room, match: Match, seat: Seat) -> Effects:
    """Take away the buttons for a claim about the seat's previous session.

    ``match`` is as it was when the seat was asked.
    """
    now = room.match
    assert now is not None
    session, _ = claim_names(seat)
    if any(isinstance(fact, f.VetoRefused) for fact in rounds_of(now.view(seat))[match.round - 1].facts):
        # The message is about this same session. It is from before the veto was refused.
        return (ClearButtons(ToSeat(seat), session),)
    before = [one for one in claimable_facts(now, seat) if one[0] < match.round and one[1] in OF_SESSION]
    claimed = {(claim.round, claim.kind) for claim in now.claims if claim.seat == seat}
    # If the claim was made, its buttons were removed at the next nomination.
    if not before or before[-1][:2] in claimed:
        return ()
    return close_claim(room, now, seat, session, before[-1])


def close_claim(room: Room, match: Match, seat: Seat, name: str, seen_then: ClaimableFact) -> Effects:
    """Take the buttons from a seat's message about what it saw. If it made no claim, the message says so."""
    number, kind, fact = seen_then
    if room.private or any((one.seat, one.round, one.kind) == (seat, number, kind) for one in match.claims):
        return (ClearButtons(ToSeat(seat), name),)
    telling = telling_for_seat(room, match, seat)
    lines = [group_link(room), *_record_lines(telling, number, fact), telling.html("claim.none")]
    return (Edit(ToSeat(seat), name, Markup("\n").join(lines), droppable=True),)


def claimable_facts(match: Match, seat: Seat) -> list[ClaimableFact]:
    """Return the facts that a seat saw and was offered a claim about, in order."""
    found: list[ClaimableFact] = []
    number, held = 0, None
    for fact in match.view(seat).facts:
        if isinstance(fact, CandidacyPassed):
            number, held = number + 1, None
        elif isinstance(fact, Drew | Passed) and fact.seat == seat and UNKNOWN not in fact.hand:
            held = fact
        elif isinstance(fact, f.Peeked) and fact.seat == seat and len(fact.pile) == HAND:
            found.append((number, PEEK, fact))
        elif isinstance(fact, f.Investigated | Impeached) and party_shown(fact)[0] == seat:
            found.append((number, PARTY, fact))
        elif held is not None and (
            isinstance(fact, f.Vetoed | f.VetoRequested | Selected)
            or (isinstance(fact, Discarded) and fact.seat == seat)
        ):
            # The seat has answered, so its prompt has become the record of the answer.
            found.append((number, PRESIDENT if isinstance(held, Drew) else CHANCELLOR, held))
            held = None
    return found


def claim_message(claim: Claim) -> str:
    """Return the name of the message whose buttons make a claim."""
    session, saw = claim_names(claim.seat)
    return session if claim.kind in OF_SESSION else saw


def told_line(telling: Telling, claim: Claim) -> Markup:
    """Return a seat's own claim, as its player reads it in private."""
    t = telling.compact
    said = t.html(f"party.{claim.said[0]}") if claim.kind == PARTY else t.colours(claim.said)
    return t.html("claim.told", said=said)


def dropped_edit(room: Room, match: Match, claim: Claim) -> Effects:
    """Tell a seat that its early claim was dropped, because the enacted tile proves it a lie."""
    telling = telling_for_seat(room, match, claim.seat)
    told = Markup("{}\n{}").format(telling.html("claim.impossible"), telling.html("claim.ask"))
    rows = rows_about(room, match, claim.seat, claim.kind, claim.round)
    if room.private:
        to, name = ToSeat(claim.seat), claim_message(claim)
        return (ClearButtons(to, name), Post(to, told, rows, name, protect=True))
    return (claim_edit(room, match, claim, told, rows),)


def claim_edit(room: Room, match: Match, claim: Claim, told: Markup, rows: tuple[Row, ...]) -> Edit:
    """Return the edit of a claim's message to what its seat saw, with the text ``told`` below."""
    seen_fact = next(
        fact
        for number, kind, fact in reversed(claimable_facts(match, claim.seat))
        if (number, kind) == (claim.round, claim.kind)
    )
    seen_lines = _record_lines(telling_for_seat(room, match, claim.seat), claim.round, seen_fact)
    text = Markup("\n").join([group_link(room), *seen_lines, told])
    return Edit(ToSeat(claim.seat), claim_message(claim), text, rows)


def _record_lines(telling: Telling, number: int, fact: Fact) -> list[Markup]:
    """Return the lines of a seat's record that say what it saw in a round, so that an edit can keep them."""
    if isinstance(fact, Drew | Passed):
        key = "seen.president" if isinstance(fact, Drew) else "seen.chancellor"
        lines = [telling.html(key, tiles=telling.hand(fact.hand))]
        for later in rounds_of(telling.view)[number - 1].facts:
            if isinstance(later, Discarded) and later.seat == fact.seat:
                lines.append(telling.html("answered.discard", choice=telling.hand([later.tile])))
                break
        return lines
    told = whisper(telling, fact)
    return [told] if told else []


def _claimable(room: Room, words: Words, told: Markup, rows: tuple[Row, ...]) -> Markup:
    """Return a private text for a seat. If it has buttons for claims, the text explains them."""
    return Markup("\n").join([group_link(room), told, *([words.html("claim.ask")] if rows else [])])


def announce_picked(room: Room, match: Match) -> Effects:
    """Show the picks in all prompts of a meeting."""
    edits = []
    for other in match.people if room.private else match.seats:
        question = question_for(match.game, other)
        if question is None or not question.meeting:
            continue
        if room.private:
            edits.append(practising.message_edit(room, match, other, question))
        else:
            post = prompt_post(room, match, other, question)
            edits.append(Edit(ToSeat(other), prompt_name(other), post.text, post.keyboard))
    return tuple(edits)


def prompt_post(
    room: Room,
    match: Match,
    seat: Seat,
    question: Question,
    own: Sequence[Markup] = (),
    made: PromptParts | None = None,
) -> Post:
    """Return a seat's prompt with its buttons.

    ``own``: what the seat itself has just done, told first. ``made``: the parts of other prompts about the
    same question. This prompt's are added.
    """
    if room.private:
        return practising.message(room, match, seat, question)
    telling = replace(telling_for_seat(room, match, seat), notes=match.notes.get(seat, {}))
    advice = [advice_line(telling, question, covered=True)] if match.players[seat].advised else []
    until = deadline(room, match) if question.meeting else None
    made = {} if made is None else made
    group = match.view(None)
    since = last_ballot(group, seat)
    key = telling.words, since, question.options[question.seats.index(seat)], *telling.notes.items()
    if key not in made:
        public = replace(telling, view=group)  # so that nothing else goes into the shared parts
        made[key] = (
            group_link(room),
            recap_lines(public, since, match.claims),
            board_lines(public, question),
            answer_rows(room, match, telling.words, question, seat, telling.notes),
        )
    link, recap, board, rows = made[key]
    news = [*own, *recap]
    asked = prompt(telling, question, match.claims, board=board, news=news, advice=advice, until=until)
    # Protected, because the buttons show a secret hand.
    text = Markup("{}\n{}").format(link, asked)
    return Post(ToSeat(seat), text, rows, name=prompt_name(seat), protect=True)


def group_text(room: Room, match: Match, *, fits_caption: bool = False, over: bool = False) -> Markup:
    """Return the group's current post: what happened since it began, and who must act now.

    Once its question is ``over``, it has no deadline. It shows as many claims as fit; /history has all of
    them. Under a picture it does not describe the board. If it must fit into a caption (``fits_caption``) and
    is too long, it says only who must act now.
    """
    longest = LONGEST_CAPTION if fits_caption else LONGEST
    telling = telling_for_group(room, match)
    question = match.game.question
    nominates = question is not None and question.step == NOMINATE
    facts = seen(match.log, None, match.post_start)
    kinds = set(map(type, facts))
    # The line about the present turn already names the candidate.
    told = [
        text
        for fact in facts
        if not (nominates and isinstance(fact, CandidacyPassed)) and (text := line(telling, fact))
    ]
    below = []
    now, public = None, question_for(match.game, None)
    in_group = asked_in_group(room, public)
    # When a meeting is over, the next post says so.
    if not over or public is None or not public.meeting:
        until = None if over else deadline(room, match)
        now = waiting(telling, public, until, in_group=in_group, nominated=Nominated in kinds)
    enacted = Enacted in kinds
    if enacted and match.pictured:
        was_in_zone = in_hitler_zone(view(match.log[: match.post_start], None).table, telling.board)
        below += warning_lines(telling, zone=not was_in_zone)
    elif enacted:
        below.append(board_text(telling))
        told_so_far = sum([shown_length(text) + 1 for text in (*told, *below, now or "")])
        if marked := marked_text(telling, NAMED - told_so_far):
            below.append(marked)
    if not over and question is not None and question.step == "ballot" and in_group:
        below += danger_lines(telling, question)
    if now:
        below.append(now)
    # How many have voted, if ``count_votes`` has told the group.
    if match.ballot_count is not None and question is not None and match.ballot_count[0] == question.number:
        below.append(telling.html("ballots.in", done=match.ballot_count[1], asked=len(question.seats)))
    talk = room.settings.talk == "on"
    latest_claims = match.find_claims(match.latest_claims) if match.latest_claims else []
    news = claims_line(telling, latest_claims, match.claims, talk=talk) if latest_claims else None
    left = longest - sum([shown_length(text) + 1 for text in (*told, *below)])
    text = Markup("\n").join([*told, *latest([news] if news else [], left), *below])
    return now or Markup("…") if fits_caption and shown_length(text) > longest else text


def picture_in_words(room: Room, name: str | None, spec: Mapping[str, Any] | None) -> Markup | None:
    """Return the board of a game post's picture in words; None for other pictures, or if nothing is enacted.

    ``name``: the message's name. ``spec``: the picture's ``Picture.spec``.
    """
    match = room.match
    if match is None or spec is None or name != MESSAGE or match.number != spec["game"]:
        return None
    shown = view(match.log[: spec["events"]], None)
    if not any(isinstance(fact, Enacted) for fact in shown.facts):
        return None
    return board_text(replace(telling_for_group(room, match), view=shown))


def repost_game(room: Room, match: Match) -> tuple[Room, Effects]:
    """Post the state of the game again, with its buttons, in a chat that lost the latest post."""
    match = replace(match, pictured=False)
    room = replace(room, match=match)
    return room, (to_group(group_text(room, match), group_keyboard(room, match), MESSAGE),)


def _to_group(room: Room, match: Match, events: Sequence[Event]) -> tuple[Room, Effects]:
    post_start = match.post_start if match.post_waits else len(match.log) - len(events)
    fresh = replace(match, post_start=post_start, post_waits=False)
    if isinstance(events[-1].fact, GameOver):
        over = replace(fresh, pictured=False)
        ends = (*endings.last_act(room, over), *endings.reveal(room, over), *endings.endings(room, over))
        return replace(room, match=over.mark_claims_posted(afresh=True)), ends
    telling = telling_for_group(room, match)
    facts = seen(match.log, None, fresh.post_start)
    kinds = set(map(type, facts))
    tells = bool([fact for fact in facts if line(telling, fact)])
    # Telegram notifies nobody of an edit, so people who must answer below the group's post need a new post.
    begins = (
        len(match.log) == len(events)
        or not kinds.isdisjoint(BEGINS)
        or asked_in_group(room, match.game.question)
    )
    if not tells or not begins:
        return room, (edit_of_post(room, match),) if tells or not _only_computers(match) else ()
    # A ballot's result can wait, to be posted together with the computers' next acts. The computers act
    # within seconds, and the voters have read the result in private.
    only_result = Voted in kinds and kinds.isdisjoint((Nominated, Enacted))
    if only_result and room.settings.ballots == "private" and match.in_person and _only_computers(match):
        return replace(room, match=replace(fresh, post_waits=True)), ()
    shows_board = fresh.post_start == 0 or Enacted in kinds
    fresh = replace(fresh.mark_claims_posted(afresh=True), pictured=room.pictures and shows_board)
    text = group_text(room, fresh)
    if fresh.pictured and shown_length(text) > LONGEST_CAPTION:
        fresh = replace(fresh, pictured=False)
        text = group_text(room, fresh)
    picture = picture_of(room, fresh) if fresh.pictured else None
    room = replace(room, match=fresh)
    return room, (to_group(text, group_keyboard(room, fresh), MESSAGE, picture),)


def _only_computers(match: Match) -> bool:
    """Return True if everybody knows that only computers are asked.

    The computers answer before anybody could read an edit.
    """
    public = question_for(match.game, None)
    return public is not None and bool(public.seats) and match.in_person.keys().isdisjoint(public.seats)


def _whispered(room: Room, match: Match, seat: Seat, event: Event, number: int) -> Effects:
    telling = telling_for_seat(room, match, seat)
    told = whisper(telling, event.fact)
    if told is None:
        return ()
    rows = () if match.over else whisper_rows(room, match, seat, event.fact, number)
    text = _claimable(room, telling.words, told, rows)
    if not rows:
        return (Post(ToSeat(seat), text, protect=True),)
    _, saw = claim_names(seat)
    # If claims about earlier powers were made, a nomination has removed their buttons.
    before = [one for one in claimable_facts(match, seat) if one[1] in (PEEK, PARTY)][:-1]
    claimed = {(one.round, one.kind) for one in match.claims if one.seat == seat}
    is_open = before and (before[-1][0] == match.round or before[-1][:2] not in claimed)
    old = close_claim(room, match, seat, saw, before[-1]) if is_open else ()
    return (*old, Post(ToSeat(seat), text, rows, name=saw, protect=True))


def edit_of_post(room: Room, match: Match, *, over: bool = False) -> Edit:
    """Return the edit that updates the group's latest post.

    Once its question is ``over``, the post has no buttons and no deadline.
    """
    text = group_text(room, match, fits_caption=match.pictured, over=over)
    if over:
        return Edit(GROUP, MESSAGE, text, caption=match.pictured)
    return edit_in_group(MESSAGE, text, group_keyboard(room, match), caption=match.pictured)


def asked_in_group(room: Room, question: Question | None) -> bool:
    """Return True if a question's buttons are below the group's message and not in private chats."""
    return question is not None and room.settings.ballots == "group" and question.step in SHOWN.open_choices


def group_keyboard(room: Room, match: Match) -> tuple[Row, ...]:
    """Return the answer buttons below the group's message. Taps count only from the seats that are asked."""
    public = question_for(match.game, None) if asked_in_group(room, match.game.question) else None
    if public is None or match.in_person.keys().isdisjoint(public.seats):
        return ()
    seat = public.seats[0]
    question = question_for(match.game, seat)
    assert question is not None
    return answer_rows(room, match, words_of(room), question, seat)


def _prompts(room: Room, match: Match, events: Sequence[Event], tapped: Seat | None) -> Effects:
    assert match.game.question is not None
    asked: list[Post | Edit] = []
    made: PromptParts = {}
    for seat in sorted(match.game.question.seats):
        question = question_for(match.game, seat)
        if question is None:
            continue
        if seat != tapped:
            asked.append(prompt_post(room, match, seat, question, made=made))
            continue
        ballots = [event.fact.ballots[seat] for event in events if isinstance(event.fact, Voted)]
        words = words_for(room, match, seat)
        choices = [words.html(f"option.{ballot}") for ballot in ballots if ballot]
        own = [words.html("answered.ballot", choice=choice) for choice in choices]
        post = prompt_post(room, match, seat, question, own, made)
        asked.append(Edit(post.to, prompt_name(seat), post.text, post.keyboard))
    return tuple(asked)
