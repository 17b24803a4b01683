"""Setting up: setups that cannot be played, explicit deals, the first candidate."""

from dataclasses import replace

import pytest

from engine import KNOWN, Chance, Illegal, Seat, Setup, board_of, dealt, start
from engine.facts import CandidacyPassed, Opened, TracksLaid
from engine.ruleset import RulesetOption
from engine.rulesets.classic import CLASSIC
from tests.engine.builders import Play


def reason(setup: Setup) -> str:
    with pytest.raises(Illegal) as caught:
        start(setup, Chance("00"))
    return caught.value.reason


@pytest.mark.parametrize(("setup", "why"), [
    (Setup("classic@1", 4), "too-few-players"),
    (Setup("classic@1", 11), "too-many-players"),
    (Setup("classic@1", 7, {"aces": "wild"}), "unknown-option"),
    (Setup("classic@99", 7), "unknown-ruleset"),
    (Setup("chess@1", 2), "unknown-ruleset"),
])  # fmt: skip
def test_an_unplayable_setup_is_refused_with_its_reason(setup: Setup, why: str) -> None:
    assert reason(setup) == why


def test_an_unplayable_board_is_refused_with_its_first_reason() -> None:
    board = replace(board_of(Setup("classic@1", 5)), roles={"liberal": 3, "fascist": 2, "hitler": 0})
    assert reason(Setup("classic@1", 5, board=board)) == "one-hitler"


@pytest.mark.rule("R6.7", "R6.9")
def test_a_slot_cannot_take_tiles_off_tracks() -> None:
    printed = board_of(Setup("xl@1", 8))
    board = replace(printed, tracks={**printed.tracks, "communist": ("social-democratic",) * 4 + (None,)})
    assert reason(Setup("xl@1", 8, board=board)) == "unknown-power"


def test_an_option_knows_its_values_default_and_sizes() -> None:
    crowd = RulesetOption(
        ("off", "on"), lambda value, players: "too-small" if value == "on" and players < 9 else None
    )
    rules = replace(CLASSIC, options={"crowd": crowd})
    assert rules.chosen(Setup(rules.id, 7)) == {"crowd": "off"}
    assert rules.chosen(Setup(rules.id, 9, {"crowd": "on"})) == {"crowd": "on"}
    rules.check(Setup(rules.id, 7, {"crowd": "off"}))
    rules.check(Setup(rules.id, 9, {"crowd": "on"}))
    for setup, why in [
        (Setup(rules.id, 7, {"crowd": "on"}), "too-small"),
        (Setup(rules.id, 9, {"crowd": "huge"}), "unknown-option"),
    ]:
        with pytest.raises(Illegal, match=f"^{why}$"):
            rules.check(setup)


@pytest.mark.rule("R0.1")
def test_a_ruleset_is_named_without_its_version() -> None:
    assert CLASSIC.name == "classic"
    assert len({rules.id for rules in KNOWN}) == len(KNOWN)
    assert all(rules.id == f"{rules.name}@{int(rules.id.partition('@')[2])}" for rules in KNOWN)


def test_the_explicit_deal_says_seats_and_pile() -> None:
    play = Play(5, roles="hflll", first=3, deck="ffffl")
    assert play.table.roles == ("hitler", "fascist", "liberal", "liberal", "liberal")
    assert play.table.president == 3
    assert play.table.pile[:5] == ("fascist",) * 4 + ("liberal",)
    assert play.step == "nominate"
    assert play.asked == (3,)


def test_an_explicit_deal_says_how_every_later_deck_lies() -> None:
    play = Play(7, decks=["lff lff lff lff lff", "fff"])
    for _ in range(5):
        play.govern("liberal") if play.track("liberal") < 4 else play.govern("fascist")
    assert play.table.shuffles == 2
    assert play.table.pile[:3] == ("fascist",) * 3


def test_an_explicit_deal_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="roles"):
        Play(5, roles="hhlll")
    with pytest.raises(ValueError, match="deck/1"):
        Play(5, deck="l" * 7)
    with pytest.raises(ValueError, match="first"):
        Play(5, first=5)


@pytest.mark.rule("R1.5")
def test_what_an_explicit_deal_leaves_open_is_drawn() -> None:
    firsts = {start(Setup("classic@1", 5), dealt(key=f"{n:02x}"))[0].table.president for n in range(60)}
    assert firsts == {0, 1, 2, 3, 4}


def test_the_first_facts_open_the_game_for_all() -> None:
    facts = [event.fact for event in Play(6).events]
    assert facts[0] == Opened(Setup("classic@1", 6))
    assert facts[1] == TracksLaid(("liberal", "fascist"))
    assert facts[-1] == CandidacyPassed(Seat(0))
