"""Red Dawn's printed boards, decks and roles. Source: game setup table, and "Game Board Mix"."""

from collections.abc import Mapping

from engine.board import Board, Endings, Party, Slots

LIBERAL_TRACK = (None,) * 5
FASCIST_TRACKS = {
    5: (None, None, "peek", "kill", "kill", None),
    8: (None, "investigate", "peek", "kill", "kill", None),
    10: ("investigate", "investigate", "special", "kill", "kill", None),
}
COMMUNIST_TRACKS = {
    6: ("bugging", "recruitment", "smear", None),
    9: ("five-year-plan", "bugging", "recruitment", "smear", None),
    12: ("bugging", "recruitment", "five-year-plan", "smear", "smear", None),
}
#: Liberals, Fascists without Hitler, and Communists, by players.
ROLES = {
    5: (3, 1, 0),
    6: (3, 1, 1),
    7: (4, 1, 1),
    8: (4, 2, 1),
    9: (4, 2, 2),
    10: (5, 2, 2),
    11: (5, 3, 2),
    12: (5, 3, 3),
}
COMMUNIST_TILES = {6: 4, 7: 4, 8: 5, 9: 4, 10: 4, 11: 5, 12: 4}
#: Liberal and Fascist tiles.
DECKS = {"as-printed": (11, 6), "balanced": (6, 11)}
#: Secret roles. Each is dealt in games with this many players or more.
SECRET_ROLES = {"*:monarchist": 6, "liberal:capitalist": 8, "*:anarchist": 9, "communist:kgb": 10}
ENDINGS: Endings = {
    "hitler-killed": ("liberal",),
    "hitler-elected": ("fascist",),
    "hitler-smeared": ("communist",),
}


def board(players: int, options: Mapping[str, str]) -> Board:
    """Return the printed board for this many players and these options."""
    liberals, fascists, communists = ROLES[players]
    liberal_tiles, fascist_tiles = DECKS[options["deck"]]
    tracks: dict[Party, Slots] = {"liberal": LIBERAL_TRACK, "fascist": _for(players, FASCIST_TRACKS)}
    deck = {"liberal": liberal_tiles, "fascist": fascist_tiles}
    roles = {"liberal": liberals, "fascist": fascists, "hitler": 1}
    if communists:
        tracks["communist"] = _for(players, COMMUNIST_TRACKS)
        deck["communist"] = COMMUNIST_TILES[players]
        roles["communist"] = communists
    if options["article-48"] == "on":
        deck["fascist:?"] = 1 if players <= 6 else 2
        if communists:
            deck["communist:?"] = 2 if players <= 6 else 3
    secret = [card for card, least in SECRET_ROLES.items() if players >= least]
    return Board(
        tracks=tracks,
        deck=deck,
        roles=roles,
        hitler_knows=players <= 7,
        communists_know=9 <= players <= 11,
        secret_roles=tuple(secret) if options["secret-roles"] == "on" else (),
        endings=ENDINGS,
    )


def _for(players: int, tracks: Mapping[int, tuple[str | None, ...]]) -> tuple[str | None, ...]:
    """Return the track for this many players. Tracks are keyed by the fewest players who use them."""
    return tracks[max(least for least in tracks if least <= players)]
