"""Commit and reveal, and the command that recomputes a deal."""

import hashlib
import hmac
import subprocess
import sys

import pytest

from engine import Chance, Setup, board_of, ruleset
from engine.facts import Shuffled
from engine.proof import chance, commitment, main
from tests.engine.builders import Play

SEED = bytes.fromhex("5eed" * 16)
SHAKES = (0, 2, 1, 0, 7)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["--seed", SEED.hex(), "--shakes", ",".join(map(str, SHAKES)), *arguments])
    return capsys.readouterr().out.splitlines()


def test_the_commitment_is_the_seeds_hash() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_chance_is_the_seed_keyed_with_the_shakes_in_seat_order() -> None:
    assert chance(SEED, SHAKES) == Chance(hmac.new(SEED, b"0,2,1,0,7", "sha256").hexdigest())


def test_every_shake_of_every_seat_changes_the_deal() -> None:
    shaken = [SHAKES, (1, 2, 1, 0, 7), (0, 2, 1, 0, 8), (2, 0, 1, 0, 7), (0, 2, 1, 0, 7, 0)]
    assert len({chance(SEED, shakes).key for shakes in shaken}) == len(shaken)


def test_the_command_prints_the_deal_of_the_game_that_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    play = Play(5, chance=chance(SEED, SHAKES))
    lines = printed(capsys, "--ruleset", "classic@1", "--players", "5")
    table = play.table
    assert lines[0] == f"commitment: {commitment(SEED)}"
    shown = {"liberal": "liberal", "fascist": "fascist", "hitler": "hitler (fascist)"}
    assert lines[1:6] == [f"seat {seat + 1}: {shown[role]}" for seat, role in enumerate(table.roles)]
    assert lines[6] == f"first candidate: seat {table.president + 1}"
    assert lines[7] == f"deck 1, top first: {' '.join(table.pile)}"
    assert len(lines) == 8


def test_a_later_deck_is_recomputed_from_the_tiles_that_were_shuffled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    play = Play(5, chance=chance(SEED, SHAKES))
    while len(play.all(Shuffled)) < 2:
        if play.step == "ballot":
            play.vote("j" * play.voters)
        else:
            play.send(play.asked[0], 0)
    pile = play.all(Shuffled)[1].pile
    lines = printed(capsys, "--deck", "2", ",".join(reversed(pile)))
    assert lines[-1] == f"deck 2, top first: {' '.join(pile)}"


def test_options_and_a_board_of_ones_own_are_part_of_the_deal(capsys: pytest.CaptureFixture[str]) -> None:
    options = ruleset("classic@1").options
    same = [part for name, choice in options.items() for part in ("--option", f"{name}={choice.values[0]}")]
    assert printed(capsys, *same) == printed(capsys)
    lines = printed(capsys, "--board", '{"deck": {"liberal": 4, "fascist": 9}}')
    assert (lines[7].count("liberal"), lines[7].count("fascist")) == (4, 9)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "xyz", "--shakes", "0,0,0,0,0"], "--seed"),
        (["--seed", "5eed", "--shakes", "often"], "--shakes"),
        (["--seed", "5eed", "--shakes", "0,0,0,0,0", "--players", "6"], "one number for each player"),
        (["--seed", "5eed", "--shakes", "0,0"], "too-few-players"),
        (["--seed", "5eed", "--shakes", "0,0,0,0,0", "--ruleset", "chess@1"], "unknown-ruleset"),
        (["--seed", "5eed", "--shakes", "0,0,0,0,0", "--option", "aces=wild"], "unknown-option"),
        (["--seed", "5eed", "--shakes", "0,0,0,0,0", "--board", '{"aces": 4}'], "malformed-board"),
        (["--shakes", "0,0,0,0,0"], "--seed"),
    ],
)
def test_what_is_no_game_is_refused_with_a_message(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


def test_the_module_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "engine.proof", "--seed", SEED.hex(), "--shakes", "0,2,1,0,7"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"commitment: {commitment(SEED)}\nseat 1: ")
    assert done.stderr == ""
    assert board_of(Setup("classic@1", 5)).roles["hitler"] == done.stdout.count("hitler")
