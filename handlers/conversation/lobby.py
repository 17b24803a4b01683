"""Before a game: opening a lobby, joining, leaving, shaking, starting, cancelling."""

from collections.abc import Mapping
from dataclasses import replace

from engine import Illegal, Setup, ruleset, start
from engine.proof import chance
from handlers.conversation import seats
from handlers.conversation.announce import announce, announce_cancelled, announce_start
from handlers.conversation.incoming import Command, Follow, Person, Tap
from handlers.conversation.outcome import Button, Edit, Known, Outcome, Post, Toast, Unknown
from handlers.conversation.places import edit_in_group, group_link, name_of, to_group, words_of
from handlers.conversation.rights import may_lead
from handlers.conversation.setup_panel import items, panel_keyboard, set_item
from handlers.display.lobby import lobby_keyboard, lobby_text
from handlers.display.menu import ALL, CLOSE
from handlers.display.words import Html, Words, closest, name
from handlers.rooms.model import Lobby, Match, Player, Room
from handlers.rooms.names import payload

#: The name of the lobby's message.
MESSAGE = "lobby"
#: A lobby that nobody touches for so many seconds closes itself.
LIFETIME = 3600
DEFAULT_RULESET = "classic@1"


def new_game(room: Room, said: Command, known: Known) -> Outcome:
    """Open a lobby; where there is one already, or a game, say so (and show the lobby again)."""
    words = words_of(room)
    if room.playing is not None:
        return Outcome(room, (to_group(room, words.html("game.running")),))
    room = replace(room, title=said.title or room.title)
    if room.lobby is None:
        lobby = Lobby(
            number=room.games + 1,
            host=said.person.id,
            seed=known.entropy,
            setup=Setup(DEFAULT_RULESET, 0),
            touched=known.now,
        )
        room = replace(room, games=lobby.number, lobby=lobby)
    return Outcome(room, (_lobby_post(room),))


def join_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """Join by button: at once where the bot may write to the person, else by the private chat."""
    lobby = _lobby(room, said.args[0])
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
    if refusal := _refusal(lobby, said.person, known):
        return Outcome(room, toast=Toast(words.plain(refusal)))
    if not _may_write(known):
        return Outcome(room, toast=Toast(url=_deep_link(room, lobby, known)))
    return _seat(room, lobby, said.person, known, Toast(words.plain("toast.joined")))


def join_command(room: Room, said: Command, known: Known) -> Outcome:
    """Join by /join; who cannot be written to yet is shown the way."""
    lobby, words = room.lobby, words_of(room)
    if lobby is None:
        return Outcome(room, (to_group(room, words.html("lobby.none")),))
    if refusal := _refusal(lobby, said.person, known):
        return Outcome(room, (to_group(room, words.html(refusal)),))
    if not _may_write(known):
        button = Button(words.plain("button.open-private"), url=_deep_link(room, lobby, known))
        text = words.html("lobby.open-private", name=name(said.person.name))
        return Outcome(room, (to_group(room, text, ((button,),)),))
    return _seat(room, lobby, said.person, known)


def follow_link(room: Room, said: Follow, known: Known) -> Outcome:
    """Join by the deep link: pressing Start in the private chat is the leave to write there."""
    lobby = _lobby(room, said.number)
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, (Post(said.person.id, words.html("toast.lobby-closed")),))
    if refusal := _refusal(lobby, said.person, known):
        return Outcome(room, (Post(said.person.id, words.html(refusal)),))
    seated = _seat(room, lobby, said.person, known)
    welcome = Post(said.person.id, words.html("joined.private", group=group_link(room)))
    return replace(seated, effects=(welcome, *seated.effects))


def leave_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """Give the seat up by button."""
    lobby = _lobby(room, said.args[0])
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
    if not _is_in(lobby, said.person):
        return Outcome(room, toast=Toast(words.plain("toast.not-in")))
    left = _unseat(room, lobby, said.person, known)
    return replace(left, toast=Toast(words.plain("toast.left")))


def leave_command(room: Room, said: Command, known: Known) -> Outcome:
    """Give the seat up by /leave; in a running game it is open to a substitute then."""
    words = words_of(room)
    if room.playing is not None and room.playing.seat_of(said.person.id) is not None:
        return seats.leave(room, room.playing, said.person)
    if room.lobby is None or not _is_in(room.lobby, said.person):
        return Outcome(room, (to_group(room, words.html("toast.not-in")),))
    return _unseat(room, room.lobby, said.person, known)


def shake(room: Room, said: Tap, known: Known) -> Outcome:
    """Mix the deal once more: how often each player shook, for all to see, goes into it."""
    lobby = _lobby(room, said.args[0])
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
    if not _is_in(lobby, said.person):
        return Outcome(room, toast=Toast(words.plain("toast.not-in")))
    times = lobby.shakes.get(said.person.id, 0) + 1
    shaken = replace(lobby, shakes={**lobby.shakes, said.person.id: times}, touched=known.now)
    return _edited(replace(room, lobby=shaken), Toast(words.plain("toast.shaken", times=times)))


def start_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """Start by button: the host or an admin."""
    lobby = _lobby(room, said.args[0])
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
    if refusal := _start_refusal(words, lobby, said.person, known):
        return Outcome(room, toast=Toast(str(refusal), alert=True))
    return replace(_start(room, lobby, known), toast=Toast(words.plain("toast.started")))


def start_command(room: Room, said: Command, known: Known) -> Outcome:
    """Start by /start in the group: the host or an admin."""
    words = words_of(room)
    if room.lobby is None:
        return Outcome(room, (to_group(room, words.html("lobby.none")),))
    if refusal := _start_refusal(words, room.lobby, said.person, known):
        return Outcome(room, (to_group(room, refusal),))
    return _start(room, room.lobby, known)


