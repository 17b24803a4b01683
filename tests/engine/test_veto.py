"""The veto power. Rule book, "Veto Power"."""

import pytest

from engine import facts as f
from engine.tiles import track
from tests.engine.builders import Play, tiles_of, with_veto


def session(play: Play) -> Play:
    """Elect a government that is not Hitler's and let the President discard."""
    play.elect(play.harmless)
    return play.discard(str(play.choices[-1]))


@pytest.mark.rule("R1.38")
def test_before_five_fascist_policies_there_is_no_veto() -> None:
    play = Play(7).ready(4)
    session(play)
    assert "veto" not in play.choices
    assert play.refused(play.asked[0], "veto") == "no-option"


@pytest.mark.rule("R1.38")
def test_the_session_that_enacts_the_fifth_has_no_veto_yet() -> None:
    play = Play(7).ready(4)
    session(play)
    assert play.track("fascist") == 4
    assert play.choices == ("liberal", "fascist")
    play.enact("fascist")
    assert play.told(f.VetoUnlocked) == [f.VetoUnlocked()]


@pytest.mark.rule("R1.39")
def test_after_five_fascist_policies_a_veto_may_be_asked() -> None:
    play = session(with_veto(9))
    assert play.choices[-1] == "veto"
    chancellor, president = play.table.chancellor, play.table.president
    assert play.asked == (chancellor,)
    play.ask_veto()
    assert play.told(f.VetoRequested) == [f.VetoRequested(chancellor)]
    assert play.event(f.VetoRequested).to is None
    assert play.asked == (president,)
    assert play.choices == ("ja", "nein")


@pytest.mark.rule("R1.40")
def test_an_agreed_veto_advances_the_tracker() -> None:
    play = session(with_veto(9))
    before, discards, hand = tiles_of(play.table), len(play.table.discards), play.table.hand
    play.ask_veto().veto(True)
    assert play.kinds() == ["Vetoed", "TrackerAdvanced", "RoundEnded", "CandidacyPassed"]
    assert play.told(f.TrackerAdvanced) == [f.TrackerAdvanced(1)]
    assert play.table.discards[discards:] == hand
    assert play.table.hand == ()
    assert tiles_of(play.table) == before
    assert play.track("fascist") == 5


def test_what_was_vetoed_is_known_to_the_government_only() -> None:
    play = session(with_veto(9))
    government, hand = (play.table.president, play.table.chancellor), play.table.hand
    play.ask_veto().veto(True)
    assert play.event(f.Vetoed).to == government
    for seat in (None, *play.table.living()):
        (vetoed,) = [fact for fact in play.view(seat).facts if isinstance(fact, f.Vetoed)]
        assert vetoed.tiles == (hand if seat in government else ("?", "?"))


@pytest.mark.rule("R1.41")
def test_a_refused_veto_leaves_the_choice_of_both_tiles() -> None:
    play = session(with_veto(9))
    president, chancellor, hand = play.table.president, play.table.chancellor, play.choices[:2]
    play.ask_veto().veto(False)
    assert play.told(f.VetoRefused) == [f.VetoRefused(president)]
    assert play.event(f.VetoRefused).to is None
    assert play.step == "enact"
    assert play.asked == (chancellor,)
    assert play.choices == hand
    assert play.table.tracker == 0


@pytest.mark.rule("R1.39")
def test_a_veto_is_asked_once_a_session() -> None:
    play = session(with_veto(9)).ask_veto().veto(False)
    assert play.refused(play.asked[0], "veto") == "no-option"
    if "liberal" in play.choices:
        play.enact("liberal")
    session(play)
    assert "veto" in play.choices


@pytest.mark.rule("R1.16", "R1.40")
def test_two_failed_elections_and_a_veto_are_chaos() -> None:
    play = with_veto(9).reject().reject()
    session(play).ask_veto().veto(True)
    assert play.told(f.TrackerAdvanced) == [f.TrackerAdvanced(3)]
    (enacted,) = play.told(f.Enacted)
    assert enacted.chaos
    assert play.table.tracker == 0


@pytest.mark.rule("R1.16", "R1.40")
def test_a_veto_counts_among_the_failures_whatever_their_order() -> None:
    play = session(with_veto(9)).ask_veto().veto(True)
    assert play.table.tracker == 1
    play.reject()
    assert play.table.tracker == 2
    assert play.reject().told(f.Enacted)[0].chaos


@pytest.mark.rule("R1.23")
def test_a_vetoed_session_reshuffles_before_chaos() -> None:
    play = with_veto(9, deck="lff lff lff lff lf lff").reject().reject()
    play.doctored(pile=play.table.pile[:4], discards=(*play.table.discards, *play.table.pile[4:]))
    session(play)
    assert len(play.table.pile) == 1
    play.ask_veto().veto(True)
    assert play.kinds()[:4] == ["Vetoed", "Shuffled", "TrackerAdvanced", "Enacted"]
    (shuffled,) = play.told(f.Shuffled)
    assert len(shuffled.pile) == 12
    assert play.told(f.Enacted) == [f.Enacted(shuffled.pile[0], track(shuffled.pile[0]), chaos=True)]


@pytest.mark.rule("R1.40")
def test_after_a_veto_the_candidacy_goes_on_to_the_left() -> None:
    play = session(with_veto(9))
    president = play.table.president
    play.ask_veto().veto(True)
    living = play.table.living()
    following = living[(living.index(president) + 1) % len(living)]
    assert play.told(f.CandidacyPassed) == [f.CandidacyPassed(following)]


@pytest.mark.rule("R1.38")
def test_the_veto_once_unlocked_stays() -> None:
    play = with_veto(9)
    play.doctored(tracks={**play.table.tracks, "fascist": ("fascist",) * 4})
    session(play)
    assert "veto" in play.choices


def test_it_is_unlocked_once_only() -> None:
    play = with_veto(9)
    play.doctored(tracks={**play.table.tracks, "fascist": ("fascist",) * 4})
    play.doctored(pile=("fascist", "fascist", "fascist", *play.table.pile))
    session(play).enact("fascist")
    assert play.track("fascist") == 5
    assert play.told(f.VetoUnlocked) == []
