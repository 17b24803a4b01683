"""One machine's bot is looked after: whether it lives, copies of its store, unit and container file."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from local import upkeep
from local.__main__ import main
from local.polling import DAY, Polling
from local.sqlite_table import open_table

from .telegram_thread import Town

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "local" / "machine" / "chancellery.service"


class Bots(Protocol):
    folder: Path
    environment: dict[str, str]
    ahead: float

    def __call__(self) -> AbstractContextManager[Polling]: ...


@pytest.fixture
def number(bot: Bots, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which bot it is, as the command line knows it."""
    monkeypatch.setenv("BOT_TOKEN", bot.environment["BOT_TOKEN"])
    return bot.environment["BOT_TOKEN"].partition(":")[0]


def said(folder: Path, *arguments: str) -> str | int | None:
    """How the command ends: 0, or what is wrong."""
    with pytest.raises(SystemExit) as ended:
        main(["--folder", str(folder), *arguments])
    return ended.value.code


class TestWhetherItLives:
    def test_a_bot_that_telegram_answers_is_well(self, people: Town, bot: Bots, number: str) -> None:
        assert "has never run" in str(said(bot.folder, "--healthy"))
        with bot() as polling:
            polling.step(0)
        assert said(bot.folder, "--healthy") == 0

    def test_one_that_has_heard_nothing_for_minutes_is_not(
        self, people: Town, bot: Bots, number: str
    ) -> None:
        with bot() as polling:
            polling.step(0)
        heartbeat = upkeep.heartbeat_file(bot.folder, number)
        upkeep.write_heartbeat(heartbeat, lambda: heartbeat.stat().st_mtime - upkeep.SILENT - 5)
        assert "nothing heard from Telegram for 18" in str(said(bot.folder, "--healthy"))

    def test_without_a_token_nothing_is_said_to_be_well(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("BOT_TOKEN", raising=False)
        assert "BOT_TOKEN is not set" in str(said(tmp_path, "--healthy"))

    def test_to_ask_costs_little_as_it_is_asked_every_minute(self, tmp_path: Path) -> None:
        asked = (
            "import sys; from local.__main__ import main\n"
            f"try: main(['--folder', {str(tmp_path)!r}, '--healthy'])\n"
            "finally: print(sorted({'telegram', 'boto3', 'pydantic', 'engine'} & sys.modules.keys()))"
        )
        done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True)
        assert (done.stdout.strip(), "has never run" in done.stderr) == ("[]", True)


class TestCopies:
    def test_a_stopped_bots_store_is_copied_and_the_copy_plays_on(
        self, people: Town, bot: Bots, number: str, tmp_path: Path
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
            assert [(item.key, item.version, item.body) for item in after] == [
                (item.key, item.version, item.body) for item in before
            ]

    def test_a_bot_that_runs_is_not_copied_by_another_process_but_by_itself_every_day(
        self, people: Town, bot: Bots, number: str, tmp_path: Path
    ) -> None:
        with bot() as polling:
            polling.step(0)
            assert "it runs" in str(said(bot.folder, "--backup", str(tmp_path / "x")))
            for day in range(1, 10):
                bot.ahead = day * (DAY + 1)
                polling.step(0)
        kept = sorted((bot.folder / upkeep.BACKUPS).iterdir())
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
        self, people: Town, bot: Bots, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def full(*_: object) -> None:
            raise OSError("No space left on device")

        monkeypatch.setattr(upkeep, "copy", full)
        with bot() as polling:
            polling.step(0)
        assert "no copy of the store could be made (No space left on device)" in capsys.readouterr().out


class TestSecrecy:
    def test_nobody_else_on_the_machine_reads_the_store_or_a_copy(
        self, people: Town, bot: Bots, number: str, tmp_path: Path
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

    def test_neither_runs_as_root(self) -> None:
        assert "DynamicUser=yes" in UNIT.read_text()
        assert re.search(r"^USER 10001:10001$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
