"""Red Dawn's tables, as printed in its rule book and board mix."""

from collections import Counter

import pytest

from engine import Setup, board_of
from engine.board import HITLER
from engine.facts import Dealt, Recognised
from tests.engine.rulesets.games import drawn, red_dawn

#: Players: Liberals, Fascists with Hitler, Communists.
ROLES = {
    5: (3, 2, 0), 6: (3, 2, 1), 7: (4, 2, 1), 8: (4, 3, 1), 9: (4, 3, 2), 10: (5, 3, 2), 11: (5, 4, 2),
    12: (5, 4, 3),
}  # fmt: skip
#: Players: Liberal, Fascist, Communist tiles.
DECKS = {
    5: (11, 6, 0), 6: (11, 6, 4), 7: (11, 6, 4), 8: (11, 6, 5), 9: (11, 6, 4), 10: (11, 6, 4),
    11: (11, 6, 5), 12: (11, 6, 4),
}  # fmt: skip
FASCIST_A = (None, None, "peek", "kill", "kill", None)
FASCIST_B = (None, "investigate", "peek", "kill", "kill", None)
FASCIST_C = ("investigate", "investigate", "special", "kill", "kill", None)
COMMUNIST_A = ("bugging", "recruitment", "smear", None)
COMMUNIST_B = ("five-year-plan", "bugging", "recruitment", "smear", None)
COMMUNIST_C = ("bugging", "recruitment", "five-year-plan", "smear", "smear", None)
BOARDS = {
    5: (FASCIST_A, None), 6: (FASCIST_A, COMMUNIST_A), 7: (FASCIST_A, COMMUNIST_A),
    8: (FASCIST_B, COMMUNIST_A), 9: (FASCIST_B, COMMUNIST_B), 10: (FASCIST_C, COMMUNIST_B),
    11: (FASCIST_C, COMMUNIST_B), 12: (FASCIST_C, COMMUNIST_C),
}  # fmt: skip
#: Players: Monarchist, Capitalist, Anarchist, KGB.
SECRET_ROLES = {
    6: (1, 0, 0, 0), 7: (1, 0, 0, 0), 8: (1, 1, 0, 0), 9: (1, 1, 1, 0), 10: (1, 1, 1, 1),
    11: (1, 1, 1, 1), 12: (1, 1, 1, 1),
}  # fmt: skip
#: Players: Communist, Fascist tiles with a power for the Chancellor.
ARTICLE_48 = {5: (0, 1), 6: (2, 1), 7: (3, 2), 8: (3, 2), 9: (3, 2), 10: (3, 2), 11: (3, 2), 12: (3, 2)}
SIZES = range(5, 13)


def setup(players: int, **options: str) -> Setup:
    return Setup("red-dawn@1", players, {name.replace("_", "-"): value for name, value in options.items()})


@pytest.mark.rule("R4.1", "R4.6")
@pytest.mark.parametrize("players", SIZES)
def test_the_parties_are_dealt_as_printed(players: int) -> None:
    liberals, fascists, communists = ROLES[players]
    play = red_dawn(players, "")
    parties = Counter(fact.party for fact in play.all(Dealt))
    assert parties == +Counter(liberal=liberals, fascist=fascists, communist=communists)
    assert [fact.role for fact in play.all(Dealt)].count(HITLER) == 1


@pytest.mark.rule("R4.2", "R4.3", "R4.6", "R4.7")
@pytest.mark.parametrize("players", SIZES)
def test_the_deck_is_balanced_unless_printed_is_chosen(players: int) -> None:
    liberal, fascist, communist = DECKS[players]
    printed = Counter(liberal=liberal, fascist=fascist, communist=communist)
    balanced = Counter(liberal=fascist, fascist=liberal, communist=communist)
    assert Counter(board_of(setup(players)).deck) == +balanced
    assert Counter(board_of(setup(players, deck="as-printed")).deck) == +printed
    assert Counter(board_of(setup(players, deck="balanced")).deck) == +balanced
    assert Counter(red_dawn(players, "").table.pile) == +balanced


@pytest.mark.rule("R4.4", "R4.5", "R4.6", "R4.7")
@pytest.mark.parametrize("players", SIZES)
def test_the_tracks_are_as_printed(players: int) -> None:
    fascist, communist = BOARDS[players]
    tracks = {"liberal": (None, None, None, None, None), "fascist": fascist}
    if communist:
        tracks["communist"] = communist
    assert board_of(setup(players)).tracks == tracks


@pytest.mark.rule("R4.8", "R4.9")
@pytest.mark.parametrize("players", SIZES)
def test_who_knows_whom_from_the_start(players: int) -> None:
    liberals, fascists, _ = ROLES[players]
    play = red_dawn(players, "")
    hitler = liberals + fascists - 1
    team = set(range(liberals, hitler + 1))
    reds = set(range(hitler + 1, players))
    views = [play.view(seat).facts for seat in range(players)]
    known = [{fact.seat for fact in facts if isinstance(fact, Recognised)} for facts in views]
    for seat in range(liberals):
        assert known[seat] == set()
    for seat in team - {hitler}:
        assert known[seat] == team - {seat}
        assert play.view(seat).table.roles[hitler] == "hitler"
    assert known[hitler] == (team - {hitler} if players <= 7 else set())
    for seat in reds:
        assert known[seat] == (reds - {seat} if players in (9, 10, 11) else set())


@pytest.mark.rule("R4.29", "R4.30")
@pytest.mark.parametrize("players", range(6, 13))
def test_the_secret_roles_are_dealt_by_players(players: int) -> None:
    counts = SECRET_ROLES[players]
    expected = Counter(dict(zip(("monarchist", "capitalist", "anarchist", "kgb"), counts, strict=True)))
    held: Counter[tuple[str, str]] = Counter()
    for key in range(40):
        facts = drawn("red-dawn@1", players, key, {"secret-roles": "on"}).all(Dealt)
        assert Counter(f.role for f in facts if f.role in expected) == +expected
        sides = dict(zip(("liberal", "fascist", "communist"), ROLES[players], strict=True))
        assert Counter(f.party for f in facts) == +Counter(sides)
        for fact in facts:
            assert fact.role != "capitalist" or fact.party == "liberal"
            assert fact.role != "kgb" or fact.party == "communist"
        held.update((f.role, f.party) for f in facts if f.role in ("monarchist", "anarchist"))
    parties = {party for role, party in held if role == "monarchist"}
    assert parties >= {"liberal", "fascist"}
    if counts[3] == 0 or players == 12:
        assert "communist" in parties


@pytest.mark.rule("R4.39", "R4.41")
@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("deck", ["as-printed", "balanced"])
def test_article_48_adds_tiles_by_players(players: int, deck: str) -> None:
    communist, fascist = ARTICLE_48[players]
    plain = board_of(setup(players, deck=deck)).deck
    pile = Counter(drawn("red-dawn@1", players, 1, {"deck": deck, "article-48": "on"}).table.pile)
    special = Counter({tile: count for tile, count in pile.items() if ":" in tile})
    assert pile - special == Counter(plain)
    assert special["fascist:investigate"] == fascist
    assert sum(count for tile, count in special.items() if tile.startswith("communist:")) == communist
    assert sum(special.values()) == communist + fascist
