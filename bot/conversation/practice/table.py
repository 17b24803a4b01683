"""/practice: open a table in a person's private chat, play there, play again, and leave."""

from dataclasses import replace

from bot.conversation.game import answering, claims, info, notes, practising
from bot.conversation.game.practising import person_in, repeated
from bot.conversation.incoming import Command, Practise, Tap
from bot.conversation.lobby import lobby as lobbies
from bot.conversation.lobby.lobby import FEWEST, fill, on_lobby
from bot.conversation.lobby.sealing import begin_match
from bot.conversation.outcome import GROUP, Answerer, ClearButtons, Context, Outcome, Post, Private, Toast
from bot.conversation.posting import edit_in_group, prompt_name, to_group, words_of
from bot.conversation.practice.own_room import END, GO_ON
from bot.display.buttons import Button, Verb, data
from bot.display.lobby import practice_text
from bot.display.words import Words, closest
from bot.rooms.codec import next_setup
from bot.rooms.model import Lobby, Match, Player, Practice, Room
from bot.rooms.sealing import OFF, Proof
from engine import OFFERED, Illegal, Setup, ruleset, start

#: The name of the message that asks whether to go on.
MESSAGE = "practice"


def open_table(room: Room, incoming: Practise, context: Context) -> Outcome:
    """Open a table to practise. If a game is running, ask whether to play on."""
    if room.playing is not None:
        return Outcome(room, (_running(room, room.playing),), remember=incoming.person.id)
    theme = incoming.theme or room.settings.theme
    room = replace(room, settings=replace(room.settings, language=incoming.person.language, theme=theme))
    if why := lobbies.why_none_opens(context):
        return Outcome(room, (to_group(words_of(room).html(why)),))
    wished = OFFERED[incoming.which - 1].id if 0 < incoming.which <= len(OFFERED) else None
    last, setup = room.lobby or room.match, lobbies.last_played(room)[0]
    if room.lobby is not None:
        setup = room.lobby.setup
    if wished is not None and wished != setup.ruleset:
        setup = Setup(wished, 0)
    size = FEWEST if last is None else len(last.players)
    player = Player(
        incoming.person.id, incoming.person.name, room.settings.language, confirms=incoming.confirms
    )
    return _opened(room, player, setup, size, _practice(room, newcomer=incoming.newcomer), context)


def practice_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Go on with the running game, or end it and delete it."""
    what, number = incoming.args
    words, match = words_of(room), room.playing
    if match is None or match.number != number:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    if what == GO_ON:
        room, told = repeated(room, match)
        return Outcome(room, (edit_in_group(MESSAGE, words.html("practice.goes-on")), *told), Toast())
    if what != END:
        return Outcome(room, toast=Toast(words.plain("illegal.no-option")))
    bare = ClearButtons(Private(incoming.person.id), prompt_name(person_in(match)))
    ended = edit_in_group(MESSAGE, words.html("practice.ended"))
    room = replace(room, match=None, acts=((incoming.person.id, context.now),))
    return Outcome(room, (bare, ended), Toast())


def status(room: Room, incoming: Command, context: Context) -> Outcome:
    """Repeat the open question as the newest message."""
    if room.playing is None:
        return Outcome(room)
    room, told = repeated(room, room.playing)
    return Outcome(room, told)


def leave(room: Room, incoming: Command, context: Context) -> Outcome:
    """Ask whether to play on or to end the running game."""
    return Outcome(room) if room.playing is None else Outcome(room, (_running(room, room.playing),))


@on_lobby
def start_tap(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Deal a practice game, if the lobby can be played."""
    words = replace(words, theme=room.settings.theme)
    if why := lobbies.why_none_opens(context):
        return Outcome(room, toast=Toast(words.plain(why), alert=True))
    try:
        begun = _begun(room, lobby, context)
    except Illegal as illegal:
        return Outcome(room, toast=Toast(words.plain(f"illegal.{illegal.reason}"), alert=True))
    final = lobbies.final_edit(room)
    return replace(begun, effects=(final, *begun.effects), toast=Toast(words.plain("toast.started")))


