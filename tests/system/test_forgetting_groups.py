"""Delete a group's data: all of it by an admin's order, names and ids after an unused year."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from bot.conversation.waking import LONG
from bot.records.leaderboard import SORT, decode_board
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName, UserId
from handlers.service.room_service import RoomRequest, RoomService
from handlers.wakeup import DAILY_PASS
from infra.store.items import Change, Failure, Patch
from sandbox.harness import TABLE, Harness
from tests.system.season import Season
from tests.system.store import Killed, Store
from tests.system.table import Table, answered

NAMES = ("Anastasia", "Bartholomew", "Clementine", "Dagobert", "Euphemia")
#: The last game's number: a season begins with a cancelled lobby, and two games follow.
NUMBER = 3


@pytest.fixture
def table(at: Harness) -> Table:
    """Return five people who have played two games in a group with settings and its own board."""
    made = Table(at).add_people(*NAMES)
    made.say(made.owner, '/settings board Odd {"ruleset":"classic@1","chaos":2}')
    made.say(made.owner, "/settings").press(made.owner, "set")
    Season(made, random.Random(5)).play().play()
    return made


def items(store: Store) -> dict[tuple[str, str], str]:
    """Return what is stored of groups, readable: by key, all attributes as one text."""
    kept = {key: item for key, item in store.items.items.items() if not key[0].startswith("user#")}
    return {key: " ".join(map(readable, item.values())) for key, item in kept.items()}


def readable(value: Any) -> str:
    if isinstance(value, bytes):
        return zlib.decompress(value).decode() if value[:1] == b"x" else value.decode("latin1")
    if isinstance(value, Mapping):
        return " ".join(f"{name} {readable(one)}" for name, one in value.items())
    return str(value)


def traces(store: Store, table: Table) -> list[str]:
    """Return where a player's name or id is still stored."""
    found = [f"{key}: {name}" for key, text in items(store).items() for name in NAMES if name in text]
    found += [f"room: {user}" for user in table.room().user_ids]
    archives = table.harness.built.app.room_service.recorder.archives
    for game in archives.latest(table.name.key):
        found += [f"{game.game}: {user}" for user in game.people.values() if user > 0]
    board = decode_board(archives.load_document(table.name.key, SORT).body)
    return found + [f"leaderboard: {user}" for user in (*board.entries, *board.leaving) if user > 0]


def unlinked(table: Table) -> bool:
    """Return True if no person's items name a room or a game."""
    users = table.harness.built.app.users
    return not any(users.load(user.id).rooms or users.finished_games(user.id) for user in table.people)


def sorts(store: Store, table: Table) -> list[str]:
    return sorted(key[1].partition("#")[0] for key in items(store) if key[0] == table.name.key)


def forget(table: Table, answer: str = "1") -> str:
    """Give the command as the owner and tap this answer; return the toast."""
    message, data = table.say(table.owner, "/forget").button("erase")
    return answered(table.tap(table.owner, message, f"{data[:-1]}{answer}"))


def dying_at(request_: int) -> Callable[[str, Mapping[str, Any]], None]:
    """Return a fault that kills the process at its request of this number to the table."""
    requests = count(1)

    def die(operation: str, arguments: Mapping[str, Any]) -> None:
        if next(requests) == request_:
            raise Killed

    return die


