"""Two worlds that differ in what a seat may not know: it believes, chooses, claims and reasons the same."""

import os
import random
from itertools import cycle, islice

import pytest

import ai
from ai import memory
from engine import Event, Seat, Setup, question_for, start, view
from engine.claim import Claim
from engine.ruleset import Ruleset
from engine.rulesets import OFFERED
from sandbox.computer_games import seat_chance
from sandbox.random_games import every_setup
from tests import worlds
from tests.worlds import Worlds, pairs

PAIRS = int(os.environ.get("AI_PAIRS", "3"))


def outputs(world: worlds.World, events: list[Event], viewer: int, claims: list[Claim]) -> object:
    """Return everything that a mind in the viewer's seat says and does at this moment."""
    known = view(events, Seat(viewer))
    believed = ai.beliefs(known, claims)
    chance = seat_chance("both", Seat(viewer), world.game.asked)
    character = ai.character_of("Somebody")
    said = ai.say(known, claims, chance, "seasoned", character)
    question = question_for(world.game, Seat(viewer))
    if question is None:
        return believed, said
    levels = ("novice", "seasoned")
    chosen = [ai.choose(known, question, claims, chance, level, chance, character) for level in levels]
    odds = [ai.probabilities(known, question, claims, level, character) for level in levels]
    return believed, said, chosen, odds, ai.reasons(known, claims, question)


def lived(pair: Worlds, side: int) -> list[object]:
    """Return the outputs of the viewer's mind in one of the two worlds, when it is asked and now and then."""
    viewer = pair.viewer
    assert viewer is not None
    # Forget results, so that neither world profits from the other's.
    memory.forget()
    world = worlds.World(*start(pair.setup, (pair.left, pair.right)[side].chance))
    events: list[Event] = list(world.told)
    claims: list[Claim] = []
    made: list[object] = []
    for moment, step in enumerate(pair.script):
        if question_for(world.game, Seat(viewer)) is not None or moment % 8 == 0:
            thought = outputs(world, events, viewer, claims)
            claims += thought[1]  # type: ignore[index]
            made.append(thought)
        world.do(step[side])
        events += world.told
    return made


def compare(pair: Worlds) -> int:
    """Compare what the viewer's mind makes of the two worlds; at how many moments."""
    left, right = lived(pair, 0), lived(pair, 1)
    assert left == right, f"seat {pair.viewer} of {pair.setup}"
    return len(left)


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.quick("classic", "red-dawn")
def test_no_mind_can_tell_two_worlds_apart_before_the_rules_do(rules: Ruleset) -> None:
    setups = list(every_setup((rules,)))
    rng = random.Random(rules.id)
    rng.shuffle(setups)
    moments = different = 0
    for setup in islice(cycle(setups), PAIRS):
        for pair in pairs(setup, rng, [Seat(rng.randrange(setup.players))]):
            pair.play()
            different += pair.left.chance != pair.right.chance
            moments += compare(pair)
    assert different > PAIRS / 3
    assert moments > 5 * PAIRS


def test_a_mind_that_looked_at_hidden_roles_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison finds a real leak."""
    rng = random.Random(4)
    for _ in range(8):
        for pair in pairs(Setup("classic@1", 7), rng, [Seat(rng.randrange(7))]):
            pair.play()
            roles = [world.game.table.roles for world in (pair.left, pair.right)]
            told = {False: roles[0], True: roles[1]}
            worlds_begun: list[bool] = []
            monkeypatch.setattr(memory, "forget", lambda begun=worlds_begun: begun.append(True))
            monkeypatch.setattr(
                ai, "beliefs", lambda known, claims, begun=worlds_begun, told=told: told[len(begun) > 1]
            )
            try:
                compare(pair)
            except AssertionError:
                return
    raise AssertionError("no pair of worlds showed it")
