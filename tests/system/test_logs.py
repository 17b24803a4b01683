"""Whole games log kinds and numbers, but no people and no cards."""

import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
from telegram.error import TimedOut

from bot.display.buttons import data as button
from bot.rooms.names import ChatId, RoomName
from engine import OFFERED
from infra.observability import FIELDS, Log
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from sandbox import game
from sandbox.game import NAMES, GroupGame
from sandbox.harness import SECRET, TABLE, harness_in_memory
from sandbox.random_players import RandomPlayers
from sandbox.telegram import Call, Refusal, VirtualClock, too_many
from tests.system.table import Table
from tests.system.test_entry import HEADER, event
from tests.system.updates import KINDS

#: Words that can only come from a table: roles, parties, tiles, ballots. Names of questions may be logged.
HIDDEN = ("hitler", "liberal", "fascist", "communist", '"ja"', '"nein"', "Reichstag")
#: The number of players, if it is not seven.
PLAYERS = {"xl": 9, "red-dawn": 10}
#: Fields of every line, besides those that `infra.observability` allows.
KEYS = {"level", "event"}
#: Events about one room and its messages.
OF_A_ROOM = {"refused", "paused", "waiting", "answer_lost", "outbox_age", "lease_lost", "aside_failed"}


def troubled(call: Call, every: list[int]) -> None:
    """Let Telegram sometimes refuse, for good or for now, or not answer."""
    every[0] += 1
    if call.method == "answerCallbackQuery":
        return
    match every[0] % 37:
        case 5:
            raise too_many(3)
        case 11:
            raise Refusal(500, "Internal Server Error: Anna is Hitler")
        case 17:
            raise TimedOut
        case 23:
            raise Refusal(403, "Forbidden: bot was blocked by the user Ben")
        case 29:
            raise Refusal(400, "Bad Request: can't parse entities in <b>Clara</b>")


