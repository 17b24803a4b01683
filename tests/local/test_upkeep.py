"""One machine's bot is looked after: whether it lives, copies of its store, unit and container file."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest

from local import upkeep
from local.__main__ import main
from local.polling import DAY
from local.sqlite_table import open_table

from .conftest import Bots
from .telegram_thread import ServedGroup

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "local" / "machine" / "chancellery.service"


@pytest.fixture
def number(bot: Bots, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which bot it is, as the command line knows it."""
    monkeypatch.setenv("BOT_TOKEN", bot.environment["BOT_TOKEN"])
    return bot.environment["BOT_TOKEN"].partition(":")[0]


def said(folder: Path, *arguments: str) -> str | int | None:
    """Return the command's end: 0, or the trouble."""
    with pytest.raises(SystemExit) as ended:
        main(["--folder", str(folder), *arguments])
    return ended.value.code


class TestWhetherItLives:
    def test_a_bot_that_telegram_answers_is_well(self, people: ServedGroup, bot: Bots, number: str) -> None:
        assert "has never run" in str(said(bot.folder, "--healthy"))
        with bot() as polling:
            polling.step(0)
        assert said(bot.folder, "--healthy") == 0

    def test_one_that_was_deaf_for_minutes_is_not(self, people: ServedGroup, bot: Bots, number: str) -> None:
        with bot() as polling:
            polling.step(0)
        heartbeat = upkeep.heartbeat_file(bot.folder, number)
        upkeep.write_heartbeat(heartbeat, lambda: heartbeat.stat().st_mtime - upkeep.SILENT - 5)
        assert "nothing heard from Telegram for 18" in str(said(bot.folder, "--healthy"))
        upkeep.write_heartbeat(heartbeat, lambda: time.time() + DAY)
        assert "nothing heard" in str(said(bot.folder, "--healthy")), "the clock was ahead then"

    def test_without_a_token_nothing_is_well(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BOT_TOKEN", raising=False)
        assert "BOT_TOKEN is not set" in str(said(tmp_path, "--healthy"))

    def test_to_ask_costs_little_as_it_is_asked_every_minute(self, tmp_path: Path) -> None:
        asked = (
            "import sys; from local.__main__ import main\n"
            f"try: main(['--folder', {str(tmp_path)!r}, '--healthy'])\n"
            "finally: print(sorted({'telegram', 'boto3', 'pydantic', 'engine'} & sys.modules.keys()))"
        )
        done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True)
        assert (done.stdout.strip(), "BOT_TOKEN is not set" in done.stderr) == ("[]", True)