def rematch_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Begin another game with the same rules and number of seats at once."""
    match, words = room.match, Words(closest(incoming.person.language), room.settings.theme)
    if match is None or match.number != incoming.args[0] or not match.over or room.lobby is not None:
        return Outcome(room, toast=Toast(words.plain("toast.already-open")))
    if why := lobbies.why_none_opens(context):
        return Outcome(room, toast=Toast(words.plain(why), alert=True))
    setup, _ = next_setup(match.game.setup, None)
    practice = _practice(room, newcomer=False)
    player = match.players[person_in(match)]
    opened = _opened(room, player, setup, len(match.players), practice, context).room
    assert opened.lobby is not None
    who = to_group(practice_text(words_of(opened), opened.lobby, opened.settings.strength, begun=True))
    begun = _begun(opened, opened.lobby, context)
    return replace(begun, effects=(who, *begun.effects), toast=Toast(words.plain("toast.started")))


def _practice(room: Room, *, newcomer: bool) -> Practice:
    """Return the practice settings. At first only a newcomer has advice.

    Later it is as last time, but off once the last game was played to its end.
    """
    last = room.lobby or room.match
    if last is None or last.practice is None:
        return Practice(newcomer)
    return Practice(last.practice.advice and (room.match is None or not room.match.won))


def _opened(
    room: Room, player: Player, setup: Setup, size: int, practice: Practice, context: Context
) -> Outcome:
    """Open a table with ``size`` seats, or the nearest number that can play."""
    words, rules = words_of(room), ruleset(setup.ruleset)
    lobby = Lobby(room.lobby_count + 1, player.id, setup, (player,), touched=context.now, practice=practice)
    size = min(max(size, min(rules.players)), max(rules.players))
    empty = tuple(Player(None, str(number), words.language, computer=True) for number in range(1, size))
    lobby = fill(words, replace(lobby, players=(player, *empty)))
    old = () if room.lobby is None else (ClearButtons(GROUP, lobbies.MESSAGE),)
    room = replace(room, lobby_count=lobby.number, lobby=lobby)
    return Outcome(room, (*old, lobbies.lobby_post(room)), remember=player.id)


def _begun(room: Room, lobby: Lobby, context: Context) -> Outcome:
    """Deal at once, without a seal, because there is nobody else to prove the deal to.

    Raises Illegal if the lobby cannot be played.
    """
    setup = lobby.setup_for(len(lobby.players))
    proof = Proof(context.entropy).without_beacon(OFF)
    game, events = start(setup, proof.chance(setup, lobby.number))
    match = Match(lobby.number, lobby.host, proof, lobby.players, game, events, practice=lobby.practice)
    return replace(begin_match(room, match, context), remember=lobby.host)


def _running(room: Room, match: Match) -> Post:
    words, where = words_of(room), room.name
    on = Button(words.plain("button.keep.game"), data(where, "practice", GO_ON, match.number))
    end = Button(words.plain("button.practice.end"), data(where, "practice", END, match.number))
    return to_group(words.html("practice.running"), ((on,), (end,)), MESSAGE)


TAPS: dict[Verb, Answerer] = {
    "setup": lobbies.set_up,
    "computers": lobbies.set_computers,
    "start": start_tap,
    "answer": answering.answer_tap,
    "claim": claims.claim_tap,
    "role": info.role_tap,
    "note": notes.note_tap,
    "advise": practising.advise_tap,
    "rematch": rematch_tap,
    "practice": practice_tap,
}


#: Commands that a practice game answers (``own_room.ASKED``).
COMMANDS: dict[str, Answerer] = {
    "board": info.show,
    "history": info.show,
    "votes": info.show,
    "players": info.show,
    "status": status,
    "leave": leave,
    "cancel": leave,
}


def respond_alone(room: Room, incoming: Tap | Practise | Command, context: Context) -> Outcome:
    """Answer a tap or command in a person's own room, or their request to practise."""
    match incoming:
        case Practise():
            return open_table(room, incoming, context)
        case Command() if incoming.name in COMMANDS:
            return COMMANDS[incoming.name](room, incoming, context)
        case Tap() if incoming.verb in TAPS:
            return TAPS[incoming.verb](room, incoming, context)
    return Outcome(room)
