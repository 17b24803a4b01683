"""A release has figures of its own code, and a changelog with its version."""

from pathlib import Path

import pytest

from scripts.release import MEASURED, PRODUCT, changelog_faults, stale_figures, stale_games, stamp


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose pages were all measured with its code."""
    for folder in ("engine", "ai", "docs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "engine" / "game.py").write_text('"""A game."""\n\n\ndef start() -> int:\n    return 1\n')
    (tmp_path / "ai" / "lookback.py").write_text("LEAST = 0.1\n")
    titles = ("Engine speed", "One tap")
    sections = [f"## {title}\n\n*{stamp(MEASURED.get(title, PRODUCT), tmp_path)}*\n" for title in titles]
    (tmp_path / "docs" / "measurements.md").write_text("# Measurements\n\n" + "\n".join(sections))
    for page in ("balance.md", "computers.md"):
        (tmp_path / "docs" / page).write_text("*Measured with games `1a2b3c4d`.*\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    changes = "# Changelog\n\n## [0.1.0] - 2026-11-27\n\n### Added\n\n- All.\n\n### Fixed\n\n- Much.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes)
    return tmp_path


def test_figures_of_the_current_code_are_fine(project: Path) -> None:
    assert not [*stale_figures(project)]


def test_comments_and_docstrings_leave_figures_current(project: Path) -> None:
    code = '"""Another."""\n\ndef start() -> int:\n    """Start it."""\n    # at once\n    return 1  # yes\n'
    (project / "engine" / "game.py").write_text(code)
    assert not [*stale_figures(project)]


def test_changed_code_makes_its_figures_stale(project: Path) -> None:
    (project / "engine" / "game.py").write_text("def start() -> int:\n    return 2\n")
    assert len([*stale_figures(project)]) == 2
    (project / "docs" / "measurements.md").write_text("# Figures\n\n## One tap\n\n*without a mark*\n")
    assert len([*stale_figures(project)]) == 1


def test_other_games_of_computers_make_figures_stale(project: Path) -> None:
    assert not [*stale_games("games `1a2b3c4d`", project)]
    assert len([*stale_games("games `5e6f7a8b`", project)]) == 2


@pytest.mark.parametrize(("old", "new", "fault"), [
    ("[0.1.0] - 2026-11-27", "[Unreleased]", "the newest version is [Unreleased]"),
    ("[0.1.0]", "[0.2.0]", "the newest version is [0.2.0]"),
    ("### Fixed", "### Repaired", "the headings Added, Repaired"),
    ("### Fixed", "### Added", "the headings Added, Added"),
])  # fmt: skip
def test_a_changelog_names_the_version_with_its_date(project: Path, old: str, new: str, fault: str) -> None:
    assert not [*changelog_faults(project)]
    file = project / "CHANGELOG.md"
    file.write_text(file.read_text().replace(old, new))
    assert fault in "".join(changelog_faults(project))