class TestCopies:
    def test_a_stopped_bots_store_is_copied_and_the_copy_plays_on(
        self, people: ServedGroup, bot: Bots, number: str, tmp_path: Path
    ) -> None:
        with bot() as polling:
            people.say(people.people[0], "/newgame")
            polling.step(0)
            before = list(polling.built.app.rooms.every())
        to = tmp_path / "elsewhere" / f"{number}.sqlite3"
        assert said(bot.folder, "--backup", str(to)) == 0
        assert to.stat().st_mode & 0o077 == 0
        bot.folder = to.parent
        with bot() as polling:
            after = list(polling.built.app.rooms.every())
            copied, kept = ([(i.key, i.version, i.body) for i in items] for items in (after, before))
            assert copied == kept

    def test_only_the_running_bot_copies_its_store_daily(
        self, people: ServedGroup, bot: Bots, number: str, tmp_path: Path
    ) -> None:
        with bot() as polling:
            polling.step(0)
            assert "it runs" in str(said(bot.folder, "--backup", str(tmp_path / "x")))
            for day in range(1, 10):
                bot.ahead = day * (DAY + 1)
                polling.step(0)
        kept = sorted((bot.folder / upkeep.BACKUPS).glob("*-????-??-??.sqlite3"))
        assert len(kept) == upkeep.KEPT
        with open_table(kept[-1]) as table:
            assert table.secret()

    def test_what_cannot_be_copied_is_said(self, bot: Bots, number: str, tmp_path: Path) -> None:
        assert "is not there" in str(said(tmp_path, "--backup", str(tmp_path / "x")))
        with open_table(tmp_path / f"{number}.sqlite3"):
            pass
        (tmp_path / "file").touch()
        assert "cannot be written" in str(said(tmp_path, "--backup", str(tmp_path / "file" / "x")))

    def test_half_a_copy_is_never_left_on_a_full_disk(self, tmp_path: Path) -> None:
        class Full:
            def backup(self, out: sqlite3.Connection) -> None:
                out.execute("CREATE TABLE half (copy)")
                raise sqlite3.OperationalError("database or disk is full")

        kept = tmp_path / upkeep.BACKUPS
        kept.mkdir()
        (kept / "42-2027-01-14.sqlite3.part").touch()
        with pytest.raises(sqlite3.OperationalError):
            upkeep.copy_of_the_day(cast(Any, Full()), tmp_path, "42", 1_800_000_000)
        assert list(kept.iterdir()) == []

    def test_a_full_disk_does_not_stop_the_bot(
        self,
        people: ServedGroup,
        bot: Bots,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setattr(upkeep, "copy", Mock(side_effect=OSError("No space left on device")))
        with bot() as polling:
            polling.step(0)
        assert "no copy of the store could be made (No space left on device)" in capsys.readouterr().out


class TestBeforeAnythingIsDealtWith:
    def copies(self, bot: Bots, kind: str) -> list[Path]:
        return sorted((bot.folder / upkeep.BACKUPS).glob(f"*-{kind}-*.sqlite3"))

    def lobby(self, people: ServedGroup, bot: Bots) -> None:
        with bot() as polling:
            people.say(people.people[0], "/newgame")
            polling.step(0)

    def test_a_start_copies_what_the_last_process_left(self, people: ServedGroup, bot: Bots) -> None:
        self.lobby(people, bot)
        assert self.copies(bot, "start") == [], "there was nothing to copy yet"
        people.press(people.people[1], people.lobby(), "join")
        bot.ahead = 7200
        with bot() as polling:
            (copy,) = self.copies(bot, "start")
            before = list(polling.built.app.rooms.every())
            polling.step(0)
            assert list(polling.built.app.rooms.every()) != before
        with open_table(copy) as kept:
            assert [room.body for room in kept.rooms()] == [room.body for room in before]

    def test_one_that_starts_again_and_again_loses_no_copy(self, people: ServedGroup, bot: Bots) -> None:
        self.lobby(people, bot)
        for minutes in range(0, 55, 5):
            bot.ahead = 7200 + 60 * minutes
            with bot():
                pass
        assert len(self.copies(bot, "start")) == 1
        for hours in range(3, 3 + 2 * upkeep.STARTS):
            bot.ahead = 3700 * hours
            with bot():
                pass
        assert len(self.copies(bot, "start")) == upkeep.STARTS

    def test_an_upgrade_is_kept_by_a_name_of_its_own(
        self, people: ServedGroup, bot: Bots, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.lobby(people, bot)
        with bot():
            pass
        assert self.copies(bot, "before") == []
        for number in range(upkeep.UPGRADES + 2):
            monkeypatch.setattr(upkeep, "release", lambda number=number: f"release {number}")
            bot.ahead = 60 * number
            with bot():
                assert len(self.copies(bot, "before")) == min(number + 1, upkeep.UPGRADES)

    def test_the_code_has_one_name(self) -> None:
        assert upkeep.release() == upkeep.release()
        assert len(upkeep.release()) == 16


class TestPuttingACopyBack:
    def test_the_bot_plays_on_from_the_copy_and_the_rest_is_kept(
        self, people: ServedGroup, bot: Bots, number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with bot() as polling:
            people.say(people.people[0], "/newgame")
            polling.step(0)
        copy = tmp_path / "copy"
        assert said(bot.folder, "--backup", str(copy)) == 0
        with bot() as polling:
            people.press(people.people[1], people.lobby(), "join")
            polling.step(0)
        assert said(bot.folder, "--restore", str(copy)) == 0
        kept = Path(capsys.readouterr().out.rsplit(" ", 1)[1].strip())
        assert kept.stat().st_mode & 0o077 == 0
        bodies = []
        for path in (bot.folder / f"{number}.sqlite3", kept):
            with open_table(path) as table:
                bodies.append(table.rooms()[0].body)
        assert b"Ben" not in bodies[0]
        assert b"Ben" in bodies[1]

    def test_a_killed_process_does_not_spoil_the_copy(self, bot: Bots, number: str, tmp_path: Path) -> None:
        path, copy = bot.folder / f"{number}.sqlite3", tmp_path / "copy"
        with open_table(path) as table:
            for key in range(20):
                table.run("put_item", {"Item": {"pk": {"S": f"old {key}"}, "sk": {"S": "x" * 2000}}})
        writing = sqlite3.connect(path)
        writing.execute("PRAGMA cache_size = 1")  # so that uncommitted data reaches the file
        writing.execute("UPDATE items SET item = item || ' '")
        journal = path.with_name(path.name + "-journal")
        left = journal.read_bytes()
        writing.rollback()
        writing.close()
        with open_table(copy) as table:
            table.run("put_item", {"Item": {"pk": {"S": "new"}, "sk": {"S": "x"}}})
            table.secret()
        journal.write_bytes(left)
        assert said(bot.folder, "--restore", str(copy)) == 0
        assert not journal.exists()
        with open_table(path) as table:
            assert list(table.items) == [("new", "x")]

    def test_what_is_no_whole_copy_changes_nothing(self, bot: Bots, number: str, tmp_path: Path) -> None:
        path = bot.folder / f"{number}.sqlite3"
        with open_table(path) as table:
            for key in range(20):
                table.run("put_item", {"Item": {"pk": {"S": f"{key}"}, "sk": {"S": "x" * 2000}}})
        before = path.read_bytes()
        torn, other = tmp_path / "torn", tmp_path / "other"
        torn.write_bytes(before[: len(before) // 2])
        sqlite3.connect(other).close()
        for wrong in (torn, other, tmp_path / "none", tmp_path):
            assert "is no copy of a store" in str(said(bot.folder, "--restore", str(wrong)))
        assert path.read_bytes() == before

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
    def test_what_root_puts_back_belongs_to_the_bot(self, bot: Bots, number: str, tmp_path: Path) -> None:
        path, copy = bot.folder / f"{number}.sqlite3", tmp_path / "copy"
        for made in (path, copy):
            with open_table(made) as table:
                table.secret()
        os.chown(bot.folder, 12345, 12346)
        assert said(bot.folder, "--restore", str(copy)) == 0
        for file in (path, *(bot.folder / upkeep.BACKUPS).iterdir()):
            assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12346)

    def test_a_damaged_store_is_replaced(self, bot: Bots, number: str, tmp_path: Path) -> None:
        path, copy = bot.folder / f"{number}.sqlite3", tmp_path / "copy"
        with open_table(copy) as table:
            table.secret()
        path.write_bytes(b"no database" * 1000)
        assert said(bot.folder, "--restore", str(copy)) == 0
        with open_table(path) as table:
            assert table.secret()

    def test_a_bot_that_runs_is_not_put_back(self, bot: Bots, number: str, tmp_path: Path) -> None:
        with open_table(tmp_path / "copy") as table:
            table.secret()
        with open_table(bot.folder / f"{number}.sqlite3"):
            assert "it runs" in str(said(bot.folder, "--restore", str(tmp_path / "copy")))


class TestSecrecy:
    def test_nobody_else_on_the_machine_reads_the_store_or_a_copy(
        self, people: ServedGroup, bot: Bots, number: str, tmp_path: Path
    ) -> None:
        before = os.umask(0o022)
        bot.folder = tmp_path / "made by the bot"
        try:
            with bot() as polling:
                polling.step(0)
                found = [bot.folder, *bot.folder.rglob("*")]
                assert {path.name for path in found if path.stat().st_mode & 0o077} == set()
        finally:
            os.umask(before)
        assert len(found) >= 4


class TestTheMachine:
    def test_the_unit_is_one_that_systemd_understands(self, tmp_path: Path) -> None:
        tool = shutil.which("systemd-analyze")
        if tool is None:
            pytest.skip("there is no systemd here")
        text = UNIT.read_text()
        assert "/opt/chancellery/.venv/bin/python -m local --folder /var/lib/chancellery" in text
        # Its program is not installed where the tests run.
        here = tmp_path / UNIT.name
        here.write_text(text.replace("/opt/chancellery/.venv/bin/python", "/bin/true"))
        done = subprocess.run([tool, "verify", "--man=no", here], capture_output=True, text=True, check=False)
        complaints = [line for line in done.stderr.splitlines() if UNIT.name in line]
        assert complaints == []

    def test_what_the_container_file_copies_is_there_and_let_in(self) -> None:
        lines = (ROOT / "Containerfile").read_text().splitlines()
        copied = [line.split()[1] for line in lines if line.startswith("COPY ")]
        assert {"requirements/play.txt", "bot", "handlers", "local"} <= set(copied)
        allowed = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
        assert sorted(copied) == sorted(allowed)
        assert [path for path in copied if not (ROOT / path).exists()] == []

    def test_the_unit_starts_when_the_clock_is_set(self) -> None:
        unit = UNIT.read_text()
        for line in (f"{order}=network-online.target time-sync.target" for order in ("After", "Wants")):
            assert line in unit.splitlines()

    def test_neither_runs_as_root(self) -> None:
        assert "DynamicUser=yes" in UNIT.read_text()
        assert re.search(r"^USER 10001:10001$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
