"""The published game as it is played on the web: its rules page."""

from tests.expected.expectation import Expected

EXPECTED = Expected(
    "online@1", players=(5, 10), options={"veto": ("sealed", "open")}, hitler_knows=frozenset({5, 6}),
    stored=5,
)  # fmt: skip
