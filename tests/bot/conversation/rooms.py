"""Rooms and what is said in them, tersely: values in, an outcome out, without a store and without a wire.

    room = lobby(5)
    after = tap(room, "join", person(5))
    after.room.lobby.players, toast(after), posts(after)

    room = elected(game(5, deck="lff"), 1)
    after = choose(room, "fascist")
    tells(after, seat=1)

Whoever is not named is the one seat that is asked. Everything is known at once;
``unknown=Need.IS_ADMIN`` leaves something to be found out.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.dispatch import respond
from bot.conversation.incoming import Command, Incoming, Person, Tap, Wake
from bot.conversation.outcome import Context, Edit, Need, Needs, Outcome, Post
from bot.conversation.recipients import GROUP, Private, Seat
from bot.display.buttons import Button
from bot.display.buttons import read as carried
from bot.display.words import Words
from bot.records.leaderboard import Shown
from bot.rooms.beacon import Beacon
from bot.rooms.model import Lobby, Match, Player, Room, Settings
from bot.rooms.names import RoomName
from bot.rooms.sealing import Proof
from engine import Game, Option, Setup, question_for, waiting_on
from sandbox.offered import TAP_AGAIN
from sandbox.telegram.html import parse
from tests.engine.builders import LETTERS, VOTES, Play
from tests.engine.rulesets.games import red_dawn

CHAT = -1001234567890
#: When everything happens, in seconds since 1970, unless it is said otherwise.
NOW = 1_900_000_000
SEED = "5e" * 32
BEACON = Beacon("c0ffee", genesis=NOW - 3000, period=3, addresses=("https://beacon.example",))
_NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Edda", "Fynn", "Gwen", "Hans", "Ines", "Jan", "Kaja", "Lars", "Mona")
#: Which taps name what there is now before anything else, and how much of it.
_NAME_GAME = ("claim", "quit", "replace", "rematch", "role", "sit")
_NAME_QUESTION = ("answer", "clock", "cancel")
_NAME_NOTHING = ("set", "board", "rules", "again")


# --- people and what is known of them -----------------------------------------------------------------------


def person(number: int, language: str = "en") -> Person:
    """The somebody of this number: who sits in this seat, where there are so many."""
    return Person(100 + number, _NAMES[number], language)


def player(number: int, language: str = "en") -> Player:
    """The same, at a table."""
    return Player(100 + number, _NAMES[number], language)


def robot(name: str = "Robot") -> Player:
    """Return who is not a person: sent nothing, pressing nothing."""
    return Player(None, name, "en")


def context(unknown: Need | None = None, **facts: Any) -> Context:
    """All that can be found out: a member whom the bot may write to, who is no admin; or as it is said."""
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
def needs(need: Need) -> Iterator[None]:
    """This must be found out before anything follows."""
    with pytest.raises(Needs) as asked:
        yield
    assert asked.value.need is need


# --- rooms --------------------------------------------------------------------------------------------------


def room(**more: Any) -> Room:
    """A group in which nothing was played yet."""
    settings = Settings(**{name: more.pop(name) for name in Settings.__slots__ if name in more})
    return Room(CHAT, title="The Reichstag", settings=settings, **more)


def lobby(
    players: int = 5, ruleset: str = "classic@1", *, seated: tuple[Player, ...] = (), **more: Any
) -> Room:
    """A lobby of the first person, in which so many sit, or just these."""
    of_lobby = {name: more.pop(name) for name in Lobby.__slots__ if name in more}
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
    return room(games=open_one.number, lobby=open_one, **more)


def game(players: int = 5, *, play: Play | None = None, seated: tuple[Player, ...] = (), **more: Any) -> Room:
    """A game in which seat 0 is asked to nominate; or as it was played so far.

    ``deck``, ``roles``, ``ruleset``, ``options`` and ``board`` are the deal's; what a match or a group's
    settings have can be said as well.
    """
    deal = {name: more.pop(name) for name in ("deck", "roles", "ruleset", "options", "board") if name in more}
    play = play or Play(players, **deal)
    of_match = {name: more.pop(name) for name in Match.__dataclass_fields__ if name in more}
    seated = seated or tuple(map(player, range(play.setup.players)))
    proof = Proof(SEED, round=1000, randomness="ab" * 32)
    of_match = {"number": 1, "host": 100, "asked_at": NOW, "opened_at": NOW, **of_match}
    match = Match(proof=proof, players=seated, game=play.game, log=tuple(play.events), **of_match)
    return room(games=1, match=match, **more)


def meeting(players: int = 7, **more: Any) -> Room:
    """A game of Red Dawn in which the Communists meet, whoever they are."""
    return game(play=red_dawn(players).govern("c"), **more)


def changed(room: Room, **changes: Any) -> Room:
    """The room with something of its match otherwise."""
    return replace(room, match=replace(playing(room), **changes))


def changed_lobby(room: Room, **changes: Any) -> Room:
    """The room with something of its lobby otherwise."""
    return replace(room, lobby=replace(opened(room), **changes))


def playing(room: Room) -> Match:
    """Its game."""
    assert room.match is not None
    return room.match


def opened(room: Room) -> Lobby:
    """Its lobby."""
    assert room.lobby is not None
    return room.lobby


def names(room: Room) -> list[str]:
    """Return who sits in the lobby, or in the game, by name."""
    table = room.lobby or room.sealed or room.match
    assert table is not None
    return [player.name for player in table.players]


# --- what is said in them -----------------------------------------------------------------------------------


def tap(room: Room, verb: str, who: Person, *args: int, unknown: Need | None = None, **facts: Any) -> Outcome:
    """A tap on a button about what there is now: its lobby, game or question need not be named."""
    return press(room, verb, who, *_about(room, verb), *args, unknown=unknown, **facts)


def press(
    room: Room, verb: str, who: Person, *args: int, unknown: Need | None = None, **facts: Any
) -> Outcome:
    """A tap on a button with just these numbers, an old or a forged one perhaps."""
    said = Tap(who, RoomName(room.chat, room.topic), "query", verb, args, group=room.chat)
    return respond(room, said, context(unknown, **facts))


def says(
    room: Room,
    who: Person,
    command: str,
    *,
    anonymous: bool = False,
    unknown: Need | None = None,
    **facts: Any,
) -> Outcome:
    """A command in the group, as it is written: ``/settings board …``."""
    name, _, argument = command.removeprefix("/").partition(" ")
    where = RoomName(room.chat, room.topic)
    said = Command(who, where, name, argument, "The Reichstag", anonymous, message=77)
    return respond(room, said, context(unknown, **facts))


def leaves(room: Room, who: Person, command: str = "/leave", **facts: Any) -> Outcome:
    """Ask to leave the game, and press the button if there is one."""
    asked = says(room, who, command, **facts)
    if not buttons(asked, "quit"):
        return asked
    ((_, seat, leave), _) = buttons(asked, "quit")
    return tap(asked.room, "quit", who, seat, leave, **facts)


def hears(room: Room, said: Incoming, unknown: Need | None = None, **facts: Any) -> Outcome:
    """Anything else that reaches a room."""
    return respond(room, said, context(unknown, **facts))


def wakes(room: Room, after: int = 0, **facts: Any) -> Outcome:
    """The clock looks at the room, so many seconds after NOW."""
    return respond(room, Wake(RoomName(room.chat, room.topic)), context(now=NOW + after, **facts))


def _about(room: Room, verb: str) -> tuple[int, ...]:
    if verb in _NAME_NOTHING:
        return ()
    if verb == "beacon":
        return (room.games,)
    if verb in _NAME_QUESTION and room.lobby is None:
        match = playing(room)
        return (match.number, match.game.asked)
    if verb in _NAME_GAME:
        return (playing(room).number,)
    return (room.games, 0) if verb == "cancel" else (room.games,)


# --- playing ------------------------------------------------------------------------------------------------


def choose(room: Room, option: Option, seat: int | None = None, **facts: Any) -> Outcome:
    """A seat (else the one that is asked) taps an option, by the engine's name or a letter.

    If that takes two taps, the first one was two seconds earlier.
    """
    match = playing(room)
    if seat is None:
        (seat,) = waiting_on(match.game)
    question = question_for(match.game, seat)
    assert question is not None
    options = question.options[question.seats.index(seat)]
    wanted = option if option in options else LETTERS.get(str(option), option)
    who, choice = Person(_id(match, seat), match.players[seat].name), options.index(wanted)
    after = tap(room, "answer", who, choice, **facts)
    if after.toast is None or not after.toast.text.startswith(TAP_AGAIN):
        return after
    early = {**facts, "now": facts.get("now", NOW) - 2}
    return tap(tap(room, "answer", who, choice, **early).room, "answer", who, choice, **facts)


def votes(room: Room, ballots: str, **facts: Any) -> Outcome:
    """Ballots of those who vote and have not yet, in seat order; the outcome of the last one."""
    after = Outcome(room)
    for seat, ballot in zip(waiting_on(playing(room).game), ballots, strict=True):
        if ballot != ".":
            after = choose(after.room, VOTES[ballot], seat, **facts)
    return after


def elected(room: Room, chancellor: int) -> Room:
    """The room once this government was nominated and elected with every voice."""
    room = choose(room, chancellor).room
    return votes(room, "j" * len(waiting_on(playing(room).game))).room


def rejected(room: Room, chancellor: int) -> Room:
    """The room once this government was voted down with every voice."""
    room = choose(room, chancellor).room
    return votes(room, "n" * len(waiting_on(playing(room).game))).room


def governed(room: Room, chancellor: int, tile: str) -> Room:
    """The room once this government enacted such a tile, the other kind being discarded."""
    room = elected(room, chancellor)
    wanted = LETTERS[tile]
    spare = [option for option in _options(playing(room).game) if option != wanted]
    return choose(choose(room, spare[0] if spare else wanted).room, wanted).room


def _options(game: Game) -> Sequence[Option]:
    assert game.question is not None
    return game.question.options[0]


def _id(match: Match, seat: int) -> int:
    user = match.players[seat].id
    assert user is not None, "nobody sits there who could tap"
    return user


def finished(**more: Any) -> Room:
    """A game of five that the Liberals won by five policies; it is in the archives."""
    play = Play(5)
    for _ in range(5):
        play.govern("liberal")
    return game(play=play, archived=True, **more)


# --- what follows -------------------------------------------------------------------------------------------


def words(key: str, theme: str = "weimar", **values: Any) -> str:
    """Return what the English catalogue says for a key, as HTML."""
    return str(Words("en", theme).html(key, **values))


def plain(key: str, **values: Any) -> str:
    """The same as plain text, for toasts and buttons."""
    return Words("en").plain(key, **values)


def toast(after: Outcome) -> str:
    """Return what who tapped is told."""
    assert after.toast is not None, "the tap is not answered"
    return after.toast.text


def read(text: str) -> str:
    """A text as it is read: without tags, marks around names, and spaces that hold lines together."""
    return parse(text)[0].replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")


def posts(after: Outcome) -> list[str]:
    """Return what is posted in the group."""
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == GROUP]


def edits(after: Outcome) -> dict[str, str]:
    """Return what messages in the group read from now on, by their names."""
    return {
        effect.name: effect.text
        for effect in after.effects
        if isinstance(effect, Edit) and effect.to == GROUP
    }


def tells(after: Outcome, seat: int) -> list[str]:
    """Return what a seat is posted in private."""
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == Seat(seat)]


def told(after: Outcome) -> set[int]:
    """The seats that are posted something in private."""
    return {e.to.number for e in after.effects if isinstance(e, Post) and isinstance(e.to, Seat)}


def writes(after: Outcome, who: Person) -> list[str]:
    """Return what a person is posted in private, whatever their seat."""
    to = Private(who.id)
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == to]


def buttons(after: Outcome, verb: str) -> list[tuple[int, ...]]:
    """Return what the buttons that do this carry, wherever they lie."""
    found = [carried(button.data) for button in keys(after) if button.data is not None]
    return [args for _, does, args in filter(None, found) if does == verb]


def keys(after: Outcome) -> list[Button]:
    """All buttons of what is posted or edited."""
    rows = [row for effect in after.effects if isinstance(effect, Post | Edit) for row in effect.keyboard]
    return [button for row in rows for button in row]


def unchanged(after: Outcome, before: Room) -> bool:
    """Return whether nothing happened but perhaps an answer to who asked."""
    return after.room == before and not after.effects
