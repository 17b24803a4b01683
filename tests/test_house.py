"""The arrows and the sizes of the house, where import-linter's contracts cannot say them."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("engine", "handlers", "infra", "sandbox")
# Standard library, but no business of a pure engine: clocks, files, sockets, threads, other chance.
IMPURE = frozenset(
    {
        "asyncio",
        "concurrent",
        "ctypes",
        "datetime",
        "getpass",
        "glob",
        "http",
        "importlib",
        "io",
        "locale",
        "logging",
    }
    | {
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
        "platform",
        "random",
        "secrets",
        "select",
        "shutil",
        "signal",
    }
    | {"socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid"}
)
# The engine's commands: they read arguments and print.
ENGINE_COMMANDS = frozenset({"proof.py"})


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level names that a module imports from elsewhere, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def test_the_engine_imports_only_itself_and_the_standard_library() -> None:
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules("engine")
        for name in imported(path)
        if name != "engine" and name not in sys.stdlib_module_names
    }
    assert modules("engine")
    assert strangers == set()


def test_the_engine_has_no_clock_no_file_no_socket_and_no_chance_but_its_own() -> None:
    impure = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules("engine")
        if path.name not in ENGINE_COMMANDS
        for name in imported(path)
        if name in IMPURE
    }
    assert impure == set()


def test_every_picture_of_the_documents_is_shown_and_said_in_words() -> None:
    shown: set[Path] = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for words, target in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert words, f"{page.name} shows {target} without words"
            shown.add((page.parent / target).resolve())
    assert shown == set((ROOT / "docs").rglob("*.png"))


@pytest.mark.parametrize("package", [*OURS, "scripts"])
def test_no_file_is_longer_than_one_can_know_by_heart(package: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules(package)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 350
    }
    assert long == {}
