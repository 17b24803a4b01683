"""The sealed veto: the web game's own, an option everywhere else."""

from typing import Any

import pytest

from engine import OFFERED, Illegal, Setup, board_of, ruleset
from engine.facts import Discarded, Enacted, TrackerAdvanced, Vetoed
from engine.ruleset import Ruleset
from engine.steps.sealed_veto import SealedVeto, Selected
from tests.engine.builders import EVEN_DECK, Play
from tests.expected import EXPECTED


def unlocked(players: int = 9, ruleset: str = "online@1", **more: Any) -> Play:
    """Return a game after five Fascist policies, in which a government has drawn and passed two tiles on."""
    play = Play(players, ruleset, decks=(EVEN_DECK, "lff"), **more).ready(5)
    play.elect(play.harmless)
    return play.discard(str(play.choices[-1]))


def ballots(play: Play, president: str, chancellor: str) -> Play:
    """Cast both sealed ballots, the President's first."""
    first, second = play.asked
    return play.say(president, first).say(chancellor, second)


@pytest.mark.rule("R0.1", "R2.5")
def test_online_is_classic_but_for_the_style_of_its_veto() -> None:
    classic, online = ruleset("classic@1"), ruleset("online@1")
    assert online.steps == classic.steps
    for players in range(5, 11):
        assert board_of(Setup("online@1", players)) == board_of(Setup("classic@1", players))
        assert online.chosen(Setup("online@1", players)) == {"veto": "sealed"}
        assert classic.chosen(Setup("classic@1", players)) == {"veto": "open"}


@pytest.mark.rule("R0.4")
@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_every_ruleset_plays_with_either_style_of_veto(rules: Ruleset) -> None:
    assert set(rules.options["veto"].values) == {"open", "sealed"}
    assert unlocked(ruleset="classic@1", options={"veto": "sealed"}).step == "select"
    assert "veto" in unlocked(options={"veto": "open"}).choices


@pytest.mark.rule("R2.1")
def test_before_the_unlock_the_chancellor_simply_enacts() -> None:
    play = Play(7, "online@1").elect(2).discard("l")
    assert play.step == "enact"
    assert play.choices == ("fascist", "fascist")


@pytest.mark.rule("R2.1")
def test_only_the_chancellor_sees_the_selected_tile() -> None:
    play = unlocked()
    president, chancellor = play.table.president, play.table.chancellor
    assert (play.step, play.asked) == ("select", (chancellor,))
    assert play.choices == ("liberal", "fascist")
    play.say("fascist")
    assert play.event(Selected).fact == Selected(chancellor, "fascist")
    for seat in (None, *range(9)):
        (selected,) = [fact for fact in play.view(seat).facts if isinstance(fact, Selected)]
        assert selected.tile == ("fascist" if seat == chancellor else "?")
    assert (play.step, play.asked) == ("sealed-veto", (president, chancellor))
    question = play.question_for(president)
    assert question is not None
    assert question.args == ()
    assert not play.told(Discarded)


@pytest.mark.rule("R2.2")
def test_a_sealed_ballot_may_be_changed_until_both_are_in() -> None:
    play = unlocked().say("fascist")
    president, chancellor = play.asked
    play.say("ja", president).say("nein", president).say("ja", president)
    assert play.waiting == (chancellor,)
    play.say("ja", chancellor)
    assert play.told(Vetoed)


@pytest.mark.rule("R2.3")
def test_two_veto_ballots_discard_both_tiles() -> None:
    play = unlocked()
    held = play.table.hand
    ballots(play.say("fascist"), "ja", "ja")
    assert play.told(Vetoed) == [Vetoed(held)]
    assert play.told(TrackerAdvanced) == [TrackerAdvanced(1)]
    assert not play.told(Enacted)
    assert play.step == "nominate"


@pytest.mark.rule("R2.3")
@pytest.mark.parametrize(("president", "chancellor"), [("ja", "nein"), ("nein", "ja"), ("nein", "nein")])
def test_any_ballot_against_it_enacts_the_selected_tile(president: str, chancellor: str) -> None:
    play = ballots(unlocked().say("liberal"), president, chancellor)
    assert [fact.tile for fact in play.told(Enacted)] == ["liberal"]
    assert not play.told(Vetoed)
    assert play.table.tracker == 0


@pytest.mark.rule("R2.4")
@pytest.mark.parametrize(("president", "chancellor"), [("ja", "nein"), ("nein", "ja"), ("nein", "nein")])
def test_everyone_learns_the_result_and_nobody_the_ballots(president: str, chancellor: str) -> None:
    play = ballots(unlocked().say("liberal"), president, chancellor)
    assert play.event(SealedVeto).fact == SealedVeto((president, chancellor), False)
    for seat in (None, *range(9)):
        (seen,) = [fact for fact in play.view(seat).facts if isinstance(fact, SealedVeto)]
        assert seen == SealedVeto((None, None), False)


@pytest.mark.rule("R2.4", "R1.45")
def test_at_the_end_the_sealed_ballots_are_shown() -> None:
    play = ballots(unlocked().say("fascist"), "ja", "nein")
    assert play.table.winners == ("fascist",)
    for seat in (None, *range(9)):
        (seen,) = [fact for fact in play.view(seat).facts if isinstance(fact, SealedVeto)]
        assert seen == SealedVeto(("ja", "nein"), False)


@pytest.mark.rule("R7.2", "R7.3")
def test_the_clock_selects_any_tile_and_votes_against_the_veto() -> None:
    selected = {unlocked(key=f"{key:02x}").clock().told(Selected)[0].tile for key in range(20)}
    assert selected == {"liberal", "fascist"}
    play = unlocked().say("liberal")
    play.say("ja", play.asked[0]).clock()
    assert play.told(SealedVeto) == [SealedVeto(("ja", "nein"), False)]
    assert [fact.tile for fact in play.told(Enacted)] == ["liberal"]


@pytest.mark.rule("R0.1")
def test_rulesets_go_by_name_and_version_and_say_whom_they_seat() -> None:
    sizes = {rules.id: (min(rules.players), max(rules.players)) for rules in OFFERED}
    assert sizes == {expected.id: expected.players for expected in EXPECTED.values()}
    assert [rules.name for rules in OFFERED][:4] == ["classic", "online", "red-dawn", "xl"]
    with pytest.raises(Illegal, match="unknown-ruleset"):
        ruleset("classic@0")
