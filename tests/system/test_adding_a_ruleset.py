"""Add the files from the page on rulesets to a copy of the project, and run the unchanged tests there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.catalogues import compile_all

ROOT = Path(__file__).parents[2]
PAGE = "docs/adding-a-ruleset.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
COPIED = ("ai", "engine", "bot", "handlers", "infra", "local", "sandbox", "scripts", "tests")
RULES = "engine/rulesets/audit.py"
SHOWN = "bot/display/expansions/audit.py"
LOCALES = "bot/display/locales"
ENGLISH = f"{LOCALES}/en/LC_MESSAGES/weimar.po"
#: The lists of rulesets and so on, with the entries to add.
LISTS = {
    "engine/rulesets/__init__.py": ("engine.rulesets", r"^(OFFERED\b[^(]*\([^)]*)\)"),
    "bot/display/expansions/__init__.py": ("bot.display.expansions", r"^(EXPANSIONS = \([^)]*)\)"),
}
#: Tests of the game itself, which only the copy has.
OWN = ("tests/system/audited.py", "tests/system/test_audit.py")
PROPERTIES = (
    "tests/engine/test_random_games.py::test_any_game_keeps_its_tiles_its_secrets_and_its_end[audit]",
    "tests/engine/test_random_games.py::test_any_game_on_a_board_of_ones_own_holds_as_well[audit]",
    "tests/engine/test_random_games.py::test_every_setup_that_a_lobby_offers_plays_to_its_end[audit]",
    "tests/engine/test_random_games.py::test_what_does_not_fit_is_not_offered[audit]",
    "tests/engine/test_gaps.py",
)
MEMORY = (
    "tests/bot/conversation/game/test_memory.py::test_what_the_table_saw_stands_in_the_history[audit]",
    "tests/bot/conversation/game/test_memory.py::test_at_the_end_all_that_happened_stands_in_the_replay[audit]",
    "tests/bot/conversation/game/test_memory.py::test_what_a_seat_alone_saw_is_kept_for_it[audit]",
)
LEAKS = (
    "tests/engine/test_two_worlds.py::test_nobody_can_tell_two_worlds_apart_before_the_rules_do[audit]",
    "tests/engine/test_two_worlds.py::test_every_kind_of_fact_has_its_audience_written_down",
    # Rulesets take turns: the last of five has every fifth number.
    "tests/system/test_leaks.py::test_a_viewer_sees_the_same_in_two_like_worlds[4]",
    "tests/system/test_leaks.py::test_a_viewer_sees_the_same_in_two_like_worlds[9]",
)
OPTIONS = tuple(f"tests/engine/rulesets/test_{name}.py" for name in ("options", "online", "cold_war"))
PAGES = (
    "tests/system/test_rules_pages.py",
    "tests/bot/display/test_words.py",
    "tests/bot/display/test_rules_pages.py",
    "tests/handlers/service/test_completeness.py",
)
PICTURES = (
    "tests/bot/pictures/test_looks.py",
    "tests/bot/pictures/test_views.py::test_every_setup_that_a_lobby_offers_has_a_picture",
    "tests/bot/pictures/test_views.py::test_every_table_of_a_game_can_be_drawn[audit@1-5]",
    "tests/bot/pictures/test_views.py::test_no_secret_has_any_influence_on_a_picture[audit@1-8]",
    "tests/bot/pictures/test_views.py::test_parties_and_roles_are_drawn_only_once_they_were_shown[audit@1-5]",
)


def files() -> dict[str, str]:
    """Return every file on the page by the path that is written above it."""
    return dict(re.findall(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))


def entries() -> str:
    (found,) = re.findall(r"^```po\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__", "browser", "cloud", "node_modules")
    for folder in COPIED:
        if (ROOT / folder).exists():
            shutil.copytree(ROOT / folder, copy / folder, ignore=unwanted)
    shutil.copy(ROOT / "pyproject.toml", copy)
    for path, text in files().items():
        assert not (copy / path).exists(), "a new file each"
        (copy / path).write_text(text, encoding="utf-8")
    shutil.copy(copy / OWN[0], copy / OWN[1])
    for path, (package, named) in LISTS.items():
        listed = (copy / path).read_text(encoding="utf-8")
        longer, count = re.subn(named, r"\1, AUDIT)", listed, flags=re.MULTILINE)
        assert count == 1
        imported = f"from {package}.classic import CLASSIC\n"
        assert imported in longer
        with_import = longer.replace(imported, f"from {package}.audit import AUDIT\n{imported}")
        (copy / path).write_text(with_import, encoding="utf-8")
    for catalogue in (copy / "bot" / "display" / "locales").glob("*/LC_MESSAGES/weimar.po"):
        catalogue.write_text(f"{catalogue.read_text(encoding='utf-8')}\n{entries()}", encoding="utf-8")
    compile_all(copy / LOCALES)
    return copy


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command in the copy, with fewer games and without coverage."""
    uncounted = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    few = {"ENGINE_GAMES": "20", "LEAKS": "10", "PYTHONPATH": str(copy)}
    command = [sys.executable, *arguments]
    environment = {**uncounted, **few}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("tests", [
    pytest.param(PROPERTIES, id="properties"), pytest.param(OWN[1:], id="itself"),
    pytest.param(MEMORY, id="memory"), pytest.param(LEAKS, id="leaks"),
    pytest.param(OPTIONS, id="options"), pytest.param(PAGES, id="pages"),
    pytest.param(PICTURES, id="pictures"),
])  # fmt: skip
def test_the_projects_own_tests_pass_with_the_new_page(copy: Path, tests: tuple[str, ...]) -> None:
    done = run(copy, "-m", "pytest", "-q", "-x", "-m", "", "-p", "no:cacheprovider", "-p", "no:xdist", *tests)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert " passed" in done.stdout