class TestByAnAdmin:
    def test_a_groups_data_goes_and_people_keep_their_figures(self, table: Table, store: Store) -> None:
        assert sorts(store, table) == ["game", "game", "leaderboard", "room"]
        assert traces(store, table)
        forget(table)
        assert table.group_text() == "🧹 Everything about this group is deleted."
        assert sorts(store, table) == ["room"]
        assert traces(store, table) == []
        room = table.room()
        assert room == Room(room.chat, lobby_count=NUMBER, title=room.title)
        assert table.item().remembered.erasure is None
        for user in table.people:
            users = table.harness.built.app.users
            assert (users.load(user.id).rooms, users.finished_games(user.id)) == (frozenset(), frozenset())
            assert users.load(user.id).counts["games"] == 2

    def test_it_is_asked_whether_it_is_meant(self, table: Table, store: Store) -> None:
        before = sorts(store, table)
        table.say(table.owner, "/forget")
        assert table.group_text().startswith("🧹 Delete everything about this group?")
        forget(table, "0")
        assert table.group_text() == "Good, everything stays as it is."
        assert sorts(store, table) == before
        assert table.room().boards

    def test_nobody_but_an_admin_is_asked(self, table: Table) -> None:
        table.say(table.people[0], "/forget")
        assert table.group_text() == "Only admins of the group can do that."
        assert table.button_gone("erase")

    def test_forged_taps_and_those_of_former_admins_do_nothing(self, table: Table, store: Store) -> None:
        boss = table.people[2]
        table.tg.promote(boss, table.group)
        message, data = table.say(boss, "/forget").button("erase")
        table.tg.set_status(boss, table.group, "member")
        stranger = table.tg.add_user("Stranger")
        before, kept = items(store), "Only admins of the group can do that."
        assert {table.forge(user, data, message) for user in (boss, stranger, table.people[0])} == {kept}
        others = (f"|{NUMBER - 1}|1", f"|{NUMBER + 1}|1", "|-1|1")
        forged = [data.replace(f"|{NUMBER}|1", answer) for answer in others]
        assert len({data, *forged}) == 4
        for button in forged:
            assert table.forge(table.owner, button, message), "a stale button is answered, and does nothing"
        assert {key: text for key, text in items(store).items() if key[0] == table.name.key} == {
            key: text for key, text in before.items() if key[0] == table.name.key
        }

    def test_a_lobby_and_a_game_end_first(self, table: Table, store: Store) -> None:
        refused = "A lobby or a game is open here. End it first, with /cancel."
        message, data = table.say(table.owner, "/forget").button("erase")
        table.gather(5)
        assert table.forge(table.owner, data, message) == "That has been decided already."
        table.say(table.owner, "/forget")
        assert table.group_text() == refused
        table.start().say(table.owner, "/forget")
        assert table.group_text() == refused
        table.pass_time(61)
        table.cancel(table.owner)
        forget(table)
        assert traces(store, table) == []

    def test_an_anonymous_admin_is_asked_who_they_are(self, table: Table, store: Store) -> None:
        boss = table.people[2]
        table.tg.promote(boss, table.group, anonymous=True)
        table.say(boss, "/forget")
        assert "Only admins" in answered(table.press(table.people[0], "again"))
        table.press(boss, "again")
        table.press(boss, "erase")
        assert sorts(store, table) == ["room"]

    def test_the_next_game_begins_anew_and_old_buttons_stay_dead(self, table: Table) -> None:
        rematch = table.button("rematch")
        forget(table)
        assert table.forge(table.people[0], rematch[1], rematch[0])
        recorder = table.open(5).elect(1).hurry(3).harness.built.app.room_service.recorder
        board = recorder.best(table.room(), table.harness.clock()).overall
        assert {standing.games for standing in board} == {1}

    @pytest.mark.parametrize("request_", range(1, 40, 3))
    @pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
    @pytest.mark.quick("before-1", "after-4", "before-10", "after-19")
    def test_the_next_process_goes_on(self, table: Table, store: Store, request_: int, done: bool) -> None:
        message, data = table.say(table.owner, "/forget").button("erase")
        (store.after if done else store.before).append(dying_at(request_))
        table.tg.tap(table.owner, message, data)
        try:
            table.harness.settle()
        except Killed:
            table.tg.delivery.clear()
            table.pass_time(200)
        store.after.clear()
        store.before.clear()
        table.harness.watch()
        table.harness.settle()
        if sorts(store, table) != ["room"]:
            # It died before storing anything, and its update did not come again, so the question can be
            # repeated.
            assert table.room().boards
            forget(table)
        assert sorts(store, table) == ["room"]
        assert traces(store, table) == []
        assert unlinked(table)

    def test_a_group_that_migrates_meanwhile_is_forgotten(self, at: Harness, store: Store) -> None:
        table = Table(at, title="Small group", type="group").add_people(*NAMES)
        Season(table, random.Random(5)).play()
        message, data = table.say(table.owner, "/forget").button("erase")
        store.after.append(dying_at(2))
        table.tg.tap(table.owner, message, data)
        with pytest.raises(Killed):
            table.harness.settle()
        store.after.clear()
        table.tg.delivery.clear()
        table.harness.clock.advance(200)  # type: ignore[attr-defined]
        assert table.item().remembered.erasure is not None
        table.migrate()
        table.harness.watch()
        table.harness.settle()
        assert sorts(store, table) == ["room"]
        assert traces(store, table) == []


