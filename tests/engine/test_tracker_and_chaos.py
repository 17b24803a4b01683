"""The election tracker and chaos. Rule book, "Election Tracker"."""

import pytest

from engine.facts import Elected, Enacted, GameOver, Shuffled, TrackerAdvanced, VetoUnlocked, Voted
from tests.engine.builders import Play, three_left, tiles_of, with_veto


@pytest.mark.rule("R1.17")
def test_the_third_failed_election_plays_the_top_tile() -> None:
    play = Play(5, deck="fll").reject().reject().reject()
    assert play.kinds() == ["Voted", "TrackerAdvanced", "Enacted", "RoundEnded", "CandidacyPassed"]
    assert play.told(Enacted) == [Enacted("fascist", "fascist", chaos=True)]
    assert play.table.tracks == {"liberal": (), "fascist": ("fascist",)}
    assert play.table.pile[:2] == ("liberal", "liberal")


@pytest.mark.rule("R1.20")
def test_the_third_failed_elections_ballots_are_shown() -> None:
    play = Play(5).reject().reject().nominate(0).vote("jnnjn")
    assert play.told(Enacted)
    assert play.told(Voted) == [Voted(("ja", "nein", "nein", "ja", "nein"), False)]
    assert play.event(Voted).to is None


@pytest.mark.rule("R1.16", "R1.17")
def test_chaos_takes_the_tracker_back_to_its_beginning() -> None:
    play = Play(5).chaos()
    assert play.table.tracker == 0
    assert play.reject().told(TrackerAdvanced) == [TrackerAdvanced(1)]


@pytest.mark.rule("R1.16")
def test_a_passed_election_keeps_the_tracker() -> None:
    play = Play(5).reject().reject().elect()
    assert play.told(Elected)
    assert play.table.tracker == 2
    play.session("liberal")
    assert play.table.tracker == 0


@pytest.mark.rule("R1.18")
def test_chaos_gives_no_power() -> None:
    play = Play(5, deck="fff fff f").govern("fascist").govern("fascist").chaos()
    assert play.track("fascist") == 3
    assert "Peeked" not in play.kinds()
    assert play.step == "nominate"


@pytest.mark.rule("R1.18", "R1.27")
def test_a_slot_after_chaos_gives_only_its_own_power() -> None:
    play = Play(5, deck="fff fff f fff").govern("fascist").govern("fascist").chaos().govern("fascist", 1)
    assert play.track("fascist") == 4
    assert play.step == "kill"
    assert "Peeked" not in play.kinds()


@pytest.mark.rule("R1.19")
def test_chaos_forgets_term_limits() -> None:
    play = Play(7).govern("liberal", 4)
    assert 4 not in play.choices
    assert 0 not in play.choices
    play.chaos()
    assert play.table.president == 4
    assert play.choices == (0, 1, 2, 3, 5, 6)
    play.reject()
    assert play.choices == (0, 1, 2, 3, 4, 6)
    play.govern("fascist", 4)
    assert play.choices == (0, 1, 2, 3)


@pytest.mark.rule("R1.26")
def test_chaos_that_fills_the_liberal_track_wins() -> None:
    play = Play(5, deck="lff lff lff lff l").rounds(4, "liberal").chaos()
    assert play.told(GameOver) == [GameOver(("liberal",), "liberal-track")]
    assert play.kinds()[-2:] == ["Enacted", "GameOver"]


@pytest.mark.rule("R1.26")
def test_chaos_that_fills_the_fascist_track_wins() -> None:
    play = with_veto(7, decks=["lff lff lff lff lff", "f"]).chaos()
    assert play.track("fascist") == 6
    assert play.told(GameOver) == [GameOver(("fascist",), "fascist-track")]


@pytest.mark.rule("R1.38")
def test_a_fifth_fascist_policy_by_chaos_unlocks_the_veto() -> None:
    play = Play(7, deck="lff lff lff lff f").ready(4).chaos()
    assert play.track("fascist") == 5
    assert play.told(VetoUnlocked) == [VetoUnlocked()]
    assert play.step == "nominate"
    play.elect(play.harmless).discard(str(play.choices[0]))
    assert "veto" in play.choices


@pytest.mark.rule("R1.14")
def test_a_third_fascist_policy_by_chaos_opens_the_zone() -> None:
    play = Play(5, deck="fff fff f").govern("fascist").govern("fascist").chaos().elect(4)
    assert play.told(GameOver) == [GameOver(("fascist",), "hitler-elected")]


@pytest.mark.rule("R1.22", "R1.23")
def test_chaos_that_leaves_too_few_tiles_reshuffles() -> None:
    play = three_left()
    assert play.table.shuffles == 1
    before = tiles_of(play.table)
    play.chaos()
    expected = "Voted TrackerAdvanced Enacted Shuffled RoundEnded CandidacyPassed"
    assert play.kinds() == expected.split()
    assert play.track("fascist") == 3
    assert (len(play.table.pile), play.table.discards) == (2 + 8, ())
    assert tiles_of(play.table) == before


def test_nobody_learns_how_the_pile_lies_after_a_shuffle() -> None:
    play = Play(5)
    assert play.all(Shuffled)
    for seat in (None, 0, 1, 2, 3, 4):
        (shuffled,) = [fact for fact in play.view(seat).facts if isinstance(fact, Shuffled)]
        assert shuffled.pile == ("?",) * 17


@pytest.mark.rule("R1.17")
def test_chaos_goes_tile_tracker_veto_limits_reshuffle() -> None:
    play = Play(7, deck="lff lff lff lff f").ready(4)
    play.doctored(pile=play.table.pile[:3], discards=(*play.table.discards, *play.table.pile[3:]))
    play.chaos()
    kinds = ["TrackerAdvanced", "Enacted", "VetoUnlocked", "Shuffled", "RoundEnded", "CandidacyPassed"]
    assert play.kinds()[1:] == kinds
    assert play.table.last_elected is None
    assert play.table.tracker == 0
