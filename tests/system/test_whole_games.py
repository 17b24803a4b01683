"""Whole games from /newgame to the end, by random seats, through entry, store, queue and stand-in.

GAMES=20 pytest -n 2 tests/system/test_whole_games.py     # seeds 1–20 of every size of classic
"""

import os
from statistics import median

import pytest

from engine import OFFERED
from engine.facts import CandidacyPassed
from sandbox.bench.messages import GAMES, Kind
from sandbox.game import GroupGame, play, transcript
from sandbox.telegram.calls import COUNTED
from tests.system.whole import COLD_WAR, COLD_WAR_GAMES, said, sound, strange

SEEDS = range(1, int(os.environ.get("GAMES", "1")) + 1)
#: Other sizes are played in test_themes.py, where games must be sound as well.
EVERY = ((rules.name, players) for rules in OFFERED for players in rules.players)
SIZES = [game for game in EVERY if game not in COLD_WAR_GAMES]
CLASSIC = [size for size in SIZES if size[0] == "classic"]
OTHERS = [size for size in SIZES if size[0] != "classic"]
#: The median of a hundred games of seven; single games may be longer or shorter.
ROUNDS = 14
#: The worst of a hundred games has about this many rounds.
LONGEST = 24


def of_weimar(top: GroupGame) -> None:
    """Check that the game ended properly, and that nothing of the cold war was named in it."""
    sound(top)
    assert strange(COLD_WAR, said(top.harness)) == set()


@pytest.mark.rule("R0.2")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("ruleset", "players"), CLASSIC)
@pytest.mark.quick("classic-10-1")
def test_a_classic_game_of_every_size_comes_to_its_end(ruleset: str, players: int, seed: int) -> None:
    of_weimar(play(ruleset, players, seed))


@pytest.mark.parametrize(("ruleset", "players"), OTHERS)
@pytest.mark.quick("red-dawn-9")
def test_a_game_of_every_other_ruleset_and_size_comes_to_its_end(ruleset: str, players: int) -> None:
    # All options take turns with none, so that both are played over the sizes.
    of_weimar(play(ruleset, players, players, options="all" if players % 2 else "none"))


@pytest.mark.parametrize("kind", [kind for kind in GAMES if kind.ruleset == "classic"], ids=str)
@pytest.mark.thorough
def test_a_game_of_seven_keeps_within_its_messages(kind: Kind) -> None:
    usual, worst = kind.reach
    longest, of_usual_length = [], []
    for seed in range(1, 10):
        top = play("classic", 7, seed, ballots=kind.ballots, computers=kind.computers)
        sound(top)
        count = sum(call.ok for call in top.harness.telegram.journal.of(*COUNTED))
        rounds = sum(isinstance(event.fact, CandidacyPassed) for event in top.match().log)
        longest.append(count * min(1.0, LONGEST / rounds))
        of_usual_length.append(count / rounds * ROUNDS)
    assert max(longest) <= worst
    assert median(of_usual_length) <= usual


def test_a_veto_under_the_groups_post_is_asked_by_a_new_one() -> None:
    # The Chancellor of this game asks for a veto; Telegram would not notify the President of an edit.
    top = play("classic", 7, 5, ballots="group")
    sound(top)
    posts = top.harness.telegram.journal.of("sendMessage", chat=top.group.id)
    (asking,) = [call.params for call in posts if "decides about the veto" in call.params["text"]]
    assert "answer|" in str(asking["reply_markup"])


@pytest.mark.thorough
def test_the_same_seed_plays_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again, other = (transcript(play("classic", 5, seed)) for seed in (7, 7, 8))
    assert first == again
    assert first != other