def cancel(room: Room, said: Command, known: Known) -> Outcome:
    """Close the lobby, or call the game off: the host or an admin."""
    words = words_of(room)
    current = room.lobby or room.playing
    if current is None:
        return Outcome(room, (to_group(room, words.html("lobby.none")),))
    if not may_lead(current.host, said.person, known):
        return Outcome(room, (to_group(room, words.html("only-host")),))
    if room.lobby is not None:
        return close_lobby(room, "lobby.cancelled")
    assert room.playing is not None
    over = replace(room.playing, cancelled=True)
    return Outcome(replace(room, match=over), announce_cancelled(room, over))


def set_up(room: Room, said: Tap, known: Known) -> Outcome:
    """Set up the game by buttons: the host or an admin."""
    number, item, value = said.args
    lobby = _lobby(room, number)
    words = Words(closest(said.person.language))
    if lobby is None:
        return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
    if not may_lead(lobby.host, said.person, known):
        return Outcome(room, toast=Toast(words.plain("only-host"), alert=True))
    things = items(room, lobby)
    if 0 < item <= len(things) and 0 < value <= len(things[item - 1].values):
        thing = things[item - 1]
        room = set_item(room, lobby, thing, thing.values[value - 1])
    else:
        panel = None if item == CLOSE else item if 0 < item <= len(things) else ALL
        room = replace(room, lobby=replace(lobby, panel=panel))
    assert room.lobby is not None
    return _edited(replace(room, lobby=replace(room.lobby, touched=known.now)))


def expires(lobby: Lobby) -> int:
    """When a lobby closes if nobody touches it, in seconds since 1970."""
    return lobby.touched + LIFETIME


def close_lobby(room: Room, why: str) -> Outcome:
    """Close the lobby; its message says why."""
    edit = edit_in_group(room, MESSAGE, words_of(room).html(why))
    return Outcome(replace(room, lobby=None), (edit,))


def _lobby(room: Room, number: int) -> Lobby | None:
    return room.lobby if room.lobby is not None and room.lobby.number == number else None


def _lobby_post(room: Room) -> Post:
    assert room.lobby is not None
    words = words_of(room)
    lobby = room.lobby
    keyboard = lobby_keyboard if lobby.panel is None else panel_keyboard
    return to_group(room, lobby_text(words, lobby), keyboard(words, room, lobby), MESSAGE)


def _edited(room: Room, toast: Toast | None = None) -> Outcome:
    post = _lobby_post(room)
    return Outcome(room, (edit_in_group(room, MESSAGE, post.text, post.keyboard),), toast)


def _is_in(lobby: Lobby, person: Person) -> bool:
    return any(player.id == person.id for player in lobby.players)


def _refusal(lobby: Lobby, person: Person, known: Known) -> str | None:
    """Why a person may not take a seat, as a key of the catalogue."""
    if _is_in(lobby, person):
        return "toast.already-in"
    if len(lobby.players) >= max(ruleset(lobby.setup.ruleset).players):
        return "toast.full"
    if known.is_member is None:
        raise Unknown("is_member")
    return None if known.is_member else "toast.not-member"


def _may_write(known: Known) -> bool:
    if known.may_write is None:
        raise Unknown("may_write")
    return known.may_write


def _deep_link(room: Room, lobby: Lobby, known: Known) -> str:
    return f"https://t.me/{known.username}?start={payload(name_of(room), lobby.number, known.link_key)}"


def _seat(room: Room, lobby: Lobby, person: Person, known: Known, toast: Toast | None = None) -> Outcome:
    player = Player(person.id, person.name, closest(person.language))
    seated = replace(lobby, players=(*lobby.players, player), touched=known.now)
    return replace(_edited(replace(room, lobby=seated), toast), seated=person.id)


def _unseat(room: Room, lobby: Lobby, person: Person, known: Known) -> Outcome:
    players = tuple(player for player in lobby.players if player.id != person.id)
    shakes: Mapping[int, int] = {user: times for user, times in lobby.shakes.items() if user != person.id}
    host = lobby.host
    if host == person.id and players:
        host = players[0].id
    left = replace(lobby, players=players, shakes=shakes, host=host, touched=known.now)
    return _edited(replace(room, lobby=left))


def _start_refusal(words: Words, lobby: Lobby, person: Person, known: Known) -> Html | None:
    """Why a person may not start now, or None."""
    if not may_lead(lobby.host, person, known):
        return words.html("only-host")
    missing = min(ruleset(lobby.setup.ruleset).players) - len(lobby.players)
    return words.counted("start.missing", missing) if missing > 0 else None


def _start(room: Room, lobby: Lobby, known: Known) -> Outcome:
    words = words_of(room)
    players = lobby.players
    shakes = tuple(lobby.shakes.get(player.id, 0) for player in players)
    setup = replace(lobby.setup, players=len(players))
    try:
        game, events = start(setup, chance(bytes.fromhex(lobby.seed), shakes))
    except Illegal as illegal:
        return Outcome(room, (to_group(room, words.html(f"illegal.{illegal.reason}")),))
    match = Match(lobby.number, lobby.host, lobby.seed, players, shakes, game, events, asked_at=known.now)
    started: Room = replace(room, lobby=None, match=match)
    closed: Edit = edit_in_group(room, MESSAGE, lobby_text(words, lobby))
    roles = announce_start(started, match)
    room, told = announce(started, events)
    return Outcome(room, (closed, *roles, *told))
