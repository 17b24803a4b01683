"""Open, show, set up and close a lobby."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from zlib import crc32

from markupsafe import Markup

from bot.conversation.game.deadlines import ABANDONED, silent
from bot.conversation.game.endings import announce_cancelled, endings
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import (
    GROUP,
    ClearButtons,
    Context,
    Edit,
    Effects,
    Lookup,
    Outcome,
    Post,
    Private,
    Toast,
    require,
)
from bot.conversation.posting import edit_in_group, group_link, to_group, words_of
from bot.conversation.rights import may_lead, membership_refusal, player_of, refusal_key
from bot.display import lobby as display
from bot.display.buttons import ALL, BOARD, CLOSE, LONGEST, PRINTED, Button, MenuItem, Row, data, menu
from bot.display.lobby import STRENGTH, STRENGTHS, practice_text
from bot.display.rules_pages import option_text, rulesets_text
from bot.display.words import THEMES, Words, closest, italic, plain_name, shown_length
from bot.rooms.codec import first_setup, next_setup
from bot.rooms.model import Lobby, Player, Practice, Room
from bot.rooms.names import UserId
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, Setup, ruleset

# --- filling ------------------------------------------------------------------------------------------------
# Add computers to a lobby, and remove them.

#: The default number of seats at a practice table. A game with the fewest players is the shortest.
FEWEST = 5


def with_computers(words: Words, players: tuple[Player, ...], wanted: int) -> tuple[Player, ...]:
    """Return the players with ``wanted`` computers. The newest is removed first. New ones get free names."""
    computers = [player for player in players if player.computer]
    gone = computers[wanted:]
    stay = tuple(player for player in players if player not in gone)
    taken = {player.name for player in stay}
    free = [name for name in display.computer_names(words) if name not in taken]
    new = (Player(None, name, words.language, computer=True) for name in free[: wanted - len(computers)])
    return (*stay, *new) if wanted > len(computers) else stay


def fill(words: Words, lobby: Lobby) -> Lobby:
    """Return a practice lobby with enough computers to play, all with names from its theme."""
    people = tuple(player for player in lobby.players if not player.computer)
    size = min(max(len(lobby.players), min(lobby.sizes)), max(lobby.sizes))
    return replace(lobby, players=with_computers(words, people, size - len(people)))


# --- setup panel --------------------------------------------------------------------------------------------
# Set up a lobby by buttons: ruleset, theme, and the ruleset's options.

#: In place of an item's number: the panel that shows the people.
PEOPLE = -2
#: The item that switches advice at a practice table on or off.
ADVICE, ON_OFF = "advice", ("on", "off")


def items(room: Room, lobby: Lobby) -> tuple[MenuItem, ...]:
    """Return the items that can be set in this lobby, in order."""
    rules = ruleset(lobby.setup.ruleset)
    seats = max(len(lobby.players), min(rules.players))
    chosen = rules.chosen(replace(lobby.setup, players=seats))
    boards = [own.name for own in boards_for(room, lobby)]
    board = PRINTED if lobby.own is None else lobby.own.name
    return (
        MenuItem("ruleset", tuple(r.id for r in OFFERED), rules.id, explained=True),
        MenuItem("theme", THEMES, room.settings.theme),
        *(MenuItem(name, rules.options[name].values, now, explained=True) for name, now in chosen.items()),
        *([MenuItem(BOARD, (PRINTED, *boards), board)] if boards or lobby.own else []),
        # Last, so that the numbers of the other items stay the same when computers come and go.
        *([MenuItem(STRENGTH, STRENGTHS, room.settings.strength)] if lobby.computer_count else []),
        *([MenuItem(ADVICE, ON_OFF, ON_OFF[not practice.advice])] if (practice := lobby.practice) else []),
    )


def boards_for(room: Room, lobby: Lobby) -> tuple[OwnBoard, ...]:
    """Return the group's boards that somebody could play on with this lobby's ruleset and options."""
    setup = lobby.setup
    return tuple(own for own in room.boards if own.ruleset == setup.ruleset and own.sizes(setup.options))


def set_item(room: Room, lobby: Lobby, item: MenuItem, value: str) -> Room:
    """Return the room with one item set to a value. A new ruleset begins with its own defaults."""
    setup = lobby.setup
    if item.key == "ruleset":
        setup, lobby = replace(setup, ruleset=value, options={}), replace(lobby, own=None)
    elif item.key == "theme":
        room = replace(room, settings=replace(room.settings, theme=value))
    elif item.key == STRENGTH:
        strength = next(one for one in STRENGTHS if one == value)
        room = replace(room, settings=replace(room.settings, strength=strength))
    elif item.key == ADVICE:
        lobby = replace(lobby, practice=Practice(value == ON_OFF[0]))
    elif item.key == BOARD:
        chosen = next((own for own in boards_for(room, lobby) if own.name == value), None)
        lobby = replace(lobby, own=chosen)
    else:
        setup = replace(setup, options={**setup.options, item.key: value})
    lobby = replace(lobby, setup=setup, panel=ALL)
    return replace(room, lobby=lobby if lobby.practice is None else fill(words_of(room), lobby))


def fairer_rows(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return buttons that make a lopsided table fairer.

    There is none for a single computer, because the lobby always has that one.
    """
    found, where, rows = display.fairer(lobby), room.name, []
    if found is not None and found.option:
        name, value = found.option
        keyed = enumerate(items(room, lobby), start=1)
        number, item = next((number, item) for number, item in keyed if item.key == name)
        tap = data(where, "setup", lobby.number, number, item.values.index(value) + 1)
        rows.append((Button(f"⚖️ {replace(item, value=value).now(words)}", tap),))
    if found is not None and found.computers > 1:
        tap = data(where, "computers", lobby.number, lobby.computer_count + found.computers)
        rows.append((Button(words.plain("button.computers-fill", count=found.computers), tap),))
    return tuple(rows)


