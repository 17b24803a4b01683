"""The report: sections are replaced, keep their order, and name date, machine and command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sandbox import bench, measurements
from sandbox.__main__ import main
from sandbox.bench import messages, sizes, taps
from sandbox.lambda_runtime import ToolMissing
from sandbox.measurements import Section, table, write


def titles(path: Path) -> list[str]:
    return re.findall(r"^## (.+)$", path.read_text(), re.MULTILINE)


def test_a_section_carries_command_and_date_and_is_replaced(
    tmp_path: Path,
) -> None:
    path = tmp_path / "measurements.md"
    write(Section("Item size", "In bytes.", ["12"]), "make bench", path)
    write(Section("One tap", "In\n   milliseconds.", ["1.5"]), "make bench", path)
    write(Section("Item size", "In bytes.", ["13"]), "make bench", path)
    text = path.read_text()
    assert text.startswith("# Measurements\n")
    assert titles(path) == ["Item size", "One tap"]
    assert "In bytes.\n\n13\n\n## One tap" in text
    assert "In milliseconds." in text
    assert re.search(
        r"^\*\d{4}-\d\d-\d\d, .+ cores, .+, Python 3\.\d+\.\d+, code `\w{8}`: `make bench`\*$",
        text,
        re.MULTILINE,
    )


def test_tables_are_markdown() -> None:
    assert table(["", "ms"], [["a tap", 1.5]]) == ["|  | ms |", "| --- | ---: |", "| a tap | 1.5 |"]


def test_the_command_measures_what_it_is_asked_for_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "measurements.md"
    monkeypatch.setattr(bench, "write", lambda section, command: measurements.write(section, command, path))
    monkeypatch.setattr("sandbox.bench.sizes.run", lambda: Section("Item size", "In bytes.", ["13 bytes"]))
    assert main(["bench", "--only", "sizes"]) == 0
    assert titles(path) == ["Item size"]
    assert 'make bench ARGS="--only sizes"' in path.read_text()
    assert "13 bytes" in capsys.readouterr().out


def test_what_cannot_be_measured_leaves_the_report_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking() -> Section:
        raise ToolMissing("Python 3.13")

    path = tmp_path / "measurements.md"
    monkeypatch.setattr(bench, "write", lambda section, command: measurements.write(section, command, path))
    monkeypatch.setattr("sandbox.bench.bundle.run", lacking)
    assert main(["bench", "--only", "bundle"]) == 1
    assert not path.exists()
    assert "Python 3.13" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("bench_of", "games", "one"),
    [
        (sizes, "GAMES", ("classic", 5, "none", 4)),
        (taps, "PLAYED", ("classic", 5, "none", 0)),
        (taps, "PLAYED", ("classic", 5, "none", 4)),
        (messages, "GAMES", messages.Kind("classic", 5, "none", "group", 1, (110, 160))),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
@pytest.mark.quick("sandbox.bench.sizes-GAMES-one0")
def test_a_section_has_a_row_for_each_game_that_was_measured(
    bench_of: Any, games: str, one: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_of, games, (one,))
    monkeypatch.setattr(taps, "GAMES_ALONE", 1)
    rows = [line for line in bench_of.run(seeds=1).lines if "classic, 5 players" in line]
    assert rows
    assert all(re.search(r"\d", row.replace("classic, 5 players", "")) for row in rows)
