"""A long season in three groups while requests fail and processes die: the records equal the archives."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from engine import OFFERED
from infra.store.table import StoreUnavailable
from local.dynamodb import Client
from local.dynamodb.table import Failed
from sandbox.harness import harness_in_memory
from sandbox.telegram import Message, User
from tests.system.season import Season, board_of, kept, recounted
from tests.system.store import Killed, Store
from tests.system.table import Seated, Table

GAMES = 120
PEOPLE = 14
#: The percentage of requests to the store that fail, for each of three ways, before or after they are done.
PERCENT = 3


class Faults:
    def __init__(self, store: Store, rng: random.Random) -> None:
        self.rng = rng
        self.on = True
        self.seen: Counter[str] = Counter()
        store.before.append(lambda *request: self.maybe("before", *request))
        store.after.append(lambda *request: self.maybe("after", *request))

    def maybe(self, when: str, operation: str, arguments: Mapping[str, Any]) -> None:
        if not self.on or self.rng.random() * 100 >= 2 * PERCENT:
            return
        if self.rng.random() < 0.5:
            self.seen[f"killed {when} {operation}"] += 1
            raise Killed
        self.seen[f"failed {when} {operation}"] += 1
        raise Failed("InternalServerError")


def asks_to_forget(message: Message) -> list[str]:
    """Return the callback data of the buttons that confirm /forget."""
    carried = [button.get("callback_data", "") for button in message.buttons()]
    return [data for data in carried if data.startswith("forget")]


@pytest.mark.parametrize("seed", [1])
@pytest.mark.thorough
def test_statistics_equal_a_recomputation_from_archives(seed: int) -> None:
    rng, store = random.Random(seed), Store()
    with harness_in_memory(client=Client(store.run), validated=False) as harness:
        first = Table(harness)
        people = [first.person(f"Player {number}") for number in range(PEOPLE)]
        groups = [first, Table(harness, people), Table(harness, people)]
        seasons = [Season(group, rng) for group in groups]
        faults = Faults(store, rng)
        forgotten = 0

        def carry_on() -> None:
            """Repeat updates, wake-ups and the watchdog's rounds, each of which may die as well."""
            for attempt in range(60):
                faults.on = attempt < 8
                try:
                    harness.settle()
                    harness.watch()
                except (Killed, StoreUnavailable):  # the watchdog's next round comes all the same
                    alive = False
                else:
                    alive = True
                faults.on = False
                matches = [group.room().match for group in groups]
                archiving = any(match and match.needs_archiving for match in matches)
                waiting = harness.telegram.delivery.pending() or archiving
                if alive and not waiting:
                    return
                first.pass_time(rng.choice((0.5, 5.0, 15.0)))
            pytest.fail("it never comes to rest")

        def forget(user: User) -> None:
            """Ask for /forget until it is done, because Telegram drops a tap after a while."""
            seat = Seated(first, user)
            for _ in range(20):
                seat.say("/forget")
                asked = [view for view in seat.views() if asks_to_forget(view)]
                if asked:
                    first.tg.tap(user, asked[-1], asks_to_forget(asked[-1])[0])
                carry_on()
                if "don't know you" in seat.text():
                    return
            pytest.fail("never forgotten")

        for number in range(GAMES):
            faults.on = False
            season = rng.choice(seasons)
            rules = rng.choice(OFFERED)
            size = rng.randint(min(rules.players), min(max(rules.players), 10))
            season.deal(rng.sample(people, size), rules.id).tap()
            if rng.random() < 0.3:
                harness.telegram.delivery.copy(harness.telegram.delivery.heads()[0])
            carry_on()
            while not season.table.match().over:  # a first tap whose second one came too late
                season.tap()
                carry_on()
            first.pass_time(90)
            if number % 25 == 7:
                Seated(first, rng.choice(people)).say(f"/stats {rng.choice(('on', 'off'))}")
            if number % 20 == 9:
                forget(rng.choice(people))
                forgotten += 1
        assert faults.seen["killed before transact_write_items"]
        assert faults.seen["killed after transact_write_items"]
        assert forgotten >= 5
        assert harness.telegram.violations == []

        counts: dict[int, Counter[str]] = {user.id: Counter() for user in people}
        for group, season in zip(groups, seasons, strict=True):
            again = recounted(group)
            assert again.games == season.games
            board = board_of(group)
            assert board == again.board
            assert board.leaving == {}
            for user, own in again.counts.items():
                counts.setdefault(user, Counter()).update(own)
        for person in people:
            assert kept(first, person).counts == counts[person.id]
        assert sum(1 for user in counts if user < 0) >= forgotten