def panel_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return the buttons of the panel that is open in the lobby's message."""
    tap = partial(data, room.name, "setup", lobby.number)
    if lobby.panel == PEOPLE:
        return (*_people(words, room, lobby), (Button(words.plain("button.back"), tap(ALL, 0)),))
    rows = menu(words, items(room, lobby), lobby.panel or ALL, tap)
    if lobby.panel or not lobby.players or lobby.practice is not None:
        return rows
    return (*rows[:-1], (Button(words.plain("button.people"), tap(PEOPLE, 0)),), rows[-1])


def _people(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return a row for each player: a button that makes a person the host, and one that frees the seat.

    The host has only the second one.
    """
    rows: list[Row] = []
    remove = words.plain("button.remove")
    for player in lobby.players:
        away = data(room.name, "remove", lobby.number, button_number(player))
        if player.id is None or player.id == lobby.host:
            rows.append((Button(f"{plain_name(player.shown, 24)} {remove}", away),))
        else:
            host = data(room.name, "host", lobby.number, player.id)
            label = words.plain("button.host", name=plain_name(player.name, 24))
            rows.append((Button(label, host), Button(remove, away)))
    return tuple(rows)


def button_number(player: Player) -> int:
    """Return a player's number in a button: a person's id, or below 0 a checksum of a computer's name.

    An index would name somebody else after another player has left, so a double tap would remove two players.
    """
    return -1 - crc32(player.name.encode()) if player.id is None else player.id


# --- lobby --------------------------------------------------------------------------------------------------

#: The name of the lobby's message.
MESSAGE = "lobby"
#: No new lobby opens if a message of the bot would have to wait longer than this many seconds.
BUSY = 20
#: No new lobby opens in a group whose slow mode demands more than this many seconds between messages.
SLOWEST = 10

LobbyTap = Callable[[Room, Lobby, Tap, Context, Words], Outcome]


def on_lobby(answer: LobbyTap) -> Callable[[Room, Tap, Context], Outcome]:
    """Wrap a handler of lobby buttons so that it runs only while the button's lobby is open.

    The first number in a button is the lobby's.
    """

    def tap(room: Room, incoming: Tap, context: Context) -> Outcome:
        words = Words(closest(incoming.person.language))
        if room.lobby is None or room.lobby.number != incoming.args[0]:
            return Outcome(room, toast=Toast(words.plain("toast.lobby-closed")))
        return answer(room, room.lobby, incoming, context, words)

    return tap


def new_game(room: Room, incoming: Command, context: Context) -> Outcome:
    """Open a lobby. If there is one already, show it again; if a game is running, say so.

    A game that was abandoned for ``ABANDONED`` seconds is called off first.
    """
    words = words_of(room)
    called_off: Effects = ()
    if room.playing is not None:
        if context.now < room.playing.opened_at + ABANDONED:
            return Outcome(room, (to_group(words.html("game.running")),))
        if why := why_none_opens(context):
            return Outcome(room, (to_group(words.html(why)),))
        over = replace(room.playing, cancelled=True, former={}, silent_leavers=())
        told = announce_cancelled(room, over, words.html("game.abandoned"))
        called_off = (*told, *endings(room, over))
        room = replace(room, match=over)
    room = replace(room, title=incoming.title or room.title)
    if room.lobby is not None:
        return Outcome(room, (ClearButtons(GROUP, MESSAGE), lobby_post(room)))
    if why := why_none_opens(context, group=True):
        return Outcome(room, (to_group(words.html(why)),))
    # A person who opens a lobby wants to play, so they are seated at once, if the bot may write to them.
    seated = (player_of(incoming.person, context),) if require(context.may_write, Lookup.MAY_WRITE) else ()
    # Remembered like a seat, so that /forget also finds a host who does not play.
    lobby = open_lobby(room, incoming.person.id, seated, *last_played(room), context)
    return replace(lobby, effects=(*called_off, *lobby.effects), remember=incoming.person.id)


def why_none_opens(context: Context, *, group: bool = False) -> str | None:
    """Return the catalogue's key for why no new lobby may open now; None if one may."""
    if group and require(context.slow_mode, Lookup.SLOW_MODE) > SLOWEST:
        return "game.slow"
    backlog = require(context.backlog, Lookup.BACKLOG)
    if context.draining:
        return "game.draining"
    return "game.busy" if backlog > BUSY else None


def last_played(room: Room) -> tuple[Setup, OwnBoard | None]:
    """Return rules, options and own board for a new lobby: those of the group's last game."""
    if room.match is None:
        return first_setup(), None
    return next_setup(room.match.game.setup, room.match.own)


def open_lobby(
    room: Room,
    host: UserId,
    players: tuple[Player, ...],
    setup: Setup,
    own: OwnBoard | None,
    context: Context,
) -> Outcome:
    """Open a lobby. In private, tell the people in the room's ``next_game`` about it."""
    lobby = Lobby(room.lobby_count + 1, host, setup, players, touched=context.now, own=own)
    room = replace(room, lobby_count=lobby.number, lobby=lobby)
    pings = [
        Post(Private(person.id), Words(person.language).html("nextgame.open", group=group_link(room)))
        for person in room.next_game
        if person.id is not None and not lobby.is_seated(person.id)
    ]
    return Outcome(replace(room, next_game=()), (lobby_post(room), *pings))


@on_lobby
def set_up(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Handle a tap in the setup panels, by the host or an admin."""
    _, item, value = incoming.args
    if not may_lead(lobby.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    things = items(room, lobby)
    if 0 < item <= len(things) and 0 < value <= len(things[item - 1].values):
        return _set(room, lobby, things[item - 1], value, words, context)
    known_panel = item == PEOPLE or 0 < item <= len(things)
    panel = None if item == CLOSE else item if known_panel else ALL
    return show_lobby(replace(room, lobby=replace(lobby, panel=panel, touched=context.now)))


def _set(room: Room, lobby: Lobby, thing: MenuItem, place: int, words: Words, context: Context) -> Outcome:
    """Set an item to its value at this place, counted from 1.

    The toast says so, because the edit of the message may come seconds later.
    """
    value = thing.values[place - 1]
    toast = Toast(replace(thing, value=value).now(replace(words, theme=room.settings.theme)))
    if value == thing.value and not lobby.panel:
        return Outcome(room, toast=toast)  # tapped twice: nothing to show again
    room = set_item(room, lobby, thing, value)
    assert room.lobby is not None
    # The buttons of ``fairer_rows`` set an item while no panel is open.
    panel = None if lobby.panel is None else room.lobby.panel
    return show_lobby(replace(room, lobby=replace(room.lobby, panel=panel, touched=context.now)), toast)


@on_lobby
def set_computers(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Set the number of computers. The button carries the total, so a double tap is harmless."""
    if not may_lead(lobby.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    others = len(lobby.players) - lobby.computer_count
    # A person who practises has nobody else to play with.
    fewest = 0 if lobby.practice is None else min(lobby.sizes) - others
    # After a change of rules, more people may be in the lobby than the new rules have seats for.
    wanted = max(0, min(max(incoming.args[1], fewest), max(lobby.sizes) - others))
    players = with_computers(words_of(room), lobby.players, wanted)
    told = Toast(words.plain("toast.computers", count=wanted))
    if players == lobby.players:
        return Outcome(room, toast=told)
    return show_lobby(replace(room, lobby=replace(lobby, players=players, touched=context.now)), told)


@on_lobby
def remove(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Free a player's seat, if the host or an admin taps."""
    if not may_lead(lobby.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    number = incoming.args[1]
    gone = next((player for player in lobby.players if button_number(player) == number), None)
    if gone is None:
        return Outcome(room, toast=Toast(words.plain("toast.not-in")))
    told = Toast(words.plain("toast.removed", name=plain_name(gone.shown)))
    return show_lobby(replace(room, lobby=without(lobby, number, context)), told)


@on_lobby
def hand_over(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Make another player the host.

    The host or an admin may do so. If the host has no seat, the person who joined first may take over.
    """
    chosen = UserId(incoming.args[1])
    takes_over = chosen == incoming.person.id == lobby.next_host
    if not takes_over and not may_lead(lobby.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    if not lobby.is_seated(chosen):
        return Outcome(room, toast=Toast(words.plain("toast.not-in")))
    if takes_over and (refusal := membership_refusal(room, incoming, context)):
        return Outcome(room, toast=Toast(words.plain(refusal), alert=True))
    handed = replace(lobby, host=chosen, panel=None, touched=context.now)
    host = next(plain_name(player.shown) for player in lobby.players if player.id == chosen)
    return show_lobby(replace(room, lobby=handed), Toast(words.plain("toast.host", name=host)))


def without(lobby: Lobby, player: int, context: Context) -> Lobby:
    """Return the lobby without a player, named by their ``button_number``.

    If it is the host, the person who joined first becomes the host.
    """
    players = tuple(each for each in lobby.players if button_number(each) != player)
    left = replace(lobby, players=players, touched=context.now)
    return replace(left, host=next(iter(left.people.values()), lobby.host)) if lobby.host == player else left


def close_lobby(room: Room, why: str) -> Outcome:
    """Close the lobby, and say why in its message. ``why``: a key of the catalogue."""
    return Outcome(replace(room, lobby=None), (edit_in_group(MESSAGE, words_of(room).html(why)),))


def final_edit(room: Room) -> Edit:
    """Return the edit that removes the buttons from the lobby's message when its game begins.

    It lists all players, because the edit that shows the last one may still be waiting.
    """
    lobby = room.lobby
    assert lobby is not None
    quiet = silent(room, lobby.setup.ruleset)
    if lobby.practice is None:
        text = display.lobby_text(words_of(room), lobby, room.settings.strength, silent=quiet, begun=True)
    else:
        text = practice_text(words_of(room), lobby, room.settings.strength, begun=True)
    return replace(edit_in_group(MESSAGE, text), or_post=False)


def lobby_post(room: Room) -> Post:
    """Return the lobby's message, as a post."""
    lobby, words, strength = room.lobby, words_of(room), room.settings.strength
    assert lobby is not None
    if lobby.practice is not None:
        text, keyboard = practice_text(words, lobby, strength), display.practice_keyboard(words, room, lobby)
    else:
        text = display.lobby_text(words, lobby, strength, silent=silent(room, lobby.setup.ruleset))
        keyboard = display.lobby_keyboard(words, room, lobby)
    if lobby.panel is not None:  # the first row stays, because people join and leave meanwhile
        keyboard = (keyboard[0], *panel_keyboard(words, room, lobby))
    elif lobby.practice is None:
        if lobby.next_host is not None:
            take_over = data(room.name, "host", lobby.number, lobby.next_host)
            keyboard = (*keyboard, (Button(words.plain("button.take-over"), take_over),))
        keyboard = (*keyboard, *fairer_rows(words, room, lobby))
    return to_group(_with_option(words, room, lobby, text), keyboard, MESSAGE)


def _with_option(words: Words, room: Room, lobby: Lobby, text: Markup) -> Markup:
    """Return the lobby's text with a line about the open panel, if there is one and it fits.

    In the list of settings, the line says how to change one. In the panel of the rulesets or of an option, it
    explains the choices.
    """
    things = items(room, lobby)
    if lobby.panel == ALL:
        about = italic(words.html("lobby.options"))
    elif lobby.panel is not None and 0 < lobby.panel <= len(things) and things[lobby.panel - 1].explained:
        key = things[lobby.panel - 1].key
        rules = ruleset(lobby.setup.ruleset)
        about = rulesets_text(words) if key == "ruleset" else option_text(words, rules, key)
    else:
        return text
    whole = Markup("{}\n\n{}").format(text, about)
    return whole if shown_length(whole) <= LONGEST else text


def show_lobby(room: Room, toast: Toast | None = None) -> Outcome:
    """Update the lobby's message.

    The edit may come some seconds later: the toast tells the tapper at once, and the group's next post must
    not wait for the edit.
    """
    post = lobby_post(room)
    edit = replace(edit_in_group(MESSAGE, post.text, post.keyboard), patient=True)
    return Outcome(room, (edit,), toast)
