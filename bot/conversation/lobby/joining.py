"""Take and give up seats in a lobby. Only people to whom the bot can write get a seat."""

from dataclasses import replace

from bot.conversation.game import seats
from bot.conversation.incoming import Command, DeepLink, Person, Tap
from bot.conversation.lobby.lobby import on_lobby, show_lobby, without
from bot.conversation.outcome import UNKNOWN, Context, Lookup, Outcome, Post, Private, Toast, require
from bot.conversation.posting import group_link, group_row, lobby_open_post, no_game, to_group, words_of
from bot.conversation.rights import membership_refusal, player_of, refusal_key
from bot.display.buttons import Button
from bot.display.commands import GREETING
from bot.display.words import Words, closest, name
from bot.rooms.model import Lobby, Room
from bot.rooms.names import personal_key, sign_lobby

#: The most people who can wait for a room's next game.
MOST_WAITING = 50


@on_lobby
def join_tap(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Join by button: at once if the bot may write to the person, otherwise through the private chat."""
    if refusal := _refusal(room, lobby, incoming, context):
        return Outcome(room, toast=Toast(words.plain(refusal)))
    if not require(context.may_write, Lookup.MAY_WRITE):
        # If Telegram does not say whether the person is a member, only they can use the link.
        unknown, key = context.is_member is UNKNOWN, context.link_key
        own = personal_key(key, incoming.person.id) if unknown else key
        url = context.deep_link(sign_lobby(room.name, lobby.number, own))
        return Outcome(room, toast=Toast(url=url))
    return _seat(room, lobby, incoming.person, context, Toast(words.plain("toast.joined")))


def join_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Join by /join. If the bot cannot write to the person yet, post a link that lets them join."""
    lobby, words = room.lobby, words_of(room)
    if lobby is None:
        return Outcome(room, (no_game(room),))
    if refusal := _refusal(room, lobby, incoming, context):
        return Outcome(room, (to_group(words.html(refusal)),))
    if not require(context.may_write, Lookup.MAY_WRITE):
        link = context.deep_link(sign_lobby(room.name, lobby.number, context.link_key))
        button = Button(words.plain("button.open-private"), url=link)
        text = words.html("lobby.open-private", name=name(incoming.person.name))
        return Outcome(room, (to_group(text, ((button,),)),))
    return _seat(room, lobby, incoming.person, context)


def follow_link(room: Room, incoming: DeepLink, context: Context) -> Outcome:
    """Join by the deep link. Pressing Start in the private chat allows the bot to write there."""
    lobby = room.lobby
    words = Words(closest(incoming.person.language))
    if lobby is None or lobby.number != incoming.number:
        return Outcome(room, (Post(Private(incoming.person.id), words.html("toast.lobby-closed")),))
    if refusal := _refusal(room, lobby, incoming, context):
        return Outcome(room, (Post(Private(incoming.person.id), words.html(refusal)),))
    seated = _seat(room, lobby, incoming.person, context)
    text = words.html("joined.private", group=group_link(room))
    welcome = Post(Private(incoming.person.id), text, group_row(words, room))
    return replace(seated, effects=(welcome, *seated.effects))


@on_lobby
def leave_tap(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Give the seat up by button."""
    if not lobby.is_seated(incoming.person.id):
        return Outcome(room, toast=Toast(words.plain("toast.not-in")))
    left = replace(room, lobby=without(lobby, incoming.person.id, context))
    return show_lobby(left, Toast(words.plain("toast.left")))


def leave_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Give the seat up by /leave. In a running game, ask the player for confirmation."""
    if room.playing is not None and (seat := room.playing.seat_of(incoming.person.id)) is not None:
        return seats.ask_to_leave(room, room.playing, seat)
    if room.lobby is None or not room.lobby.is_seated(incoming.person.id):
        return Outcome(room, (to_group(words_of(room).html("toast.not-in")),))
    return show_lobby(replace(room, lobby=without(room.lobby, incoming.person.id, context)))


def unseat_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """/unseat: an admin frees a player's seat by replying to their message, in a lobby or a running game."""
    if room.playing is not None or room.lobby is None:
        return seats.unseat_command(room, incoming, context)
    words = words_of(room)
    if not seats.may_unseat(incoming, context):
        return Outcome(room, (to_group(words.html(refusal_key("only-admin", context))),))
    if not room.lobby.is_seated(incoming.replies_to):
        return Outcome(room, (to_group(words.html("toast.not-in")),))
    return show_lobby(replace(room, lobby=without(room.lobby, incoming.replies_to, context)))


def next_game(room: Room, incoming: Command, context: Context) -> Outcome:
    """/nextgame: note that a person wants to hear of the next lobby. If one is open, show it instead."""
    words = words_of(room)
    if room.lobby is not None and not room.lobby.is_seated(incoming.person.id):
        return Outcome(room, (lobby_open_post(room, room.lobby),))
    if not require(context.may_write, Lookup.MAY_WRITE):
        button = Button(words.plain("button.open-private"), url=context.deep_link(GREETING))
        text = words.html("nextgame.open-private", name=name(incoming.person.name))
        return Outcome(room, (to_group(text, ((button,),)),))
    person = player_of(incoming.person, context)
    others = tuple(other for other in room.next_game if other.id != person.id)
    room = replace(room, title=incoming.title or room.title, next_game=(*others, person)[-MOST_WAITING:])
    text = Words(person.language).html("nextgame.noted", group=group_link(room))
    # Remembered like a seat, so that /forget also finds a person who only waits.
    return Outcome(room, (Post(Private(incoming.person.id), text),), remember=incoming.person.id)


def _refusal(room: Room, lobby: Lobby, incoming: Tap | Command | DeepLink, context: Context) -> str | None:
    """Return the catalogue's key for why a person may not take a seat; None if they may."""
    if lobby.is_seated(incoming.person.id):
        return "toast.already-in"
    if len(lobby.players) - lobby.computer_count >= max(lobby.sizes):
        return "toast.full"
    return membership_refusal(room, incoming, context)


def _seat(room: Room, lobby: Lobby, person: Person, context: Context, toast: Toast | None = None) -> Outcome:
    player, players = player_of(person, context), lobby.players
    if len(players) >= max(lobby.sizes):
        # The computer that was added last makes room for the person.
        place = max(place for place, other in enumerate(players) if other.computer)
        players = (*players[:place], *players[place + 1 :])
    seated = replace(lobby, players=(*players, player), touched=context.now)
    return replace(show_lobby(replace(room, lobby=seated), toast), remember=person.id)
