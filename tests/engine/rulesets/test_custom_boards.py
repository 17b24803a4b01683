"""Custom boards: bad ones are refused, and accepted ones can be played."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from engine import KNOWN, Board, Illegal, Setup, board_of, dealt, ruleset, start
from engine.board import PARTIES
from engine.custom import changed, changes, problems, spaces
from engine.ruleset import Ruleset
from sandbox.random_games import play_random_game
from tests.engine.rulesets.games import board, drawn, planned

CLASSIC, RED_DAWN, XL = (ruleset(name) for name in ("classic@1", "red-dawn@1", "xl@1"))
SEVEN = {"liberal": 4, "fascist": 2, "hitler": 1}


def wrong(rules: Ruleset, players: int, **different: Any) -> tuple[str, ...]:
    """Return the problems of a ruleset's printed board with some changes."""
    return problems(rules, board(rules.id, players, **different), players)


@pytest.mark.rule("R6.1")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_every_printed_board_can_be_played(rules: Ruleset) -> None:
    for players in rules.players:
        for name, choice in rules.options.items():
            for value in choice.values:
                if choice.refuses(value, players) is None:
                    printed = board_of(Setup(rules.id, players, {name: value}))
                    assert problems(rules, printed, players) == ()


@pytest.mark.rule("R6.1")
def test_a_track_may_get_its_tiles_from_five_year_plans_only() -> None:
    assert problems(RED_DAWN, planned(), 7) == ()


@pytest.mark.rule("R6.2")
@pytest.mark.parametrize("hitlers", [0, 2])
def test_there_is_exactly_one_hitler(hitlers: int) -> None:
    roles = {"liberal": 6 - hitlers, "fascist": 1, "hitler": hitlers}
    assert wrong(CLASSIC, 7, roles=roles) == ("one-hitler",)
    assert wrong(CLASSIC, 7, roles={"liberal": 5, "fascist": 2}) == ("one-hitler",)


@pytest.mark.rule("R6.2")
def test_there_is_a_role_for_every_player_and_no_more() -> None:
    assert wrong(CLASSIC, 7, roles={**SEVEN, "liberal": 5}) == ("roles-not-players",)
    assert wrong(CLASSIC, 7, roles={**SEVEN, "liberal": 3}) == ("roles-not-players",)
    assert wrong(CLASSIC, 7, roles={**SEVEN, "liberal": 3, "fascist": 3}) == ()


@pytest.mark.rule("R6.2", "R4.30")
def test_secret_roles_need_envelopes_to_lie_on() -> None:
    few = {"liberal": 1, "fascist": 4, "hitler": 1, "communist": 0}
    assert wrong(RED_DAWN, 6, roles=few, secret_roles=("communist:kgb",)) == ("roles-not-players",)
    assert wrong(RED_DAWN, 6, roles=few, secret_roles=("liberal:capitalist",)) == ()
    both = ("*:monarchist", "liberal:capitalist")
    alone = board("red-dawn@1", 5, roles={"liberal": 1, "hitler": 1}, secret_roles=both)
    assert problems(RED_DAWN, alone, 2) == ("roles-not-players",)
    assert wrong(RED_DAWN, 6, secret_roles=("*:monarchist", "*:monarchist")) == ("secret-role-twice",)


@pytest.mark.rule("R6.3")
@pytest.mark.parametrize("threshold", ["zone", "veto", "chaos", "few"])
def test_thresholds_are_at_least_one(threshold: str) -> None:
    assert wrong(CLASSIC, 7, **{threshold: 0}) == ("threshold",)
    assert wrong(CLASSIC, 7, **{threshold: 1}) == ()


@pytest.mark.rule("R6.4", "R5.7")
def test_a_board_has_room_for_fewer_players_than_slots() -> None:
    short = {"liberal": (None,) * 4, "fascist": (None,) * 4}
    assert wrong(CLASSIC, 7, tracks=short) == ()
    assert wrong(CLASSIC, 8, tracks=short) == ("space",)
    assert spaces(board("classic@1", 7, tracks=short)) == 7
    assert spaces(board_of(Setup("xl@1", 15))) == 15
    assert spaces(board_of(Setup("xl@1", 16))) == 16
    assert wrong(XL, 16, tracks={"liberal": (None,) * 5}) == ("space",)


@pytest.mark.rule("R6.5")
def test_every_tile_has_a_track_of_its_colour() -> None:
    deck = {"liberal": 8, "fascist": 11, "communist": 1}
    assert wrong(CLASSIC, 7, deck=deck) == ("tile-without-track",)
    assert wrong(CLASSIC, 7, deck=deck, tracks={"communist": (None, None)}) == ()
    track = ("five-year-plan", None, None, None, None)
    assert wrong(RED_DAWN, 5, tracks={"liberal": track}) == ("tile-without-track",)


