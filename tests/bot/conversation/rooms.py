"""Short commands for rooms: values in, an outcome out, without a store or a network.

    room = lobby(5)
    after = tap(room, "join", person(5))
    after.room.lobby.players, toast(after), posts(after)

    room = elected(game(5, deck="lff"), 1)
    after = choose(room, "fascist")
    tells(after, seat=1)

Without a name, the one seat that is asked acts. All facts are known at once;
``unknown=Lookup.IS_ADMIN`` leaves out one of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.incoming import Command, Incoming, Person, Tap, Wake
from bot.conversation.outcome import (
    GROUP,
    Context,
    Edit,
    Lookup,
    LookupNeeded,
    Outcome,
    Post,
    Private,
    ToSeat,
)
from bot.conversation.routing import respond
from bot.display.buttons import Button, Verb
from bot.display.buttons import read as carried
from bot.display.words import Words
from bot.records.leaderboard import Shown
from bot.rooms.model import Lobby, Match, Player, Room, Settings
from bot.rooms.names import ChatId, MessageId, RoomName, UserId
from bot.rooms.sealing import Beacon, Proof
from engine import Game, Option, Seat, Setup, waiting_on
from sandbox.buttons import TAP_AGAIN
from sandbox.telegram.html import parse
from tests.engine.builders import LETTERS, VOTES, Play, open_question
from tests.engine.rulesets.games import red_dawn

CHAT = ChatId(-1001234567890)
#: The default time of everything, in seconds since 1970.
NOW = 1_900_000_000
SEED = "5e" * 32
BEACON = Beacon("c0ffee", genesis=NOW - 3000, period=3, addresses=("https://beacon.example",))
_NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Edda", "Fynn", "Gwen", "Hans", "Ines", "Jan", "Kaja", "Lars", "Mona")
#: Verbs whose taps begin with the game's number, with the game's and the question's, or with neither.
_NAME_GAME = ("claim", "quit", "replace", "rematch", "role", "sit")
_NAME_QUESTION = ("answer", "clock", "cancel")
_NAME_NOTHING = ("set", "board", "rules", "again")


# --- people and what is known of them -----------------------------------------------------------------------


def person(number: int, language: str = "en") -> Person:
    """Return the person of this number, who has the seat of this number if there is one."""
    return Person(UserId(100 + number), _NAMES[number], language)


def player(number: int, language: str = "en") -> Player:
    """Return the same as a player."""
    return Player(UserId(100 + number), _NAMES[number], language)


def robot(name: str = "Robot") -> Player:
    """Return a player without a person, who gets nothing and taps nothing."""
    return Player(None, name, "en")


def context(unknown: Lookup | None = None, **facts: Any) -> Context:
    """Return a context with all facts, by default about a reachable member who is no admin."""
    found = {
        "is_admin": False,
        "is_member": True,
        "may_write": True,
        "may_delete": True,
        "inside": True,
        "present": frozenset(range(100, 100 + len(_NAMES))),
        "gone": frozenset(),
        "counted": frozenset(range(100, 100 + len(_NAMES))),
        "language": "en",
        "leaderboard": Shown(),
        "backlog": 0.0,
        "slow_mode": 0,
        **facts,
    }
    if unknown is not None:
        found[unknown.name.lower()] = None
    return Context(found.pop("now", NOW), found.pop("entropy", SEED), "TheBot", b"key", **found)


@contextmanager
def needs(need: Lookup) -> Iterator[None]:
    """Check that this fact must be looked up first."""
    with pytest.raises(LookupNeeded) as asked:
        yield
    assert asked.value.need is need


# --- rooms --------------------------------------------------------------------------------------------------


def room(**more: Any) -> Room:
    """Return a group without any game so far."""
    settings = Settings(**{name: more.pop(name) for name in Settings.__dataclass_fields__ if name in more})
    return Room(CHAT, title="The Reichstag", settings=settings, **more)


def lobby(
    players: int = 5, ruleset: str = "classic@1", *, seated: tuple[Player, ...] = (), **more: Any
) -> Room:
    """Return the first person's lobby, with this many players, or these."""
    of_lobby = {name: more.pop(name) for name in Lobby.__dataclass_fields__ if name in more}
    open_one = Lobby(
        **{
            "number": 1,
            "host": 100,
            "setup": Setup(ruleset, 0, dict(more.pop("options", {}))),
            "players": seated or tuple(map(player, range(players))),
            "touched": NOW,
            **of_lobby,
        }
    )
    return room(lobby_count=open_one.number, lobby=open_one, **more)


