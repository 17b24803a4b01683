"""Secret Hitler as published: the rule book."""

from tests.expected.expectation import Expected

EXPECTED = Expected(
    "classic@1", players=(5, 10), options={"veto": ("open", "sealed")}, hitler_knows=frozenset({5, 6})
)
