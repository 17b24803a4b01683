"""XL's printed boards, decks and roles. Source: XL handbook, "Game composition", "Policy deck", "Parties"."""

from collections.abc import Mapping

from engine.board import Board, Endings
from engine.rulesets.xl import own_roles

#: Fascist tracks, by the fewest players for which each is used.
FASCIST_TRACKS = {
    6: (None, None, "peek", "kill", "kill", None),
    8: (None, "investigate", "special", "kill", "kill", None),
    11: ("investigate", "investigate", "special", "kill", "kill", None),
}
COMMUNIST_TRACKS = {
    6: ("bugging", "radicalisation", "five-year-plan", "congress", None),
    9: ("bugging", "radicalisation", "five-year-plan", "congress", "confession", None),
    11: (None, "radicalisation", "five-year-plan", "radicalisation", "confession", None),
}
#: Numbers of Liberal, Fascist and Communist tiles, by the fewest players.
DECKS = {6: (5, 10, 8), 8: (6, 9, 8)}
#: Liberals, Fascists without Hitler, and Communists, by players.
ROLES = {
    6: (3, 1, 1),
    7: (4, 1, 1),
    8: (4, 2, 1),
    9: (4, 2, 2),
    10: (5, 2, 2),
    11: (5, 3, 2),
    12: (6, 3, 2),
    13: (6, 3, 3),
    14: (7, 3, 3),
    15: (7, 4, 3),
    16: (7, 4, 4),
}
#: Emergency cards by option and number of players.
EMERGENCY_CARDS = {"printed": {14: 2, 15: 4, 16: 6}, "more": {11: 1, 12: 2, 13: 3, 14: 5, 15: 6, 16: 6}}
#: By option, the tile that each special tile replaces.
REPLACED = {
    "anti-policies": {"anti-communist": "fascist", "anti-fascist": "communist"},
    "social-democratic": {"social-democratic": "liberal"},
}
ENDINGS: Endings = {"hitler-killed": ("liberal", "communist"), "hitler-elected": ("fascist",)}


def board(players: int, options: Mapping[str, str]) -> Board:
    """Return the printed board for this many players and these options."""
    liberals, fascists, communists = ROLES[players]
    return Board(
        tracks={
            "liberal": (None,) * int(options["liberal-track"]),
            "fascist": FASCIST_TRACKS[max(least for least in FASCIST_TRACKS if least <= players)],
            "communist": COMMUNIST_TRACKS[max(least for least in COMMUNIST_TRACKS if least <= players)],
        },
        deck=_deck(players, options),
        roles={"liberal": liberals, "fascist": fascists, "hitler": 1, "communist": communists},
        hitler_knows=players <= 7,
        communists_know=players <= 10,
        secret_roles=own_roles.cards(options),
        few=7,
        endings=ENDINGS,
    )


def _deck(players: int, options: Mapping[str, str]) -> Mapping[str, int]:
    liberal, fascist, communist = DECKS[max(least for least in DECKS if least <= players)]
    deck = {"liberal": liberal, "fascist": fascist, "communist": communist}
    for option, replaced in REPLACED.items():
        if options[option] == "on":
            for special, ordinary in replaced.items():
                deck[ordinary] -= 1
                deck[special] = 1
    if options[own_roles.ANARCHIST] == "on":
        deck["communist"] -= own_roles.TILES
        deck[own_roles.TILE] = own_roles.TILES
    if options["emergency-powers"] != "off":
        cards = EMERGENCY_CARDS[options["emergency-powers"]][players]
        deck["article-48:?"] = (cards + 1) // 2
        deck["enabling-act:?"] = cards // 2
    return {tile: count for tile, count in deck.items() if count}