def game(players: int = 5, *, play: Play | None = None, seated: tuple[Player, ...] = (), **more: Any) -> Room:
    """Return a game in which seat 0 must nominate, or the game of ``play``.

    ``deck``, ``roles``, ``ruleset``, ``options`` and ``board`` are the deal's. Others are fields of the match
    or of the room.
    """
    deal = {name: more.pop(name) for name in ("deck", "roles", "ruleset", "options", "board") if name in more}
    play = play or Play(players, **deal)
    of_match = {name: more.pop(name) for name in Match.__dataclass_fields__ if name in more}
    seated = seated or tuple(map(player, range(play.setup.players)))
    proof = Proof(SEED, round=1000, randomness="ab" * 32)
    of_match = {"number": 1, "host": 100, "time_began_at": NOW, "opened_at": NOW, **of_match}
    match = Match(proof=proof, players=seated, game=play.game, log=tuple(play.events), **of_match)
    return room(lobby_count=1, match=match, **more)


def meeting(players: int = 7, **more: Any) -> Room:
    """Return a game of Red Dawn in which the Communists meet."""
    return game(play=red_dawn(players).govern("c"), **more)


def changed(room: Room, **changes: Any) -> Room:
    """Return the room with a changed match."""
    return replace(room, match=replace(playing(room), **changes))


def changed_lobby(room: Room, **changes: Any) -> Room:
    """Return the room with a changed lobby."""
    return replace(room, lobby=replace(opened(room), **changes))


def playing(room: Room) -> Match:
    """Return its game."""
    assert room.match is not None
    return room.match


def opened(room: Room) -> Lobby:
    """Return its lobby."""
    assert room.lobby is not None
    return room.lobby


def names(room: Room) -> list[str]:
    """Return the names of the players in the lobby or the game."""
    table = room.lobby or room.sealed or room.match
    assert table is not None
    return [player.name for player in table.players]


# --- what is said in them -----------------------------------------------------------------------------------


def tap(
    room: Room, verb: Verb, who: Person, *args: int, unknown: Lookup | None = None, **facts: Any
) -> Outcome:
    """Tap a button of the present lobby, game or question, whose numbers are added."""
    return press(room, verb, who, *_about(room, verb), *args, unknown=unknown, **facts)


def press(
    room: Room, verb: Verb, who: Person, *args: int, unknown: Lookup | None = None, **facts: Any
) -> Outcome:
    """Tap a button with exactly these numbers, perhaps an old or a forged one."""
    said = Tap(who, RoomName(room.chat, room.topic), "query", verb, args, group=room.chat)
    return respond(room, said, context(unknown, **facts))


def says(
    room: Room,
    who: Person,
    command: str,
    *,
    anonymous: bool = False,
    unknown: Lookup | None = None,
    **facts: Any,
) -> Outcome:
    """Give a command in the group, as it is written: ``/settings board …``."""
    name, _, argument = command.removeprefix("/").partition(" ")
    where = RoomName(room.chat, room.topic)
    said = Command(who, where, name, argument, "The Reichstag", anonymous, message=MessageId(77))
    return respond(room, said, context(unknown, **facts))


def leaves(room: Room, who: Person, command: str = "/leave", **facts: Any) -> Outcome:
    """Ask to leave the game, and press the button if there is one."""
    asked = says(room, who, command, **facts)
    if not buttons(asked, "quit"):
        return asked
    ((_, seat, leave), _) = buttons(asked, "quit")
    return tap(asked.room, "quit", who, seat, leave, **facts)


def hears(room: Room, said: Incoming, unknown: Lookup | None = None, **facts: Any) -> Outcome:
    """Tell a room anything else."""
    return respond(room, said, context(unknown, **facts))


def wakes(room: Room, after: int = 0, **facts: Any) -> Outcome:
    """Wake the room this many seconds after NOW."""
    return respond(room, Wake(RoomName(room.chat, room.topic)), context(now=NOW + after, **facts))


def _about(room: Room, verb: str) -> tuple[int, ...]:
    if verb in _NAME_NOTHING:
        return ()
    if verb == "beacon":
        return (room.lobby_count,)
    if verb in _NAME_QUESTION and room.lobby is None:
        match = playing(room)
        return (match.number, match.game.asked)
    if verb in _NAME_GAME:
        return (playing(room).number,)
    return (room.lobby_count, 0) if verb == "cancel" else (room.lobby_count,)


# --- playing ------------------------------------------------------------------------------------------------


