"""Play one seed: a group opens a lobby and plays a whole game with faults. Then check all promises."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from pydantic_core import to_json

from bot.conversation.lobby.lobby import items
from bot.display.buttons import CLOSE, Verb
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Lobby, Room, Settings, Strength, Switch
from bot.rooms.names import ChatId, RoomName
from engine import OFFERED, Ruleset
from engine.setups import option_sets
from infra.store.items import Change
from infra.store.pace import PER_SECOND, Pace
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from local.dynamodb import Client
from sandbox.cloud.faults import Fault
from sandbox.game import NAMES
from sandbox.harness import TABLE
from sandbox.telegram import Chat
from sandbox.telegram.calls import FloodLimits

from .checks import Checks
from .people import Person
from .practice import Practiser
from .world import World

#: Virtual seconds without a step after which a game is stuck, and the maximum for a whole game.
STUCK, TOO_LONG = 3600.0, 24 * 3600.0
#: Virtual seconds within which all messages must be sent once taps and faults stop.
DRAIN = 1200.0
#: The maximum number of invocations. A game of sixteen people takes several thousand. A bot that keeps waking
#: itself up takes more.
MOST_INVOCATIONS = 12_000
#: The maximum number of calls during one flood: one for each chat with a message, and more if the bot fails
#: to store the refusal.
FLOOD_CALLS = 60
_DIRECTS = 20.0
#: The factor for faults if only the start of the game is played.
STARTS_ROUGHER = 3


#: Seconds between two rushes, and seconds of the bot's pace that a rush uses up: from, to.
QUIET, RUSH = (5.0, 60.0), (1.0, 30.0)
#: The maximum backlog in seconds that they cause. Above 20, the bot opens no new lobby.
MOST = 40.0
#: Virtual seconds without a step of the game after which people without a prompt press Start.
WORRIED_AFTER = 900.0
_BARRED = ("/leave", "/join", "/cancel", "/newgame", "/start", "/settings")
_SAID = ("/status", "/board", "/players", "/help", "/newgame", "/history", "/rules")
#: In one of this many seeds, a person practises during the game.
PRACTISING = 10


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """The game that a seed plays, the settings of its group, and what else happens."""

    rules: Ruleset
    players: int
    options: dict[str, str]
    settings: Settings
    #: True if the group becomes a supergroup during the game.
    migrates: bool = False
    #: True if Telegram enforces its limits, besides the faults.
    limited: bool = False
    #: The number of people in the group who watch, and may take a free seat later.
    watching: int = 0
    #: The number of computers among the players.
    computers: int = 0
    #: True if other groups use up some of the bot's pace.
    busy: bool = False
    #: True if another person practises in their private chat during the game.
    practising: bool = False

    @classmethod
    def of(cls, seed: int, rng: random.Random) -> SeedPlan:
        """Return a random plan: any ruleset, size and set of options, with or without a clock."""
        rules = rng.choice(OFFERED)
        players = rng.choice(list(rules.players))
        options = rng.choice(list(option_sets(rules, players).values()))
        settings = Settings(
            language=rng.choice(("en", "de")),
            theme=rng.choice(("weimar", "cold-war")),
            clock=rng.choice(("off", "off", "relaxed", "fast")),
            ballots=rng.choice(("private", "private", "group")),
        )
        migrates, limited, watching = rng.random() < 0.15, rng.random() < 0.25, rng.choice((0, 1, 2))
        # The random numbers of newer features are separate, so old seeds stay the same.
        open_cards: Switch = random.Random(f"open/{seed}").choice(("off", "on"))
        rng = random.Random(f"others/{seed}")
        computers = rng.randint(1, players - 1) if rng.random() < 0.3 else 0
        strength: Strength = rng.choice(("novice", "seasoned")) if computers else settings.strength
        return cls(
            rules,
            players,
            dict(options),
            replace(settings, open_cards=open_cards, strength=strength),
            migrates,
            limited,
            watching,
            computers,
            busy=rng.random() < 0.25,
            practising=seed % PRACTISING == PRACTISING - 1,
        )

    def __str__(self) -> str:
        set_up = self.settings
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        moves = (" becoming a supergroup" if self.migrates else "") + (" limited" if self.limited else "")
        others = f" computers={self.computers}" * bool(self.computers) + " busy" * self.busy
        others += " practising" * self.practising
        game = f"{self.rules.id} x{self.players}{options}"
        return f"{game} clock={set_up.clock} ballots={set_up.ballots}{moves}{others}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one seed."""

    seed: int
    setup: str
    broken: tuple[str, ...]
    faults: Counter[Fault]
    invocations: int
    steps: int
    doubled: int
    hours: float


