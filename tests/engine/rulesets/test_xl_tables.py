"""XL's tables, as printed in its handbook."""

from collections import Counter

import pytest

from engine import Setup, board_of
from engine.facts import Dealt, Recognised
from tests.engine.rulesets.games import drawn, xl

#: Players: Liberals, Fascists beside Hitler, Communists.
ROLES = {
    6: (3, 1, 1), 7: (4, 1, 1), 8: (4, 2, 1), 9: (4, 2, 2), 10: (5, 2, 2), 11: (5, 3, 2), 12: (6, 3, 2),
    13: (6, 3, 3), 14: (7, 3, 3), 15: (7, 4, 3), 16: (7, 4, 4),
}  # fmt: skip
#: Players: Liberal, Fascist, Communist tiles.
DECKS = {6: (5, 10, 8), 7: (5, 10, 8)} | dict.fromkeys(range(8, 17), (6, 9, 8))
SMALL = (None, None, "peek", "kill", "kill", None)
MIDDLE = (None, "investigate", "special", "kill", "kill", None)
LARGE = ("investigate", "investigate", "special", "kill", "kill", None)
FASCIST = (
    dict.fromkeys((6, 7), SMALL) | dict.fromkeys((8, 9, 10), MIDDLE) | dict.fromkeys(range(11, 17), LARGE)
)
FOUR = ("bugging", "radicalisation", "five-year-plan", "congress", None)
FIVE = ("bugging", "radicalisation", "five-year-plan", "congress", "confession", None)
LATE = (None, "radicalisation", "five-year-plan", "radicalisation", "confession", None)
COMMUNIST = dict.fromkeys((6, 7, 8), FOUR) | dict.fromkeys((9, 10), FIVE) | dict.fromkeys(range(11, 17), LATE)
#: By option and players: cards of Article 48, of Enabling Act.
EMERGENCY = {
    "printed": {14: (1, 1), 15: (2, 2), 16: (3, 3)},
    "more": {11: (1, 0), 12: (1, 1), 13: (2, 1), 14: (3, 2), 15: (3, 3), 16: (3, 3)},
}
ARTICLE_48 = {"propaganda", "peek", "impeachment", "mark", "kill", "pardon"}
ENABLING_ACT = {"propaganda", "peek", "impeachment", "mark", "kill", "no-confidence"}
SIZES = range(6, 17)


@pytest.mark.rule("R5.1")
@pytest.mark.parametrize("players", SIZES)
def test_the_roles_are_dealt_as_printed(players: int) -> None:
    liberals, fascists, communists = ROLES[players]
    roles = Counter(fact.role for fact in xl(players, "").all(Dealt))
    assert roles == Counter(liberal=liberals, fascist=fascists, communist=communists, hitler=1)


@pytest.mark.rule("R5.2")
@pytest.mark.parametrize("players", SIZES)
def test_the_deck_is_as_printed(players: int) -> None:
    liberal, fascist, communist = DECKS[players]
    expected = Counter(liberal=liberal, fascist=fascist, communist=communist)
    assert Counter(xl(players, "").table.pile) == expected


@pytest.mark.rule("R5.3", "R5.4", "R5.6", "R5.7")
@pytest.mark.parametrize("players", SIZES)
def test_the_tracks_are_as_printed(players: int) -> None:
    liberal = (None,) * (6 if players == 16 else 5)
    tracks = {"liberal": liberal, "fascist": FASCIST[players], "communist": COMMUNIST[players]}
    assert board_of(Setup("xl@1", players)).tracks == tracks
    if players > 7:
        longer = board_of(Setup("xl@1", players, {"liberal-track": "6"})).tracks
        assert longer == {**tracks, "liberal": (None,) * 6}


@pytest.mark.rule("R5.5")
@pytest.mark.parametrize("players", SIZES)
def test_who_knows_whom_from_the_start(players: int) -> None:
    liberals, fascists, _ = ROLES[players]
    play = xl(players, "")
    hitler = liberals + fascists
    team = set(range(liberals, hitler + 1))
    reds = set(range(hitler + 1, players))
    views = [play.view(seat).facts for seat in range(players)]
    known = [{fact.seat for fact in facts if isinstance(fact, Recognised)} for facts in views]
    assert all(known[seat] == set() for seat in range(liberals))
    assert all(known[seat] == team - {seat} for seat in team - {hitler})
    assert known[hitler] == (team - {hitler} if players <= 7 else set())
    assert all(known[seat] == (reds - {seat} if players <= 10 else set()) for seat in reds)


@pytest.mark.rule("R5.13")
@pytest.mark.parametrize("players", SIZES)
def test_special_tiles_replace_ordinary_ones(players: int) -> None:
    liberal, fascist, communist = DECKS[players]
    assert board_of(Setup("xl@1", players, {"anti-policies": "on"})).deck == {
        "liberal": liberal, "fascist": fascist - 1, "communist": communist - 1, "anti-communist": 1,
        "anti-fascist": 1,
    }  # fmt: skip
    assert board_of(Setup("xl@1", players, {"social-democratic": "on"})).deck == {
        "liberal": liberal - 1, "fascist": fascist, "communist": communist, "social-democratic": 1,
    }  # fmt: skip


@pytest.mark.rule("R5.22", "R5.23")
@pytest.mark.parametrize(
    ("value", "players"), [(value, players) for value, sizes in EMERGENCY.items() for players in sizes]
)
def test_emergency_cards_come_by_players_each_with_its_own_power(value: str, players: int) -> None:
    article_48, enabling_act = EMERGENCY[value][players]
    seen: set[str] = set()
    for key in range(60):
        pile = drawn("xl@1", players, key, {"emergency-powers": value}).table.pile
        articles = [tile.partition(":")[2] for tile in pile if tile.startswith("article-48")]
        acts = [tile.partition(":")[2] for tile in pile if tile.startswith("enabling-act")]
        assert (len(articles), len(acts)) == (article_48, enabling_act)
        assert len(set(articles)) == len(articles)
        assert len(set(acts)) == len(acts)
        assert set(articles) <= ARTICLE_48
        assert set(acts) <= ENABLING_ACT
        seen |= {tile for tile in pile if ":" in tile}
    everything = {f"article-48:{power}" for power in ARTICLE_48}
    if enabling_act:
        everything |= {f"enabling-act:{power}" for power in ENABLING_ACT}
    assert seen == everything
