"""From games to pictures: every setup can be drawn, and nothing hidden has any influence."""

import random
from dataclasses import fields, replace
from typing import Any
from xml.etree import ElementTree

import pytest

from bot.display.pictures import board_svg
from bot.display.pictures.scene import scene_of
from engine import KNOWN, Chance, Event, Reply, Setup, View, answer, board_of, start, time_out, view
from engine.facts import Fact, LimitsWaived
from engine.rulesets.red_dawn.secret_roles import Returned, RoleRevealed
from engine.rulesets.xl.own_roles import RoleShown
from engine.steps.communists import Confessed
from sandbox.setups import every_setup, option_sets
from tests.bot.pictures.scenes import parts, picture_key
from tests.engine.builders import Play

FULLEST = [
    Setup(rules.id, players, list(option_sets(rules, players).values())[-1])
    for rules in KNOWN
    for players in (min(rules.players), max(rules.players))
]
OTHERS = {
    "liberal": "fascist",
    "fascist": "communist",
    "communist": "liberal",
    "hitler": "liberal",
    "monarchist": "anarchist",
}


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
    changed = {f.name: altered(getattr(fact, f.name)) for f in fields(fact)}  # type: ignore[arg-type]
    return replace(event, fact=replace(fact, **changed))  # type: ignore[type-var]


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
        board_svg(view(play.events, 0), "weimar")


def test_a_theme_without_a_look_is_an_error() -> None:
    with pytest.raises(KeyError):
        board_svg(group(Play(7)), "baroque")


def group(play: Play) -> View:
    return view(play.events, None)


def test_the_hand_lies_before_president_then_chancellor() -> None:
    play = Play(7).elect(2)
    assert [seat.hand for seat in scene_of(group(play)).seats] == [3, 0, 0, 0, 0, 0, 0]
    play.discard("f")
    assert [seat.hand for seat in scene_of(group(play)).seats] == [0, 0, 2, 0, 0, 0, 0]
    play.enact("l")
    assert not any(seat.hand for seat in scene_of(group(play)).seats)


def test_term_limits_are_those_of_the_next_nomination() -> None:
    play = Play(7).elect(2)
    assert not any(seat.limited for seat in scene_of(group(play)).seats)
    play.session("l")
    limited = [number for number, seat in enumerate(scene_of(group(play)).seats) if seat.limited]
    assert limited == [0, 2]
    assert set(play.choices).isdisjoint(limited)


def test_waived_term_limits_bar_nobody() -> None:
    play = Play(7).govern("l", 2)
    waived = [*play.events, Event(LimitsWaived())]
    assert not any(seat.limited for seat in scene_of(view(waived, None)).seats)


def test_among_five_only_the_last_chancellor_is_limited() -> None:
    play = Play(5).govern("l", 2)
    assert [number for number, seat in enumerate(scene_of(group(play)).seats) if seat.limited] == [2]
    assert 0 in play.choices
    assert 2 not in play.choices


def test_in_the_zone_the_chancellor_is_confirmed() -> None:
    play = Play(5).ready(3)
    play.elect(play.harmless)
    seen = scene_of(group(play))
    assert [seat.confirmed for seat in seen.seats].count(True) == 1
    assert next(seat for seat in seen.seats if seat.confirmed).office == "chancellor"


def test_ballots_leave_no_trace_before_they_are_all_in() -> None:
    play = Play(7).nominate(2)
    before = picture_key(group(play), "weimar")
    play.vote("jjjnn..")
    assert picture_key(group(play), "weimar") == before


def test_the_same_board_has_the_same_name_in_another_game() -> None:
    one, other = Play(7, roles="lllfhlf"), Play(7, roles="hffllll")
    assert picture_key(group(one), "weimar") == picture_key(group(other), "weimar")
    assert picture_key(group(one.nominate(3)), "weimar") != picture_key(group(other.nominate(4)), "weimar")


def test_a_group_without_a_zone_sees_none() -> None:
    play = Play(7)
    board = replace(board_of(play.setup), endings={"hitler-killed": ("liberal",)})
    custom = Play(7, board=board)
    assert "zone" not in board_svg(group(custom), "weimar")
    assert "zone" in board_svg(group(play), "weimar")


def test_parts_of_a_picture_are_found_by_class() -> None:
    assert len(parts(ElementTree.fromstring(board_svg(group(Play(9)), "weimar")), "seat")) == 9