@pytest.mark.rule("R6.6")
def test_there_are_enough_ordinary_tiles() -> None:
    assert wrong(CLASSIC, 7, deck={"liberal": 6, "fascist": 6}) == ()
    assert wrong(CLASSIC, 7, deck={"liberal": 6, "fascist": 5}) == ("too-few-tiles",)
    special = {"liberal": 6, "fascist": 5, "communist": 4, "anti-fascist": 5, "article-48:kill": 9}
    assert wrong(XL, 7, deck=special) == ("too-few-tiles",)
    assert wrong(XL, 7, deck={**special, "communist": 5}) == ()


@pytest.mark.rule("R6.7")
@pytest.mark.parametrize(("rules", "different", "reason"), [
    (CLASSIC, {"tracks": {"anarchist": (None,)}}, "unknown-track"),
    (CLASSIC, {"deck": {"liberal": 6, "fascist": 11, "anti-fascist": 1}}, "unknown-tile"),
    (CLASSIC, {"deck": {"liberal": 6, "fascist": 11, "fascist:kill": 1}}, "unknown-tile"),
    (CLASSIC, {"deck": {"liberal": 6, "fascist": 11, "fascist:?": 1}}, "unknown-tile"),
    (CLASSIC, {"deck": {"liberal": 6, "fascist": 11, "liberal:": 1}}, "unknown-tile"),
    (XL, {"deck": {"liberal": 9, "fascist": 9, "communist": 9, "article-48": 1}}, "unknown-tile"),
    (CLASSIC, {"tracks": {"liberal": ("bugging", None, None, None, None)}}, "unknown-power"),
    (XL, {"tracks": {"liberal": ("no-confidence", None, None, None, None)}}, "unknown-power"),
    (CLASSIC, {"roles": {**SEVEN, "liberal": 3, "spy": 1}}, "unknown-role"),
    (CLASSIC, {"secret_roles": ("*:monarchist",)}, "unknown-role"),
    (RED_DAWN, {"secret_roles": ("fascist:kgb",)}, "unknown-role"),
    (CLASSIC, {"endings": {"hitler-bored": ("liberal",)}}, "unknown-ending"),
    (CLASSIC, {"endings": {"hitler-killed": ("spy",)}}, "unknown-ending"),
    (CLASSIC, {"endings": {"hitler-killed": ()}}, "unknown-ending"),
])  # fmt: skip
def test_names_the_ruleset_lacks_are_refused(rules: Ruleset, different: dict[str, Any], reason: str) -> None:
    assert wrong(rules, 7, **different) == (reason,)


@pytest.mark.rule("R6.7")
def test_tracks_and_counts_that_make_no_sense_are_refused() -> None:
    printed = board_of(Setup("classic@1", 7))
    no_fascists = replace(printed, tracks={"liberal": (None,) * 9}, deck={"liberal": 20})
    assert problems(CLASSIC, no_fascists, 7) == ("missing-track",)
    assert "missing-track" in wrong(CLASSIC, 7, tracks={"liberal": ()})
    assert wrong(CLASSIC, 7, deck={"liberal": 20, "fascist": -1}) == ("negative-count",)
    assert "negative-count" in wrong(CLASSIC, 7, roles={"liberal": 7, "fascist": -1, "hitler": 1})


@pytest.mark.rule("R6.2", "R6.6")
def test_a_refused_board_does_not_begin_and_says_why() -> None:
    bad = board("classic@1", 7, deck={"liberal": 6, "fascist": 5})
    with pytest.raises(Illegal, match="too-few-tiles"):
        start(Setup("classic@1", 7, board=bad), dealt())


@pytest.mark.rule("R6.1", "R6.8")
def test_a_board_is_written_as_differences_and_read_back() -> None:
    base = board_of(Setup("red-dawn@1", 9))
    own = replace(
        base,
        tracks={"liberal": (None,) * 6, "fascist": base.tracks["fascist"]},
        deck={"liberal": 9, "fascist": 9},
        roles={"liberal": 6, "fascist": 2, "hitler": 1},
        hitler_knows=True,
        zone=2,
        secret_roles=("*:anarchist",),
        endings={"hitler-killed": ("liberal",), "hitler-elected": ("fascist",)},
    )
    plain = json.loads(json.dumps(changes(own, base)))
    assert plain == {
        "tracks": {"communist": [], "liberal": [None] * 6}, "deck": {"liberal": 9, "fascist": 9},
        "roles": {"liberal": 6, "fascist": 2, "hitler": 1}, "hitler_knows": True, "zone": 2,
        "secret_roles": ["*:anarchist"],
        "endings": {"hitler-killed": ["liberal"], "hitler-elected": ["fascist"]},
    }  # fmt: skip
    assert changed(base, plain) == own
    assert changes(base, base) == {}
    assert changed(base, {}) == base


