"""Play one whole game without a page: through webhook entry, store, queue and stand-in."""

import argparse
import json
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace

from bot.conversation.group import settings
from bot.conversation.lobby.lobby import items
from bot.display import buttons
from bot.display.buttons import CLOSE, MenuItem
from bot.rooms.codec import decode
from bot.rooms.model import Match, Room
from bot.rooms.names import RoomName
from engine import OFFERED, Ruleset, waiting_on
from engine.facts import CandidacyPassed, GameOver
from sandbox.desk import TABLE, Desk, desk_in_memory
from sandbox.offered import newest, offered
from sandbox.seats import Seats
from sandbox.telegram import Chat, User, VirtualClock
from sandbox.telegram.model import Message
from sandbox.weighing import item_size

NAMES = [
    "Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo",
    "Ida", "Jonas", "Klara", "Leo", "Mia", "Noah", "Olga", "Paul",
]  # fmt: skip
#: Virtual seconds in which a seat answers: from, to.
THINKING = (2.0, 15.0)
#: Virtual seconds between two taps in a lobby. With quicker ones, edits would wait for the group's limit.
UNHURRIED = 9.0


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A game's result and cost."""

    ruleset: str
    players: int
    seed: int
    winner: str
    reason: str
    rounds: int
    updates: int
    telegram_posts: int
    telegram_edits: int
    telegram_toasts: int
    group_posts: int
    group_edits: int
    store_reads: int
    store_writes: int
    room_bytes_max: int
    cpu_ms_per_update: float
    violations: int

    def as_dict(self) -> dict[str, object]:
        """Return the figures for JSON."""
        return asdict(self)


def newest_ruleset(name: str) -> Ruleset:
    """Return the newest ruleset of this name. Raises ValueError if there is none."""
    for rules in OFFERED:
        if rules.name == name:
            return rules
    raise ValueError(f"no ruleset is called {name}; there are {', '.join(r.name for r in OFFERED)}")


def chosen_options(ruleset_name: str, players: int, wanted: str) -> dict[str, str]:
    """Return the options that differ from their defaults: ``none``, ``all`` that fit, or names with commas.

    A name alone turns an option on (its last value that fits); ``name=value`` gives the value. Raises
    ValueError for an option that the ruleset does not have.
    """
    rules = newest_ruleset(ruleset_name)
    if wanted == "none":
        return {}
    names = list(rules.options) if wanted == "all" else wanted.split(",")
    chosen = {}
    for name, _, value in (part.partition("=") for part in names):
        if name not in rules.options:
            raise ValueError(f"{ruleset_name} has no option {name}")
        fitting = [v for v in rules.options[name].values if rules.options[name].refuses(v, players) is None]
        chosen[name] = value or fitting[-1]
    return chosen


def taps_to_choose(room: Room, key: str, value: str) -> list[str]:
    """Return the callback data of the lobby's buttons that set an item to a value, in their order.

    Raises ValueError if the room has no lobby, or its lobby does not have this item or value.
    """
    if room.lobby is None:
        raise ValueError(f"{room.title} has no lobby")
    things = items(room, room.lobby)
    number = [item.key for item in things].index(key) + 1
    if things[number - 1].value == value:
        return []
    where, lobby = RoomName(room.chat, room.topic), room.lobby.number
    steps = (0, 0), *turns(things[number - 1], number, value), (CLOSE, 0)
    return [buttons.data(where, "setup", lobby, *step) for step in steps]


def turns(item: MenuItem, number: int, value: str) -> list[tuple[int, int]]:
    """Return the taps (item, value) that set the item of this number to a value.

    An item with few values needs a tap for each step. One with many needs a tap to show them and another to
    choose one.
    """
    place = item.values.index(value) + 1
    if not item.next_place:
        return [(number, 0), (number, place)]
    taps = []
    while item.value != value:
        taps.append((number, item.next_place))
        item = replace(item, value=item.values[item.next_place - 1])
    return taps


class Stuck(RuntimeError):
    """Nobody is asked, but the game is not over."""