def choose(room: Room, option: int | str, seat: int | None = None, **facts: Any) -> Outcome:
    """Tap an option as a seat (default: the one that is asked), by the engine's name or a letter.

    If it takes two taps, the first one comes two seconds earlier.
    """
    match = playing(room)
    if seat is None:
        (seat,) = waiting_on(match.game)
    question = open_question(match.game, seat)
    options = question.options[question.seats.index(seat)]
    wanted = option if option in options else LETTERS.get(str(option), option)
    who, choice = Person(_id(match, seat), match.players[seat].name), options.index(wanted)
    after = tap(room, "answer", who, choice, **facts)
    if after.toast is None or not after.toast.text.startswith(TAP_AGAIN):
        return after
    early = {**facts, "now": facts.get("now", NOW) - 2}
    return tap(tap(room, "answer", who, choice, **early).room, "answer", who, choice, **facts)


def votes(room: Room, ballots: str, **facts: Any) -> Outcome:
    """Cast the missing ballots in seat order; return the outcome of the last one."""
    after = Outcome(room)
    for seat, ballot in zip(waiting_on(playing(room).game), ballots, strict=True):
        if ballot != ".":
            after = choose(after.room, VOTES[ballot], seat, **facts)
    return after


def elected(room: Room, chancellor: int) -> Room:
    """Return the room after this government was nominated and elected unanimously."""
    room = choose(room, chancellor).room
    return votes(room, "j" * len(waiting_on(playing(room).game))).room


def rejected(room: Room, chancellor: int) -> Room:
    """Return the room after this government was rejected unanimously."""
    room = choose(room, chancellor).room
    return votes(room, "n" * len(waiting_on(playing(room).game))).room


def governed(room: Room, chancellor: int, tile: str) -> Room:
    """Return the room after this government enacted such a tile and discarded the other kind."""
    room = elected(room, chancellor)
    wanted = LETTERS[tile]
    spare = [option for option in _options(playing(room).game) if option != wanted]
    return choose(choose(room, spare[0] if spare else wanted).room, wanted).room


def _options(game: Game) -> Sequence[Option]:
    assert game.question is not None
    return game.question.options[0]


def _id(match: Match, seat: int) -> UserId:
    user = match.players[seat].id
    assert user is not None, "nobody sits there who could tap"
    return user


def finished(**more: Any) -> Room:
    """Return an archived game of five that the Liberals won by five policies."""
    play = Play(5)
    for _ in range(5):
        play.govern("liberal")
    return game(play=play, archived=True, **more)


# --- what follows -------------------------------------------------------------------------------------------


def words(key: str, theme: str = "weimar", **values: Any) -> str:
    """Return the English text of a key, as HTML."""
    return str(Words("en", theme).html(key, **values))


def plain(key: str, **values: Any) -> str:
    """The same as plain text, for toasts and buttons."""
    return Words("en").plain(key, **values)


def toast(after: Outcome) -> str:
    """Return the toast's text."""
    assert after.toast is not None, "the tap is not answered"
    return after.toast.text


def read(text: str) -> str:
    """Return a text as people read it: without tags, marks around names, and no-break spaces."""
    return parse(text)[0].replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")


def posts(after: Outcome) -> list[str]:
    """Return the texts of posts in the group."""
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == GROUP]


def edits(after: Outcome) -> dict[str, str]:
    """Return the new texts of the group's messages, by name."""
    return {
        effect.name: effect.text
        for effect in after.effects
        if isinstance(effect, Edit) and effect.to == GROUP
    }


def tells(after: Outcome, seat: int) -> list[str]:
    """Return the texts of posts to a seat in private."""
    return [
        effect.text
        for effect in after.effects
        if isinstance(effect, Post) and effect.to == ToSeat(Seat(seat))
    ]


def told(after: Outcome) -> set[int]:
    """Return the seats with posts in private."""
    return {e.to.number for e in after.effects if isinstance(e, Post) and isinstance(e.to, ToSeat)}


def writes(after: Outcome, who: Person) -> list[str]:
    """Return the texts of posts to a person in private, without regard to their seat."""
    to = Private(who.id)
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == to]


def buttons(after: Outcome, verb: str) -> list[tuple[int, ...]]:
    """Return the numbers of all buttons with this verb."""
    found = [carried(button.data) for button in keys(after) if button.data is not None]
    return [args for _, does, args in filter(None, found) if does == verb]


def keys(after: Outcome) -> list[Button]:
    """Return all buttons of posts and edits."""
    rows = [row for effect in after.effects if isinstance(effect, Post | Edit) for row in effect.keyboard]
    return [button for row in rows for button in row]


def unchanged(after: Outcome, before: Room) -> bool:
    """Return True if nothing happened, except perhaps an answer to the person."""
    return after.room == before and not after.effects