class TestAYearOn:
    def a_year(self, table: Table, seconds: float = LONG + 1) -> None:
        table.pass_time(seconds)
        table.harness.wake({"pass": DAILY_PASS})
        table.harness.settle()

    def test_names_and_ids_go_and_settings_boards_and_games_stay(self, table: Table, store: Store) -> None:
        before = table.room()
        posts = len(table.group_texts())
        self.a_year(table)
        assert traces(store, table) == []
        assert sorts(store, table) == ["game", "game", "leaderboard", "room"]
        room = table.room()
        assert (room.settings, room.boards, room.lobby_count) == (before.settings, before.boards, NUMBER)
        assert (room.match, room.title) == (None, "")
        assert len(table.group_texts()) == posts, "nobody is disturbed"
        games = table.harness.built.app.room_service.recorder.archives.latest(table.name.key)
        assert [set(game.people) for game in games] == [set("01234")] * 2
        assert len({user for game in games for user in game.people.values()}) == 5, "one alias each"
        assert all(user < 0 for game in games for user in game.people.values())

    def test_people_keep_their_own_figures_and_part_from_the_group(self, table: Table) -> None:
        self.a_year(table)
        for user in table.people:
            kept = table.harness.built.app.users.load(user.id)
            assert (kept.rooms, kept.counts["games"]) == (frozenset(), 2)
            assert not table.harness.built.app.users.finished_games(user.id)

    def test_a_day_less_than_a_year_changes_nothing(self, table: Table, store: Store) -> None:
        before = items(store)
        self.a_year(table, LONG - 86400)
        assert items(store) == before

    def test_a_command_is_a_touch(self, table: Table, store: Store) -> None:
        table.pass_time(LONG - 86400)
        table.say(table.owner, "/status")
        self.a_year(table, 10 * 86400)
        assert traces(store, table)

    def test_a_game_left_lying_is_called_off_and_its_seal_opened(self, table: Table, store: Store) -> None:
        table.open(5)
        seed = table.match().proof.seed
        self.a_year(table)
        assert any(seed in text for text in table.group_texts()[-2:])
        assert traces(store, table) == []
        assert table.room().match is None

    def test_where_the_bot_was_sent_away_nothing_is_said(self, table: Table, store: Store) -> None:
        table.open(5).tg.kick(table.tg.bot, table.group)
        table.harness.settle()
        posts = len(table.group_texts())
        self.a_year(table)
        assert len(table.group_texts()) == posts
        assert traces(store, table) == []

    def test_a_second_look_finds_nothing_to_do(self, table: Table, store: Store) -> None:
        self.a_year(table)
        version = table.item().version
        self.a_year(table)
        assert table.item().version == version

    def test_what_a_room_remembers_of_private_chats_goes_too(self, table: Table) -> None:
        mine, ours, now = table.people[0].id, table.group.id, table.harness.clock()
        tried = {mine: Failure("1", 1, now), ours: Failure("2", 1, now)}
        noted: Patch = {"pauses": {mine: 1, ours: 2}, "failures": {**tried}, "private_sends": [(mine, now)]}
        table.harness.built.app.rooms.save(table.item(), Change(remembered=noted))
        self.a_year(table)
        after = table.item().remembered
        assert (after.pauses, list(after.failures), after.private_sends) == ({ours: 2}, [ours], ())

    def test_a_person_being_forgotten_keeps_one_alias(self, table: Table, store: Store) -> None:
        forgetting = table.harness.built.app.private_chat.eraser
        store.kill(of="people")
        with pytest.raises(Killed):
            forgetting.forget_person(UserId(table.people[0].id))
        self.a_year(table)
        games = table.harness.built.app.room_service.recorder.archives.latest(table.name.key)
        assert len({user for game in games for user in game.people.values()}) == 5
        assert traces(store, table) == []

    @pytest.mark.parametrize("request_", range(1, 50, 4))
    @pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
    @pytest.mark.quick("before-1", "after-5", "before-17", "after-29")
    def test_the_next_process_goes_on(self, table: Table, store: Store, request_: int, done: bool) -> None:
        table.pass_time(LONG + 1)
        (store.after if done else store.before).append(dying_at(request_))
        try:
            table.harness.wake({"pass": DAILY_PASS})
        except Killed:
            table.pass_time(200)
        store.after.clear()
        store.before.clear()
        table.harness.watch()
        for _ in range(2):  # a room that stops a run is tried again in the next pass
            table.harness.wake({"pass": DAILY_PASS})
        assert traces(store, table) == []
        games = table.harness.built.app.room_service.recorder.archives.latest(table.name.key)
        assert len({user for game in games for user in game.people.values()}) == 5
        assert unlinked(table)
        assert table.item().remembered.erasure is None


