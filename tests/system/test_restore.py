"""Put a room back to an earlier state, with the command in docs/operating.md."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from markupsafe import Markup

import scripts.restore
from bot.conversation.outcome import GROUP, Post
from handlers.service.effects import entries
from infra.store.items import Change
from infra.store.table import ROOM
from local.dynamodb import Client, LocalTable
from sandbox.harness import TABLE, Harness
from tests.system.season import Season, board_of, kept, recounted
from tests.system.table import Table
from tests.system.test_seats import clock, wait

COPY = "restored"


@pytest.fixture
def table(at: Harness, request: pytest.FixtureRequest) -> Table:
    return Table(at, **getattr(request, "param", {}))


class Restore:
    """The command, and the table that point-in-time recovery made."""

    def __init__(self, table: Table) -> None:
        self.table, self.copy = table, LocalTable()

    def note(self) -> None:
        key = {"pk": {"S": self.table.name.key}, "sk": {"S": ROOM}}
        item = self.table.harness.client.get_item(TableName=TABLE, Key=key)["Item"]
        self.copy.run("put_item", {"Item": dict(item)})

    def __call__(self, *flags: str, room: str | None = None) -> int | str:
        """Run the command, and then the watchdog."""
        harness = self.table.harness

        def run(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            if arguments.get("TableName") == COPY:
                return self.copy.run(operation, arguments)
            return getattr(harness.client, operation)(**arguments)

        named = [TABLE, COPY, room or self.table.name.key, *flags]
        told = scripts.restore.main(named, Client(run), harness.clock)  # type: ignore[arg-type]
        harness.watch()
        harness.settle()
        return told


@pytest.fixture
def restore(table: Table) -> Restore:
    return Restore(table)


def test_the_game_stands_and_those_asked_have_buttons(table: Table, restore: Restore) -> None:
    table.open(5, deck="lff fff fff")
    before = table.match().game
    restore.note()
    table.elect(1).cancel(table.people[0])
    assert restore("--write") == 0
    assert table.match().game == before
    assert "Anna" in table.group_text(), "the group hears who is to act"
    table.elect(2)
    assert table.match().game.table.in_office


def test_with_ballots_in_the_group_their_buttons_are_there_again(table: Table, restore: Restore) -> None:
    table.gather(5).set_ballots("group").start_dealt()
    restore.note()
    table.press(table.people[0], "answer")
    posts = len(table.group_views())
    assert restore("--write") == 0
    assert len(table.group_views()) == posts + 1
    table.press(table.people[0], "answer")
    assert table.waiting() == (0, 1, 2, 3, 4)


def test_nobody_has_missed_anything_and_the_clock_begins_anew(table: Table, restore: Restore) -> None:
    clock(table, "fast").open(5).nominate(1).vote("jj...")
    restore.note()
    table.pass_time(86_400)
    restore("--write")
    assert table.waiting() == (2, 3, 4)
    assert table.match().missed == {}
    wait(table, 80)
    assert table.waiting() == (2, 3, 4)
    wait(table, 11)
    assert table.match().missed == {2: 1, 3: 1, 4: 1}


def test_a_lobby_is_open_again_for_its_hour(table: Table, restore: Restore) -> None:
    table.gather(5)
    restore.note()
    wait(table, 4000)
    assert table.room().lobby is None
    restore("--write")
    table.start()
    assert table.room().playing is not None


def in_its_second_game(table: Table) -> Season:
    """Return a season in which one game has ended, and the next one is dealt."""
    season = Season(table, random.Random(5))
    table.add_people("Ben", "Clara", "David", "Emma")
    season.play().deal()
    return season


def test_a_game_that_is_played_to_its_end_twice_is_counted_once(table: Table, restore: Restore) -> None:
    season = in_its_second_game(table)
    restore.note()
    season.end()
    board = board_of(table)
    restore("--write")
    assert not table.match().over
    season.end()
    assert table.match().over
    assert table.item().due is None
    assert (recounted(table).games, board_of(table)) == (2, board)
    assert kept(table, table.people[0]).counts["games"] == 2
    season.play()
    assert recounted(table).games == 3, "the next one counts again"


def test_a_game_that_had_not_ended_is_counted_at_its_end(table: Table, restore: Restore) -> None:
    season = in_its_second_game(table)
    restore.note()
    table.cancel(table.people[0])
    restore("--write")
    season.end()
    assert recounted(table).games == 2


def test_the_next_lobby_has_a_number_that_was_never_given_out(table: Table, restore: Restore) -> None:
    table.open(5)
    restore.note()
    _, undone = table.cancel(table.people[0]).say(table.people[0], "/newgame").button("join")
    restore("--write")
    table.cancel(table.people[0]).say(table.people[0], "/newgame")
    assert table.forge(table.person("Felix"), undone) == "That lobby is closed."
    table.press(table.people[1], "join")


def test_a_restored_room_sends_only_what_it_owes(table: Table, restore: Restore) -> None:
    def leave_unsent(text: str) -> None:
        posts = entries(table.room(), (Post(GROUP, Markup(text)),))
        table.harness.built.app.rooms.save(table.item(), Change(entries=posts))

    table.open(5)
    leave_unsent("of then")
    restore.note()
    table.say(table.people[0], "/players")
    leave_unsent("of an undone step")
    assert restore("--write") == 0
    table.wait(61)
    assert table.group_texts().count("of then") == 2
    assert "of an undone step" not in table.group_texts()


def test_looks_write_and_leak_nothing(
    table: Table, restore: Restore, capsys: pytest.CaptureFixture[str]
) -> None:
    table.open(5)
    restore.note()
    before = table.nominate(1).item()
    assert restore() == 0
    assert table.item() == before
    told = capsys.readouterr().out
    assert "game 1 running, round 1" in told
    assert not [user.first_name for user in table.people if user.first_name in told]


def test_a_write_in_between_survives(table: Table, restore: Restore, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(5)
    restore.note()
    put_back = scripts.restore.put_back

    def late(*arguments: Any) -> str | None:
        table.nominate(1)
        return put_back(*arguments)

    monkeypatch.setattr(scripts.restore, "put_back", late)
    assert restore("--write") == "The room changed meanwhile. Run the command again."
    assert table.waiting() == (0, 1, 2, 3, 4)


def test_a_room_that_is_torn_or_gone_is_put_back_all_the_same(table: Table, restore: Restore) -> None:
    table.open(5)
    before = table.match().game
    restore.note()
    table.harness.built.app.rooms.save(table.item(), Change(body=b"torn"))
    assert restore("--write") == 0
    assert table.match().game == before
    table.harness.client.delete_item(TableName=TABLE, Key={"pk": {"S": table.name.key}, "sk": {"S": ROOM}})
    assert restore("--write") == 0
    assert table.match().game == before


@pytest.mark.parametrize("table", [{"type": "group"}], indirect=True)
def test_a_migrated_groups_old_room_is_left_alone(table: Table, restore: Restore) -> None:
    table.open(5)
    restore.note()
    old = table.name.key
    table.migrate()
    before = table.item()
    assert "supergroup" in str(restore("--write", room=old))
    assert table.item() == before


def test_a_copy_without_the_room_is_said_to_be_so(table: Table, restore: Restore) -> None:
    table.open(5)
    assert restore("--write") == "restored has no such room."


def test_a_room_is_named_by_its_chats_number_alone(table: Table, restore: Restore) -> None:
    table.open(5)
    restore.note()
    assert restore(room=str(table.group.id)) == 0


@pytest.mark.parametrize("room", ["somewhere", "room#", "room#x#y"])
def test_what_is_no_room_is_refused_in_a_sentence(table: Table, restore: Restore, room: str) -> None:
    assert "is not a room" in str(restore(room=room))