@pytest.mark.parametrize("trouble", [False, True], ids=["smooth", "troubled"])
@pytest.mark.parametrize("ruleset", [rules.name for rules in OFFERED])
@pytest.mark.quick("classic-troubled")
def test_no_line_of_a_whole_game_says_who_or_what(
    ruleset: str, trouble: bool, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with harness_in_memory(VirtualClock(), validated=False, seed=4) as at:
        top = GroupGame(at, PLAYERS.get(ruleset, 7), 4)
        top.open(ruleset, "all")
        match = top.match()
        if trouble:
            every = [0]
            at.telegram.before_call.append(lambda call: troubled(call, every))
        for kind, content in KINDS.items():  # updates that fail are logged as well
            at.post({"update_id": 5, kind: content}, {"x-telegram-bot-api-secret-token": SECRET})
            at.post({"update_id": 5, kind: {**content, "from": "Anna is Hitler"}}, {"a": "b"})
        play_on(top, trouble)
        never = [*NAMES, *HIDDEN, at.telegram.token, at.telegram.token.partition(":")[2], SECRET]
        never += [match.proof.seed, match.game.chance.key]
        ids = [user.id for user in top.people]
        key = RoomName(ChatId(top.group.id)).key
    said = capfd.readouterr()
    assert said.out == ""
    text = said.err + "\n".join(record.getMessage() for record in caplog.records)
    for secret in never:
        assert secret not in text, f"{secret!r} stands in a log"
    numbers = {int(found) for found in re.findall(r"-?\d+", text)}
    assert not numbers & set(ids), "a person's id stands in a log"
    if trouble:
        assert said.err
    of_the_room = set()
    for line in said.err.splitlines():
        fields = json.loads(line)
        assert fields["level"] in ("INFO", "WARNING", "ERROR", "METRIC")
        if fields["level"] == "METRIC":
            continue
        assert KEYS <= set(fields) <= KEYS | FIELDS - {"dropped"}
        if fields["event"] in OF_A_ROOM:
            assert fields["room"] == key
            assert fields["version"] > 0
            of_the_room.add(fields["event"])
    assert of_the_room >= ({"refused", "answer_lost", "outbox_age"} if trouble else set())


def play_on(top: GroupGame, trouble: bool) -> None:
    for _ in range(60):
        with suppress(game.Stuck):
            top.play()
        if top.match().over or not trouble:
            break
        top.harness.clock.advance(600)  # type: ignore[attr-defined]
        top.harness.settle()
        top.harness.watch()
        top.players = RandomPlayers(top.harness.telegram, top.people, top.rng, top.group, top._asked_people)
    assert top.match().over or trouble


def logged(table: Table, act: Callable[[], object]) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    log = Log(lambda level, line: None if level == "METRIC" else said.append(line))
    app = table.harness.built.app
    app = replace(app, note=log.note, room_service=replace(app.room_service, note=log.note, bind=log.bind))
    table.harness.built = replace(table.harness.built, app=app, log=log)
    act()
    return said


@pytest.mark.parametrize(
    ("error", "event"),
    [(RuntimeError(), "update_failed"), (StoreUnavailable("update_item: Busy"), "update_not_stored")],
)
def test_errors_show_the_rooms_version(error: Exception, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise error

    with harness_in_memory() as at:
        table = Table(at).open(5)
        version = table.item().version
        table.asked().prompt().tap("Ben", settle=False)
        (pending,) = at.telegram.delivery.heads()
        with monkeypatch.context() as broken:
            broken.setattr(Rooms, "save", breaks)
            before = logged(table, lambda: at.post(pending.update, {HEADER: SECRET}))
            broken.undo()
            broken.setattr("infra.outbox.outbox_sender.send", breaks)
            after = logged(table, lambda: at.post(pending.update, {HEADER: SECRET}))
            broken.undo()
            broken.setattr(Rooms, "load", breaks)
            unread = logged(table, lambda: at.post(pending.update, {HEADER: SECRET}))
    for lines, known in ((before, version), (after, version + 1), (unread, None)):
        assert [line["event"] for line in lines] == [event]
        assert (lines[0]["room"], lines[0]["version"]) == (table.name.key, known)


def test_a_tap_that_comes_to_nothing_is_logged_with_its_room() -> None:
    with harness_in_memory() as at:
        table = Table(at).open(5)
        prompt = table.asked().prompt()
        old = prompt.data()[0]
        prompt.tap("Ben")
        at.telegram.tap(prompt.seat.user, prompt.message, old, forged=True)
        (line,) = logged(table, at.settle)
    assert (line["event"], line["kind"], line["room"]) == ("ignored", "answer", table.name.key)
    assert line["version"] == table.item().version


def test_the_id_of_a_private_chat_is_a_persons_and_is_not_logged() -> None:
    with harness_in_memory() as at:
        table = Table(at).open(5)
        anna = table.people[0]
        prompt = table.asked().prompt()
        private = RoomName(ChatId(anna.id))
        at.telegram.tap(anna, prompt.message, button(private, "answer", 1, 1, 0), forged=True)
        lines = logged(table, at.settle)
    assert [line["event"] for line in lines] == ["ignored"]
    assert str(anna.id) not in json.dumps(lines)


def test_a_secret_exception_is_logged_without_its_words(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with harness_in_memory() as at:
        error = RuntimeError(f"Anna is Hitler, and the secret is {SECRET} in {TABLE}")
        monkeypatch.setattr("handlers.service.app.read_update", Mock(side_effect=error))
        status = at.post({"update_id": 7, "message": KINDS["message"]}, dict(event({})["headers"])).status
    line = json.loads(capfd.readouterr().err.splitlines()[0])
    assert status == 200
    assert line["error"] == "RuntimeError"
    assert line["where"]
    assert not any(word in json.dumps(line) for word in ("Anna", "Hitler", SECRET))
