"""Time: deadlines and reminders, the clock that is called, and who is taken for missing."""

from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.outcome import GROUP, Lookup, Outcome, Post
from bot.conversation.waking import due, next_in_game
from bot.rooms.model import ClockCall
from engine import waiting_on
from engine.facts import Voted
from tests.bot.conversation.acts import choose, elected, leaves, needs, press, says, tap, votes, wakes
from tests.bot.conversation.people import BEACON, NOW, person, player, robot
from tests.bot.conversation.replies import buttons, edits, posts, refuses, tells, toast, told
from tests.bot.conversation.rooms import changed, finished, game, lobby, meeting, playing, room
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import open_question

FAST: dict[str, Any] = {"clock": "fast"}
RELAXED: dict[str, Any] = {"clock": "relaxed"}
CLOCK = 3  # its place among the settings


def test_a_lobby_closes_an_hour_after_it_was_touched_last() -> None:
    assert due(lobby(3)) == NOW + 3600
    assert wakes(lobby(3), 3599) == Outcome(lobby(3))
    after = wakes(lobby(3), 3600)
    assert after.room.lobby is None
    assert edits(after) == {"lobby": words("lobby.expired")}


@pytest.mark.rule("R7.6")
def test_without_a_clock_the_game_waits_for_ever() -> None:
    assert due(game()) is None
    assert wakes(game(), 10**6) == Outcome(game())


@pytest.mark.rule("R7.6")
@pytest.mark.parametrize(("clock", "seconds"), [("fast", 90), ("relaxed", 600)])
def test_the_clock_answers_when_time_is_up_and_not_before(clock: str, seconds: int) -> None:
    before = game(clock=clock, reminders=2)
    assert due(before) == NOW + seconds
    assert wakes(before, seconds - 1) == Outcome(before)
    after = wakes(before, seconds)
    assert playing(after.room).game.question.step == "ballot"  # type: ignore[union-attr]
    assert playing(after.room).missed == {0: 1}
    assert playing(after.room).time_began_at == NOW + seconds


def test_only_the_missing_are_answered_for() -> None:
    decided = wakes(changed(votes(choose(game(**FAST), 1).room, "jjj..").room, reminders=2), 90)
    after = playing(decided.room)
    assert after.missed == {3: 1, 4: 1}
    assert after.game.question is not None
    assert after.game.question.step == "discard"
    text = read("\n".join(posts(decided)))
    assert "The clock decided for #4 Dirk, #5 Edda" in text
    assert "Ja (3): #1 Ada, #2 Ben, #3 Cleo" in text


def test_reminders_go_out_at_half_and_at_four_fifths_of_the_time() -> None:
    before = game(**RELAXED)
    assert due(before) == NOW + 300
    first = wakes(before, 300)
    assert told(first) == {0}
    assert posts(first) == []
    assert words("clock.reminder.again") in tells(first, 0)[0]
    assert due(first.room) == NOW + 480
    assert wakes(first.room, 479) == Outcome(first.room), "and only once each"
    second = wakes(first.room, 480)
    assert told(second) == set()
    assert "Ada" in posts(second)[0]
    assert due(second.room) == NOW + 600


def test_who_votes_in_the_group_is_reminded_of_the_buttons_there() -> None:
    (said,) = tells(wakes(choose(game(ballots="group", **RELAXED), 1).room, 300), 2)
    assert words("clock.reminder.group") in said
    assert words("clock.reminder.again") not in said.splitlines()


def test_nobody_is_reminded_of_what_they_answered() -> None:
    room = votes(choose(game(away=(4,), **RELAXED), 1).room, "jj...").room
    assert told(wakes(room, 300)) == {2, 3}


@pytest.mark.parametrize("clock", ["off", "relaxed"])
def test_an_empty_chair_is_waited_for_a_minute_without_reminders(clock: str) -> None:
    before = game(away=(0,), clock=clock)
    assert due(before) == NOW + 60
    assert wakes(before, 59) == Outcome(before)
    assert playing(wakes(before, 60).room).game.question.step == "ballot"  # type: ignore[union-attr]


def test_an_empty_chair_among_people_has_no_time_of_its_own() -> None:
    assert due(choose(game(away=(3,)), 1).room) is None


def test_a_robots_chair_is_as_empty() -> None:
    seats = (robot(), *(player(n) for n in range(1, 5)))
    assert due(game(seated=seats)) == NOW + 60


