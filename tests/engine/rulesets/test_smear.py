"""The smear campaign. Red Dawn rule book, "Smear campaign"."""

from typing import Any

import pytest

from engine import Seat
from engine.facts import NoElection, PowerLapsed
from engine.rulesets.red_dawn.smear import Smeared, SmearEnded, SmearLapsed
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, red_dawn

#: Seven players: Liberals 0–3, Fascist 4, Hitler 5, Communist 6.
HITLER = 5
#: Every Communist slot smears; the Fascist ones call special elections.
_TRACKS = {"communist": ("smear", "smear", "smear", None), "fascist": (*["special"] * 5, None)}
SMEARS = board("red-dawn@1", 7, tracks=_TRACKS)


def smearing(deck: str = "clf clf clf clf", **more: Any) -> Play:
    """Return a game in which the first government's Communist tile lets President 0 smear somebody."""
    return red_dawn(7, deck, board=SMEARS, **more).govern("c")


@pytest.mark.rule("R4.26")
def test_the_president_smears_another_living_player() -> None:
    play = smearing()
    assert (play.step, play.asked) == ("smear", (0,))
    assert play.choices == (1, 2, 3, 4, 5, 6)


@pytest.mark.rule("R4.26", "R4.11")
def test_smearing_hitler_wins_for_the_communists() -> None:
    play = smearing().target(HITLER)
    assert play.table.winners == ("communist",)
    assert play.table.reason == "hitler-smeared"
    assert play.step is None


@pytest.mark.rule("R4.26")
def test_without_that_ending_hitler_sits_out_like_anyone() -> None:
    harmless = board("red-dawn@1", 7, tracks={"communist": ("smear", None)}, endings={})
    play = red_dawn(7, board=harmless).govern("c").target(HITLER)
    assert play.table.winners is None
    assert HITLER not in play.table.able()


@pytest.mark.rule("R4.27", "R4.28")
def test_the_target_sits_out_two_elections_whatever_their_result() -> None:
    play = smearing().target(1)
    assert play.told(Smeared) == [Smeared(Seat(0), Seat(1), 3)]
    assert play.candidates() == [0, 2], "1 is skipped as candidate"
    assert 1 not in play.choices
    play.reject()
    assert not play.told(SmearEnded)
    assert 1 not in play.choices
    play.nominate(4)
    assert 1 not in play.asked
    play.vote("jjjjjj")
    assert play.told(SmearEnded) == [SmearEnded(Seat(1))]
    assert play.step == "discard"
    play.session("l")
    assert 1 in play.choices


@pytest.mark.rule("R4.27")
def test_smeared_again_means_two_elections_from_then() -> None:
    play = smearing().target(1).govern("c", 3).target(1)
    assert play.told(Smeared) == [Smeared(Seat(2), Seat(1), 4)]
    play.reject()
    assert 1 not in play.choices
    play.reject()
    assert play.told(SmearEnded) == [SmearEnded(Seat(1))]


@pytest.mark.rule("R4.27")
def test_the_smear_of_a_dead_player_ends_without_a_word() -> None:
    play = smearing().target(1).doctored(alive=(True, False, *[True] * 5)).reject().reject()
    assert not play.told(SmearEnded)
    assert play.told(SmearLapsed) == [SmearLapsed(Seat(1))]
    assert play.table.tagged("sits-out") == {}


@pytest.mark.rule("R4.27", "R1.13")
def test_an_election_without_ballots_counts_too() -> None:
    play = smearing().doctored(tags={"sits-out": dict.fromkeys((0, 2, 3, 4, 5, 6), 2)}).target(1)
    assert [fact.reason for fact in play.told(NoElection)] == ["no-candidate"]
    assert [fact.seat for fact in play.told(SmearEnded)] == [0, 2, 3, 4, 5, 6]
    assert play.table.able() == (0, 2, 3, 4, 5, 6)


@pytest.mark.rule("R4.28")
def test_who_sits_out_counts_as_alive_for_term_limits() -> None:
    play = smearing().doctored(alive=(True,) * 5 + (False, True)).target(4)
    assert len(play.table.living()) == 6
    assert 0 not in play.choices, "the last President is barred, for six are alive"
    play = smearing().doctored(alive=(True,) * 4 + (False, False, True)).target(3)
    assert len(play.table.living()) == 5
    assert 0 in play.choices


@pytest.mark.rule("R4.28", "R1.31")
def test_who_sits_out_cannot_be_called_by_a_special_election() -> None:
    play = smearing().target(1).govern("f", 3)
    assert play.step == "special"
    assert play.choices == (0, 3, 4, 5, 6)


@pytest.mark.rule("R4.28")
def test_an_office_already_held_is_finished() -> None:
    play = red_dawn(7, "clf clf", board=SMEARS).nominate(1).doctored(tags={"sits-out": {1: 5}})
    play.vote("jjjjjjj").session("l")
    assert play.track("liberal") == 1


@pytest.mark.rule("R1.12", "R4.28")
def test_waived_term_limits_do_not_let_those_stand_who_sit_out() -> None:
    play = smearing().doctored(tags={"sits-out": {3: 9, 4: 9, 5: 9, 6: 9}}).target(2)
    assert play.candidates()[-1] == 1
    assert play.choices == (0,)


@pytest.mark.rule("R1.28")
def test_with_nobody_else_alive_the_campaign_lapses() -> None:
    play = red_dawn(7, "clf", board=SMEARS).elect(1).discard("l")
    play.doctored(alive=(True, *[False] * 6)).enact("c")
    assert play.told(PowerLapsed) == [PowerLapsed("smear")]


@pytest.mark.rule("R7.2")
def test_the_clock_smears_anyone_who_may_be_smeared() -> None:
    targets = {smearing(key=f"{key:02x}").clock().told(Smeared)[0].target for key in range(80)}
    assert targets == {1, 2, 3, 4, 5, 6}
