"""Oktoberfest: in October nobody sees their cards. XL handbook, "Oktober Fest"."""

from typing import Any

import pytest

from engine import Chance, Seat, dealt
from engine.facts import Discarded, Drew, Investigated, Passed, Peeked, Vetoed, Voted
from engine.rulesets.xl.oktoberfest import MonthBegan
from engine.steps.sealed_veto import Selected
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, cards, drawn

ON = {"oktoberfest": "on"}
DECK = "cfl cfl cfl lll"


def game(month: int = 10, deck: str = DECK, options: dict[str, str] | None = None, **more: Any) -> Play:
    """Eight players (Liberals 0–3, Fascists 4–5, Hitler 6, Communist 7) from a month on."""
    key = more.pop("key", "00")
    chosen = {**ON, **(options or {})}
    if "tiles" in more:
        more["deck"] = more.pop("tiles")
    changed = board("xl@1", 8, chosen, **more)
    roles = [role for role, count in changed.roles.items() for _ in range(count)]
    chance = dealt(roles, Seat(0), [cards(deck)], key)
    chance = Chance(key, {**chance.recorded, "month": (month,)})
    return Play(8, "xl@1", chance=chance, options=chosen, board=changed)


def blind(play: Play, seat: int) -> tuple[Any, ...]:
    """Return the options of the open question as a seat sees them."""
    question = play.question_for(seat)
    assert question is not None
    return question.options[0]


def tap(play: Play, seat: int, card: int = 0) -> Play:
    return play.send(seat, card)


@pytest.mark.rule("R5.33")
def test_a_month_passes_with_every_round() -> None:
    months = {drawn("xl@1", 8, key, ON).table.counters["month"] for key in range(120)}
    assert months == set(range(1, 13))
    play = game(11)
    assert play.told(MonthBegan) == [MonthBegan(11)]
    assert play.event(MonthBegan).to is None
    assert play.reject().told(MonthBegan) == [MonthBegan(12)]
    assert play.govern("l").told(MonthBegan) == [MonthBegan(1)]


@pytest.mark.rule("R5.33")
def test_without_the_option_there_are_no_months() -> None:
    play = drawn("xl@1", 8, 1)
    assert "month" not in play.table.counters
    play.reject()
    assert not play.told(MonthBegan)


@pytest.mark.rule("R5.34")
def test_an_october_ballot_is_one_of_two_hidden_cards() -> None:
    orders = set()
    for key in range(20):
        play = game(key=f"{key:02x}").nominate(1)
        assert blind(play, 3) == ("card/0", "card/1")
        orders |= set(play.question.options)
    assert orders == {("ja", "nein"), ("nein", "ja")}


@pytest.mark.rule("R5.34")
def test_a_blind_ballot_can_change_until_all_are_shown() -> None:
    play = game().nominate(1)
    lie = play.question.options
    for seat in range(7):
        tap(tap(play, seat, 1), seat, 0)
        assert play.question.options == lie, "they stay where they lie"
    tap(play, 7)
    (voted,) = play.told(Voted)
    assert voted.ballots == tuple(options[0] for options in lie)
    assert play.event(Voted).to is None


@pytest.mark.rule("R5.34")
def test_outside_october_a_ballot_is_seen() -> None:
    play = game(9).nominate(1)
    assert blind(play, 3) == ("ja", "nein")
    play.vote("nnnnnnnn").nominate(2)
    assert blind(play, 3) == ("card/0", "card/1")


def elected(**more: Any) -> Play:
    """October, and the government of 0 and 1 is elected whatever was tapped."""
    play = game(**more).nominate(1)
    for seat, options in enumerate(play.question.options):
        tap(play, seat, options.index("ja"))
    return play


@pytest.mark.rule("R5.35")
def test_nobody_knows_the_tiles_of_october() -> None:
    play = elected()
    assert play.step == "discard"
    assert blind(play, 0) == ("card/0", "card/1", "card/2")
    tap(play, 0)
    assert (play.step, blind(play, 1)) == ("enact", ("card/0", "card/1"))
    tap(play, 1)
    for seat in (None, *range(8)):
        for fact in play.view(seat).facts:
            if isinstance(fact, Drew | Passed):
                assert set(fact.hand) == {"?"}
            if isinstance(fact, Discarded):
                assert fact.tile == "?"


@pytest.mark.rule("R5.35")
def test_hidden_tiles_lie_in_an_order_that_chance_decides() -> None:
    orders = {elected(key=f"{key:02x}").question.options[0] for key in range(60)}
    assert len(orders) == 6
    assert all(sorted(order) == ["communist", "fascist", "liberal"] for order in orders)