class SeedRun:
    """Play a seed.

    Args:
        starts: play only until the roles are dealt, with more faults.
        world: the world, if several seeds share it.
        plan: another plan than the seed's own.
        pace: the people's pace, instead of one by the seed; see ``Person``.
    """

    def __init__(
        self,
        seed: int,
        *,
        starts: bool = False,
        world: World | None = None,
        plan: SeedPlan | None = None,
        pace: tuple[float, float] | None = None,
    ) -> None:
        self.seed = seed
        self._starts = starts
        self.world = world or World(seed)
        self.rng = random.Random(f"story/{seed}")
        drawn = SeedPlan.of(seed, self.rng)
        self.plan = plan or drawn
        tg, people = self.world.telegram, self.plan.players - self.plan.computers
        users = [tg.add_user(name, started=self.rng.random() < 0.8) for name in NAMES[:people]]
        watching = [tg.add_user(name, started=True) for name in ("Quirin", "Rosa")[: self.plan.watching]]
        kind = "group" if self.plan.migrates else "supergroup"
        self.group: Chat = tg.add_group("The Reichstag", [*users, *watching], type=kind)
        if self.plan.limited:
            # Telegram recommends one message per second in a chat, but accepts short bursts.
            tg.flood.limits = FloodLimits(per_chat_second=None)
        drawn_pace = self.rng.choice(((0.2, 2.0), (2.0, 15.0), (1.0, 60.0)))
        pace = pace or drawn_pace
        fidgety = self.rng.choice((0.0, 0.05, 0.2))
        self.people = [
            Person(self.world, user, self.group, random.Random(f"person/{seed}/{i}"), pace, fidgety)
            for i, user in enumerate([*users, *watching])
        ]
        self.players = self.people[:people]
        self.practiser = Practiser(self.world, seed) if self.plan.practising else None
        self.phones = [*self.people, *([self.practiser] if self.practiser else [])]
        self.checks = Checks(self.world, self.phones)
        self._limit_chats(random.Random(f"limits/{seed}"))
        self._tried_at: dict[Any, float] = {}
        client: Any = Client(self.world.table.run)
        table = DynamoTable(client, TABLE)
        room = Room(ChatId(self.group.id), title=self.group.title, settings=self.plan.settings)
        change = Change(body=encode(room), schema=SCHEMA)
        Rooms(table, self.world.clock).create(RoomName(ChatId(self.group.id)).key, change)
        #: Actions besides answering, with the probability of each in percent.
        self._actions: list[tuple[float, Callable[[Person], object]]] = [
            (2.0, lambda person: person.say(self.rng.choice(_SAID))),
            (2.0, self._call_the_clock),
            (3.0, lambda person: person.command("role", self.match["number"])),
            (1.0, self._sleep),
            (1.0 if self.world.faults.rate else 0.0, lambda person: self.block(person.user.id)),
            (self.rng.choice((0.0, 0.0, 1.0)), self._leave),
            (5.0, self._sit),
            (self.rng.choice((0.0, 0.0, 0.5)), self._remove_bot),
            (1.0 if self.plan.migrates else 0.0, self._migrate),
        ]
        if starts:
            self.world.faults.rate *= STARTS_ROUGHER
        if self.plan.busy:
            self._plan_rush(Pace(table, self.world.clock), random.Random(f"neighbours/{seed}"))
        #: The maximum number of seconds until a person joins.
        self.joining = 4.0
        #: The number of steps after which the people rest once.
        self._rest_after: float = self.rng.randrange(3, 120)
        tg.on_change.append(self._changed)
        self.world.on_forbidden = self.block

    def play(self) -> Outcome:
        """Play from the first command to the end of the game; return once everything is sent and checked."""
        world = self.world
        try:
            self.begin()
            while not all(game.over for game in (self, self.practiser) if game) and not world.broken:
                if not world.machine.step() or world.passed > TOO_LONG:
                    world.fail("the game does not end")
                elif world.invocations > MOST_INVOCATIONS:
                    world.fail("the bot keeps itself busy")
                elif world.clock() - world.history.last_change > STUCK:
                    world.fail(f"stuck: {self.checks.waiting()}")
                elif world.history.steps >= self._rest_after:
                    self._rest_after = inf
                    self._rest()
            if not world.broken:
                self._rest()
                world.ledger.check_all_sent()
                if world.flood_calls > FLOOD_CALLS * len(world.faults.floods):
                    world.fail(f"the bot called {world.flood_calls} times while Telegram refused everything")
                self.checks.at_the_end(self.key)
                self.after_the_game()
        finally:
            world.close()
        return Outcome(
            self.seed,
            str(self.plan),
            tuple(world.broken),
            world.faults.counted,
            world.invocations,
            world.history.steps,
            world.ledger.doubled,
            world.passed / 3600,
        )

    def after_the_game(self) -> None:
        """Do nothing. A subclass that continues after the game overrides this."""

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        match = self.body.get("match")
        if match is None:
            return False
        return self._starts or match["cancelled"] or match["game"]["question"] is None

    # --- what people do besides answering ----------------------------------------------------------

    def _changed(self, chat: Chat) -> None:
        if chat.user is None and chat not in (self.group, self.chat):
            return  # another group
        for person in self.phones:
            if chat.user is None or chat.user is person.user:
                person.notice()

    def begin(self) -> None:
        """Lead the people: set up the game, and take side actions during it."""
        self.world.machine.after(self.rng.uniform(1, _DIRECTS), self.begin)
        if self.over or not self.people[0].playing:
            return
        body = self.body
        if body.get("sealed") is not None:
            self.while_sealed(body["sealed"])
        elif body.get("match") is not None:
            self.act()
        elif body.get("lobby") is None:
            if self.may("newgame", 60):
                self.people[0].say("/newgame")
        else:
            self._gather(body)

    def _gather(self, body: dict[str, Any]) -> None:
        room = decode(to_json(body), SCHEMA)
        assert room.lobby is not None
        sitting = {player.id for player in room.lobby.players}
        missing = [person for person in self.players if person.user.id not in sitting]
        for person in missing:
            if self.may(("join", person.user.id), 40):
                self.world.machine.after(
                    self.rng.uniform(0, self.joining),
                    lambda p=person, n=room.lobby.number: self._join(p, n),  # type: ignore[misc]
                )
        tap = self._next_choice(room, room.lobby, ready=not missing)
        if tap is None and room.lobby.panel is not None:
            tap = CLOSE, 0
        if tap is not None:
            if self.may(tap, 30):
                self._lead("setup", room.lobby.number, *tap)
        elif missing:
            return
        elif room.lobby.computer_count != self.plan.computers:
            if self.may("computers", 30):
                self._lead("computers", room.lobby.number, self.plan.computers)
        elif self.may("start", 30):
            self._lead("start", room.lobby.number)

    def _lead(self, verb: Verb, *args: int) -> None:
        """Tap a button of the lobby as host; if it is gone, show the lobby again."""
        if self.people[0].command(verb, *args) is None:
            self._show_lobby()

    def _show_lobby(self) -> None:
        if self.may("show", 60):
            self.people[0].say("/newgame")  # shows the lobby again

    def _join(self, person: Person, number: int) -> None:
        query = person.command("join", number)
        if query is not None:
            self.world.machine.after(8, lambda: self._follow(person, query))
        else:
            self._show_lobby()

    def _follow(self, person: Person, query: Any) -> None:
        if query.answer is not None and query.answer.url:
            self.world.telegram.open_link(person.user, query.answer.url)

    def _next_choice(self, room: Room, lobby: Lobby, *, ready: bool) -> tuple[int, int] | None:
        """Return the host's next tap (item, value) to set up the game. Options wait until all have joined."""
        wanted = {"ruleset": self.plan.rules.id, **(self.plan.options if ready else {})}
        for number, item in enumerate(items(room, lobby), start=1):
            if item.key in wanted and item.value != wanted[item.key]:
                return number, item.values.index(wanted[item.key]) + 1
        return None

    @property
    def _keys(self) -> list[str]:
        """Return the keys of the rooms that exist."""
        keys = [self.key, *([self.practiser.key] if self.practiser else [])]
        return [key for key in keys if key in self.world.history.bodies]

    @property
    def _drained(self) -> bool:
        return all(self.checks.drained(key) for key in self._keys)

    # --- resting -----------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop all taps, and what keeps messages from being sent."""
        for person in self.phones:
            person.playing = False
        self.add_bot_back()
        self.world.telegram.flood.closed.clear()
        self.group.slow_mode = self.chat.slow_mode = 0

    def _rest(self) -> None:
        """Stop all taps and faults until everything is sent, check the rooms, and continue."""
        world = self.world
        most, world.faults.most = world.faults.most, 0
        self.stop()
        self._wait(lambda: False)
        self._wait(lambda: self._drained)
        for person in self.checks.without_prompt():
            person.start_private()
        self._wait(lambda: self._drained and not self.checks.without_prompt())
        for key in self._keys:
            self.checks.at_rest(key)
        world.faults.most = most
        world.history.last_change = world.clock()
        for person in self.phones:
            person.playing = True
            person.notice()

    def _wait(self, done: Callable[[], bool]) -> None:
        """Let time pass until this holds, or until everything should have been sent."""
        late = self.world.clock() + DRAIN
        while not done() and self.world.clock() < late and self.world.machine.step():
            pass

    # --- side actions -------------------------------------------------------------------------------

    def act(self) -> None:
        """Take one action, or none, at random."""
        for person in self.people:
            person.notice()
        self._fill_seat()
        chance = self.rng.random() * 100
        for often, action in self._actions:
            chance -= often
            if chance < 0:
                action(self.rng.choice(self.people))
                break
        if self.world.clock() - self.world.history.last_change > WORRIED_AFTER:
            self._press_start()

    def while_sealed(self, sealed: dict[str, Any]) -> None:
        """Try what is forbidden before the deal. The host sometimes goes on without an absent beacon."""
        if sealed["asked"] and self.may("beacon", 60):
            self.people[0].command("beacon", sealed["number"], self.rng.choice((0, 0, 1)))
        for person in self.rng.sample(self.people, min(4, len(self.people))):
            if self.rng.random() < 0.7:
                person.say(self.rng.choice(_BARRED))
            else:
                person.command(self.rng.choice(("join", "leave", "start", "role")), sealed["number"])

    def add_bot_back(self) -> None:
        """Add the bot to the group again if it was removed."""
        chat = self.chat
        if not chat.member(self.world.telegram.bot).present:
            self.world.telegram.join(self.world.telegram.bot, chat)

    def block(self, user: int) -> None:
        """Let a person block the bot, and unblock it later."""
        person = next((p for p in self.people if p.user.id == user), None)
        if person is None or person.user.blocked:
            return
        self.world.telegram.block(person.user)
        self.world.machine.after(self.rng.uniform(20, 200), person.start_private)

    def _call_the_clock(self, person: Person) -> None:
        """Call the clock for the open question, whether allowed or not, often as two people at once."""
        match = self.match
        question = match["game"]["question"]
        if question is None:
            return
        for caller in dict.fromkeys((person, self.rng.choice(self.people))):
            if caller.command("clock", match["number"], question["number"]) is None:
                caller.say("/status")

    def _sleep(self, person: Person) -> None:
        person.asleep_until = self.world.clock() + self.rng.uniform(10, 300)

    def _leave(self, person: Person) -> None:
        """Write /leave, and press the button a little later."""
        person.say("/leave")
        self.world.machine.after(self.rng.uniform(2, 10), lambda: self._quit(person))

    def _quit(self, person: Person) -> None:
        seated = [player["id"] for player in self.match["players"]]
        if person.user.id in seated:
            person.command("quit", self.match["number"], seated.index(person.user.id), 1)

    def _sit(self, person: Person) -> None:
        """Take an open seat: one's own after leaving, or any seat if the person only watches."""
        seated = [player["id"] for player in self.match["players"]]
        away = self.match["away"]
        own = [seat for seat in away if seated[seat] == person.user.id]
        if own or (away and person.user.id not in seated):
            person.command("sit", self.match["number"], self.rng.choice(own or away))
            self.world.machine.after(20, person.forget_taps)

    def _remove_bot(self, person: Person) -> None:
        """Remove the bot from the group, and add it again some minutes later."""
        if self.chat.member(self.world.telegram.bot).present:
            self.world.telegram.kick(self.world.telegram.bot, self.chat)
            self.world.machine.after(self.rng.uniform(5, 400), self.add_bot_back)

    def _migrate(self, person: Person) -> None:
        # A bot outside the group would not learn its new id.
        present = self.chat.member(self.world.telegram.bot).present
        if self.group.migrated_to is None and present:
            self.world.telegram.migrate(self.group)

    def _fill_seat(self) -> None:
        """Let a watcher take the seat of somebody who left."""
        for person in self.people[len(self.players) :]:
            if self.match["away"] and self.may(("sit", person.user.id), 60):
                self._sit(person)

    def _press_start(self) -> None:
        """Let people press Start who must answer but have no buttons."""
        for person in self.checks.without_prompt():
            if self.may(("start", person.user.id), 300):
                person.start_private()

    # --- the group and its room ---------------------------------------------------------------------

    @property
    def key(self) -> str:
        """Return the room's current key."""
        key = RoomName(ChatId(self.chat.id)).key
        return key if key in self.world.history.bodies else RoomName(ChatId(self.group.id)).key

    @property
    def chat(self) -> Chat:
        """Return the group, or the supergroup that it has become."""
        return self.people[0].chat

    @property
    def body(self) -> dict[str, Any]:
        """Return the stored room."""
        return self.world.history.bodies[self.key]

    @property
    def match(self) -> dict[str, Any]:
        """Return the stored game."""
        match: dict[str, Any] = self.body["match"]
        return match

    def _limit_chats(self, rng: random.Random) -> None:
        """In some seeds, put the group into slow mode and close some private chats for a while."""
        machine, flood = self.world.machine, self.world.telegram.flood
        if rng.random() < 0.15:
            delay, lasts = rng.choice((5, 15, 60)), rng.choice((120, 600))
            begins = rng.uniform(60, 1200)
            machine.after(begins, lambda: self._slow_down(delay))
            machine.after(begins + lasts, lambda: self._slow_down(0))

        def close(user: int, seconds: float) -> None:
            flood.closed[user] = self.world.clock() + seconds

        for person in self.people:
            if rng.random() < 0.1:
                closed = partial(close, person.user.id, rng.choice((10, 60, 300)))
                machine.after(rng.uniform(30, 1500), closed)

    def _plan_rush(self, pace: Pace, rng: random.Random) -> None:
        """Let other groups of the same bot use up its pace, in rushes as long as the seed is played."""

        def rush() -> None:
            self._plan_rush(pace, rng)
            room, wanted = MOST - pace.backlog(), rng.uniform(*RUSH)
            if room > 0:
                pace.take(max(1, int(min(room, wanted) * PER_SECOND)))

        self.world.machine.after(rng.uniform(*QUIET), rush)

    def _slow_down(self, delay: int) -> None:
        self.chat.slow_mode = delay

    def may(self, what: Any, seconds: float) -> bool:
        """Return True if ``what`` was last tried at least ``seconds`` ago, and note the new try."""
        now = self.world.clock()
        if now - self._tried_at.get(what, -1e9) < seconds:
            return False
        self._tried_at[what] = now
        return True


def play(seed: int, tell: Callable[[str], None] | None = None, *, starts: bool = False) -> Outcome:
    """Play one seed. With ``starts``, stop once the roles are dealt. ``tell`` gets a line for each event."""
    threads = threading.active_count()
    seed_run = SeedRun(seed, starts=starts)
    if tell is not None:
        world = seed_run.world
        world.tell = lambda *what: tell(f"{world.passed:9.2f} {' '.join(map(str, what))}")
    outcome = seed_run.play()
    assert threading.active_count() <= threads, "a process still runs"
    return outcome
