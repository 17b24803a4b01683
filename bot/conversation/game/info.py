"""Commands that anybody may give at any time (status, board, players, help), and the pop-up with a role."""

from collections.abc import Callable
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.announce import MESSAGE, NAMED, asked_in_group, group_keyboard, role_card
from bot.conversation.game.deadlines import callable_from, deadline
from bot.conversation.game.seats import unseat_row
from bot.conversation.game.tidying import NOTICE, learned, notice
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Edit, Group, Outcome, Post, Toast
from bot.conversation.posting import (
    group_link,
    no_game,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_of,
)
from bot.conversation.rights import no_seat_text
from bot.display.board import board_text, marked_text, players_text
from bot.display.board_picture import picture_of
from bot.display.buttons import LONGEST, Button, data
from bot.display.guide import help_text
from bot.display.history import history_texts, replay_texts, votes_texts
from bot.display.prompts import waiting
from bot.display.reveal import roles_text
from bot.display.role_card import role_popup
from bot.display.telling import Telling
from bot.display.words import Words, closest, shown_length
from bot.rooms.model import Match, Room
from bot.rooms.names import UserId
from bot.rooms.stored import EventLog
from engine import Seat, question_for, waiting_on
from engine.facts import GameOver


def show(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer a command about the latest game, to which everybody gets the same answer.

    /board shows the board, /votes all ballots as a grid, /players the seats and after the end their roles.
    /history shows governments, ballots, claims and their contradictions, and after the end the truth.
    """
    if room.match is None:
        return Outcome(room, (no_game(room),))
    match, t = room.match, telling_for_group(room, room.match)
    if incoming.name == "history":
        return Outcome(room, tuple(map(to_group, _history(t, match))))
    if incoming.name == "votes":
        return Outcome(room, tuple(map(to_group, votes_texts(t))))
    if incoming.name == "players":
        rows = () if room.playing is None else (unseat_row(room, room.playing),)
        return Outcome(room, (to_group(_players(t, match), rows),))
    text = board_text(t)
    shown = Markup("\n").join(filter(None, (text, marked_text(t, NAMED - shown_length(text)))))
    return Outcome(room, (to_group(shown, picture=picture_of(room, match)),))


def _history(t: Telling, match: Match, earlier: Markup | None = None) -> tuple[Markup, ...]:
    return (replay_texts if match.won else history_texts)(t, match.claims, match.suspicions, earlier)


def _players(t: Telling, match: Match) -> Markup:
    return roles_text(t, match) if match.won else players_text(t, running=not match.over)


def help_in_group(room: Room, incoming: Command, context: Context) -> Outcome:
    """Say what the bot is, and list its commands."""
    return Outcome(room, (to_group(help_text(words_of(room), private=False)),))


def only_in_private(room: Room, incoming: Command, context: Context) -> Outcome:
    """Lead to the private chat, the one place where /role and /games are answered."""
    words = words_of(room)
    button = Button(words.plain("button.open-private"), url=context.deep_link())
    return Outcome(room, (to_group(words.html("private.only", command=incoming.name), ((button,),)),))


def role_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Show the tapper their role in a pop-up that nobody else sees."""
    match, seat = room.match, None
    if match is not None and match.number == incoming.args[0]:
        seat = match.seat_played_by(incoming.person.id)
    if match is None or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, incoming), alert=True))
    # The end makes everything public, but the pop-up still shows what the seat knew before.
    known = EventLog(event for event in match.log if not isinstance(event.fact, GameOver))
    telling = telling_for_seat(room, replace(match, log=known), seat)
    return Outcome(room, toast=Toast(role_popup(telling), alert=True))


#: Commands that a player of the latest game may also give in private, and the text that answers them.
READABLE: dict[str, Callable[[Telling, Match], Markup]] = {
    "board": lambda t, match: Markup("\n").join(filter(None, (board_text(t), marked_text(t, LONGEST)))),
    "history": lambda t, match: _history(t, match, t.html("history.earlier"))[0],
    "votes": lambda t, match: votes_texts(t)[-1],
    "players": lambda t, match: _players(t, match),
}


def read_in_private(room: Room, incoming: Command) -> Markup | None:
    """Answer a command of ``READABLE`` by what everybody knows; None unless the person plays here.

    The answer is one text. If the history is too long for that, it has only the latest rounds.
    """
    match = room.match
    if room.private or match is None or match.seat_played_by(incoming.person.id) is None:
        return None
    words = Words(closest(incoming.person.language), room.settings.theme)
    telling = replace(telling_for_group(room, match), words=words)
    return Markup("{}\n{}").format(group_link(room), READABLE[incoming.name](telling, match))


def role_in(room: Room, person: UserId) -> tuple[Post, ...]:
    """Return a person's role card in the room's running game, and what they have learned since the deal.

    Return nothing if they do not play.
    """
    match = room.playing
    seat = None if match is None else match.seat_played_by(person)
    if match is None or seat is None:
        return ()
    return (role_card(room, match, seat), *learned(room, match, seat))