class TestMoreThanOneRunCanSee:
    """Unused rooms, of which a run has time for only one."""

    ROOMS = 4

    @pytest.fixture
    def groups(self, table: Table) -> list[str]:
        rooms = table.harness.built.app.rooms
        acts = ((1, int(table.harness.clock())),)
        untouched = replace(table.room(), match=None, boards=(), title="The Reichstag", acts=acts)
        for number in range(1, self.ROOMS):
            chat = table.group.id - number
            change = Change(body=encode(replace(untouched, chat=ChatId(chat))), schema=SCHEMA)
            rooms.create(RoomName(ChatId(chat)).key, change)
        table.pass_time(LONG + 1)
        return [item.key for item in rooms.every()]

    def titled(self, table: Table) -> set[str]:
        every = table.harness.built.app.rooms.every()
        return {item.key for item in every if decode(item.body, item.schema).title}

    def run(self, table: Table, looks: int) -> None:
        """Run until time is up, after this many looks at the clock, two for each room."""
        app, count = table.harness.built.app, 0

        def clock() -> float:
            nonlocal count
            count += 1
            return 0.0 if count <= looks else 2.0

        clocked = replace(table.harness.built.cleanup, clock=lambda: clock() + app.clock())
        clocked.run(app.clock() + 1)

    def test_each_run_goes_on_where_the_last_one_ended(self, table: Table, groups: list[str]) -> None:
        left = []
        for _ in groups:
            self.run(table, 2)
            left.append(len(self.titled(table)))
        assert left == [3, 2, 1, 0]

    def test_rooms_that_are_touched_keep_nobody_from_the_rest(self, table: Table, groups: list[str]) -> None:
        app = table.harness.built.app
        for key in groups[:-1]:
            item = app.rooms.load(key)
            assert item is not None
            room = replace(decode(item.body, item.schema), acts=((1, int(app.clock())),))
            app.rooms.save(item, Change(body=encode(room)))
        for _ in groups:
            self.run(table, 2)
        assert self.titled(table) == set(groups[:-1])

    def test_after_the_last_room_it_begins_at_the_first(self, table: Table, groups: list[str]) -> None:
        app = table.harness.built.app
        self.run(table, 99)
        assert self.titled(table) == set()
        assert table.harness.built.cleanup.cursor.load() is None
        item = app.rooms.load(groups[0])
        assert item is not None
        again = replace(decode(item.body, item.schema), title="again", acts=((1, 1),))
        app.rooms.save(item, Change(body=encode(again)))
        self.run(table, 2)
        assert self.titled(table) == set()

    def test_a_room_that_kills_every_run_holds_up_no_other(
        self, table: Table, groups: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        honest = RoomService.handle

        def hear(self: RoomService, heard: RoomRequest) -> object:
            if heard.room.key == groups[1]:
                raise Killed
            return honest(self, heard)

        monkeypatch.setattr(RoomService, "handle", hear)
        with pytest.raises(Killed):
            self.run(table, 99)
        self.run(table, 99)
        assert self.titled(table) == {groups[1]}
        monkeypatch.setattr(RoomService, "handle", honest)
        self.run(table, 99)
        assert self.titled(table) == set(), "its turn comes again with the next pass"

    def test_the_room_that_the_last_run_ended_at_may_be_gone(self, table: Table, groups: list[str]) -> None:
        self.run(table, 2)
        store = table.harness.client
        store.delete_item(TableName=TABLE, Key={"pk": {"S": groups[0]}, "sk": {"S": "room"}})
        self.run(table, 99)
        assert self.titled(table) == set()
