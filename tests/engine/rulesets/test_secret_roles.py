"""Secret roles on top of the party. Red Dawn rule book, "Secret roles"."""

from typing import Any

import pytest

from engine import Illegal, Seat, Setup, dealt, start
from engine.board import Role
from engine.events import seen
from engine.facts import ClockAnswered, Killed, Recognised
from engine.rulesets.red_dawn.secret_roles import Returned, RoleRevealed, SuspectsShown, WentIntoHiding
from engine.steps.communists import ConversionFailed, PartyChanged
from tests.engine.builders import Play, seats
from tests.engine.rulesets.games import board, red_dawn

ON = {"secret-roles": "on"}
#: Ten players, everything that may be dealt. Monarchist 6 (Fascist), Anarchist 3, Capitalist 4, KGB 9.
ROLES = "lll liberal:anarchist liberal:capitalist f fascist:monarchist h c communist:kgb"
ANARCHIST, CAPITALIST, MONARCHIST, HITLER, KGB = 3, 4, 6, 7, 9
#: Every Fascist slot kills, every Communist one recruits.
_TRACKS = {"fascist": (*["kill"] * 5, None), "communist": (*["recruitment"] * 4, None)}
BOARD = board("red-dawn@1", 10, ON, tracks=_TRACKS)


def game(deck: str = "fcl fcl fcl fcl", **more: Any) -> Play:
    """Ten players with all secret roles on a board that kills and recruits."""
    return red_dawn(10, deck, more.pop("roles", ROLES), options=ON, board=more.pop("board", BOARD), **more)


def killing(target: int, **more: Any) -> Play:
    """President 0 kills somebody in the first round."""
    return game(**more).govern("f", 1).target(target)


def quiet(play: Play, rounds: int) -> Play:
    """Play some failing elections, never three in a row."""
    for number in range(rounds):
        play.reject() if number % 3 < 2 else play.govern("l")
    return play


def public(play: Play) -> list[str]:
    """Return the kinds of facts of the last call that the group saw."""
    return [type(fact).__name__ for fact in seen(play.new, None)]


@pytest.mark.rule("R4.30", "R4.31")
def test_a_role_lies_on_top_of_a_party_and_only_its_holder_knows() -> None:
    play = game()
    assert play.table.parties[MONARCHIST] == "fascist"
    assert play.table.roles[MONARCHIST] == "monarchist"
    for seat in (None, *range(10)):
        table = play.view(seat).table
        usual = (None, "hitler", "liberal", "fascist", "communist")
        known = [s for s in range(10) if table.roles[s] not in usual]
        assert known == ([seat] if seat in (ANARCHIST, CAPITALIST, MONARCHIST, KGB) else [])
    assert play.view(5).table.parties[MONARCHIST] == "fascist"
    assert play.view(8).table.parties[KGB] == "communist"


@pytest.mark.rule("R4.29")
def test_five_players_have_no_secret_roles() -> None:
    with pytest.raises(Illegal, match="secret-roles-need-6-players"):
        start(Setup("red-dawn@1", 5, ON), dealt())


@pytest.mark.rule("R4.36", "R4.31")
def test_the_kgb_knows_hitler_and_nobody_else_learns_so() -> None:
    play = game()
    assert play.view(KGB).table.roles[HITLER] == "hitler"
    recognised = [fact.seat for fact in play.view(KGB).facts if isinstance(fact, Recognised)]
    assert sorted(recognised) == [HITLER, 8]
    assert play.view(8).table.roles[HITLER] is None
    without = red_dawn(7, roles="lll liberal:monarchist f h c", options=ON)
    assert not [e for e in without.events if isinstance(e.fact, Recognised) and e.to == (6,)]


@pytest.mark.rule("R4.33", "R4.32")
def test_a_killed_anarchist_takes_somebody_along_first() -> None:
    play = killing(ANARCHIST)
    assert play.told(RoleRevealed) == [RoleRevealed(Seat(ANARCHIST), Role("anarchist"))]
    assert play.view(None).table.roles[ANARCHIST] == "anarchist"
    assert (play.step, play.asked) == ("revenge", (ANARCHIST,))
    assert not play.told(Killed)
    assert ANARCHIST not in play.choices
    play.target(0)
    assert play.told(Killed) == [
        Killed(Seat(0), Seat(ANARCHIST), "revenge"),
        Killed(Seat(ANARCHIST), Seat(0), "execution"),
    ]


@pytest.mark.rule("R4.33", "R4.32")
def test_the_anarchist_s_revenge_on_hitler_wins_for_the_liberals() -> None:
    play = killing(ANARCHIST).target(HITLER)
    assert play.table.winners == ("liberal",)
    assert play.table.alive[ANARCHIST]


@pytest.mark.rule("R4.33", "R4.37")
def test_the_revenge_is_worked_through_before_the_anarchist_dies() -> None:
    play = killing(ANARCHIST).target(KGB)
    assert (play.step, play.asked) == ("suspect", (KGB,))
    assert play.table.alive[ANARCHIST]
    play.target(1)
    assert public(play)[:2] == ["SuspectsShown", "Killed"]
    assert not play.table.alive[ANARCHIST]
    assert play.table.alive[KGB]


@pytest.mark.rule("R4.33")
def test_without_anybody_left_the_anarchist_picks_nobody() -> None:
    play = game().govern("f", 1)
    play.doctored(alive=tuple(seat == ANARCHIST for seat in range(10))).target(ANARCHIST)
    assert play.told(Killed) == [Killed(Seat(ANARCHIST), Seat(0), "execution")]


