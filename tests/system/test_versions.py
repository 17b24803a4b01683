"""A ruleset's next version replaces it in the lobby. Games of the old version play on to their end."""

import shlex
from dataclasses import replace

import pytest

from bot.records.archive import decode_archive
from bot.rooms.names import UserId
from bot.rooms.own_board import OwnBoard
from engine import Setup, start, view
from engine.proof.command import main as recompute
from tests.system.season import archives_at
from tests.system.table import Table
from tests.system.test_reveal import proof_of
from tests.versions import SECOND, offer


def proven(table: Table, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the roles by seat that the posted command recomputes, with today's rulesets."""
    _, command = proof_of(table)
    recompute(shlex.split(command)[3:])
    lines = capsys.readouterr().out.splitlines()
    return [line.split()[2] for line in lines if line.startswith("seat ")]


def test_a_stored_game_plays_on_by_its_version(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = table.gather(6).start().choose().match()
    offer(monkeypatch, SECOND)

    # Three Ja of six are a tie, which fails by the first version alone.
    table.vote("jjjnnn")
    assert table.match().game.table.tracker == 1
    old = table.hurry(4).match()
    assert old.game.setup == stored.game.setup == Setup("classic@1", 6)
    assert old.log[: len(stored.log)] == stored.log
    assert old.archived
    assert proven(table, capsys) == list(old.game.table.roles)
    before = len(table.group_texts())
    table.say(table.people[0], "/history")
    replayed = table.group_texts()[before]
    assert "What really happened" in replayed
    assert " drew " in replayed

    # The next lobby offers the second version, and only that.
    table.press(table.people[0], "rematch")
    lobby = table.lobby()
    assert lobby.setup.ruleset == "classic@2"
    for user in table.people[:6]:
        if not lobby.is_seated(UserId(user.id)):
            table.press(user, "join")
    table.start().choose().vote("jjjnnn")
    assert table.match().game.table.in_office, "a tie elects now"
    new = table.hurry(5).match()
    assert new.game.setup.ruleset == "classic@2"
    assert proven(table, capsys) == list(new.game.table.roles)

    logs = [decode_archive(archive.body).log for archive in archives_at(table).latest(table.name.key)]
    assert len(logs) == 2
    assert {view(log, None).setup.ruleset for log in logs} == {"classic@1", "classic@2"}
    for match in (old, new):
        assert match.log in logs
        _, told = start(match.game.setup, match.game.chance)
        assert match.log[: len(told)] == told


def test_an_open_lobby_goes_on_with_the_new_version(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.gather(6)
    own = OwnBoard(1, "Long", "classic@1", 6, {"tracks": {"liberal": [None] * 6}})
    room = table.room()
    assert room.lobby is not None
    options = Setup("classic@1", 0, {"veto": "sealed"})
    table.rewrite(replace(room, boards=(own,), lobby=replace(room.lobby, own=own, setup=options)))
    offer(monkeypatch, SECOND)
    room = table.room()
    assert room.lobby is not None
    assert room.boards[0].ruleset == "classic@2"
    assert room.boards[0].changes == own.changes
    assert room.lobby.own == room.boards[0]
    assert room.lobby.setup == Setup("classic@2", 0, {})
    table.start().choose()
    board = table.match().game.setup.board
    assert board is not None
    assert len(board.tracks["liberal"]) == 6, "what the group changed"
    assert board.chaos == 2, "and what it did not, as the new version prints it"


def test_a_seal_is_dealt_by_its_version(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table.gather(5).press(table.people[0], "start")
    assert table.room().sealed is not None
    offer(monkeypatch, SECOND)
    table.wait_for_deal()
    assert table.match().game.setup == Setup("classic@1", 5)
    table.hurry(2)
    assert proven(table, capsys) == list(table.match().game.table.roles)
