"""Play one seed: a group opens a lobby and plays a whole game with faults. Then check all promises."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from bot.conversation.lobby.lobby import items
from bot.display.buttons import CLOSE
from bot.rooms.codec import SCHEMA, decode
from bot.rooms.model import Lobby, Room
from sandbox.cloud.faults import Fault
from sandbox.telegram import Chat

from .people import Person
from .seed_setup import Neighbours
from .side_actions import SideActions

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


class SeedRun(SideActions):
    """Play a seed. ``shared``: arguments of ``SeedSetup``."""

    def __init__(self, seed: int, *, starts: bool = False, **shared: Any) -> None:
        super().__init__(seed, **shared)
        self._starts = starts
        if starts:
            self.world.faults.plan.rate *= STARTS_ROUGHER
        self.neighbours = Neighbours(self.world, seed) if self.plan.busy else None
        #: The maximum number of seconds until a person joins.
        self.joining = 4.0
        self._said_at = -1e9
        self._rested = False
        self._rest_after = self.rng.randrange(3, 120)
        self.world.telegram.on_change.append(self._changed)
        self.world.on_forbidden = self.block

    def play(self) -> Outcome:
        """Play from the first command to the end of the game; return once everything is sent and checked."""
        world = self.world
        try:
            self.begin()
            while not self._all_over and not world.broken:
                if not world.machine.step() or world.passed > TOO_LONG:
                    world.fail("the game does not end")
                elif world.invocations > MOST_INVOCATIONS:
                    world.fail("the bot keeps itself busy")
                elif world.clock() - world.history.last_change > STUCK:
                    world.fail(f"stuck: {self.checks.waiting()}")
                elif not self._rested and world.history.steps >= self._rest_after:
                    self._rested = True
                    self._rest()
            if not world.broken:
                self._rest()
                world.ledger.check_all_sent()
                if world.flood_calls > FLOOD_CALLS * len(world.faults.plan.floods):
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

    def listen(self, tell: Callable[[str], None]) -> None:
        """Call ``tell`` with a line for everything that happens from now on."""

        def told(*what: object) -> None:
            tell(f"{self.world.passed:9.2f} {' '.join(map(str, what))}")

        self.world.tell = told

    # --- the group's room --------------------------------------------------------------------------

    @property
    def _all_over(self) -> bool:
        return self.over and (self.practiser is None or self.practiser.over)

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
            if self.world.clock() - self._said_at > 60:
                self._said_at = self.world.clock()
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

    def _lead(self, verb: str, *args: int) -> None:
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
        self.lift_limits()

    def _rest(self) -> None:
        """Stop all taps and faults until everything is sent, check the rooms, and continue."""
        world = self.world
        most, world.faults.plan.most = world.faults.plan.most, 0
        self.stop()
        until = world.clock() + DRAIN
        while world.clock() < until and world.machine.step():
            pass
        late = world.clock() + DRAIN
        while not self._drained and world.clock() < late and world.machine.step():
            pass
        for person in self.checks.without_prompt():
            person.start_private()
        late = world.clock() + DRAIN
        while (self.checks.without_prompt() or not self._drained) and world.clock() < late:
            world.machine.step()
        for key in self._keys:
            self.checks.at_rest(key)
        world.faults.plan.most = most
        world.history.last_change = world.clock()
        for person in self.phones:
            person.playing = True
            person.notice()


def play(seed: int, tell: Callable[[str], None] | None = None, *, starts: bool = False) -> Outcome:
    """Play one seed. With ``starts``, stop once the roles are dealt. ``tell`` gets a line for each event."""
    threads = threading.active_count()
    seed_run = SeedRun(seed, starts=starts)
    if tell is not None:
        seed_run.listen(tell)
    outcome = seed_run.play()
    assert threading.active_count() <= threads, "a process still runs"
    return outcome
