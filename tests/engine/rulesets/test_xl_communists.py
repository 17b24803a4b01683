"""XL's Communists, the powers that Red Dawn shares, and how XL ends. XL handbook, "The Communists"."""

from collections import Counter
from dataclasses import replace

import pytest

from engine import Seat
from engine.facts import GameOver, PowerLapsed, Shuffled
from engine.steps import communists
from tests.engine.builders import seats, tiles_of
from tests.engine.rulesets.games import board, red_dawn, xl

#: Eight players of XL: Liberals 0–3, Fascists 4–5, Hitler 6, Communist 7.
HITLER, COMMUNIST = 6, 7
PLAN = board("xl@1", 8, tracks={"communist": ("five-year-plan", "congress", "confession", None)})


@pytest.mark.rule("R5.10")
def test_radicalisation_is_recruitment_by_another_name() -> None:
    play = xl().govern("c").clock().govern("c")
    assert play.told(communists.MeetingBegan) == [communists.MeetingBegan("radicalisation")]
    assert (play.step, play.asked) == ("radicalisation", (COMMUNIST,))
    play.say(2).clock()
    assert play.event(communists.RecruitmentTried).to == (COMMUNIST,)
    assert play.event(communists.PartyChanged).fact == communists.PartyChanged(Seat(2), "communist")


@pytest.mark.rule("R5.10")
def test_bugging_is_red_dawn_s() -> None:
    play = xl().govern("c").say(HITLER).clock()
    assert play.event(communists.Bugged).fact == communists.Bugged(Seat(HITLER), "fascist")


@pytest.mark.rule("R4.25", "R5.10")
def test_a_five_year_plan_shuffles_the_draw_pile_alone() -> None:
    play = xl(board=PLAN)
    before = tiles_of(play.table)
    discards_before = play.table.discards
    play.govern("c")
    assert play.told(communists.TilesAdded) == [communists.TilesAdded(("communist", "communist", "liberal"))]
    (shuffled,) = play.told(Shuffled)
    assert shuffled.discards_kept
    assert play.event(Shuffled).to == ()
    assert len(play.table.discards) == len(discards_before) + 2
    assert tiles_of(play.table) - before == Counter(communist=2, liberal=1)
    assert len(play.table.pile) == 23 - 3 + 3


@pytest.mark.rule("R4.25")
def test_there_is_no_limit_to_the_tiles_of_five_year_plans() -> None:
    again = board("red-dawn@1", 7, tracks={"communist": (*["five-year-plan"] * 4, None)})
    play = red_dawn(decks=("cll", "cll", "cll", "cll"), board=again).rounds(4, "c")
    assert sum(tiles_of(play.table).values()) == 21 + 12


@pytest.mark.rule("R5.11")
def test_an_xl_congress_names_those_dealt_communist() -> None:
    again = board("xl@1", 9, tracks={"communist": ("radicalisation", "congress", None)})
    play = xl(9, board=again).govern("c").say(0, 7).say(0, 8).clock()
    assert play.table.parties[0] == "communist"
    play.doctored(alive=(True,) * 8 + (False,)).govern("c")
    assert play.event(communists.CongressHeld).fact == communists.CongressHeld(seats(7, 8))
    assert play.event(communists.CongressHeld).to == (0, 7)
    assert play.view(0).table.parties[7:] == ("communist", "communist")
    (seen,) = [fact for fact in play.view(1).facts if isinstance(fact, communists.CongressHeld)]
    assert seen.members is None


@pytest.mark.rule("R4.24")
def test_a_red_dawn_congress_names_all_communists() -> None:
    again = board("red-dawn@1", 9, tracks={"communist": ("recruitment", "congress", None)})
    play = red_dawn(9, board=again).govern("c").say(0, 7).say(0, 8).clock()
    play.doctored(alive=(True,) * 8 + (False,)).govern("c")
    assert play.event(communists.CongressHeld).fact == communists.CongressHeld(seats(0, 7, 8))
    assert play.event(communists.CongressHeld).to == (0, 7)


