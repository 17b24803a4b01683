"""``python -m tests.rules_map``: list the tests that prove each rule.

It reads the numbers in docs/rules.md and the ``@pytest.mark.rule("R1.2", …)`` markers in the tests. It prints
the map, and exits with 1 if a rule has no test or a marker names an unknown rule. It reads the tests' source
without importing it, so it is quick.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules.md"
_RULE = re.compile(r"^- \*\*(R\d+\.\d+)\*\*", re.MULTILINE)


def rules() -> list[str]:
    """Return the numbers of all rules, in the order of the document."""
    return _RULE.findall(RULES.read_text(encoding="utf-8"))


def markers(tests: Path) -> Iterator[tuple[str, str]]:
    """Yield each (rule, test) of the tests' markers: ``("R1.2", "tests/a.py::test_b")``."""
    for path in sorted(tests.rglob("test_*.py")):
        name = path.relative_to(tests.parent).as_posix()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "pytestmark":
                yield from ((rule, name) for rule in _named(node.value))
            for part in ast.walk(node):
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    for decorator in part.decorator_list:
                        yield from ((rule, f"{name}::{part.name}") for rule in _named(decorator))


def _named(node: ast.expr) -> Iterator[str]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.rule"):
            yield from (str(arg.value) for arg in call.args if isinstance(arg, ast.Constant))


def main(tests: Path = ROOT / "tests") -> int:
    """Print the map; return 1 if it has a gap, else 0."""
    known = rules()
    found: dict[str, list[str]] = {rule: [] for rule in known}
    strangers = []
    for rule, test in markers(tests):
        if rule in found:
            found[rule].append(test)
        else:
            strangers.append((rule, test))
    for rule, named in found.items():
        print(f"{rule:6} {', '.join(named) if named else '—'}")
    for rule in known:
        if not found[rule]:
            print(f"{rule} has no test", file=sys.stderr)
    for rule, test in strangers:
        print(f"{test} names {rule}, which does not exist", file=sys.stderr)
    twice = {rule for rule in known if known.count(rule) > 1}
    for rule in sorted(twice):
        print(f"{rule} is twice in {RULES.name}", file=sys.stderr)
    return 1 if strangers or twice or not all(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
