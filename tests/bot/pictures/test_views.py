"""From games to pictures: every setup can be drawn, and nothing hidden has any influence."""

import random
from dataclasses import fields, replace
from typing import Any

import pytest

from bot.display.pictures import board_svg
from bot.display.pictures.scene import scene_of
from engine import KNOWN, Chance, Event, Reply, Seat, Setup, View, answer, start, time_out, view
from engine.facts import Fact
from engine.rulesets.red_dawn.secret_roles import Returned, RoleRevealed
from engine.rulesets.xl.own_roles import RoleShown
from engine.setups import option_sets
from engine.steps.communists import Confessed
from sandbox.random_games import every_setup
from tests.bot.pictures.scenes import picture_key
from tests.engine.builders import Play

FULLEST = [
    Setup(rules.id, players, list(option_sets(rules, players).values())[-1])
    for rules in KNOWN
    for players in (min(rules.players), max(rules.players))
]
OTHERS = {
    "liberal": "fascist", "fascist": "communist", "communist": "liberal", "hitler": "liberal",
    "monarchist": "anarchist",
}  # fmt: skip


def stages(setup: Setup, seed: int) -> list[list[Event]]:
    """Return the events before each question, and at the end, of a random game with mostly Ja."""
    rng = random.Random(seed)
    game, told = start(setup, Chance(rng.randbytes(32).hex()))
    events = list(told)
    found = [events]
    while (question := game.question) is not None:
        for seat, options in zip(question.seats, question.options, strict=True):
            yes = question.step == "ballot" and rng.random() < 0.6
            game, told = answer(game, Reply(seat, question.number, 0 if yes else rng.randrange(len(options))))
            events = [*events, *told]
        if question.meeting:
            game, told = time_out(game)
            events = [*events, *told]
        found.append(events)
    return found


def test_every_setup_that_a_lobby_offers_has_a_picture() -> None:
    for setup in every_setup():
        game, told = start(setup, Chance("00"))
        seen = view(told, None)
        assert len(scene_of(seen).seats) == game.setup.players
        assert picture_key(seen, "weimar") != picture_key(seen, "cold-war")


@pytest.mark.parametrize("setup", FULLEST, ids=lambda setup: f"{setup.ruleset}-{setup.players}")
def test_every_table_of_a_game_can_be_drawn(setup: Setup) -> None:
    seen = stages(setup, 3)
    assert len({picture_key(view(events, None), "weimar") for events in seen[::3]}) > len(seen[::3]) / 2


def altered(value: Any) -> Any:
    """Another secret of the same shape: other tiles, parties and roles."""
    if isinstance(value, tuple):
        return tuple(altered(part) for part in value)
    return OTHERS.get(value, value) if isinstance(value, str) else value


def in_another_world(event: Event) -> Event:
    """Return the same event, with another secret if not everyone may know it."""
    if event.to is None:
        return event
    fact: Fact = event.fact
    changed = {f.name: altered(getattr(fact, f.name)) for f in fields(fact)}
    return replace(event, fact=replace(fact, **changed))


@pytest.mark.parametrize("setup", FULLEST, ids=lambda setup: f"{setup.ruleset}-{setup.players}")
def test_no_secret_has_any_influence_on_a_picture(setup: Setup) -> None:
    for seed in range(3):
        *unfinished, _ = stages(setup, seed)
        for events in unfinished[::5]:
            other = [in_another_world(event) for event in events]
            assert other != events
            assert board_svg(view(other, None), "weimar") == board_svg(view(events, None), "weimar")


@pytest.mark.parametrize("setup", FULLEST, ids=lambda setup: f"{setup.ruleset}-{setup.players}")
def test_parties_and_roles_are_drawn_only_once_they_were_shown(setup: Setup) -> None:
    for seed in range(3):
        *unfinished, whole = stages(setup, seed)
        for events in unfinished[::5]:
            seen = view(events, None)
            shown = {fact.seat for fact in seen.facts if isinstance(fact, Confessed | RoleShown)}
            revealing = RoleRevealed | Returned | RoleShown
            revealed = {fact.seat for fact in seen.facts if isinstance(fact, revealing)}
            for number, seat in enumerate(scene_of(seen).seats):
                assert seat.party is None or number in shown
                assert seat.role is None or number in revealed
        assert all(seat.party and seat.role for seat in scene_of(view(whole, None)).seats)


def test_a_seats_own_view_is_refused() -> None:
    play = Play(7)
    with pytest.raises(ValueError, match="group"):
        board_svg(view(play.events, Seat(0)), "weimar")


def group(play: Play) -> View:
    return view(play.events, None)


def test_ballots_leave_no_trace_before_they_are_all_in() -> None:
    play = Play(7).nominate(2)
    before = picture_key(group(play), "weimar")
    play.vote("jjjnn..")
    assert picture_key(group(play), "weimar") == before