@pytest.mark.rule("R5.36")
@pytest.mark.parametrize("power", ["investigate", "special", "kill"])
def test_targets_of_powers_are_blind(power: str) -> None:
    slots = {"fascist": (power, *[None] * 5)}
    targets = set()
    for key in range(60):
        play = elected(tracks=slots, key=f"{key:02x}", deck="fff lll")
        tap(tap(play, 0), 1)
        assert (play.step, play.asked) == (power, (0,))
        assert blind(play, 0) == tuple(f"person/{number}" for number in range(7))
        targets.add(play.question.options[0][0])
    assert targets == set(range(1, 8))


@pytest.mark.rule("R5.37")
def test_what_a_power_shows_is_seen_as_usual() -> None:
    play = elected(tracks={"fascist": ("investigate", *[None] * 5)}, deck="fff lll")
    tap(tap(tap(play, 0), 1), 0)
    (fact,) = play.told(Investigated)
    assert play.event(Investigated).to == (0,)
    assert fact.party in ("liberal", "fascist", "communist")
    play = elected(tracks={"fascist": ("peek", *[None] * 5)}, deck="fff lfc")
    tap(tap(play, 0), 1)
    assert play.event(Peeked).fact == Peeked(Seat(0), ("liberal", "fascist", "communist"))
    assert play.event(Peeked).to == (0,)


@pytest.mark.rule("R5.36")
def test_emergency_and_social_democratic_choices_are_blind() -> None:
    tiles = {"liberal": 10, "fascist": 9, "communist": 8, "article-48:?": 3, "social-democratic": 3}
    quiet = {"fascist": (None,) * 6, "communist": (None,) * 6}
    special = {"tracks": quiet, "tiles": tiles}
    three = "social-democratic social-democratic social-democratic"
    play = elected(deck=three, **special)
    lies = {"liberal": (), "fascist": ("fascist",), "communist": ("communist",)}
    tap(tap(play.doctored(tracks=lies), 0), 1)
    assert (play.step, blind(play, 0)) == ("social-democratic", ("card/0", "card/1"))
    powers = "article-48:propaganda article-48:mark article-48:impeachment"
    steps = set()
    for key in range(30):
        play = elected(deck=powers, key=f"{key:02x}", **special)
        tap(tap(play, 0), 1)
        steps.add(play.step)
        hidden = "card" if play.step == "propaganda" else "person"
        assert set(map(str, blind(play, 0))) == {f"{hidden}/{n}" for n in range(len(play.choices))}
    assert steps == {"propaganda", "mark", "impeachment"}


@pytest.mark.rule("R5.37")
def test_nominations_the_veto_and_meetings_are_not_blind() -> None:
    play = game()
    assert blind(play, 0) == (1, 2, 3, 4, 5, 6, 7)
    play = tap(elected().doctored(veto=True), 0)
    assert blind(play, 1) == ("card/0", "card/1", "veto")
    tap(play, 1, 2)
    assert (play.step, blind(play, 0)) == ("veto", ("ja", "nein"))
    play.say("ja")
    assert play.event(Vetoed).to == ()
    play = elected(deck="ccc lll")
    tap(tap(play, 0), 1)
    assert play.step == "bugging"
    assert blind(play, 7) == (0, 1, 2, 3, 4, 5, 6)


@pytest.mark.rule("R5.36", "R2.1")
def test_a_sealed_veto_is_blind_too() -> None:
    play = tap(elected(options={"veto": "sealed"}).doctored(veto=True), 0)
    assert (play.step, blind(play, 1)) == ("select", ("card/0", "card/1"))
    tap(play, 1)
    assert play.event(Selected).to == ()
    assert play.step == "sealed-veto"
    assert blind(play, 0) == blind(play, 1) == ("card/0", "card/1")


@pytest.mark.rule("R7.3", "R7.2")
def test_the_clock_answers_blind_questions_as_any_others() -> None:
    play = tap(elected().doctored(veto=True), 0).clock()
    assert play.step != "veto"
    assert sum(play.track(colour) for colour in ("liberal", "fascist", "communist")) == 1


@pytest.mark.rule("R7.1")
def test_blind_ballots_that_are_not_cast_elect_nobody() -> None:
    (voted,) = game().nominate(1).clock().told(Voted)
    assert set(voted.ballots) == {None}
    assert not voted.passed