@pytest.mark.parametrize(("path", "gone", "said"), [
    (SHOWN, "    lines={Audited: _audited},\n", "'audit/audited' has no line"),
    (SHOWN, '"power/audit"', "the power 'audit' has no icon"),
    (ENGLISH, 'msgid "tile.ledger"', "no words for 'tile.ledger'"),
    (RULES, ', "audit": compare', "asks 'audit', which is no step"),
], ids=["line", "icon", "word", "step"])  # fmt: skip
@pytest.mark.quick("word")
def test_what_a_file_lacks_is_said_when_it_is_loaded(copy: Path, path: str, gone: str, said: str) -> None:
    whole = (copy / path).read_text(encoding="utf-8")
    assert gone in whole
    lacking = {"icon": '"power/other"', "msgid": 'msgid "tile.other"'}
    kind = "msgid" if gone.startswith("msgid") else "icon" if gone.startswith('"') else ""
    try:
        (copy / path).write_text(whole.replace(gone, lacking.get(kind, "")), encoding="utf-8")
        assert compile_all(copy / LOCALES) == (path == ENGLISH)
        done = run(copy, "-c", "from handlers.service.completeness import check; check()")
    finally:
        (copy / path).write_text(whole, encoding="utf-8")
        compile_all(copy / LOCALES)
    assert done.returncode
    assert said in done.stderr


def test_an_expansion_is_two_readable_files() -> None:
    written = files()
    assert list(written) == [RULES, SHOWN, "tests/expected/audit.py"]
    assert all(len(text.splitlines()) <= 105 for text in written.values())
    imported = set(re.findall(r"^from (\w+)", written[RULES], re.MULTILINE))
    assert imported == {"collections", "engine"}


def test_the_page_names_what_there_is() -> None:
    for path in re.findall(r"`((?:engine|handlers|tests|docs|scripts)/[\w/]+\.\w+)`", TEXT):
        assert path in files() or (ROOT / path).exists(), path
