"""Looking back: made-up games whose turning point and lie are known, and random ones of every ruleset."""

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ai import explain
from ai.lookback import LIBERAL, Lookback, _Public, _speaks_against, look_back
from engine import OFFERED, Chance, Ruleset, Seat, Setup, board_of, fold, in_hitler_zone, seen, view
from engine.claim import Claim
from engine.facts import CandidacyPassed, Voted
from engine.steps.communists import Confessed
from sandbox.__main__ import main as sandbox
from sandbox.computer_games import SEASONED, ComputerGame, play_computer_game
from sandbox.random_games import every_setup, play_random_game
from tests.engine.builders import Play


def clash() -> tuple[Play, list[Claim]]:
    """Return a game in which Fascist seat 5 enacts a Fascist tile and lies about its hand, the only claim."""
    play = Play(7, roles="llllffh", deck="lff lll ll", first=0)
    play.nominate(5).vote("jjjnjjj").discard("fascist").enact("fascist")
    at = len(play.view(None).facts)
    claims = [
        Claim(Seat(0), 1, "president", ("fascist", "fascist", "liberal"), at),
        Claim(Seat(5), 1, "chancellor", ("fascist", "fascist"), at),
    ]
    return play, claims


@cache
def looked_back(number: int) -> tuple[ComputerGame, Lookback]:
    played = play_computer_game(Setup("classic@1", 7), Chance(f"{number:064x}"), [SEASONED] * 7)
    return played, look_back(played.events, played.claims)


def test_the_turning_point_of_a_made_up_game_is_found() -> None:
    play, claims = clash()
    contradicts = replace(claims[0], said=("liberal", "liberal", "fascist"))
    found = look_back(play.clock_out().events, [claims[1], contradicts])
    first = [act for act in found.acts if act.round == 1]
    assert "claim" in [act.kind for act in first], "that the two contradict each other"
    act = next(act for act in first if act.kind == "claim")
    assert act.after > act.before
    assert found.suspicion(1, Seat(5)) > found.suspicion(0, Seat(5))


def test_what_made_a_seat_known_is_an_act_that_raised_it() -> None:
    causes = set()
    for number in range(6):
        _, found = looked_back(number)
        for seat, summary in enumerate(found.summaries):
            known = seat if summary.code == "caught" else summary.other
            assert summary.cause is None or known is not None
            if summary.other is not None:
                assert summary.since < len(found.beliefs) - 1, "nobody votes after the last round"
            if summary.cause is not None and known is not None:
                assert summary.cause.round <= summary.since
                assert summary.cause.changes[known] > 0
                causes.add(summary.cause.kind)
    assert len(causes) > 1


def test_only_liberals_votes_are_judged() -> None:
    play, claims = clash()
    found = look_back(play.clock_out().events, claims)
    assert all(found.parties[seat] == LIBERAL for seat in found.best)


def test_liberals_who_voted_alike_are_best_together() -> None:
    named = 0
    for number in range(6):
        played, found = looked_back(number)
        if found.best_votes is None:
            continue
        counted = (*found.best_votes.right, *found.best_votes.wrong)
        ballots: dict[int, tuple[str | None, ...]] = {}
        rounds = 0
        for event in played.events:
            rounds += isinstance(event.fact, CandidacyPassed)
            if isinstance(event.fact, Voted):
                ballots[rounds] = event.fact.ballots
        first, named = found.best[0], named + 1
        for seat in [seat for seat in range(7) if found.parties[seat] == LIBERAL]:
            if all(ballots[one][seat] == ballots[one][first] for one in counted):
                assert seat in found.best
    assert named


@pytest.mark.thorough
def test_a_claim_speaks_against_another_seat_only_in_a_clash() -> None:
    """A player read that a Chancellor's claim counted against the President whom it bore out."""
    clashes = 0
    for number in range(12):
        played = play_computer_game(Setup("red-dawn@1", 9), Chance(f"{number:064x}"), [SEASONED] * 9)
        for act in look_back(played.events, played.claims).acts:
            claim = act.claim
            if claim is None or claim.kind == "party" or act.seat == claim.seat:
                continue
            own = [one.said for one in played.claims if (one.seat, one.round) == (act.seat, act.round)]
            (passed, drew) = sorted((claim.said, *own), key=len)
            assert (LIBERAL in drew) > (LIBERAL in passed) or Counter(passed) - Counter(drew)
            clashes += 1
    assert clashes


