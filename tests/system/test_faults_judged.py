"""The fault simulator accepts a called clock, a bot that is out, and a seal slow to be stored."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.conversation.game import clock
from bot.conversation.lobby.sealing import AHEAD
from bot.display.words import Words
from engine import Event, Game, time_out
from infra.store.items import OutboxEntry, pack_entry
from local.dynamodb import Client, LocalTable
from sandbox.cloud.network import Invocation
from sandbox.faults.ledger import Ledger, Try
from sandbox.harness import harness_in_memory
from sandbox.promises.deals import Deals
from sandbox.promises.history import History
from sandbox.telegram.calls import Call
from tests.system.table import Table
from tests.system.test_calling import call
from tests.system.test_outside import throw_out
from tests.system.test_seats import wait


@dataclass
class Judged:
    """A table whose writes are judged as those of a wake-up."""

    table: Table
    items: LocalTable
    broken: list[str] = field(default_factory=list)
    #: Seconds from the call of the wake-up to its beginning, and from there to its write.
    begins: float = 0.0
    lasts: float = 0.0

    def __post_init__(self) -> None:
        at = self.table.harness
        self.history = History(at.clock, self.broken.append)
        self.deals = Deals(self._written_at, at.beacon, at.telegram, self.broken.append)
        self.items.watchers.append(self._written)

    def _written_at(self) -> float:
        return self.table.harness.clock() + self.begins + self.lasts

    def _written(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] != "room" or after is None:
            return
        by = Invocation(1, "wakeup", self.table.harness.clock() + self.begins)
        self.deals.changed(key[0], before, after, by)
        self.history.changed(key[0], before, after, by)


@pytest.fixture
def judged() -> Iterator[Judged]:
    """Return a table with people, and the judge of its writes."""
    items = LocalTable()
    with harness_in_memory(client=Client(items)) as harness:
        yield Judged(Table(harness), items)


def ballots_are_called_for(judged: Judged) -> list[str]:
    """Open a ballot, call for the clock as a player, let it answer; return the complaints."""
    table = judged.table.open(5).nominate(1)
    call(table, 0)
    judged.broken.clear()
    wait(table, 61)
    assert "clock-answered" in [event.fact.id for event in table.match().log]
    return judged.broken


def test_ballots_that_a_called_clock_leaves_out_elect_nobody(judged: Judged) -> None:
    assert ballots_are_called_for(judged) == []


def test_a_clock_that_casts_ballots_is_noticed(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    def cast(game: Game) -> tuple[Game, tuple[Event, ...]]:
        assert game.question is not None
        return time_out(replace(game, question=replace(game.question, clock=("ja",))))

    monkeypatch.setattr(clock, "time_out", cast)
    assert any("than the rules say" in what for what in ballots_are_called_for(judged))


def a_tap_is_lost(judged: Judged, told: str = "") -> list[str]:
    """Lose somebody's tap on an answer; return the complaints."""
    data = judged.table.asked().prompt().data()[0]
    query = {"from": {"id": judged.table.asked().user.id}, "data": data}
    judged.broken.clear()
    update = {"update_id": 1, "callback_query": query}
    judged.history.acknowledged(judged.table.name.key, update, judged.table.harness.clock(), told)
    return judged.broken


def test_a_tap_is_ignored_only_while_the_bot_is_out(judged: Judged) -> None:
    judged.table.open(5)
    faults = a_tap_is_lost(judged, Words("de").plain("throttled"))
    assert faults == [], "the person is told that it did not count"
    assert any("acknowledged and is lost" in what for what in a_tap_is_lost(judged))
    throw_out(judged.table)
    assert a_tap_is_lost(judged) == []


def test_a_slow_seal_may_not_be_for_a_past_round(judged: Judged) -> None:
    judged.table.gather(5)
    judged.broken.clear()
    judged.lasts = 3 * AHEAD
    judged.table.press(judged.table.people[0], "start", settle=False)
    judged.table.harness.settle()
    assert [what for what in judged.broken if "was published" in what] == []


def test_a_seal_for_a_round_that_was_out_is_noticed(judged: Judged) -> None:
    judged.table.gather(5)
    judged.begins = 3 * AHEAD
    judged.table.press(judged.table.people[0], "start", settle=False)
    judged.table.harness.settle()
    assert any("was published before its seal" in what for what in judged.broken)


