"""What anyone may ask at any time: status, board, players, help; and, in private, one's role."""

from engine import question_for, waiting_on
from handlers.conversation.announce import group_keyboard, replay, role_card, telling_group, telling_seat
from handlers.conversation.incoming import Command, Tap
from handlers.conversation.outcome import Aside, Known, Outcome, Post, Toast
from handlers.conversation.places import group_link, name_of, to_group, words_of
from handlers.conversation.timing import deadline
from handlers.display.board import board_text, players_text
from handlers.display.board_picture import picture_of
from handlers.display.buttons import Button, data
from handlers.display.help import group_help
from handlers.display.history import history_text
from handlers.display.prompts import waiting
from handlers.display.whispers import role_popup
from handlers.display.words import Html, Words, closest
from handlers.rooms.model import Match, Room


def status(room: Room, said: Command, known: Known) -> Outcome:
    """Who must act, and who still has to vote (without order or times); with the group's own buttons,
    whose message may have scrolled far away."""
    match = room.playing
    words = words_of(room)
    if match is None:
        return Outcome(room, (to_group(room, words.html("lobby.open" if room.lobby else "lobby.none")),))
    telling = telling_group(room, match)
    question = question_for(match.game, None)
    assert question is not None, "a game that goes on asks something"
    lines = [waiting(telling, question, deadline(room, match)) or Html("")]
    if missing := waiting_on(match.game):
        lines.append(telling.html("status.missing", seats=telling.seats(missing)))
    button = Button(words.plain("button.clock"), data(name_of(room), "clock", match.number, question.number))
    keyboard = () if question.meeting else (*group_keyboard(room, match), (button,))
    return Outcome(room, (to_group(room, Html("\n".join(lines)), keyboard),))


def board(room: Room, said: Command, known: Known) -> Outcome:
    """What lies on the table."""
    if room.match is None:
        return Outcome(room, (to_group(room, words_of(room).html("lobby.none")),))
    text = board_text(telling_group(room, room.match))
    return Outcome(room, (to_group(room, text, picture=picture_of(room, room.match)),))


def history(room: Room, said: Command, known: Known) -> Outcome:
    """Governments, ballots, claims, and where claims contradict each other; once the game has been played to
    its end, the replay with the truth."""
    match = room.match
    if match is None:
        return Outcome(room, (to_group(room, words_of(room).html("lobby.none")),))
    if match.game.table.winners is not None:
        return Outcome(room, tuple(to_group(room, text) for text in replay(room, match)))
    return Outcome(room, (to_group(room, history_text(telling_group(room, match), match.claims)),))


def players(room: Room, said: Command, known: Known) -> Outcome:
    """The seats in order."""
    if room.match is None:
        return Outcome(room, (to_group(room, words_of(room).html("lobby.none")),))
    return Outcome(room, (to_group(room, players_text(telling_group(room, room.match))),))


def help_in_group(room: Room, said: Command, known: Known) -> Outcome:
    """What the bot is, and its commands."""
    return Outcome(room, (to_group(room, group_help(words_of(room))),))


def role_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """My role, from a button in the group: the whole card where Telegram can show it to who tapped alone,
    and else a pop-up."""
    match = room.match
    seat = None if match is None or match.number != said.args[0] else match.seat_of(said.person.id)
    if match is None or seat is None:
        words = Words(closest(said.person.language))
        return Outcome(room, toast=Toast(words.plain("toast.not-your-game"), alert=True))
    popup = Toast(role_popup(telling_seat(room, match, seat)), alert=True)
    return Outcome(room, toast=popup, aside=_role_aside(room, match, seat))


def _role_aside(room: Room, match: Match, seat: int) -> Aside:
    """A seat's role card, as an aside in the group."""
    player = match.players[seat]
    words = Words(player.language, room.settings.theme)
    card, toast = role_card(room, match, seat), Toast(words.plain("toast.role-below"))
    return Aside(room.chat, player.id, words.html("aside.opening"), card.text, toast, room.topic)


def role_in(room: Room, person: int) -> Post | None:
    """A person's role card in this room's running game, or None where they have no seat."""
    match = room.playing
    seat = None if match is None else match.seat_of(person)
    return None if match is None or seat is None else role_card(room, match, seat)


def game_in(room: Room, said: Command) -> Html | None:
    """A line about the game or lobby in this room that a person is in, or None."""
    words = Words(closest(said.person.language))
    if room.playing is not None and room.playing.seat_of(said.person.id) is not None:
        return words.html("games.playing", group=group_link(room))
    if room.lobby is not None and any(player.id == said.person.id for player in room.lobby.players):
        return words.html("games.lobby", group=group_link(room))
    return None