def test_a_claim_about_the_pile_is_told_of_nobody() -> None:
    """Without the President's and the Chancellor's claims, a reader sees no reason in it."""
    play, claims = clash()
    events = play.clock_out().events
    public = _Public(seen(events[:-1], None), (*claims, replace(claims[0], kind="peek")))
    assert _speaks_against(public, claims[1], Seat(5))
    assert not any(_speaks_against(public, public.claims[-1], Seat(seat)) for seat in range(7))


def test_a_game_that_goes_on_is_not_looked_back_on() -> None:
    with pytest.raises(ValueError, match="finished"):
        look_back(Play(5).events, [])


@pytest.mark.thorough
@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.id)
def test_every_ruleset_can_be_looked_back_on(rules: Ruleset) -> None:
    setups = [setup for setup in every_setup() if setup.ruleset == rules.id]
    rng = random.Random(f"look back/{rules.id}")
    for number in range(100):
        setup = rng.choice(setups)
        _, events, _ = play_random_game(setup, random.Random(f"{setup}/{number}"))
        found = look_back(events, [])
        rounds = sum(isinstance(event.fact, CandidacyPassed) for event in events)
        assert len(found.beliefs) == len(found.alive) == rounds + 1
        for row in found.beliefs:
            assert len(row) == setup.players
            assert all(sum(parties.values()) == pytest.approx(1) for parties in row)
        assert len(found.summaries) == setup.players
        assert len(found.acts) <= 3
        assert [act.round for act in found.acts] == sorted(act.round for act in found.acts)


def test_what_the_table_did_not_know_changes_no_belief() -> None:
    """The roles of two seats that nobody saw change places: the table believed the same all along."""
    one = Play(7, roles="llllffh", deck="lll lll", first=0)
    other = Play(7, roles="lllfflh", deck="lll lll", first=0)
    for play in (one, other):
        while play.view(None).table.round < 3:
            play.govern("liberal")
    assert seen(one.events, None) == seen(other.events, None), "alike up to the last step"
    for play in (one, other):
        play.clock_out()
    assert look_back(one.events, []).beliefs == look_back(other.events, []).beliefs
    assert view(one.events, None).table.roles != view(other.events, None).table.roles


@pytest.mark.thorough
def test_a_power_is_told_only_if_it_showed_a_party() -> None:
    """Players could not see why a meeting made a President suspect, and missed that a party was shown."""
    shown = 0
    for number in (0, 3):
        played = play_computer_game(Setup("xl@1", 14), Chance(f"{number:064x}"), [SEASONED] * 14)
        found = look_back(played.events, played.claims)
        causes = (one.cause for one in found.summaries if one.cause is not None)
        for act in (*found.acts, *causes):
            confessed = [fact.seat for fact in act.facts if isinstance(fact, Confessed)]
            assert act.kind != "power" or confessed == [act.seat]
            shown += act.kind == "power"
    assert shown


def test_ballots_that_may_elect_hitler_are_not_judged() -> None:
    """Advice warned that a wrong Ja would lose the game, and then the Nein was called wrong."""
    setup = Setup("classic@1", 7)
    for number in (2, 3, 4):
        played, found = looked_back(number)
        starts = [at for at, event in enumerate(played.events) if isinstance(event.fact, CandidacyPassed)]
        votes = found.best_votes
        for judged in (*votes.right, *votes.wrong) if votes else ():
            table = fold(event.fact for event in played.events[: starts[judged - 1]])
            assert not in_hitler_zone(table, board_of(setup))


def test_the_command_prints_what_decided_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    sandbox(["explainable", "--players", "7", "--seed", "2", str(file)])
    explain.main([str(file), "--decided"])
    told = capsys.readouterr().out
    for said in ("How likely each seat is not Liberal to the table", "  seat  7 ", "Round ", "Seat 1: "):
        assert said in told
    unfinished = json.loads(file.read_text())
    unfinished["answers"] = unfinished["answers"][:9]
    file.write_text(json.dumps(unfinished))
    with pytest.raises(SystemExit):
        explain.main([str(file), "--decided"])