def game_in(room: Room, incoming: Command) -> Markup | None:
    """Return a line about the game or lobby in this room that a person is in, or None."""
    words = Words(closest(incoming.person.language))
    sealed = room.sealed is not None and room.sealed.is_seated(incoming.person.id)
    if sealed or (room.playing is not None and room.playing.seat_played_by(incoming.person.id) is not None):
        return words.html("games.playing", group=group_link(room))
    if room.lobby is not None and room.lobby.is_seated(incoming.person.id):
        return words.html("games.lobby", group=group_link(room))
    return None


# --- status -------------------------------------------------------------------------------------------------
# /status and /remind say for whom the game waits. A button leads to the private chat, where people answer.
# The bot names those who must still act at most once a minute. Otherwise somebody could watch the names
# disappear one by one, and see who voted when.

#: The least number of seconds between two messages that name players.
APART = 60


def status(room: Room, incoming: Command, context: Context) -> Outcome:
    """Say who must act and who still has to vote, without order or times.

    The group's answer buttons are repeated below it, because their message may have scrolled far away.
    """
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (no_game(room),))
    lines, keyboard = [*_nominated(room, match), _waiting(room, match)], group_keyboard(room, match)
    if context.now >= match.named_at + APART:
        match = replace(match, named_at=context.now)
        lines += _missing(telling_for_group(room, match), match, telling_for_group(room, match).seat)
    from_then = callable_from(room, match)
    if from_then is not None and context.now >= from_then:
        lines.append(words.html("status.clock", nein=words.html("option.nein")))
        tap = data(room.name, "clock", match.number, match.game.asked)
        keyboard = (*keyboard, (Button(words.plain("button.clock"), tap),))
    return notice(room, match, Markup("\n").join(lines), keyboard)


def _nominated(room: Room, match: Match) -> list[Markup]:
    """Return the line with the pair that is voted on in private; nothing at other times."""
    telling, question = telling_for_group(room, match), match.game.question
    table = telling.view.table
    if question is None or question.step != "ballot" or asked_in_group(room, question):
        return []
    if table.president is None or table.chancellor is None:
        return []
    return [Markup("🎩 {} → 📜 {}").format(telling.seat(table.president), telling.seat(table.chancellor))]


def remind(room: Room, incoming: Command, context: Context) -> Outcome:
    """Mention the players who must act, so that their phones notify them. At most once a minute."""
    match = room.playing
    if match is None:
        return Outcome(room, (no_game(room),))
    if context.now < match.named_at + APART:
        return Outcome(room)
    match = replace(match, named_at=context.now)
    telling = telling_for_group(room, match)

    def mentioned(seat: Seat) -> Markup:
        person = match.present.get(seat)
        called = telling.seat(seat)
        return called if person is None else Markup('<a href="tg://user?id={}">{}</a>').format(person, called)

    lines = [_waiting(room, match), *_missing(telling, match, mentioned)]
    return notice(room, match, Markup("\n").join(lines), group_keyboard(room, match))


def with_private_chat_button(outcome: Outcome, context: Context) -> Outcome:
    """Add a link to the private chat to the group's posts about a question that is asked there.

    A button with a link causes no update to the bot.
    """
    match = outcome.room.playing
    question = None if match is None else question_for(match.game, None)
    if match is None or question is None or asked_in_group(outcome.room, question):
        return outcome
    if not question.meeting and match.in_person.keys().isdisjoint(question.seats):
        return outcome
    row = (Button(words_of(outcome.room).plain("button.open-private"), url=context.deep_link()),)
    effects = list(outcome.effects)
    for at, effect in enumerate(effects):
        shows_game = isinstance(effect.to, Group) and effect.name in (MESSAGE, NOTICE)
        if shows_game and isinstance(effect, Post | Edit) and row not in effect.keyboard:
            effects[at] = replace(effect, keyboard=(*effect.keyboard, row))
    return replace(outcome, effects=tuple(effects))


def _waiting(room: Room, match: Match) -> Markup:
    question = question_for(match.game, None)
    assert question is not None, "a game that goes on asks something"
    telling, in_group = telling_for_group(room, match), asked_in_group(room, question)
    return waiting(telling, question, deadline(room, match), in_group=in_group) or Markup()


def _missing(telling: Telling, match: Match, called: Callable[[Seat], Markup]) -> list[Markup]:
    """Return lines with the seats that have not answered and, if several were asked, how many have.

    There are none in a secret meeting.
    """
    question, missing = match.game.question, waiting_on(match.game)
    if question is None or not missing:
        return []
    named = telling.html("status.missing", seats=telling.words.listed(map(called, missing)))
    asked = len(question.seats)
    if asked == 1:
        return [named]
    return [named, telling.html("status.answered", done=asked - len(missing), asked=asked)]