@pytest.mark.parametrize("plain", [
    {"colour": "red"}, {"zone": "3"}, {"zone": True}, {"veto": None}, {"hitler_knows": 1},
    {"communists_know": "yes"}, {"deck": {}}, {"deck": {"liberal": 2.5}}, {"deck": [3]},
    {"roles": "llf"}, {"tracks": {"liberal": 5}}, {"tracks": {"liberal": [5]}}, {"tracks": []},
    {"endings": {"hitler-killed": "liberal"}}, {"secret_roles": [1]},
])  # fmt: skip
@pytest.mark.rule("R6.8")
def test_what_is_no_board_is_refused_as_such(plain: dict[str, Any]) -> None:
    with pytest.raises(Illegal, match="malformed-board"):
        changed(board_of(Setup("classic@1", 7)), plain)


def any_board(rules: Ruleset, players: int, rng: random.Random) -> Board:
    """Return a playable board with random tracks, deck, roles, knowledge and thresholds."""
    base = board_of(Setup(rules.id, players))
    while True:
        tracks = {
            colour: (*(rng.choice((None, *rules.powers)) for _ in range(rng.randrange(1, 7))), None)
            for colour in PARTIES
        }
        deck: dict[str, int] = {colour: rng.randrange(1, 14) for colour in tracks}
        for kind, powers in rules.tiles.items():
            if powers and rng.random() < 0.5:
                deck[f"{kind}:?"] = rng.randrange(1, 4)
            elif kind.startswith(("anti", "social")) and rng.random() < 0.5:
                deck[kind] = 1
        roles = {"liberal": 0, "fascist": 0, "communist": 0, "hitler": 1}
        for _ in range(players - 1):
            roles[rng.choice(("liberal", "fascist", "communist"))] += 1
        own = replace(
            base,
            tracks=tracks,
            deck=deck,
            roles=roles,
            hitler_knows=rng.random() < 0.5,
            communists_know=rng.random() < 0.5,
            secret_roles=tuple(
                f"{party}:{role}"
                for role, parties in rules.secret_roles.items()
                for party in parties
                if rng.random() < 0.5
            ),
            zone=rng.randrange(1, 7),
            veto=rng.randrange(1, 7),
            chaos=rng.randrange(1, 5),
            few=rng.randrange(1, 9),
            endings={name: won for name, won in base.endings.items() if rng.random() < 0.7},
        )
        if not problems(rules, own, players):
            return own


@pytest.mark.rule("R6.1", "R6.6", "R6.9")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_any_accepted_board_plays_to_an_end(rules: Ruleset) -> None:
    rng = random.Random(7)
    for _ in range(40):
        players = rng.choice(rules.players)
        own = any_board(rules, players, rng)
        game, events, _ = play_random_game(Setup(rules.id, players, board=own), rng)
        assert game.question is None
        assert game.table.winners is not None
        drew = [event.fact for event in events if type(event.fact).__name__ == "Drew"]
        assert all(len(fact.hand) == 3 for fact in drew)  # type: ignore[attr-defined]


@pytest.mark.rule("R6.9")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_no_game_is_longer_than_its_board_allows(rules: Ruleset) -> None:
    for key in range(30):
        players = list(rules.players)[key % len(rules.players)]
        chosen = {
            name: [value for value in choice.values if choice.refuses(value, players) is None][-1]
            for name, choice in rules.options.items()
        }
        setup = Setup(rules.id, players, chosen)
        game, events, _ = play_random_game(setup, random.Random(key))
        printed = board_of(setup)
        kinds = [type(event.fact).__name__ for event in events]
        removals = kinds.count("TileRemoved")
        cards = sum(n for tile, n in printed.deck.items() if tile.startswith(("article-48", "enabling-act")))
        most = sum(len(slots) - 1 for slots in printed.tracks.values()) + 1 + removals + cards
        assert removals <= 3
        assert kinds.count("Enacted") <= most
        assert game.table.elections <= 3 * most


def test_a_game_on_an_own_board_keeps_the_other_rules() -> None:
    assert drawn("xl@1", 8, 1).table.counters == {}
    own = board("xl@1", 8, tracks={"liberal": (None,) * 7})
    game, _ = start(Setup("xl@1", 8, {"oktoberfest": "on"}, own), dealt())
    assert game.table.counters["month"] in range(1, 13)
