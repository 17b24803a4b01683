"""Check what a program can check of our style: test names, and words in docstrings and comments.

Usage: python scripts/style.py

It prints each fault with file and line, and exits with 1 if there is one. CONTRIBUTING.md explains the rules.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parent.parent
LONGEST_TEST_NAME = 60
BANNED_BEGINNINGS = re.compile(r"(Who|Whom|Whoever|What|Of|So many|Where|Whether)\s")
#: Words that we do not use, with plain words for each.
BANNED_WORDS = {
    "anew": "again, or from the start",
    "thereof": "of it",
    "ever so many": "many",
    "is no person": "is not a person",
    "whosoever": "anybody who",
}
_BANNED = re.compile(rf"\b({'|'.join(BANNED_WORDS)})\b", re.IGNORECASE)


def is_test(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return True for a test function."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, fault) for each fault in a module's source."""
    for node in ast.walk(ast.parse(source)):
        if is_test(node) and len(node.name) > LONGEST_TEST_NAME:
            yield node.lineno, f"a test name of {len(node.name)} characters, {LONGEST_TEST_NAME} at most"
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            continue
        text = ast.get_docstring(node)
        if text is not None:
            for fault in _wording("docstring", text):
                yield node.body[0].lineno, fault
    for line, text in comments(source):
        for fault in _wording("comment", text):
            yield line, fault


def _wording(kind: str, text: str) -> Iterator[str]:
    if beginning := BANNED_BEGINNINGS.match(text):
        yield f"a {kind} that begins with '{beginning[1]}'"
    for word in _BANNED.finditer(text):
        yield f"'{word[0]}' (say: {BANNED_WORDS[word[0].lower()]})"


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield (first line, text) of each block of comments on separate lines."""
    first, last, text = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or token.line[: token.start[1]].strip():
            continue
        line = token.start[0]
        if line != last + 1:
            yield first, text
            first, text = line, ""
        text += f" {token.string.lstrip('#: ')}" if text else token.string.lstrip("#: ")
        last = line
    yield first, text


def check() -> int:
    """Print the faults of all Python files in the repository; return their number."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = 0
    for name in listed.stdout.split():
        path = ROOT / name
        if path.exists():
            for line, fault in faults(path.read_text(encoding="utf-8")):
                print(f"{name}:{line}: {fault}")
                found += 1
    return found


if __name__ == "__main__":
    sys.exit(1 if check() else 0)