class Outbox:
    """A room's outbox that is written by hand, and a ledger that judges its sendings."""

    def __init__(self) -> None:
        self.now = 0.0
        self.broken: list[str] = []
        self._ledger = Ledger(lambda: self.now, self.broken.append)
        self._item: dict[str, Any] | None = None

    def write(self, by: Invocation, **texts: str) -> None:
        """Let the outbox hold posts of these texts."""
        self.put(by, **{name: OutboxEntry(-1, "sendMessage", {"text": text}) for name, text in texts.items()})

    def put(self, by: Invocation, **entries: OutboxEntry) -> None:
        packed = {name: {"B": pack_entry(entry)} for name, entry in entries.items()}
        item = {"outbox": {"M": packed}, "remembered": {"M": {}}}
        self._ledger.changed("room", self._item, item)
        self._item, by.wrote = item, self.now

    def send(self, by: Invocation, text: str, code: int = 200, *, edits: bool = False) -> Try:
        """Send a text, or edit the message sent before. Telegram answers with this status."""
        method = "editMessageText" if edits else "sendMessage"
        params = {"chat_id": -1, "text": text} | ({"message_id": 5} if edits else {})
        made = self._ledger.sent(by, method, params)
        done = {"ok": True, "result": {"message_id": 5}}
        answer = done if code == 200 else {"ok": False, "error_code": code}
        self._ledger.performed(made, Call(self.now, method, -1, params, {}, answer=answer))
        if code != 200:
            made.code = code
        self._ledger.answered(made)
        return made


def test_a_similar_looking_later_post_is_not_the_senders() -> None:
    outbox, sender = Outbox(), Invocation(1, "wakeup", 0.0)
    outbox.write(sender, a="no", b="alike")
    outbox.send(sender, "no", 403)
    outbox.now = 2.0
    outbox.write(Invocation(2, "webhook", 2.0), a="no", b="alike", c="alike")
    made = outbox.send(sender, "alike")
    assert made.owed is not None
    assert made.owed.id == "b"
    assert outbox.broken == []


def test_an_edit_of_an_unknown_message_is_not_the_senders() -> None:
    outbox, sender = Outbox(), Invocation(1, "wakeup", 0.0)
    edit = OutboxEntry(-1, "editMessageText", {"text": "over"}, target="notice", key="notice")
    post = OutboxEntry(-1, "sendMessage", {"text": "hurry"}, name="notice")
    outbox.put(sender, a=edit, b=post, c=edit)
    outbox.send(sender, "hurry")
    made = outbox.send(sender, "over", edits=True)
    assert made.owed is not None
    assert made.owed.id == "c"


@pytest.fixture
def refused_long_ago() -> tuple[Outbox, Invocation, Invocation]:
    """Refuse a post whose sender is then busy for too long, and let another sender come."""
    outbox, first, second = Outbox(), Invocation(1, "wakeup", 0.0), Invocation(2, "webhook", 6.0)
    outbox.write(first, a="no")
    outbox.send(first, "no", 403)
    outbox.now = 6.30
    outbox.write(second, a="no", b="more")
    return outbox, first, second


def test_an_early_reader_may_be_refused_once_more(
    refused_long_ago: tuple[Outbox, Invocation, Invocation],
) -> None:
    outbox, first, second = refused_long_ago
    outbox.now = 6.31
    outbox.write(first, b="more")
    first.over = True
    outbox.now = 6.60
    outbox.send(second, "no", 403)
    assert outbox.broken == []


def test_a_refused_entry_is_never_sent_again(refused_long_ago: tuple[Outbox, Invocation, Invocation]) -> None:
    outbox, first, second = refused_long_ago
    first.over = True
    outbox.now = 6.60
    outbox.send(second, "no", 403)
    assert any("tried again after 403" in what for what in outbox.broken)


def test_a_known_refusal_is_not_sent_again(refused_long_ago: tuple[Outbox, Invocation, Invocation]) -> None:
    outbox, first, second = refused_long_ago
    outbox.now = 6.31
    outbox.write(first, b="more")
    first.over = True
    outbox.now = 6.60
    outbox.write(second, b="more", c="else")
    outbox.send(second, "no", 403)
    assert any("tried again after 403" in what for what in outbox.broken)
