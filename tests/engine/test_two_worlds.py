"""Two worlds that differ only in what a viewer may not know look the same to it: see ``tests.worlds``."""

import os
import random
from collections import Counter
from dataclasses import replace
from itertools import cycle, islice

import pytest

from engine import KNOWN, Chance, QuestionNumber, Setup, start
from engine.facts import Drew, Fact, Investigated, Shuffled
from engine.ruleset import Ruleset
from engine.turn import Turn
from sandbox.random_games import every_setup
from tests import worlds
from tests.audiences import AUDIENCES
from tests.worlds import Leak, Worlds, explicit, pairs

GAMES = int(os.environ.get("ENGINE_GAMES", "200").partition(":")[0])


def played(setups: list[Setup], count: int, seed: int = 0) -> list[Worlds]:
    """Yield that many pairs of worlds over these setups, in turn, each for some viewer."""
    rng = random.Random(seed)
    done: list[Worlds] = []
    for setup in islice(cycle(setups), count):
        viewer = rng.choice([None, *range(setup.players)])
        done += [pair.play() for pair in pairs(setup, rng, [viewer])]
    return done


@pytest.mark.timeout(0)
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
@pytest.mark.quick("xl")
def test_nobody_can_tell_two_worlds_apart_before_the_rules_do(rules: Ruleset) -> None:
    setups = list(every_setup((rules,)))
    random.Random(rules.id).shuffle(setups)
    done = played(setups, max(GAMES, 40))
    # The comparison is worthless unless worlds that do differ stay alike for long.
    different = [pair for pair in done if pair.left.chance != pair.right.chance]
    assert len(different) > len(done) / 2
    assert sum(len(pair.script) for pair in different) / len(different) > 25
    assert len({pair.parted for pair in done}) > 3


def test_a_script_replays_from_its_deals_alone() -> None:
    for pair in played(list(every_setup()), 30, seed=5):
        for at, world in enumerate((pair.left, pair.right)):
            again = worlds.World(*start(pair.setup, world.chance))
            for step in pair.script:
                again.do(step[at])
            assert again.game.asked <= world.game.asked
            if pair.parted == "end":
                assert again.game.table.winners


def test_an_explicit_deal_is_the_deal_that_it_writes_out() -> None:
    for number, setup in enumerate(every_setup()):
        key = f"{number:04x}"
        plain, written = start(setup, Chance(key)), start(setup, explicit(setup, key))
        assert plain[1] == written[1]


def test_worlds_part_by_each_classic_secret() -> None:
    parted = Counter(pair.parted for pair in played([Setup("classic@1", 7)], 150))
    assert parted["LEAK"] == 0
    assert {"drew", "passed", "enacted", "game-over", "end"} <= set(parted)


def finds_a_leak(setup: Setup, count: int = 300) -> bool:
    try:
        played([setup], count)
    except Leak:
        return True
    return False


CLASSIC = Setup("classic@1", 7)
MEETING = Setup("red-dawn@1", 10)


@pytest.mark.thorough
def test_the_unbroken_engine_passes_what_finds_the_leaks_below() -> None:
    assert not finds_a_leak(CLASSIC)
    assert not finds_a_leak(MEETING)


@pytest.mark.parametrize("kind", ["Drew", "Discarded", "Passed", "Shuffled"])
def test_it_finds_tiles_that_are_told_to_all(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"engine.facts.{kind}.scrub", lambda fact: fact)
    assert finds_a_leak(CLASSIC)


def test_it_finds_a_party_that_is_told_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Investigated, "scrub", lambda fact: fact)
    assert finds_a_leak(CLASSIC)


def test_it_finds_a_hand_whose_order_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tiles.laid_out", lambda hand: hand)
    assert finds_a_leak(CLASSIC)


def test_it_finds_targets_in_an_order_that_hangs_on_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    def others(turn: Turn, holder: int) -> list[int]:
        return sorted(set(turn.table.living()) - {holder}, key=lambda seat: str(turn.table.roles[seat]))

    monkeypatch.setattr("engine.steps.powers.others", others)
    assert finds_a_leak(CLASSIC)


def test_it_finds_question_numbers_that_hang_on_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Turn.ask

    def counting(turn: Turn, *args: object, **more: object) -> None:
        turn.asked = QuestionNumber(turn.asked + turn.table.hand.count("liberal"))
        ask(turn, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Turn, "ask", counting)
    assert finds_a_leak(CLASSIC)


def test_the_search_finds_a_fact_of_one_hidden_case(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = Turn.tell

    def chatty(turn: Turn, fact: object, to: tuple[int, ...] | None = None) -> None:
        tell(turn, fact, to)  # type: ignore[arg-type]
        if isinstance(fact, Drew) and fact.hand.count("liberal") == 0:
            tell(turn, Shuffled(turn.table.pile, discards_kept=True), ())

    monkeypatch.setattr(Turn, "tell", chatty)
    assert finds_a_leak(CLASSIC)


def test_it_finds_a_meeting_that_shows_who_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.question.Question.in_public", lambda question: replace(question, options=()))
    assert finds_a_leak(MEETING)


def test_it_finds_sealed_ballots_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.steps.sealed_veto.SealedVeto.scrub", lambda fact: fact)
    assert finds_a_leak(Setup("online@1", 7))


def test_every_kind_of_fact_has_its_audience_written_down() -> None:
    assert set(Fact.kinds) == set(AUDIENCES)
