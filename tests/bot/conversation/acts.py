"""Short commands for rooms: a room in, an outcome out, without a store or a network.

Without a name, the one seat that is asked acts. All facts are known at once;
``unknown=Lookup.IS_ADMIN`` leaves out one of them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.conversation.game.announce import prompt_post
from bot.conversation.incoming import Command, Incoming, Person, Tap, Wake
from bot.conversation.outcome import Context, Lookup, LookupNeeded, Outcome, Post
from bot.conversation.routing import respond
from bot.display.buttons import Verb
from bot.records.leaderboard import Shown
from bot.rooms.model import Match, Room
from bot.rooms.names import MessageId, RoomName, UserId
from engine import Game, Option, Seat, waiting_on
from sandbox.buttons import TAP_AGAIN
from tests.bot.conversation.people import BEACON, NAMES, NOW, SEED, person
from tests.bot.conversation.replies import buttons
from tests.bot.conversation.rooms import lobby, playing
from tests.engine.builders import LETTERS, VOTES, open_question

#: Verbs whose taps begin with the game's number, with the game's and the question's, or with neither.
_NAME_GAME = ("claim", "quit", "replace", "rematch", "role", "sit")
_NAME_QUESTION = ("answer", "clock", "cancel")
_NAME_NOTHING = ("set", "board", "rules", "again")


def context(unknown: Lookup | None = None, **facts: Any) -> Context:
    """Return a context with all facts, by default about a reachable member who is no admin."""
    found = {
        "is_admin": False, "is_member": True, "may_write": True, "may_delete": True, "inside": True,
        "present": frozenset(range(100, 100 + len(NAMES))), "gone": frozenset(),
        "counted": frozenset(range(100, 100 + len(NAMES))), "language": "en", "leaderboard": Shown(),
        "backlog": 0.0, "slow_mode": 0, **facts,
    }  # fmt: skip
    if unknown is not None:
        found[unknown.name.lower()] = None
    return Context(found.pop("now", NOW), found.pop("entropy", SEED), "TheBot", b"key", **found)


def needs(need: Lookup, act: Callable[..., Outcome], *args: Any, **facts: Any) -> None:
    """Check that this fact, which is left out, must be looked up for an act."""
    with pytest.raises(LookupNeeded) as asked:
        act(*args, unknown=need, **facts)
    assert asked.value.need is need


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


def sealed() -> Room:
    """Return a room whose game was sealed at NOW."""
    return tap(lobby(5), "start", person(0), beacon=BEACON).room


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


def prompt_of(room: Room, seat: int | None = None) -> Post:
    """Return the prompt of a seat, or of the first one that is asked."""
    match = playing(room)
    seat = waiting_on(match.game)[0] if seat is None else seat
    return prompt_post(room, match, Seat(seat), open_question(match.game, seat))


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
