"""Red Dawn: the rule book of its edition."""

from tests.expected.expectation import Expected

EXPECTED = Expected(
    "red-dawn@1",
    players=(5, 12),
    options={
        "deck": ("balanced", "as-printed"),
        "secret-roles": ("off", "on"),
        "article-48": ("off", "on"),
        "veto": ("open", "sealed"),
    },
    hitler_knows=frozenset({5, 6, 7}),
    communists_know=frozenset({9, 10, 11}),
    public=(
        "red-dawn/smeared", "red-dawn/smear-ended", "red-dawn/smear-lapsed", "red-dawn/role-revealed",
        "red-dawn/returned", "red-dawn/suspects-shown",
    ),
    revealing=("red-dawn/role-revealed", "red-dawn/returned", "red-dawn/suspects-shown"),
    audiences={
        "red-dawn/conversion-tried": lambda setup, table, fact: (fact.seat,),
        "red-dawn/comrades-learned": lambda setup, table, fact: (fact.seat,),
        "red-dawn/went-into-hiding": lambda setup, table, fact: (fact.seat,),
    },
    stored=9,
)  # fmt: skip
