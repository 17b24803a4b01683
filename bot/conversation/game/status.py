"""The awaited people: /status, /remind, and the way to the private chat where they answer.

Who still has to act is named once a minute at most. If names could be watched going one after another, they
would tell who voted when.
"""

from collections.abc import Callable
from dataclasses import replace

from bot.conversation.game.announce import MESSAGE, asked_in_group, group_keyboard, telling_group
from bot.conversation.game.deadlines import callable_from, deadline
from bot.conversation.game.tidying import NOTICE, notice
from bot.conversation.incoming import Command
from bot.conversation.outcome import ClearButtons, Context, Edit, Forward, Outcome, Post
from bot.conversation.posting import lobby_is_open, name_of, to_group, words_of
from bot.conversation.recipients import GROUP
from bot.display.buttons import Button, Row, data
from bot.display.prompts import waiting
from bot.display.telling import Telling
from bot.display.words import Html
from bot.rooms.model import Match, Room
from engine import question_for, waiting_on

#: The least number of seconds between two messages that name players.
APART = 60


def status(room: Room, said: Command, context: Context) -> Outcome:
    """Say who must act and who still has to vote, without order or times.

    The group's own buttons are below it, as the message that has them may have scrolled far away.
    """
    match, words = room.playing, words_of(room)
    if match is None:
        return _no_game(room)
    lines, keyboard = [_waiting(room, match)], group_keyboard(room, match)
    if context.now >= match.named_at + APART:
        match = replace(match, named_at=context.now)
        lines += _missing(telling_group(room, match), match, telling_group(room, match).seat)
    from_then = callable_from(room, match)
    if from_then is not None and context.now >= from_then:
        lines.append(words.html("status.clock", nein=words.html("option.nein")))
        tap = data(name_of(room), "clock", match.number, match.game.asked)
        keyboard = (*keyboard, (Button(words.plain("button.clock"), tap),))
    return notice(room, match, Html("\n".join(lines)), keyboard)


def remind(room: Room, said: Command, context: Context) -> Outcome:
    """Mention the players who must act, so that their phones notify them. At most once a minute."""
    match = room.playing
    if match is None:
        return _no_game(room)
    if context.now < match.named_at + APART:
        return Outcome(room)
    match = replace(match, named_at=context.now)
    telling = telling_group(room, match)

    def mentioned(seat: int) -> Html:
        person = match.present.get(seat)
        called = telling.seat(seat)
        return called if person is None else Html(f'<a href="tg://user?id={person}">{called}</a>')

    lines = [_waiting(room, match), *_missing(telling, match, mentioned)]
    return notice(room, match, Html("\n".join(lines)), group_keyboard(room, match))


def with_private_chat_button(outcome: Outcome, context: Context) -> Outcome:
    """Return the outcome with a link to the private chat under posts about a question asked there.

    A button that is a link costs nothing.
    """
    match = outcome.room.playing
    question = None if match is None else question_for(match.game, None)
    if match is None or question is None or asked_in_group(outcome.room, question):
        return outcome
    if not question.meeting and match.in_person.keys().isdisjoint(question.seats):
        return outcome
    label = words_of(outcome.room).plain("button.open-private")
    row = (Button(label, url=context.deep_link()),)
    return replace(outcome, effects=tuple(_leading(effect, row) for effect in outcome.effects))


def _leading(effect: Post | Edit | ClearButtons | Forward, row: Row) -> Post | Edit | ClearButtons | Forward:
    if (
        isinstance(effect, ClearButtons | Forward)
        or effect.to != GROUP
        or effect.name not in (MESSAGE, NOTICE)
    ):
        return effect
    return effect if row in effect.keyboard else replace(effect, keyboard=(*effect.keyboard, row))


def _waiting(room: Room, match: Match) -> Html:
    question = question_for(match.game, None)
    assert question is not None, "a game that goes on asks something"
    in_group = asked_in_group(room, question)
    return waiting(telling_group(room, match), question, deadline(room, match), in_group=in_group) or Html("")


def _missing(telling: Telling, match: Match, called: Callable[[int], Html]) -> list[Html]:
    """Return the seats that have not answered, and of several how many have; nothing in a secret meeting."""
    question, missing = match.game.question, waiting_on(match.game)
    if question is None or not missing:
        return []
    named = telling.html("status.missing", seats=telling.words.listed(map(called, missing)))
    asked = len(question.seats)
    if asked == 1:
        return [named]
    return [named, telling.html("status.answered", done=asked - len(missing), asked=asked)]


def _no_game(room: Room) -> Outcome:
    if room.lobby is not None:
        return Outcome(room, (lobby_is_open(room, room.lobby),))
    return Outcome(room, (to_group(words_of(room).html("lobby.none")),))
