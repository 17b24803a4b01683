"""Check a run by the table's record of its writes: every tap counts, and none counts twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from bot.rooms.names import from_key
from infra.store.items import unpack_ids
from sandbox.beacon import StandinBeacon
from sandbox.buttons import ANSWER, question_of
from sandbox.promises.at_rest import flood_complaints, leftovers
from sandbox.promises.deals import Deals
from sandbox.promises.history import History, tapped
from sandbox.promises.invocation import Invocation

from .room import CrowdRoom
from .simulation import Simulation

Item = dict[str, Any]
#: A person's id, and the question that they answered, as callback data names it.
Answered = tuple[int, str]


class Judge:
    """Check every write of every room, in order. Collect the run's figures, and the broken promises."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.counts: Counter[str] = Counter()
        self.broken = list(simulation.failed)
        self._history = History(simulation.clock, self.broken.append)
        beacon = StandinBeacon(simulation.clock)
        self._deals = Deals(simulation.clock, beacon, simulation.telegram, self.broken.append)
        self._items: dict[str, Item] = {}
        #: By answer, the number of updates that gave it; and the answers that may be changed.
        self._applied: Counter[Answered] = Counter()
        self._changeable: set[Answered] = set()
        #: How often rooms noted each update. More than once is wrong.
        self._noted: Counter[int] = Counter()
        #: Questions that closed without an update, such as by the clock before a tap came.
        self._closed: set[str] = set()

    def judge(self, writes: Iterable[tuple[str, Item]]) -> None:
        """Check a finished run by the writes of its rooms, in order."""
        for number, (key, item) in enumerate(writes):
            self._written(number, key, item)
        simulation = self._simulation
        for room in simulation.rooms:
            self._ended(room)
        self._counted()
        self._seated()
        simulation.messages.judge(self._items, self.broken.append)
        self.counts["dealt as sealed"] = self._deals.proven
        if simulation.settings.kill is None:
            self._undisturbed()

    def _written(self, number: int, key: str, item: Item) -> None:
        before = self._items.get(key)
        self._items[key] = item
        self._simulation.messages.written(key, _fresh(before, item))
        question, update = self._open(key), None
        game = self._game(key)
        if before is not None and before.get("updates") != item.get("updates"):
            noted = unpack_ids(item["updates"]["B"])[-1]
            self._noted[noted] += 1
            update = self._simulation.updates.get(noted)
        by = Invocation(number, "crowd", 0.0, update)
        self._history.changed(key, before, item, by)
        if game != self._game(key):  # else it was the first of two taps
            self._apply(answer_of(update), question)
        self._deals.changed(key, before, item, by)
        if update is None and question is not None and question != self._open(key):
            self._closed.add(question[0])
        self.counts["versions of rooms"] += before is None or before["v"] != item["v"]

    def _apply(self, answer: Answered | None, question: tuple[str, bool] | None) -> None:
        if answer is not None:
            self._applied[answer] += 1
            if question is not None and question[1]:
                self._changeable.add(answer)

    def _game(self, key: str) -> Any:
        match = self._history.bodies.get(key, {}).get("match")
        return match and match["game"]

    def _open(self, key: str) -> tuple[str, bool] | None:
        """Return the open question as callback data names it, and whether its answers may be changed."""
        match = self._history.bodies.get(key, {}).get("match")
        question = match["game"]["question"] if match else None
        if match is None or question is None:
            return None
        name = f"{ANSWER}|{from_key(key).short}|{match['number']}|{question['number']}"
        return name, question["changeable"]

    def _ended(self, room: CrowdRoom) -> None:
        """Check that a game is over and recorded, nothing waits to be sent, and nobody holds the lease."""
        item = self._items[room.key]
        match = self._history.bodies[room.key].get("match")
        if match is None or match["game"]["question"] is not None or not match["archived"]:
            self.broken.append(f"{room} has not ended")
        elif remains := [*leftovers(item)]:
            self.broken += [f"{room}: {what}" for what in remains]
        else:
            self.counts["games that ended"] += 1

    def _counted(self) -> None:
        """Check that every acknowledged answer is in its game exactly once."""
        counts, simulation = self.counts, self._simulation
        given = {answer_of(simulation.updates[update]) for update in simulation.acknowledged} - {None}
        for answer in given:
            assert answer is not None
            if self._applied[answer]:
                counts["answers"] += 1
            elif answer[1] in self._closed:
                counts["came after the clock"] += 1
            else:
                counts["lost"] += 1
                self.broken.append(f"lost: the answer of {answer[0]} to {answer[1]}")
        for answer, times in self._applied.items():
            if times > 1 and answer not in self._changeable:
                counts["doubled"] += 1
                self.broken.append(f"doubled: the answer of {answer[0]} to {answer[1]}")
        for update, times in self._noted.items():
            if times > 1:
                counts["doubled"] += 1
                self.broken.append(f"doubled: update {update} was applied {times} times")
        made = {
            (tap.user.id, question_of(tap.data)) for room in simulation.rooms for tap in room.taps.values()
        }
        if made != given:
            self.broken.append(f"{len(made ^ given)} answers were never acknowledged, or never given")
        counts["taps that answer"] = sum(len(room.taps) for room in simulation.rooms)
        counts["twice"] = (
            sum(room.twice for room in simulation.rooms) + simulation.repeated + simulation.copied
        )

    def _seated(self) -> None:
        """Check that everybody who joined has one seat, and that all computers have theirs."""
        counts = self.counts
        for room in self._simulation.rooms:
            match = self._history.bodies[room.key].get("match") or {"players": ()}
            seats = Counter(player["id"] for player in match["players"])
            if (computers := seats.pop(None, 0)) != room.computers:
                self.broken.append(f"{room}: {computers} computers have seats instead of {room.computers}")
            counts["joins"] += seats.total()
            counts["computers"] += computers
            for user in (person.id for person in room.people):
                counts["lost"] += not seats[user]
                counts["doubled"] += max(0, seats[user] - 1)
                if seats[user] != 1:
                    self.broken.append(f"{room}: {user} has {seats[user]} seats")

    def _undisturbed(self) -> None:
        """Check what must be true only if no worker was killed."""
        simulation, fail = self._simulation, self.broken.append
        saves, rooms, versions = simulation.saves, len(simulation.rooms), self.counts["versions of rooms"]
        if saves + rooms != versions:
            fail(f"{saves} saves, and {versions} versions of {rooms} rooms")
        for room in simulation.rooms:
            for what in flood_complaints(simulation.telegram.flood.worst_minute(room.group.id)):
                fail(f"{room}: {what}")
        if simulation.said["lease_lost"]:
            fail(f"{simulation.said['lease_lost']} leases were lost")


def answer_of(update: Item | None) -> Answered | None:
    """Return the answer that an update gives; None if it gives none."""
    tap = tapped(update)
    return None if tap is None or not tap[1].startswith(f"{ANSWER}|") else (tap[0], question_of(tap[1]))


def _fresh(before: Item | None, item: Item) -> Item:
    """Return the outbox entries that a write added."""
    old = before["outbox"]["M"] if before is not None else {}
    return {name: packed for name, packed in item["outbox"]["M"].items() if name not in old}
