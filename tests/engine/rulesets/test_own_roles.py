"""XL's own roles: Capitalist, Anarchist, Monarchist. XL mark 3, sections of these names."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from engine import Seat, Setup, board_of, ruleset, side_of
from engine.board import Party, Side, Slots
from engine.claim import colour, colours_of
from engine.custom import problems
from engine.events import seen
from engine.facts import Enacted, GameOver, Killed, Recognised, Shuffled
from engine.rulesets.xl.own_roles import ANARCHIST, CAPITALIST, MONARCHIST, RoleShown
from engine.steps.communists import CongressHeld, ConversionFailed, PartyChanged, TilesAdded
from tests.engine.builders import Play, seats
from tests.engine.rulesets.games import board, drawn, red_dawn, xl

ROLES = {CAPITALIST: "liberal", ANARCHIST: "communist", MONARCHIST: "fascist"}
ON: dict[str, str] = dict.fromkeys(ROLES, "on")
SIZES = range(6, 17)
#: Nine players: Liberals 0–2, Capitalist 3, Fascist 4, Monarchist 5, Hitler 6, Communist 7, Anarchist 8.
DEALT = "lll liberal:xl-capitalist f fascist:xl-monarchist h c communist:xl-anarchist"
CAPITAL, MONARCH, HITLER, COMMUNIST, ANARCHY = 3, 5, 6, 7, 8
#: Tracks of two slots before the winning ones, without powers, so that games are short.
SHORT = {"liberal": (None,) * 5, "fascist": (None,) * 6, "communist": (None,) * 5}


def game(deck: str = "", tracks: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return a game of nine with all three roles; slots have no powers unless tracks are given."""
    tiles = {"liberal": 12, "fascist": 12, "communist": 9, "anarchist": 5}
    changed = board("xl@1", 9, ON, tracks={**SHORT, **(tracks or {})}, deck=tiles)
    return xl(9, deck, DEALT, board=changed, options=ON, **more)


def lying(play: Play, **tracks: tuple[str, ...]) -> Play:
    """Return the same with these tiles on the tracks."""
    return play.doctored(tracks={**dict.fromkeys(SHORT, ()), **tracks})


def won(play: Play) -> dict[str, bool]:
    """Return for each role True if its seat is among the winners."""
    winners = play.table.winners or ()
    secret = {"capitalist": CAPITAL, "anarchist": ANARCHY, "monarchist": MONARCH}
    return {role: side_of(play.setup, play.table, Seat(seat)) in winners for role, seat in secret.items()}


def killed(**more: Any) -> Play:
    return game("fll", {"fascist": ("kill", *[None] * 5)}, **more).govern("f", 1).target(HITLER)


def full(colour: str, *tiles: str) -> Play:
    """Fill a track, with these tiles on it before a last one of its own colour."""
    play = game(f"{colour[0]}{colour[0]}{colour[0]}").elect(1)
    return lying(play, **{colour: tiles}).session(colour)


@pytest.mark.rule("R5.40")
@pytest.mark.parametrize("players", SIZES)
def test_each_role_replaces_one_player_of_its_party(players: int) -> None:
    printed = board_of(Setup("xl@1", players))
    for count in range(4):
        for chosen in combinations(ROLES, count):
            play = drawn("xl@1", players, 7, dict.fromkeys(chosen, "on"))
            parties = Counter(play.table.parties)
            roles = Counter(play.table.roles)
            assert parties["fascist"] == printed.roles["fascist"] + 1
            for party in ("liberal", "communist"):
                assert parties[party] == printed.roles[party]
            assert {role for role in roles if role in ROLES} == set(chosen)
            for role in chosen:
                assert play.table.parties[play.table.roles.index(role)] == ROLES[role]
                assert roles[ROLES[role]] == printed.roles[ROLES[role]] - 1


@pytest.mark.rule("R5.40")
def test_they_are_not_red_dawn_s_roles() -> None:
    assert not set(ruleset("xl@1").secret_roles) & set(ruleset("red-dawn@1").secret_roles)


