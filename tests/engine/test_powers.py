"""The presidential powers. Rule book, "Presidential Powers". Special elections: ``test_special_election``."""

import pytest

from engine import Seat
from engine.facts import GameOver, Investigated, Killed, Peeked, PowerLapsed, RoundEnded
from tests.engine.builders import Play, names


@pytest.mark.rule("R1.3")
def test_a_liberal_policy_gives_no_power() -> None:
    assert Play(9).govern("liberal").kinds()[-2:] == ["RoundEnded", "CandidacyPassed"]


@pytest.mark.rule("R1.27")
def test_the_president_uses_the_power_before_the_round_ends() -> None:
    play = Play(9).govern("fascist", 2)
    assert not play.told(RoundEnded)
    assert play.step == "investigate"
    assert play.asked == (0,)
    play.target(5)
    assert play.kinds() == ["Investigated", "RoundEnded", "CandidacyPassed"]


@pytest.mark.rule("R1.29")
def test_only_the_president_learns_the_party() -> None:
    play = Play(9).govern("fascist", 2).target(5)
    assert play.event(Investigated).to == (0,)
    for seat in (None, *range(9)):
        (seen,) = [fact for fact in play.view(seat).facts if isinstance(fact, Investigated)]
        assert seen == Investigated(Seat(0), Seat(5), "fascist" if seat == 0 else None)


@pytest.mark.rule("R1.29")
def test_hitler_is_seen_as_a_fascist() -> None:
    play = Play(9).govern("fascist", 2).target(8)
    assert play.table.roles[8] == "hitler"
    assert play.told(Investigated) == [Investigated(Seat(0), Seat(8), "fascist")]


def test_a_liberal_is_seen_as_a_liberal() -> None:
    assert Play(9).govern("fascist", 2).target(4).told(Investigated)[0].party == "liberal"


@pytest.mark.rule("R1.29")
def test_nobody_is_investigated_twice_whoever_looks() -> None:
    play = Play(9).govern("fascist", 2).target(5).govern("fascist")
    assert play.step == "investigate"
    assert play.asked == (1,)
    assert 5 not in play.choices
    assert play.refused(1, 5) == "no-option"


@pytest.mark.rule("R1.29", "R1.37")
def test_nobody_investigates_themselves_or_the_dead() -> None:
    play = Play(9).elect(2).discard("l").doctored(alive=(True,) * 7 + (False, True)).enact("f")
    assert play.choices == (1, 2, 3, 4, 5, 6, 8)


@pytest.mark.rule("R1.28")
def test_an_investigation_without_a_target_lapses_publicly() -> None:
    play = Play(9).elect(2).discard("l").doctored(tags={"investigated": dict.fromkeys(range(1, 9), 1)})
    play.enact("f")
    assert play.told(PowerLapsed) == [PowerLapsed("investigate")]
    assert play.event(PowerLapsed).to is None
    assert play.step == "nominate"


@pytest.mark.rule("R1.34")
def test_a_peek_shows_the_president_the_top_three() -> None:
    play = Play(5, deck="lff lff lff flf").until_fascist(3)
    assert play.event(Peeked).to == (2,)
    assert play.told(Peeked) == [Peeked(Seat(2), names("flf"))]
    assert play.table.pile[:3] == names("flf")
    for seat in (None, 0, 1, 3, 4):
        (seen,) = [fact for fact in play.view(seat).facts if isinstance(fact, Peeked)]
        assert seen == Peeked(Seat(2), ("?", "?", "?"))


@pytest.mark.rule("R1.35")
def test_a_president_kills_any_other_living_player() -> None:
    play = Play(5).ready(3).govern("fascist", 0)
    assert play.step == "kill"
    assert play.asked == (3,)
    assert play.choices == (0, 1, 2, 4)
    play.target(1).govern("fascist", 2)
    assert play.step == "kill"
    assert play.asked == (4,)
    assert play.choices == (0, 2, 3)


@pytest.mark.rule("R1.36")
def test_a_killing_that_spares_hitler_goes_on_and_tells_no_role() -> None:
    play = Play(7).ready(3).govern("fascist", 1).target(4)
    assert play.told(Killed) == [Killed(Seat(4), Seat(0), "execution")]
    assert play.event(Killed).to is None
    assert play.table.alive[4] is False
    for seat in (None, 0, 1, 2, 3):
        table = play.view(seat).table
        assert (table.roles[4], table.alive[4]) == (None, False)
    assert not play.told(GameOver)


@pytest.mark.rule("R1.36")
def test_killing_hitler_wins_for_the_liberals() -> None:
    play = Play(7).ready(3).govern("fascist", 1).target(6)
    assert play.kinds() == ["Killed", "GameOver"]
    assert play.told(GameOver) == [GameOver(("liberal",), "hitler-killed")]


@pytest.mark.rule("R1.37")
def test_the_dead_are_neither_nominated_nor_chosen_nor_asked() -> None:
    play = Play(9).ready(3).govern("fascist", 1).target(5)
    assert 5 not in play.table.living()
    assert 5 not in play.choices
    play.govern("fascist")
    assert play.step == "kill"
    assert 5 not in play.choices


@pytest.mark.rule("R1.28")
@pytest.mark.parametrize(("slot", "power"), [(2, "investigate"), (3, "special"), (4, "kill")])
def test_a_power_whose_holder_is_dead_lapses_publicly(slot: int, power: str) -> None:
    play = Play(7).ready(slot - 1)
    play.elect(play.harmless).discard("l")
    president = play.table.president
    play.doctored(alive=tuple(seat != president for seat in range(7))).enact("f")
    assert play.told(PowerLapsed) == [PowerLapsed(power)]
    assert play.event(PowerLapsed).to is None
    assert play.step == "nominate"


@pytest.mark.rule("R1.28")
def test_a_power_without_a_target_lapses() -> None:
    for slot, power in ((3, "special"), (4, "kill")):
        play = Play(7).ready(slot - 1)
        play.elect(play.harmless).discard("l")
        president = play.table.president
        play.doctored(alive=tuple(seat == president for seat in range(7))).enact("f")
        assert play.told(PowerLapsed) == [PowerLapsed(power)]