class TableTop:
    """A group on a desk with a game in it."""

    def __init__(self, desk: Desk, players: int, seed: int) -> None:
        self.desk = desk
        self.rng = random.Random(seed)
        self.people: list[User] = [desk.telegram.add_user(name, started=True) for name in NAMES[:players]]
        self.group: Chat = desk.telegram.add_group("The Reichstag", self.people)
        self.seats = Seats(desk.telegram, self.people, self.rng, self.group, self._asked)
        self.bytes_max = 0

    def say(self, user: User, text: str) -> None:
        """Write in the group as somebody, and let the bot handle it."""
        self.desk.telegram.send(user, self.group, text)
        self.desk.settle()

    def open(self, ruleset_name: str = "classic", options: str = "none", computers: int = 0) -> None:
        """Open a lobby, seat everybody and ``computers`` computers, choose the rules, all by buttons."""
        host = self.people[0]
        self.say(host, "/newgame")
        self.choose("ruleset", newest_ruleset(ruleset_name).id)
        for user in self.people:
            self.press(user, "join")
        self.add_computers(computers)
        for name, value in chosen_options(ruleset_name, len(self.people) + computers, options).items():
            self.choose(name, value)
        self.press(host, "start")
        self.desk.wait_for_deal(lambda: self.room().sealed is not None)

    def add_computers(self, wanted: int) -> None:
        """Tap as host until there are this many computers; the first tap adds all that are missing."""
        while (lobby := self.room().lobby) is not None and lobby.computer_count < wanted:
            self.press(self.people[0], "computers")

    def set(self, key: str, value: str) -> None:
        """Set something as the group's owner, by the buttons of /settings."""
        self.say(self.people[0], "/settings")
        things = settings.items(self.room())
        number = [item.key for item in things].index(key) + 1
        message = next(reversed(self.group.messages.values()))
        for at in turns(things[number - 1], number, value):
            self._tap(self.people[0], message, buttons.data(RoomName(self.group.id), "set", *at))

    def choose(self, key: str, value: str) -> None:
        """Set an item of the lobby to a value, by the panel's buttons."""
        lobby = self._lobby("start")
        for data in taps_to_choose(self.room(), key, value):
            self._tap(self.people[0], lobby, data)

    def press(self, user: User, verb: str) -> None:
        """Tap the lobby's button with this verb."""
        lobby = self._lobby(verb)
        self._tap(user, lobby, offered(lobby, verb)[0])

    def _tap(self, user: User, message: Message, data: str) -> None:
        """Tap a button that must exist once all earlier taps are handled."""
        clock = self.desk.clock
        if isinstance(clock, VirtualClock):
            clock.until(clock() + UNHURRIED)
            self.desk.settle()
        self.desk.telegram.tap(user, message, data)
        self.desk.settle()

    def _lobby(self, verb: str) -> Message:
        found = newest(self.group, verb)
        assert found is not None, f"no button says {verb}"
        return found

    def play(self) -> Match:
        """Let the seats play to the end, each thinking for some virtual seconds. Raises Stuck."""
        clock = self.desk.clock
        while True:
            waiting = [
                (clock() + self.rng.uniform(*THINKING), i, w) for i, w in enumerate(self.seats.prompts())
            ]
            if not waiting:
                match = self.match()
                if match.over:
                    return match
                self._wait(match)
                continue
            for moment, _, (user, message) in sorted(waiting):
                if isinstance(clock, VirtualClock):
                    clock.until(moment)
                if self.seats.tap(user, message):
                    self.desk.settle()
                    self._weigh()

    def _wait(self, match: Match) -> None:
        """Let time pass until the next wake-up, because nobody is asked, as in a Communist meeting."""
        clock, at = self.desk.clock, self.desk.queue.next_at
        if at is None or not isinstance(clock, VirtualClock):
            raise Stuck(f"round {match.round}: nobody is asked")
        clock.until(at)
        self.desk.settle()

    def _asked(self) -> tuple[int, ...]:
        match = self.room().match
        asked = () if match is None else waiting_on(match.game)
        return () if match is None else tuple(seat for seat in asked if seat in match.in_person)

    def match(self) -> Match:
        """Return the room's game, as stored."""
        match = self.room().match
        assert match is not None
        return match

    def room(self) -> Room:
        """Return the group's room, as stored; this does not count among the bot's requests."""
        counted = dict(self.desk.measured.store)
        item = self.desk.built.app.rooms.load_following(RoomName(self.group.id).key)
        self.desk.measured.store = counted
        assert item is not None
        return decode(item.body, item.schema)

    def _weigh(self) -> None:
        # Measured straight from the table, apart from the bot's own counting.
        counted = dict(self.desk.measured.store)
        key = {"pk": {"S": RoomName(self.group.id).key}, "sk": {"S": "room"}}
        item = self.desk.client.get_item(TableName=TABLE, Key=key)["Item"]
        self.desk.measured.store = counted
        self.bytes_max = max(self.bytes_max, item_size(item))


def play(
    ruleset: str,
    players: int,
    seed: int,
    options: str = "none",
    ballots: str = "private",
    *,
    computers: int = 0,
    opened: Callable[..., AbstractContextManager[Desk]] = desk_in_memory,
) -> tuple[GameFigures, TableTop]:
    """Play a game to its end; return the figures, and the table where it was played.

    People play at random; ``computers`` of the players are computers.
    """
    with opened(VirtualClock(), seed=seed) as at:
        top = TableTop(at, players - computers, seed)
        if ballots != "private":
            top.set("ballots", ballots)
        top.open(ruleset, options, computers)
        match = top.play()
        over = match.log[-1].fact
        assert isinstance(over, GameOver)
        total, group = at.telegram.journal.counts(), at.telegram.journal.counts(top.group.id)
        return (
            GameFigures(
                ruleset=ruleset,
                players=players,
                seed=seed,
                winner="+".join(over.winners),
                reason=over.reason,
                rounds=sum(isinstance(event.fact, CandidacyPassed) for event in match.log),
                updates=at.measured.updates,
                telegram_posts=total.posts,
                telegram_edits=total.edits,
                telegram_toasts=total.toasts,
                group_posts=group.posts,
                group_edits=group.edits,
                store_reads=at.measured.reads,
                store_writes=at.measured.writes,
                room_bytes_max=top.bytes_max,
                cpu_ms_per_update=round(1000 * at.measured.seconds / at.measured.updates, 2),
                violations=len(at.telegram.violations),
            ),
            top,
        )


def transcript(top: TableTop) -> str:
    """Return what the group read, message after message."""
    return "\n\n".join(view.text for view in top.desk.telegram.chat_view(top.group) if view.text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox game``."""
    parser.add_argument("--ruleset", default="classic", choices=[rules.name for rules in OFFERED])
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument(
        "--options", default="none", help="none, all, or option names separated by commas (default: none)"
    )
    parser.add_argument("--ballots", default="private", choices=settings.BALLOTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--json", action="store_true", help="print one line of figures instead of the transcript"
    )


def run(args: argparse.Namespace) -> None:
    """Play one game, and print its transcript or its figures."""
    played, top = play(args.ruleset, args.players, args.seed, args.options, args.ballots)
    print(json.dumps(played.as_dict()) if args.json else transcript(top))
