"""Names in a ruleset that lead nowhere are found: most when it is built, those of its boards when asked."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine import KNOWN, Board, Ruleset
from engine.gaps import HOOKS, gaps, printed_gaps
from engine.question import Step, asks, question_of
from engine.ruleset import RulesetOption
from engine.rulesets.classic import CLASSIC
from engine.rulesets.red_dawn import RED_DAWN
from engine.rulesets.xl import XL
from engine.turn import Turn
from tests.engine.builders import Play


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.id)
def test_everything_that_a_ruleset_names_is_there(rules: Ruleset) -> None:
    assert gaps(rules) == ()
    assert list(printed_gaps(rules)) == []


@pytest.mark.parametrize("hook", HOOKS)
def test_a_misspelt_hook_is_an_error_when_the_ruleset_is_built(hook: str) -> None:
    with pytest.raises(ValueError, match=rf"classic@1: {hook} names 'next-mouth', which is no step"):
        replace(CLASSIC, **{hook: ("next-mouth",)})  # type: ignore[arg-type]


def test_every_field_that_names_steps_is_a_hook() -> None:
    named = {name for name in Ruleset.__dataclass_fields__ if _names_steps(getattr(XL, name, None))}
    named |= {name for name in Ruleset.__dataclass_fields__ if _names_steps(getattr(RED_DAWN, name, None))}
    assert named == set(HOOKS)


def _names_steps(value: object) -> bool:
    steps = {*XL.steps, *RED_DAWN.steps}
    return isinstance(value, tuple) and bool(value) and all(name in steps for name in value)


def track(power: str, only_for: str = "on") -> Any:
    """Classic's board, whose second Fascist slot gives a power to nine players under an option."""

    def board(players: int, options: Mapping[str, str]) -> Board:
        printed = CLASSIC.board(players, options)
        slots = (None, power, "special", "kill", "kill", None)
        changed = players == 9 and options["mode"] == only_for
        return replace(printed, tracks={**printed.tracks, "fascist": slots}) if changed else printed

    return board


@pytest.mark.parametrize("mode", ["off", "on"])
def test_a_misspelt_power_of_a_board_is_found(mode: str) -> None:
    options = {"mode": RulesetOption(("off", "on"))}
    wrong = "for 9 players the fascist track gives 'investigat', but there is no step 'power/investigat'"
    assert [*printed_gaps(replace(CLASSIC, board=track("investigat", mode), options=options))] == [wrong]
    assert [*printed_gaps(replace(CLASSIC, board=track("investigate", mode), options=options))] == []


def test_a_misspelt_power_of_a_tile_is_a_build_error() -> None:
    carried = {**RED_DAWN.tiles, "communist": ("investigate", "convrt")}
    wrong = "red-dawn@1: the tile 'communist' carries 'convrt', but there is no step 'power/convrt'"
    with pytest.raises(ValueError, match=wrong):
        replace(RED_DAWN, tiles=carried)


def test_a_tiles_power_may_be_a_hooks_business() -> None:
    assert "no-confidence" in XL.tiles["enabling-act"]
    with pytest.raises(ValueError, match="carries 'no-confidence'"):
        replace(XL, after_tile=("anti-policy", "emergency", "marks-due"))


def test_an_unplayable_tile_is_found() -> None:
    def board(tile: str) -> Any:
        return lambda players, options: replace(CLASSIC.board(players, options), deck={tile: 17})

    for tile in ("liberl", "fascist:kill"):
        (found,) = printed_gaps(replace(CLASSIC, board=board(tile)))
        assert found == f"for 5 players the deck has '{tile}', which is not among the tiles"
    known = replace(CLASSIC, board=board("fascist:kill"), tiles={"fascist": ("kill",)})
    assert [*printed_gaps(known)] == []


def test_an_unknown_secret_role_is_found() -> None:
    first, *_ = printed_gaps(replace(RED_DAWN, secret_roles={}))
    assert first == "for 6 players there is '*:monarchist', which is not among the secret roles"


def test_a_misspelt_question_is_a_build_error() -> None:
    @asks("ballott")
    def election(turn: Turn) -> None:
        turn.ask(turn.table.able(), ("ja", "nein"))

    with pytest.raises(ValueError, match="the step 'election' asks 'ballott', which is no step"):
        replace(CLASSIC, steps={**CLASSIC.steps, "election": election})


def test_a_question_without_a_step_is_a_build_error() -> None:
    steps = {name: step for name, step in CLASSIC.steps.items() if name != "veto"}
    with pytest.raises(ValueError, match="the step 'enact' asks 'veto', which is no step"):
        replace(CLASSIC, steps=steps)


def test_a_ruleset_without_a_first_step_is_a_build_error() -> None:
    with pytest.raises(ValueError, match="there is no step 'deal'"):
        replace(CLASSIC, steps={name: step for name, step in CLASSIC.steps.items() if name != "deal"})


def test_all_that_is_missing_is_said_at_once() -> None:
    with pytest.raises(ValueError, match=r"'one'.*'two'.*'three'"):
        replace(CLASSIC, opening=("one", "two"), after_chaos=("three",))


def test_a_step_that_does_not_say_it_asks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def election(turn: Turn) -> None:
        turn.ask(turn.table.able(), ("ja", "nein"))

    monkeypatch.setitem(CLASSIC.steps, "election", election)
    with pytest.raises(LookupError, match=r"election.*asks, and does not say what"):
        Play(5).nominate(1)


def calls(step: Step) -> Iterator[ast.Call]:
    """Yield the calls in a step's source and, for table lookups, in everything it puts on the agenda."""
    source = inspect.getsource(step)
    tree = ast.parse(inspect.cleandoc(source) if source.startswith(" ") else source)
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def put_on_the_agenda(step: Step) -> set[str]:
    """Return the names of steps that a step's source passes to ``turn.then``, as far as they are literals."""
    found = set()
    for call in calls(step):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "then":
            for node in (part for argument in call.args for part in ast.walk(argument)):
                first = node.elts[0] if isinstance(node, ast.Tuple) and node.elts else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.add(first.value)
            either = [(a.body, a.orelse) if isinstance(a, ast.IfExp) else (a,) for a in call.args]
            bare = [each for one in either for each in one]
            found |= {a.value for a in bare if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return found


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.id)
def test_every_step_that_a_step_puts_on_the_agenda_is_there(rules: Ruleset) -> None:
    named = {name: put_on_the_agenda(step) for name, step in rules.steps.items()}
    unknown = {step: names - rules.steps.keys() for step, names in named.items()}
    assert {step: names for step, names in unknown.items() if names} == {}
    # The search really finds them: in tuples, alone, and on both sides of a condition.
    assert {"chaos", "end-round"} <= named["fail-election"]
    assert named["sealed-veto"] == {"veto-agenda", "settle"}
    assert named["deal"] == {"acquaint", "shuffle-deck", "first-candidate"}


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.id)
def test_every_step_whose_source_asks_says_what(rules: Ruleset) -> None:
    asking = ("ask", "ask_one", "choose")
    for name, step in rules.steps.items():
        functions = [call.func for call in calls(step)]
        named = [f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in functions]
        assert any(each in asking for each in named) == (question_of(step) is not None), name


def test_a_step_s_questions_are_those_that_are_asked() -> None:
    assert question_of(CLASSIC.steps["candidate"]) == "nominate"
    assert question_of(XL.steps["power/radicalisation"]) == "radicalisation"
    assert question_of(CLASSIC.steps["nominate"]) is None