@pytest.mark.rule("R5.45")
@pytest.mark.parametrize("players", SIZES)
def test_two_communist_tiles_become_anarchist(players: int) -> None:
    printed = board_of(Setup("xl@1", players)).deck
    deck = board_of(Setup("xl@1", players, {ANARCHIST: "on"})).deck
    assert deck == {**printed, "communist": printed["communist"] - 2, "anarchist": 2}
    for role in (CAPITALIST, MONARCHIST):
        assert board_of(Setup("xl@1", players, {role: "on"})).deck == printed


@pytest.mark.rule("R5.47", "R5.44")
def test_who_knows_them_knows_them_by_their_party() -> None:
    play = game()
    views = [play.view(seat).facts for seat in range(9)]
    known = [{fact.seat for fact in facts if isinstance(fact, Recognised)} for facts in views]
    assert known[4] == {MONARCH, HITLER}
    assert known[MONARCH] == {4, HITLER}
    assert known[COMMUNIST] == {ANARCHY}
    assert known[ANARCHY] == {COMMUNIST}
    assert known[CAPITAL] == set()
    for seat in (4, COMMUNIST, None):
        assert not {role for role in play.view(seat).table.roles if role in ROLES}


@pytest.mark.rule("R5.44")
def test_the_anarchist_meets_and_is_named_by_a_congress() -> None:
    play = game("cll ccc", {"communist": ("radicalisation", "congress", None, None, None)}).govern("c", 1)
    assert play.asked == (COMMUNIST, ANARCHY)
    play.say(0, COMMUNIST).say(0, ANARCHY).clock().govern("c", 2)
    assert play.told(CongressHeld) == [CongressHeld(seats(COMMUNIST, ANARCHY))]


@pytest.mark.rule("R5.42")
def test_the_capitalist_cannot_be_made_a_communist() -> None:
    play = game("cll", {"communist": ("radicalisation", *[None] * 4)}).govern("c", 1)
    play.say(CAPITAL, COMMUNIST).say(CAPITAL, ANARCHY).clock()
    assert play.event(ConversionFailed).to == (CAPITAL,)
    assert play.table.parties[CAPITAL] == "liberal"


@pytest.mark.rule("R5.41", "R5.48")
def test_a_converted_monarchist_counts_as_a_communist() -> None:
    tracks = {"communist": ("radicalisation", *[None] * 4)}
    play = game("cll fff ccc", tracks).govern("c", 1)
    play.say(MONARCH, COMMUNIST).say(MONARCH, ANARCHY).clock()
    assert play.event(PartyChanged).to == (MONARCH,)
    fascists = lying(play.elect(2), fascist=("fascist",) * 5).session("f")
    assert fascists.told(GameOver) == [GameOver(("fascist", CAPITALIST), "fascist-track")]
    assert won(fascists)["monarchist"] is False
    play = game("cll ccc", tracks).govern("c", 1)
    play.say(MONARCH, COMMUNIST).say(MONARCH, ANARCHY).clock()
    communists = lying(play.elect(2), communist=("communist",) * 4).session("c")
    assert communists.table.winners == ("communist",)
    assert won(communists)["monarchist"] is True


@pytest.mark.rule("R5.42", "R5.46", "R5.48")
def test_hitler_killed_is_no_win_for_the_monarchist() -> None:
    play = killed()
    assert play.told(GameOver) == [GameOver(("liberal", "communist", CAPITALIST, ANARCHIST), "hitler-killed")]
    assert won(play) == {"capitalist": True, "anarchist": True, "monarchist": False}


@pytest.mark.rule("R5.42", "R5.46", "R5.48")
def test_a_full_liberal_track_wins_for_the_capitalist() -> None:
    play = full("liberal", *["liberal"] * 4)
    assert play.told(GameOver) == [GameOver(("liberal", CAPITALIST), "liberal-track")]
    assert won(play) == {"capitalist": True, "anarchist": False, "monarchist": False}


