"""Check what only a release must fulfil: its changelog, measured figures, and both commands of the README.

Usage: python scripts/release.py [--figures]

It prints each fault, and exits with 1 if there is one. If nothing else is wrong, it clones the last commit,
opens the page of ``make play`` there, and runs ``make test``. With ``--figures`` it only checks the figures.
"""

import ast
import hashlib
import io
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The code that most figures measure.
PRODUCT = ("ai", "bot", "engine", "handlers", "infra")
#: The code that a section of docs/measurements.md measures, if it is not ``PRODUCT``.
MEASURED: dict[str, tuple[str, ...]] = {
    "Engine speed": ("engine",),
    "Board picture": ("bot/display/pictures",),
    "Bundle": (*PRODUCT, "requirements/runtime.txt"),
    "Cold start and memory": (*PRODUCT, "requirements/runtime.txt"),
    "Size of the house": (*PRODUCT, "local", "operate", "scripts", "sandbox", "tests"),
    "Set-up": ("requirements/play.txt", "requirements/dev.txt"),
    "Fair deal": ("engine/proof", "engine/chance.py", "bot/conversation/lobby"),
    "Mutants": ("engine", "bot/rooms", "infra/outbox"),
}
#: Pages whose figures all measure how computers play.
PLAYED = ("docs/balance.md", "docs/computers.md")
#: The mark of the code or of the games that a page's figures measure.
STAMP = re.compile(r"(?:code|games) `[0-9a-f]{8}`")
#: The headings of the changes of a version in the changelog.
HEADINGS = ["Added", "Changed", "Fixed"]


# --- figures ------------------------------------------------------------------------------------------------


def stamp(paths: Sequence[str], root: Path = ROOT) -> str:
    """Return the mark of the current code, for a page with its figures. ``STAMP`` matches it.

    ``paths``: files, and folders with Python files. Comments, docstrings and layout do not change the mark.
    """
    found = hashlib.sha256()
    for file in _files(paths, root):
        found.update(file.relative_to(root).as_posix().encode())
        content = file.read_bytes()
        found.update(_without_prose(content) if file.suffix == ".py" else content)
    return f"code `{found.hexdigest()[:8]}`"


def _files(paths: Sequence[str], root: Path) -> list[Path]:
    files: set[Path] = set()
    for path in paths:
        files.update((root / path).rglob("*.py") if (root / path).is_dir() else [root / path])
    return sorted(file for file in files if file.is_file())


@cache
def _without_prose(content: bytes) -> bytes:
    """Return Python code without comments, docstrings and empty lines."""
    lines = content.splitlines()
    for token in tokenize.tokenize(io.BytesIO(content).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = token.line[:column].encode()
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            text = node.body[0]
            lines[text.lineno - 1 : text.end_lineno] = [b""] * (1 + (text.end_lineno or 0) - text.lineno)
    return b"\n".join(line.rstrip() for line in lines if line.strip())


def stale_figures(root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each section and page whose figures were measured with other code."""
    page = (root / "docs" / "measurements.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = section.splitlines()[0]
        if set(STAMP.findall(section)) != {stamp(MEASURED.get(title, PRODUCT), root)}:
            yield f"docs/measurements.md: the code has changed since *{title}* was measured"


def stale_games(mark: str, root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each page whose figures were measured when computers played otherwise.

    ``mark``: how they play now (``sandbox.research.cells.games_mark``). It stays the same if code changes and
    they still play the same games.
    """
    for name in PLAYED:
        if set(STAMP.findall((root / name).read_text(encoding="utf-8"))) != {mark}:
            yield f"{name}: the computers play differently since the figures were measured"


# --- changelog ----------------------------------------------------------------------------------------------


def changelog_faults(root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each fault of the newest version in the changelog."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    newest = re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    title = newest.splitlines()[0]
    if not re.fullmatch(rf"\[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d", title):
        yield f"CHANGELOG.md: the newest version is {title}, and not [{version}] with its date"
    headings = re.findall(r"^### (.+)$", newest, flags=re.MULTILINE)
    if headings != [heading for heading in HEADINGS if heading in headings]:
        yield f"CHANGELOG.md: the newest version has the headings {', '.join(headings)}"


# --- clone --------------------------------------------------------------------------------------------------


def clone_faults(root: Path = ROOT) -> Iterator[str]:
    """Clone the last commit, and try the README's two commands there. Yield a sentence for each fault."""
    from sandbox.bench.set_up import environment, time_play

    if subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, check=True).stdout:
        yield "the work tree has changes that are not committed"
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
        try:
            time_play(clone)
        except RuntimeError as error:
            yield f"make play: {error}"
        if subprocess.run(["make", "test"], cwd=clone, env=environment(), check=False).returncode:
            yield "make test fails in a fresh clone"


def main(arguments: Sequence[str]) -> int:
    """Print the faults; return 1 if there is one, or 0."""
    from sandbox.research.cells import games_mark

    faults = [*stale_figures(), *stale_games(games_mark())]
    if "--figures" not in arguments:
        faults += changelog_faults()
        faults += clone_faults() if not faults else ()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