@pytest.mark.rule("R5.11")
def test_an_empty_congress_looks_the_same_to_the_table() -> None:
    again = board("xl@1", 8, tracks={"communist": ("congress", None)})
    held, empty = xl(board=again), xl(board=again).doctored(alive=(True,) * 7 + (False,))
    assert held.govern("c").kinds() == empty.govern("c").kinds()
    assert empty.event(communists.CongressHeld).to == ()


@pytest.mark.rule("R4.23", "R5.10")
def test_a_confession_shows_the_president_s_party_to_all() -> None:
    again = board("xl@1", 8, tracks={"communist": ("confession", None)})
    play = xl(board=again, first=HITLER).govern("c")
    assert play.told(communists.Confessed) == [communists.Confessed(Seat(HITLER), "fascist")]
    assert all(play.view(seat).table.parties[HITLER] == "fascist" for seat in (None, *range(8)))
    red = board("red-dawn@1", 7, tracks={"communist": ("confession", None)})
    assert red_dawn(board=red).govern("c").told(communists.Confessed) == [
        communists.Confessed(Seat(0), "liberal")
    ]


@pytest.mark.rule("R5.9")
def test_hitler_s_death_wins_for_liberals_and_communists() -> None:
    kills = board("xl@1", 8, tracks={"fascist": ("kill", *[None] * 5)})
    play = xl(board=kills).govern("f").target(HITLER)
    assert play.table.winners == ("liberal", "communist")
    assert play.table.reason == "hitler-killed"


@pytest.mark.rule("R4.11")
def test_in_red_dawn_hitler_s_death_wins_for_the_liberals_alone() -> None:
    kills = board("red-dawn@1", 7, tracks={"fascist": ("kill", *[None] * 5)})
    assert red_dawn(7, "fll", board=kills).govern("f").target(5).table.winners == ("liberal",)


@pytest.mark.rule("R5.9", "R4.11", "R1.26")
@pytest.mark.parametrize("begin", [xl, red_dawn])
def test_a_full_communist_track_wins_chaos_or_not(begin: object) -> None:
    name, players = ("xl@1", 8) if begin is xl else ("red-dawn@1", 7)
    short = board(name, players, tracks={"communist": (None, None, None, None)})
    play = begin(players, "cll cll cll c", board=short)  # type: ignore[operator]
    play.rounds(3, "c").chaos()
    assert play.table.winners == ("communist",)
    assert play.table.reason == "communist-track"


@pytest.mark.rule("R5.8")
@pytest.mark.parametrize(("alive", "barred"), [(8, True), (7, False)])
def test_with_seven_alive_only_the_last_chancellor_is_barred(alive: int, barred: bool) -> None:
    dead = 8 - alive
    play = xl(8).elect(1).discard("f")
    play.doctored(alive=(True,) * 3 + (False,) * dead + (True,) * (5 - dead)).enact("l")
    assert 1 not in play.choices
    assert (0 not in play.choices) is barred


@pytest.mark.rule("R5.4")
def test_the_eleven_player_tracks_first_slot_is_empty() -> None:
    play = xl(11).govern("c")
    assert play.step == "nominate"
    assert not play.told(PowerLapsed)


@pytest.mark.rule("R1.43", "R5.9")
def test_without_communists_they_do_not_win_with_liberals() -> None:
    printed = board("xl@1", 8)
    alone = replace(
        printed,
        tracks={"liberal": printed.tracks["liberal"], "fascist": ("kill", *[None] * 5)},
        deck={"liberal": 6, "fascist": 11},
        roles={"liberal": 5, "fascist": 2, "hitler": 1},
    )
    play = xl(8, "fll", board=alone).govern("f", 1)
    play.target(play.table.roles.index("hitler"))
    assert play.told(GameOver) == [GameOver(("liberal",), "hitler-killed")]