@pytest.mark.rule("R5.42", "R5.46", "R5.48")
def test_a_full_fascist_track_wins_for_capitalist_and_monarchist() -> None:
    play = full("fascist", *["fascist"] * 5)
    assert play.told(GameOver) == [GameOver(("fascist", CAPITALIST, MONARCHIST), "fascist-track")]
    assert won(play) == {"capitalist": True, "anarchist": False, "monarchist": True}


@pytest.mark.rule("R5.42", "R5.48")
def test_hitler_elected_is_no_win_for_the_monarchist() -> None:
    play = game()
    lying(play, fascist=("fascist",) * 3).elect(HITLER)
    assert play.told(GameOver) == [GameOver(("fascist", CAPITALIST), "hitler-elected")]
    assert won(play) == {"capitalist": True, "anarchist": False, "monarchist": False}


@pytest.mark.rule("R5.48")
def test_hitler_elected_early_costs_the_monarchist_nothing() -> None:
    play = game("fff fff")
    lying(play, fascist=("fascist",) * 2).govern("f", HITLER)
    lying(play.elect(4), fascist=("fascist",) * 5).session("f")
    assert won(play)["monarchist"] is True


@pytest.mark.rule("R5.46")
@pytest.mark.parametrize(("anarchist", "wins"), [(0, False), (1, False), (2, True), (3, True)])
def test_two_tiles_and_a_full_track_win_for_the_anarchist(anarchist: int, wins: bool) -> None:
    play = full("communist", *["anarchist"] * anarchist, *["communist"] * (4 - anarchist))
    winners: tuple[Side, ...] = ("communist", ANARCHIST) if wins else ("communist",)
    assert play.told(GameOver) == [GameOver(winners, "communist-track")]
    assert won(play) == {"capitalist": False, "anarchist": wins, "monarchist": False}


@pytest.mark.rule("R5.46")
def test_the_second_anarchist_tile_may_be_the_last_one() -> None:
    play = lying(game("anarchist anarchist anarchist").elect(1), communist=("anarchist", *["communist"] * 3))
    play.discard("anarchist").enact("anarchist")
    assert play.table.winners == ("communist", ANARCHIST)


@pytest.mark.rule("R5.46", "R1.43")
def test_a_lone_anarchists_party_is_not_named() -> None:
    roles = "lll f h communist:xl-anarchist"
    options: dict[str, str] = {ANARCHIST: "on"}
    kills = board("xl@1", 6, options, tracks={"fascist": ("kill", *[None] * 5)})
    play = xl(6, "fll", roles, board=kills, options=options).govern("f", 1).target(4)
    assert play.table.winners == ("liberal", ANARCHIST)
    play = xl(6, "ccc", roles, options=options).elect(1)
    play.doctored(tracks={"liberal": (), "fascist": (), "communist": ("communist",) * 4}).session("c")
    assert play.table.winners == ("communist",), "who else wins by that?"


@pytest.mark.rule("R5.45")
def test_an_anarchist_tile_gives_no_power() -> None:
    tracks = {"communist": ("confession", "confession", *[None] * 3)}
    play = game("anarchist ll ccc", tracks).govern("anarchist", 1)
    assert play.told(Enacted) == [Enacted("anarchist", "communist")]
    assert play.step == "nominate"
    assert "Confessed" not in play.kinds()
    play.govern("c", 2)
    assert "Confessed" in play.kinds()


@pytest.mark.rule("R5.45", "R5.18")
def test_a_slot_under_an_anarchist_tile_gives_no_power() -> None:
    play = game("anarchist ll ccc", {"communist": ("confession", *[None] * 4)}).govern("anarchist", 1)
    covered = {"covered/communist": 1, "taken/communist": 1}
    play.doctored(tracks=dict.fromkeys(SHORT, ()), counters=covered).govern("c", 2)
    assert "Confessed" not in play.kinds()


