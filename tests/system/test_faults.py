"""Whole games with all kinds of faults, and the simulator itself, which must notice a broken bot.

`make faults SEEDS=10000` plays more of them; a failing seed prints the command that repeats it.
"""

import argparse
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from sandbox import faults
from sandbox.cloud.faults import KINDS, Fault
from sandbox.faults import Outcome, play, seeds_of
from sandbox.faults.seed_run import PRACTISING, SeedRun
from tests.system.mutants import MUTANTS

SEEDS = range(5)

#: By mutant: the seed that killed it last, and part of the complaint. If a change of the bot alters what a
#: seed does, the test tries the first 200 seeds. Then enter the first one that kills the mutant here.
KILLED = {
    "skips_the_clearing": (0, "doubled"),
    "has_no_lease": (2, "doubled"),
    "forgets_update_ids": (2, "applied twice"),
    "retries_what_is_refused_for_good": (8, "tried again after 40"),
    "sends_before_it_saves": (0, "has no outbox entry"),
    "clears_before_it_sends": (0, "lost"),
    "ignores_the_version": (0, "version"),
    "never_comes_back": (1, "does not end"),
    "applies_taps_to_whatever_is_open": (0, "no legal step"),
    "sends_in_any_order": (2, "order"),
    "takes_a_lost_race_for_won": (0, "acknowledged and is lost"),
    "acknowledges_what_it_could_not_store": (2, "nothing could be stored"),
    "does_not_wait_as_telegram_asks": (1, "during a pause of the chat"),
    "leaves_messages_behind_when_a_group_moves": (237, "unsent"),
    "asks_the_neighbour": (0, "may not know what is asked"),
    "leaves_out_an_option": (8, "buttons for"),
    "deals_the_neighbours_card": (0, "tells Dealt"),
    "tells_whoever_sat_there_before": (200, "may not know it"),
    "whispers_aloud": (0, "may not know it"),
    "lays_a_hand_on_the_table": (0, "may not know what is asked"),
    "shows_the_role_of_the_neighbour": (0, "tells a role"),
    "shrugs_when_the_store_is_down": (2, "nothing could be stored"),
    "counts_what_got_lost_as_sent": (1, "lost"),
    "deals_whenever_the_round_is_out": (7, "its seal was not posted before the round"),
    "seals_again_what_was_sealed_in_time": (0, "a seal that came in time was thrown away"),
    "makes_up_what_the_beacon_says": (0, "not the sealed round's"),
    "does_not_wait_for_the_beacon": (1, "that the host did not ask for"),
    "lets_people_leave_a_sealed_game": (1, "a sealed game was changed"),
    "calls_a_sealed_game_off": (1, "a sealed game is gone"),
    "lets_computers_decide_again": (4, "decided twice"),
    "forgets_what_computers_did_at_practice": (9, "no legal step"),
}
ENOUGH = range(200)


@cache
def outcome_of(seed: int) -> Outcome:
    """Return the outcome of a seed with the unbroken bot. Each seed is played only once."""
    return play(seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.quick("0")
def test_a_game_keeps_every_promise_whatever_goes_wrong(seed: int) -> None:
    outcome = outcome_of(seed)
    assert outcome.broken == ()
    assert outcome.steps > 0


def test_every_mutant_has_a_seed_that_kills_it() -> None:
    assert set(KILLED) == set(MUTANTS)


@pytest.mark.detector
@pytest.mark.parametrize("name", KILLED)
def test_a_bot_broken_on_purpose_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hint, said = KILLED[name]
    MUTANTS[name](monkeypatch)
    for seed in (hint, *ENOUGH):
        if any(said in what for what in play(seed).broken):
            return
    pytest.fail("none of the first 200 seeds notices it")


@pytest.mark.thorough
def test_a_seed_decides_everything_whatever_the_process() -> None:
    told = []
    for hashing in ("1", "2"):
        command = [sys.executable, "-m", "sandbox", "faults", "--seeds", "3:4", "--trace"]
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        # Names of leases are random, but decide nothing.
        told.append(re.sub(r"lease \S+", "lease", done.stdout))
    assert told[0] == told[1]
    assert "meets" in told[0], "something went wrong in that seed"


@pytest.mark.thorough
def test_in_every_tenth_seed_somebody_practises_beside_the_game() -> None:
    story = SeedRun(PRACTISING - 1)
    assert story.play().broken == ()
    assert story.practiser is not None
    assert story.practiser.over
    assert SeedRun(PRACTISING).practiser is None


@pytest.mark.thorough
def test_all_kinds_of_faults_happen_in_a_few_seeds() -> None:
    played = [play(seed) for seed in (105, 123)]
    kinds = {fault for faults in KINDS.values() for fault in faults}
    assert len({fault for one in played for fault in one.faults} & kinds) >= len(kinds) - 8
    assert not any(one.broken for one in played)


def test_seeds_are_a_number_or_a_range() -> None:
    assert seeds_of("200") == range(200)
    assert seeds_of("700:900") == range(700, 900)
    with pytest.raises(ValueError, match="invalid literal"):
        seeds_of("many")


def test_the_summary_counts_every_kind_of_fault() -> None:
    lines = faults.summary([outcome_of(0)])
    assert lines[0].startswith("1 seeds, 0 failed")
    assert len([line for line in lines if line.startswith("| ")]) == len(Fault) - 1 + 2


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    faults.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("starts", "title"), [((), "Faults"), (("--starts",), "Faults at the start")], ids=["games", "starts"]
)
def test_the_command_plays_and_summarises_seeds(
    starts: tuple[str, ...], title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, list[str], str]] = []
    monkeypatch.setattr(faults, "write", lambda *given: written.append(given))
    assert faults.run(asked("--seeds", "0:2", "--jobs", "1", "--report", *starts)) == 0
    ((wrote, lines, command),) = written
    assert command == f'make faults SEEDS=0:2 ARGS="{" ".join([*starts, "--report"])}"'
    assert wrote == title
    assert lines[0].startswith("2 seeds, 0 failed; games: ")


@pytest.mark.thorough
def test_starts_alone_end_once_the_roles_are_dealt() -> None:
    story = SeedRun(0, starts=True)
    assert story.play().broken == ()
    assert story.match["game"]["question"] is not None, "the game has only begun"


@pytest.mark.parametrize("how", [("--jobs", "1"), ("--trace",)])
def test_a_failing_seed_is_named_with_its_command(
    how: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = replace(outcome_of(0), seed=7, broken=("a message is lost",))
    monkeypatch.setattr(faults, "play", lambda seed, tell=None, starts=False: failed)
    monkeypatch.setattr(
        faults, "play_in_processes", lambda seeds, *_, **__: [(seed, failed) for seed in seeds]
    )
    assert faults.run(asked("--seeds", "7:8", *how)) == 1
    said = capsys.readouterr().out
    assert "a message is lost" in said
    assert "python -m sandbox faults --seeds 7:8 --trace" in said
