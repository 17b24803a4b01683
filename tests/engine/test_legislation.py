"""The legislative session and the draw pile. Rule book, "Legislative Session"."""

import pytest

from engine import Seat
from engine.facts import Discarded, Drew, Enacted, Passed, Shuffled
from tests.engine.builders import EVEN_DECK, Play, letters, names, three_left, tiles_of, with_veto


@pytest.mark.rule("R1.21")
def test_the_president_draws_three_and_discards_one() -> None:
    play = Play(5, deck="flf").elect(2)
    assert play.hand == "ffl"
    assert play.asked == (0,)
    assert play.choices == ("liberal", "fascist", "fascist")
    play.discard("f")
    assert play.hand == "fl"
    assert letters(play.table.discards) == "f"


@pytest.mark.rule("R1.21")
def test_the_chancellor_gets_two_tiles_and_enacts_one() -> None:
    play = Play(5, deck="flf").elect(2).discard("f")
    assert play.asked == (2,)
    assert play.choices == ("liberal", "fascist")
    play.enact("f")
    assert play.told(Enacted) == [Enacted("fascist", "fascist")]
    assert letters(play.table.discards) == "fl"
    assert play.table.hand == ()


@pytest.mark.parametrize("order", ["lff", "flf", "ffl"])
def test_a_hand_is_laid_out_the_same_however_the_pile_lay(order: str) -> None:
    play = Play(5, deck=order).elect(2)
    usual = Play(5, deck="lff").elect(2)
    assert play.question_for(0) == usual.question_for(0)
    assert play.view(0) == usual.view(0)
    play.discard("f")
    usual.discard("f")
    assert play.question_for(2) == usual.question_for(2)
    assert play.view(2) == usual.view(2)


def test_of_two_equal_tiles_either_can_be_named() -> None:
    play = Play(5, deck="fff").elect(2)
    assert play.choices == ("fascist",) * 3
    play.send(0, 2)
    assert play.hand == "ff"
    play.send(2, 1)
    assert play.track("fascist") == 1


@pytest.mark.rule("R1.21")
def test_only_the_president_sees_tiles_and_discard() -> None:
    play = Play(5, deck="flf").elect(2)
    assert play.event(Drew).to == (0,)
    play.discard("f")
    assert play.event(Discarded).to == (0,)
    assert play.event(Passed).to == (0, 2)
    assert letters(play.view(2).table.hand) == "fl"
    assert play.view(0).table.discards == ("fascist",)
    for seat in (1, 3, 4, None):
        table = play.view(seat).table
        assert table.hand == ("?", "?")
        assert table.discards == ("?",)
        assert len(table.pile) == 14
    assert play.view(2).table.discards == ("?",)


def test_only_office_holders_know_the_chancellors_discard() -> None:
    play = Play(5, deck="flf").elect(2).discard("f").enact("f")
    assert play.event(Discarded).to == (0, 2)
    assert play.view(2).table.discards == ("?", "liberal")
    assert play.view(0).table.discards == ("fascist", "liberal")
    assert play.view(1).table.discards == ("?", "?")
    assert play.view(1).table.tracks["fascist"] == ("fascist",)


def test_who_drew_and_how_many_is_public() -> None:
    drew = [fact for fact in Play(5).elect(2).view(None).facts if isinstance(fact, Drew)]
    assert drew == [Drew(Seat(0), ("?", "?", "?"))]


@pytest.mark.rule("R1.25")
def test_a_policy_without_a_power_ends_the_round() -> None:
    play = Play(5).govern("liberal")
    assert play.kinds()[-3:] == ["Enacted", "RoundEnded", "CandidacyPassed"]
    assert play.table.in_office is False
    assert play.table.chancellor is None


@pytest.mark.rule("R1.22", "R1.23")
def test_too_few_tiles_are_reshuffled_at_the_sessions_end() -> None:
    play = Play(7)
    for session in range(1, 6):
        assert (play.table.shuffles, len(play.table.pile)) == (1, 17 - 3 * (session - 1))
        play.govern("liberal" if session < 5 else "fascist")
    # Two are left, and ten were discarded; five stay on the tracks for good.
    assert play.told(Shuffled)
    assert play.table.shuffles == 2
    assert len(play.table.pile) == 12
    assert play.table.discards == ()
    assert letters(play.table.pile) == "f" * 10 + "l" * 2


@pytest.mark.rule("R1.22")
def test_exactly_three_tiles_left_are_not_reshuffled() -> None:
    play = three_left()
    assert (len(play.table.pile), play.table.shuffles) == (3, 1)
    play.elect()
    assert (play.table.pile, len(play.table.hand), play.table.shuffles) == ((), 3, 1)


@pytest.mark.rule("R1.24")
def test_enacted_tiles_never_return_to_the_deck() -> None:
    play = with_veto(9)
    deck = tiles_of(play.first.table)
    assert deck == {"liberal": 6, "fascist": 11}
    assert play.table.shuffles == 2
    assert tiles_of(play.table) == deck
    assert play.table.pile.count("fascist") == 11 - 5


@pytest.mark.rule("R1.25")
def test_a_peek_sees_the_reshuffled_pile() -> None:
    decks = ["lff lff lff lff lf lff", "fll"]
    play = Play(5, decks=decks).govern("liberal").govern("liberal").govern("fascist").govern("fascist")
    assert len(play.table.pile) == 5
    play.govern("fascist")
    assert play.kinds()[-5:] == ["Enacted", "Shuffled", "Peeked", "RoundEnded", "CandidacyPassed"]
    (peek,) = [event for event in play.new if type(event.fact).__name__ == "Peeked"]
    assert peek.fact.pile == names("fll")  # type: ignore[attr-defined]


def test_the_even_deck_of_these_tests_is_the_printed_one() -> None:
    assert letters(names(EVEN_DECK)) == "f" * 11 + "l" * 6


@pytest.mark.rule("R1.25")
def test_a_governments_tile_is_worked_through_in_order() -> None:
    play = Play(7).until_fascist(5)
    assert play.kinds()[-3:] == ["Enacted", "VetoUnlocked", "Shuffled"]
    assert play.step == "kill"
    assert play.target(play.harmless).kinds() == ["Killed", "RoundEnded", "CandidacyPassed"]