@pytest.mark.rule("R4.33")
def test_who_is_being_killed_already_cannot_be_picked() -> None:
    play = killing(ANARCHIST)
    roles = tuple("anarchist" if seat == 2 else role for seat, role in enumerate(play.table.roles))
    play.doctored(roles=roles).target(2)
    assert (play.step, play.asked) == ("revenge", (2,))
    assert set(play.choices) == set(range(10)) - {2, ANARCHIST}
    play.target(0)
    assert [fact.seat for fact in play.told(Killed)] == [0, 2, ANARCHIST]


@pytest.mark.rule("R4.34")
def test_a_killed_monarchist_looks_dead_to_everybody_else() -> None:
    monarchist, plain = killing(MONARCHIST), killing(5)
    assert public(monarchist) == public(plain)
    assert monarchist.event(WentIntoHiding).to == (MONARCHIST,)
    assert not monarchist.table.alive[MONARCHIST]
    assert monarchist.view(0).table.tagged("hiding") == {}
    monarchist.nominate(2)
    assert MONARCHIST not in monarchist.asked


@pytest.mark.rule("R4.34")
def test_the_monarchist_returns_before_the_third_election() -> None:
    play = killing(MONARCHIST)
    quiet(play, 1)
    assert not play.told(Returned)
    quiet(play, 1)
    assert play.event(Returned).fact == Returned(Seat(MONARCHIST), "monarchist")
    assert play.event(Returned).to is None
    assert play.kinds().index("Returned") < play.kinds().index("CandidacyPassed")
    assert play.table.alive[MONARCHIST]
    assert MONARCHIST in play.choices
    assert play.view(None).table.roles[MONARCHIST] == "monarchist"


@pytest.mark.rule("R4.34")
def test_the_monarchist_returns_to_the_same_seat() -> None:
    play = quiet(game(first=3).govern("f", 1).target(MONARCHIST), 2)
    assert play.candidates() == [3, 4, 5, MONARCHIST]


@pytest.mark.rule("R4.35", "R4.32")
def test_every_killing_of_the_monarchist_is_an_exile() -> None:
    play = quiet(killing(MONARCHIST), 2)
    for _ in range(2):
        play = play.reject() if play.candidates()[-1] == MONARCHIST else play
        play.govern("f", play.harmless).target(MONARCHIST)
        assert play.event(WentIntoHiding).to == (MONARCHIST,)
        assert not play.table.alive[MONARCHIST]
        quiet(play, 2)
        assert play.told(Returned) == [Returned(Seat(MONARCHIST), "monarchist")]
    assert play.table.alive[MONARCHIST]


@pytest.mark.rule("R4.37")
def test_the_kgb_survives_and_shows_hitler_among_two() -> None:
    play = killing(KGB)
    assert play.told(RoleRevealed) == [RoleRevealed(Seat(KGB), Role("kgb"))]
    assert not play.told(Killed)
    assert (play.step, play.asked) == ("suspect", (KGB,))
    assert HITLER not in play.choices
    assert KGB not in play.choices
    play.target(8)
    assert play.event(SuspectsShown).fact == SuspectsShown(Seat(KGB), seats(HITLER, 8))
    assert play.event(SuspectsShown).to is None
    assert play.table.alive[KGB]
    assert killing(KGB).target(1).told(SuspectsShown) == [SuspectsShown(Seat(KGB), seats(1, HITLER))]


@pytest.mark.rule("R4.38")
def test_the_second_killing_of_the_kgb_is_an_ordinary_one() -> None:
    play = killing(KGB).target(1).govern("f").target(KGB)
    assert play.told(Killed) == [Killed(Seat(KGB), Seat(1), "execution")]
    assert not play.told(RoleRevealed)


@pytest.mark.rule("R4.38")
def test_with_nobody_else_alive_the_kgb_shows_hitler_alone() -> None:
    play = game().govern("f", 1)
    play.doctored(alive=tuple(seat in (HITLER, KGB) for seat in range(10))).target(KGB)
    assert play.told(SuspectsShown) == [SuspectsShown(Seat(KGB), seats(HITLER))]


@pytest.mark.rule("R4.21")
def test_the_capitalist_cannot_be_recruited() -> None:
    play = game().govern("c", 1).say(CAPITALIST, 8).say(CAPITALIST, KGB).clock()
    assert play.event(ConversionFailed).to == (CAPITALIST,)
    assert play.table.parties[CAPITALIST] == "liberal"


@pytest.mark.rule("R4.22", "R4.34")
def test_a_recruited_monarchist_stays_one() -> None:
    play = game().govern("c", 1).say(MONARCHIST, 8).say(MONARCHIST, KGB).clock()
    assert play.event(PartyChanged).to == (MONARCHIST,)
    play.govern("f").target(MONARCHIST)
    assert play.told(WentIntoHiding)


@pytest.mark.rule("R7.2")
def test_the_clock_picks_for_the_anarchist_and_for_the_kgb() -> None:
    def hit(play: Play) -> int:
        return next(e.fact.seat for e in play.new if isinstance(e.fact, Killed | RoleRevealed))

    keys = [f"{key:02x}" for key in range(200)]
    assert {hit(killing(ANARCHIST, key=key).clock()) for key in keys} == set(range(10)) - {ANARCHIST}
    shown = {killing(KGB, key=key).clock().told(SuspectsShown)[0].suspects for key in keys}
    assert shown == {tuple(sorted((seat, HITLER))) for seat in range(9) if seat != HITLER}


@pytest.mark.rule("R7.4")
def test_a_drawn_revenge_is_announced_as_the_clocks() -> None:
    play = killing(ANARCHIST).clock()
    assert play.told(ClockAnswered) == [ClockAnswered("revenge", seats(ANARCHIST))]
