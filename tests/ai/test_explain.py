"""Looking into a game: it is written, read, played again, and told seat by seat."""

import json
from pathlib import Path

import pytest

from ai import explain
from engine import Chance, Seat, Setup, board_of, view
from sandbox.__main__ import main as sandbox
from sandbox.computer_games import NOVICE, SEASONED, play_computer_game

SETUP = Setup("classic@1", 5)


def written(setup: Setup = SETUP, level: str = SEASONED) -> dict[str, object]:
    chance = Chance("31" * 32)
    played = play_computer_game(setup, chance, [level] * setup.players)
    return json.loads(json.dumps(explain.to_plain(setup, chance, played.replies, played.claims)))


@pytest.mark.parametrize(
    "setup", [SETUP, Setup("red-dawn@1", 7), Setup("xl@1", 6), Setup("classic@1", 5, {}, board_of(SETUP))]
)
def test_a_written_game_is_played_again_as_it_was(setup: Setup) -> None:
    chance = Chance("32" * 32)
    played = play_computer_game(setup, chance, [NOVICE] * setup.players)
    plain = json.loads(json.dumps(explain.to_plain(setup, chance, played.replies, played.claims)))
    read, again, answers, claims = explain.from_plain(plain)
    assert (read, answers, claims) == (setup, played.replies, played.claims)
    *_, (game, events, reply) = explain.play_again(read, again, answers)
    assert view(events, None).facts == view(played.events[: len(events)], None).facts
    assert game.question is not None
    assert reply == played.replies[-1]


def test_a_round_tells_beliefs_choice_and_reasons() -> None:
    lines = list(explain.explain(written(), Seat(0), 1))
    text = "\n".join(lines)
    assert "Round 1, seat 1 (" in lines[0]
    assert "the table: liberal" in text
    assert "would choose: " in text
    assert "; chose: " in text
    assert "because " in text


def test_the_command_prints_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    sandbox(["explainable", "--players", "5", "--seed", "3", str(file)])
    explain.main([str(file), "--seat", "2", "--round", "1"])
    assert "seat 2 (" in capsys.readouterr().out
    explain.main([str(file), "--seat", "2", "--level", "novice"])
    assert "Round 2" in capsys.readouterr().out
    for arguments in (["--seat", "9"], ["--seat", "0"]):
        with pytest.raises(SystemExit):
            explain.main([str(file), *arguments])
    file.write_text(json.dumps({**json.loads(file.read_text()), "schema": 99}))
    with pytest.raises(SystemExit):
        explain.main([str(file), "--seat", "1"])
    assert "this is no game" in capsys.readouterr().err
