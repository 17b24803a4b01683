"""The arrows and the sizes of the house, where import-linter's contracts cannot say them."""

import ast
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("ai", "bot", "engine", "handlers", "infra", "local", "operate", "sandbox")
# Standard library, but not for a pure engine: clocks, files, sockets, threads, other chance.
IMPURE = frozenset((
    "asyncio", "concurrent", "ctypes", "datetime", "getpass", "glob", "http", "importlib", "io", "locale",
    "logging", "multiprocessing", "os", "pathlib", "pickle", "platform", "random", "secrets", "select",
    "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time",
    "urllib", "uuid",
))  # fmt: skip
#: Commands, which read arguments and print; the mind's reads a file.
AI_COMMANDS = frozenset({"explain.py"})
COMMANDS = {"engine": frozenset({"command.py"}), "ai": AI_COMMANDS}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def full_imports(path: Path) -> Iterator[str]:
    """Yield the whole names of the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level names that a module imports from elsewhere."""
    return (name.partition(".")[0] for name in full_imports(path))


@pytest.mark.parametrize("package", ["engine", "ai"])
def test_engine_and_mind_import_only_engine_and_standard_library(package: str) -> None:
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules(package)
        for name in imported(path)
        if name not in ("engine", package) and name not in sys.stdlib_module_names
    }
    assert modules(package)
    assert strangers == set()


@pytest.mark.parametrize("package", ["engine", "ai"])
def test_engine_and_mind_have_no_clock_file_socket_or_own_chance(package: str) -> None:
    impure = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules(package)
        if path.name not in COMMANDS[package]
        for name in imported(path)
        if name in IMPURE
    }
    assert impure == set()


#: The parts of python-telegram-bot that the bot may use: types, constants and helpers.
TELEGRAM = ("telegram", "telegram.constants", "telegram.helpers")


def test_the_bot_uses_no_clock_no_file_and_no_wire() -> None:
    # Words and pictures are files that ship with the code. Dates are made from given moments.
    allowed = {"datetime", "importlib", "pathlib"}
    impure = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules("bot")
        for name in full_imports(path)
        if (name.partition(".")[0] in IMPURE - allowed)
        or (name.partition(".")[0] == "telegram" and name not in TELEGRAM)
    }
    asks_the_clock = {
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for path in modules("bot")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("now", "today", "utcnow")
        if ast.unparse(node.value) in ("datetime", "date", "datetime.datetime")
    }
    assert modules("bot")
    assert impure | asks_the_clock == set()


def test_every_picture_in_the_docs_has_words() -> None:
    shown: set[Path] = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for words, target in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert words, f"{page.name} shows {target} without words"
            shown.add((page.parent / target).resolve())
    assert shown == set((ROOT / "docs").rglob("*.png"))


@pytest.mark.parametrize("package", [*OURS, "scripts"])
def test_no_file_is_longer_than_600_lines(package: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules(package)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert long == {}


#: Names whose attribute ``table`` is not a game's: tables of views and of the computer, and other objects.
TABLED = frozenset((
    "self", "view", "palette", "harness", "world", "_world", "asked", "built",
    # Parts of the computer, which are all made from views.
    "evidence", "context", "reader", "seat", "seen", "state", "thought",
))  # fmt: skip


def called(node: ast.expr) -> str:
    """Return the last name of a table's owner: ``game`` of ``match.game`` and of ``game()[0]``."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def readers_of_tables(source: str) -> list[str]:
    """Return the expressions from which a module takes a table."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr == "table" and called(node.value) not in TABLED:
            found.append(ast.unparse(node))
    return found


def test_nobody_reads_a_games_table_but_the_engine_and_the_rooms() -> None:
    """Everything shown comes from views: a view cannot leak what it does not hold."""
    reading = {
        f"{path.relative_to(ROOT)}: {found}"
        for package in (*OURS, "scripts")
        if package not in ("engine", "ai")
        for path in modules(package)
        if (ROOT / "bot" / "rooms") not in path.parents
        for found in readers_of_tables(path.read_text(encoding="utf-8"))
    }
    assert reading == set()


def test_the_mind_is_never_given_a_game() -> None:
    """The tables of which it thinks are its view's, and worlds that it imagines."""
    named = {
        f"{path.relative_to(ROOT)}: {alias.name}"
        for path in modules("ai")
        if path.name not in AI_COMMANDS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in ("Game", "game") or node.module == "engine.game"
    }
    assert named == set()


@pytest.mark.parametrize(("source", "found"), [
    ("match.game.table.winners", True), ("game.table", True),
    ("play_random_game(setup, rng)[0].table", True), ("room.match.game.table.roles[-1]", True),
    ("telling.view.table.winners", False), ("view(events, None).table", False), ("self.table", False),
    ("self.game.table", True),
])  # fmt: skip
def test_the_search_for_readers_of_tables_finds_them(source: str, found: bool) -> None:
    assert bool(readers_of_tables(source)) == found


def test_every_file_that_the_plan_of_the_house_names_is_there() -> None:
    said = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w./-]+)`", said) if "/" in name or name.endswith(".py")}
    tops = [ROOT / package for package in (*OURS, "scripts", "tests")]
    there = [str(path) for top in tops for path in (top, *top.rglob("*"))]
    assert len(named) > 40
    lost = [name for name in named if not any(path.endswith(f"/{name.rstrip('/')}") for path in there)]
    assert lost == []


def other_dialects(source: str) -> list[str]:
    """Return what in a module's docstrings is not as CONTRIBUTING.md has it; ruff's D checks the rest."""
    found = []
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            said = ast.get_docstring(node) or ""
            found += re.findall(r"(?<!`)`[^`\n]+`(?!`)", said)
            found += re.findall(
                r"^(?:Attributes|Raises|Returns|Yields|Examples?|Notes?):$", said, re.MULTILINE
            )
        if isinstance(node, ast.ClassDef | ast.Module) and isinstance(body, list):
            below = itertools.pairwise(body)
            found += [
                ast.unparse(next_one)
                for one, next_one in below
                if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(next_one, ast.Expr)
                if isinstance(next_one.value, ast.Constant)
            ]
    return found


@pytest.mark.parametrize("package", [*OURS, "scripts"])
def test_docstrings_speak_one_dialect(package: str) -> None:
    foreign = {path: found for path in modules(package) if (found := other_dialects(path.read_text("utf-8")))}
    assert foreign == {}


@pytest.mark.parametrize(
    "source", ['def f():\n    """Like `g`."""', '"""A.\n\nRaises:\n    E: why.\n"""', 'x = 1\n"""One."""']
)
def test_the_search_for_other_dialects_finds_them(source: str) -> None:
    assert other_dialects(source)
