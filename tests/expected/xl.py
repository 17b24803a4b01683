"""XL: its handbook."""

from tests.expected.expectation import Expected

EXPECTED = Expected(
    "xl@1",
    players=(6, 16),
    options={
        "liberal-track": ("5", "6"), "anti-policies": ("off", "on"), "social-democratic": ("off", "on"),
        "emergency-powers": ("off", "printed", "more"), "oktoberfest": ("off", "on"),
        "xl-capitalist": ("off", "on"), "xl-anarchist": ("off", "on"), "xl-monarchist": ("off", "on"),
        "veto": ("open", "sealed"),
    },
    hitler_knows=frozenset({6, 7}),
    communists_know=frozenset({6, 7, 8, 9, 10}),
    public=(
        "xl/top-kept", "xl/no-confidence", "xl/tile-removed", "xl/month-began", "xl/marked",
        "xl/pardoned", "xl/role-shown",
    ),
    revealing=("xl/no-confidence", "xl/role-shown"),
    audiences={
        "xl/top-discarded": lambda setup, table, fact: (fact.seat,),
        "xl/impeached": lambda setup, table, fact: (fact.viewer,),
    },
    stored=12,
)  # fmt: skip