@pytest.mark.rule("R4.13", "R4.47")
def test_a_meeting_lasts_as_long_as_set() -> None:
    opened = meeting(12, meeting=180, **FAST)
    question = open_question(playing(opened).game)
    assert question.meeting
    picked = opened
    for seat, options in zip(question.seats, question.options, strict=True):
        picked = choose(picked, options[0], seat).room
    for before in (opened, picked):
        assert due(before) == NOW + 180
        assert wakes(before, 179) == Outcome(before)
        after = wakes(before, 180)
        assert playing(after.room).game.asked > playing(before).game.asked
    assert told(after) >= set(question.seats), "and those who met read what came of it"


def test_when_a_played_games_end_must_be_recorded() -> None:
    over = changed(finished(), archived=False, time_began_at=NOW - 9)
    assert due(over) == NOW - 9
    assert due(changed(over, archived=True)) is None
    assert next_in_game(over) is None


def test_a_sealed_game_is_looked_at_when_its_round_is_out() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert sealed.sealed is not None
    assert due(sealed) == next_in_game(sealed) == sealed.sealed.next_try_at


def test_out_of_the_group_no_clock_runs() -> None:
    out = replace(game(**FAST), bot_removed=True)
    assert due(out) is None
    assert next_in_game(out) is None


def test_a_room_without_anything_wakes_to_nothing() -> None:
    assert wakes(room()) == Outcome(room())
    assert due(room()) is None


# --- calling the clock --------------------------------------------------------------------------------------


def test_the_status_offers_the_clock() -> None:
    after = says(game(), person(3), "/status", now=NOW + 120)
    assert buttons(after, "clock") == [(1, playing(game()).game.asked)]
    assert buttons(says(game(**FAST), person(3), "/status"), "clock") == []


def test_the_status_offers_no_clock_too_early() -> None:
    assert buttons(says(game(), person(3), "/status", now=NOW + 119), "clock") == []


def test_a_player_calls_the_clock_and_a_minute_later_it_decides() -> None:
    after = tap(game(), "clock", person(3), now=NOW + 120)
    assert playing(after.room).clock_call == ClockCall(playing(game()).game.asked, NOW + 120)
    assert "Dirk" in posts(after)[0]
    assert "Ada" in posts(after)[0]
    assert told(after) == {0}
    assert due(after.room) == NOW + 180
    assert playing(wakes(after.room, 180).room).game.question.step == "ballot"  # type: ignore[union-attr]


@pytest.mark.rule("R7.6")
def test_the_group_reads_who_called_and_who_is_awaited() -> None:
    after = tap(votes(choose(game(), 1).room, "jj...").room, "clock", person(0), now=NOW + 120)
    assert toast(after) == plain("clock.called.toast")
    (post,) = posts(after)
    assert "#1 Ada has called the clock." in read(post)
    assert "Still to act: #3 Cleo, #4 Dirk, #5 Edda ⏰" in read(post)
    assert "counts as 👎 Nein" in read(post)
    assert f'<tg-time unix="{NOW + 180}"' in post
    assert told(after) == {2, 3, 4}
    assert all(words("clock.reminder.called") in tells(after, seat)[0] for seat in (2, 3, 4))
    assert wakes(after.room, 179) == Outcome(after.room)
    decided = wakes(after.room, 180)
    voted = next(event.fact for event in reversed(playing(decided.room).log) if isinstance(event.fact, Voted))
    assert voted.ballots == ("ja", "ja", None, None, None)
    assert not voted.passed
    assert "The clock decided for" in posts(decided)[0]


@pytest.mark.rule("R7.6")
def test_a_question_must_have_been_open_for_two_minutes() -> None:
    before = game()
    refuses(tap(before, "clock", person(3), now=NOW + 119), before, "clock.too-early", seconds=1)
    each = tap(choose(before, 1, now=NOW + 120).room, "clock", person(3), now=NOW + 130)
    assert toast(each) == plain("clock.too-early", seconds=110), "each question has its own two minutes"


def test_the_call_says_what_becomes_of_missing_ballots() -> None:
    ballots = choose(game(), 1).room
    nein = words("clock.called.ballots", nein=words("option.nein")).partition("{")[0]
    assert nein in posts(tap(ballots, "clock", person(0), now=NOW + 120))[0]
    assert nein not in posts(tap(game(), "clock", person(3), now=NOW + 120))[0]


def test_a_called_clock_casts_missing_ballots_as_no() -> None:
    ballots = votes(choose(game(), 1).room, "jj...").room
    called = tap(ballots, "clock", person(0), now=NOW + 120).room
    assert playing(wakes(called, 180).room).game.table.tracker == 1


def test_nobody_calls_it_twice() -> None:
    called = tap(game(), "clock", person(3), now=NOW + 120).room
    refuses(tap(called, "clock", person(4), now=NOW + 130), called, "clock.called.before")


