"""How a game ends. Rule book, "Object" and "Vote on the government"."""

from dataclasses import replace

import pytest

from engine import Illegal, QuestionNumber, Reply, Seat, Setup, answer, board_of, time_out
from engine.facts import ConfirmedNotHitler, Elected, GameOver
from tests.engine.builders import Play, with_veto


@pytest.mark.rule("R1.42")
def test_five_liberal_policies_win_for_the_liberals() -> None:
    assert Play(5).rounds(5, "liberal").told(GameOver) == [GameOver(("liberal",), "liberal-track")]


@pytest.mark.rule("R1.42")
def test_six_fascist_policies_win_for_the_fascists() -> None:
    play = with_veto(7, decks=["lff lff lff lff lf lff", "lff"])
    play.govern("fascist", play.harmless)
    assert play.told(GameOver) == [GameOver(("fascist",), "fascist-track")]
    assert play.kinds()[-2:] == ["Enacted", "GameOver"]


@pytest.mark.rule("R1.14")
@pytest.mark.parametrize("policies", [0, 1, 2])
def test_hitler_as_early_chancellor_is_not_revealed(policies: int) -> None:
    play = Play(5).until_fascist(policies).elect(4)
    assert play.table.roles[4] == "hitler"
    assert not play.told(GameOver)
    assert not play.told(ConfirmedNotHitler)
    assert play.step == "discard"


@pytest.mark.rule("R1.14")
@pytest.mark.parametrize("policies", [3, 4, 5])
def test_hitler_elected_chancellor_in_the_zone_wins_at_once(policies: int) -> None:
    play = Play(7).ready(policies).elect(6)
    assert play.told(GameOver) == [GameOver(("fascist",), "hitler-elected")]
    assert play.kinds() == ["Voted", "Elected", "GameOver"]


def test_hitler_nominated_but_voted_down_wins_nothing() -> None:
    play = Play(5).until_fascist(3).reject(4)
    assert not play.told(GameOver)
    assert play.step == "nominate"


def test_hitler_as_president_wins_nothing() -> None:
    play = Play(5, first=1).ready(3)
    assert play.table.president == 4
    play.elect(2)
    assert play.told(Elected) == [Elected(Seat(4), Seat(2))]
    assert not play.told(GameOver)


@pytest.mark.rule("R1.15")
def test_a_chancellor_elected_in_the_zone_is_publicly_not_hitler() -> None:
    play = Play(5).ready(3).elect(0)
    assert play.told(ConfirmedNotHitler) == [ConfirmedNotHitler(Seat(0))]
    assert play.event(ConfirmedNotHitler).to is None
    assert play.view(None).table.tags == {"not-hitler": {0: 1}}


@pytest.mark.rule("R1.44")
def test_no_party_wins_by_head_count() -> None:
    play = Play(5).ready(3).govern("fascist", 0).target(1).govern("fascist", 2).target(0)
    assert [play.table.parties[seat] for seat in play.table.living()] == ["liberal", "fascist", "fascist"]
    assert not play.all(GameOver)
    assert play.step == "nominate"


def test_after_the_end_nothing_can_be_answered() -> None:
    play = Play(5).rounds(5, "liberal")
    assert play.game.question is None
    assert play.waiting == ()
    assert play.question_for(0) is play.question_for(None) is None
    with pytest.raises(Illegal, match=r"^over$"):
        answer(play.game, Reply(Seat(0), QuestionNumber(1), 0))
    with pytest.raises(Illegal, match=r"^over$"):
        time_out(play.game)
    assert play.refused(0, "ja") == "over"


@pytest.mark.rule("R1.25")
def test_nothing_happens_after_a_win() -> None:
    play = Play(5).rounds(5, "liberal")
    assert isinstance(play.events[-1].fact, GameOver)
    assert play.game.agenda == ()


@pytest.mark.rule("R1.45")
def test_at_the_end_everything_that_was_hidden_is_shown_to_all() -> None:
    play = Play(5).rounds(4, "liberal")
    assert set(play.view(None).table.roles) == {None}
    play.govern("liberal")
    for seat in (None, 0, 4):
        view = play.view(seat)
        assert view.facts == tuple(event.fact for event in play.events)
        assert view.table == play.table
        assert view.table.roles == ("liberal", "liberal", "liberal", "fascist", "hitler")


@pytest.mark.rule("R1.43")
def test_the_dead_are_part_of_the_end_like_everyone() -> None:
    play = Play(7).ready(3).govern("fascist", 1).target(4).elect(6)
    assert play.told(GameOver) == [GameOver(("fascist",), "hitler-elected")]
    assert play.table.alive[4] is False
    assert play.table.parties[4] == "fascist"


@pytest.mark.parametrize("chancellor", [3, 4])
def test_without_that_ending_nobody_is_confirmed(chancellor: int) -> None:
    board = replace(board_of(Setup("classic@1", 5)), endings={"hitler-killed": ("liberal",)})
    play = Play(5, board=board).until_fascist(3)
    while chancellor not in play.choices:
        play.reject()
    play.elect(chancellor)
    assert not play.told(GameOver)
    assert not play.told(ConfirmedNotHitler)
    assert play.step == "discard"