@pytest.mark.rule("R5.43")
def test_a_killed_capitalist_brings_a_communist_tile() -> None:
    play = game("fll", {"fascist": ("kill", *[None] * 5)}).govern("f", 1)
    pile = Counter(play.table.pile)
    play.target(CAPITAL)
    assert play.told(Killed) == [Killed(Seat(CAPITAL), Seat(0), "execution")]
    assert play.told(RoleShown) == [RoleShown(Seat(CAPITAL), CAPITALIST)]
    assert play.event(RoleShown).to is None
    assert play.told(TilesAdded) == [TilesAdded(("communist",))]
    assert Counter(play.table.pile) == pile + Counter(communist=1)
    assert play.told(Shuffled)[0].discards_kept
    assert play.view(None).table.roles[CAPITAL] == CAPITALIST
    assert play.view(None).table.parties[CAPITAL] == "liberal"
    kinds = [type(fact).__name__ for fact in seen(play.new, None)]
    assert kinds[:4] == ["Killed", "RoleShown", "TilesAdded", "Shuffled"]


@pytest.mark.rule("R5.43")
@pytest.mark.parametrize("seat", [MONARCH, ANARCHY, 2])
def test_nobody_else_is_shown_when_killed(seat: int) -> None:
    play = game("fll", {"fascist": ("kill", *[None] * 5)}).govern("f", 1).target(seat)
    assert not play.told(RoleShown)
    assert not play.told(TilesAdded)


@pytest.mark.rule("R5.43")
def test_a_capitalist_marked_for_execution_is_shown_too() -> None:
    play = game("fll").elect(1).doctored(tags={"marked": {CAPITAL: 1}}).session("f")
    assert play.told(RoleShown) == [RoleShown(Seat(CAPITAL), CAPITALIST)]


@pytest.mark.rule("R5.43")
def test_without_a_communist_track_no_tile_comes() -> None:
    printed = board("xl@1", 9, ON)
    tracks: dict[Party, Slots] = {"liberal": (None,) * 6, "fascist": ("kill", *[None] * 5)}
    own = Play(
        9,
        "xl@1",
        roles=("liberal",) * 3 + ("liberal:xl-capitalist", *["fascist"] * 4, "hitler"),
        deck=("fascist", "liberal", "liberal"),
        board=type(printed)(
            tracks=tracks,
            deck={"liberal": 8, "fascist": 11},
            roles={"liberal": 4, "fascist": 4, "hitler": 1},
            hitler_knows=False,
            secret_roles=("liberal:xl-capitalist",),
            endings=printed.endings,
        ),
    )
    own.govern("f", 1).target(CAPITAL)
    assert own.told(RoleShown)
    assert not own.told(TilesAdded)


@pytest.mark.rule("R6.7", "R5.40")
def test_they_can_be_laid_on_boards_of_one_s_own() -> None:
    rules = ruleset("xl@1")
    printed = board("xl@1", 9, ON)
    assert problems(rules, printed, 9) == ()
    crowded = type(printed)(
        tracks=printed.tracks,
        deck=printed.deck,
        roles={"liberal": 7, "fascist": 0, "hitler": 1, "communist": 1},
        hitler_knows=False,
        secret_roles=("fascist:xl-monarchist",),
    )
    assert problems(rules, crowded, 9) == ("roles-not-players",), "there is no Fascist to replace"
    assert problems(ruleset("red-dawn@1"), printed, 9)
    assert red_dawn(9).table.roles.count(CAPITALIST) == 0


@pytest.mark.rule("R5.45")
def test_a_claim_calls_an_anarchist_tile_communist() -> None:
    assert colour("anarchist") == "communist"
    assert colours_of(board("xl@1", 9, ON)) == ("liberal", "fascist", "communist")
    cards = board("xl@1", 16, {"emergency-powers": "more"})
    assert colours_of(cards) == ("liberal", "fascist", "communist", "card")
    assert colour("?") == "?"