def test_where_a_clock_runs_nobody_calls_it() -> None:
    for setting in (FAST, RELAXED):
        after = tap(game(**setting), "clock", person(3), now=NOW + 50)
        assert toast(after) == plain("clock.runs")
        assert playing(after.room).clock_call is None


def test_a_meeting_is_never_cut_short() -> None:
    before = meeting()
    assert toast(tap(before, "clock", person(3), now=NOW + 50)) == plain("clock.not-a-meeting")
    assert buttons(says(before, person(3), "/status"), "clock") == []


@pytest.mark.rule("R7.6")
def test_only_players_and_admins_call_the_clock() -> None:
    assert toast(tap(game(), "clock", person(9), now=NOW + 120)) == plain("only-players")
    assert toast(tap(game(away=(3,)), "clock", person(3), now=NOW + 120)) == plain("only-players")
    assert "Jan" in posts(tap(game(), "clock", person(9), now=NOW + 120, is_admin=True))[0]
    needs(Lookup.IS_ADMIN, tap, game(), "clock", person(9), now=NOW + 120)


def test_a_button_of_an_earlier_question_calls_nothing() -> None:
    before = choose(game(), 1).room
    asked = playing(game()).game.asked
    assert toast(press(before, "clock", person(3), 1, asked, now=NOW + 500)) == plain("illegal.closed")
    assert toast(press(room(), "clock", person(3), 1, 1)) == plain("illegal.closed")


def test_the_next_question_knows_nothing_of_the_call() -> None:
    after = choose(tap(game(), "clock", person(3), now=NOW + 120).room, 1, now=NOW + 130)
    assert playing(after.room).clock_call is None
    assert playing(after.room).missed == {}
    assert due(after.room) is None
    assert wakes(after.room, 9000) == Outcome(after.room)


def test_getting_up_again_and_again_prevents_no_call() -> None:
    now = game(stand_in="off")
    for times in range(4):
        now = leaves(now, person(0), now=NOW + 30 * times + 10).room
        now = tap(now, "sit", person(0), 0, now=NOW + 30 * times + 20).room
    assert playing(now).game == playing(game()).game
    assert toast(tap(now, "clock", person(3), now=NOW + 120)) == plain("clock.called.toast")


# --- the time counts again ----------------------------------------------------------------------------------


def test_a_clock_set_in_mid_question_gives_all_its_time() -> None:
    relaxed = tap(game(), "set", person(0), CLOCK, 2, is_admin=True, now=NOW + 1000)
    assert relaxed.room.settings.clock == "relaxed"
    assert f'⏰ deadline: <tg-time unix="{NOW + 1600}"' in edits(relaxed)["game"]
    reminded = wakes(relaxed.room, 1300)
    assert told(reminded) == {0}
    fast = tap(reminded.room, "set", person(0), CLOCK, 3, is_admin=True, now=NOW + 1310)
    assert fast.room.settings.clock == "fast"
    assert f'⏰ deadline: <tg-time unix="{NOW + 1400}"' in edits(fast)["game"]
    assert due(fast.room) == NOW + 1310 + 45
    again = wakes(fast.room, 1355)
    assert told(again) == {0}
    assert playing(again.room).reminders == 1
    decided = playing(wakes(changed(again.room, reminders=2), 1400).room)
    assert len(waiting_on(decided.game)) == 5
    assert decided.missed == {0: 1}


def test_who_sets_the_clock_in_the_middle_does_not_call_for_it() -> None:
    """The first reminder said that somebody had called the clock, and that it answered in a minute."""
    after = tap(choose(game(), 1).room, "set", person(0), CLOCK, 3, is_admin=True, now=NOW + 1000)
    assert playing(after.room).clock_call is None
    reminded = [read(text) for text in tells(wakes(after.room, 1045), 1)]
    assert [text.startswith("⏰ The game is waiting for you:") for text in reminded] == [True]
    off = tap(after.room, "set", person(0), CLOCK, 1, is_admin=True, now=NOW + 1010)
    assert playing(off.room).clock_call is None
    assert due(off.room) is None


def test_a_new_sitter_has_the_whole_time() -> None:
    after = tap(game(away=(0,), **FAST), "sit", person(9), 0, now=NOW + 50)
    assert playing(after.room).time_began_at == NOW + 50
    other = tap(game(away=(3,), **FAST), "sit", person(9), 3, now=NOW + 50)
    assert playing(other.room).time_began_at == NOW


def test_a_call_counts_from_the_start_for_a_new_player_only() -> None:
    both = choose(game(), 1).room
    called = tap(both, "clock", person(1), now=NOW + 120).room
    got_up = leaves(called, person(2), now=NOW + 130).room
    same = tap(got_up, "sit", person(2), 2, now=NOW + 140).room
    assert playing(same).clock_call == ClockCall(playing(both).game.asked, NOW + 120)
    new = tap(got_up, "sit", person(9), 2, now=NOW + 140).room
    assert playing(new).clock_call == ClockCall(playing(both).game.asked, NOW + 140)


def test_a_clock_set_and_taken_back_leaves_no_call() -> None:
    called = tap(game(), "clock", person(3), now=NOW + 120).room
    fast = tap(called, "set", person(0), CLOCK, 3, is_admin=True, now=NOW + 125).room
    off = tap(fast, "set", person(0), CLOCK, 1, is_admin=True, now=NOW + 130).room
    assert due(off) is None
    assert wakes(off, 9000) == Outcome(off)


def test_a_meetings_time_changes_with_its_own_setting_alone() -> None:
    before = meeting(stand_in="off")
    longer = tap(before, "set", person(0), 4, 2, is_admin=True, now=NOW + 30)
    assert due(longer.room) == NOW + 30 + 180
    assert f'<tg-time unix="{NOW + 30 + 180}"' in edits(longer)["game"]
    clocked = tap(before, "set", person(0), CLOCK, 3, is_admin=True, now=NOW + 30)
    assert due(clocked.room) == NOW + 60
    question = open_question(playing(before).game)
    left = leaves(longer.room, person(question.seats[0]), now=NOW + 90)
    assert due(left.room) == NOW + 30 + 180
    shorter = tap(left.room, "set", person(0), 4, 1, is_admin=True, now=NOW + 100)
    assert due(shorter.room) == NOW + 100 + 60
    assert f'<tg-time unix="{NOW + 160}"' in edits(shorter)["game"]
    assert wakes(shorter.room, 159) == Outcome(shorter.room)
    assert playing(wakes(shorter.room, 160).room).game.asked > question.number


def test_the_post_says_until_when_an_empty_chair_is_awaited() -> None:
    ballots = choose(game(away=(4,)), 1).room
    assert "⏰" in edits(votes(ballots, "jjjj.", now=NOW + 30))["game"]
    late = votes(ballots, "jjjj.", now=NOW + 61)
    assert due(late.room) == NOW + 60
    assert edits(late) == {}, "it is answered before anybody could read of it"


# --- missing too often --------------------------------------------------------------------------------------


def test_after_two_misses_the_others_vote_on_a_substitute() -> None:
    assert buttons(wakes(game(missed={0: 0}, reminders=2, **FAST), 90), "replace") == []
    twice = wakes(game(missed={0: 1}, reminders=2, **FAST), 90)
    assert buttons(twice, "replace") == [(1, 0)]
    assert any("twice in a row" in text for text in posts(twice))
    assert buttons(wakes(game(missed={0: 2}, reminders=2, **FAST), 90), "replace") == []


def test_nobody_votes_on_an_open_seat_or_a_robot() -> None:
    assert buttons(wakes(game(missed={0: 1}, away=(0,), **FAST), 90), "replace") == []
    seats = (robot(), *(player(n) for n in range(1, 5)))
    assert buttons(wakes(game(missed={0: 1}, seated=seats, **FAST), 90), "replace") == []


def test_a_seat_with_nobody_else_to_vote_is_not_voted_on() -> None:
    seats = (player(0), *(robot(f"Robot {n}") for n in range(4)))
    assert buttons(wakes(game(missed={0: 1}, seated=seats, reminders=2, **FAST), 90), "replace") == []


def test_the_clock_goes_on_to_the_end_of_a_game() -> None:
    room = elected(game(**FAST), 1)
    after = 0
    while room.playing is not None and after < 10**5:
        after += 100
        room = changed(wakes(room, after).room, reminders=2)
    assert playing(room).won
    assert waiting_on(playing(room).game) == ()


def test_after_the_end_no_vote_on_a_substitute_is_offered() -> None:
    room = changed(elected(game(**FAST), 1), missed=dict.fromkeys(range(5), 1))
    after = 0
    while True:
        after += 100
        outcome = wakes(changed(room, reminders=2, missed=dict.fromkeys(range(5), 1)), after)
        if outcome.room.playing is None:
            break
        room = outcome.room
    assert buttons(outcome, "replace") == []
    assert all(e.to == GROUP for e in outcome.effects if isinstance(e, Post) and e.picture)
