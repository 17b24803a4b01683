"""Answering by taps: whose count, what is told of them, and when they are worth nothing."""

from typing import Any

import pytest

from bot.conversation.game.clock import answer_by_clock
from bot.conversation.outcome import GROUP, ClearButtons, Edit, Post, ToSeat
from bot.rooms.model import Room
from engine import Seat, question_for, waiting_on
from tests.bot.conversation.acts import choose, context, elected, governed, press, rejected, tap, votes
from tests.bot.conversation.people import NOW, SEED, person
from tests.bot.conversation.replies import buttons, edits, keys, posts, refuses, tells, toast, told, unchanged
from tests.bot.conversation.rooms import changed, finished, game, lobby, meeting, playing, room
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play, open_question

ADA, BEN, CLEO, DIRK, EDDA = ("#1 Ada", "#2 Ben", "#3 Cleo", "#4 Dirk", "#5 Edda")


def test_a_nomination_is_told_and_everybody_votes() -> None:
    after = choose(game(), 1)
    assert read(toast(after)) == f"✔ {BEN}"
    assert f"{ADA} nominates {BEN} as Chancellor" in read(posts(after)[0])
    assert told(after) == {1, 2, 3, 4}
    for seat in range(1, 5):
        assert f"President {ADA}, Chancellor {BEN}" in read(tells(after, seat)[0])
    assert [button.text for button in keys(after) if button.data] == ["👍 Ja", "👎 Nein"] * 5
    assert waiting_on(playing(after.room).game) == (0, 1, 2, 3, 4)


def test_the_nominators_prompt_becomes_their_ballot() -> None:
    (ballot,) = [e for e in choose(game(), 1).effects if isinstance(e, Edit) and e.to == ToSeat(Seat(0))]
    assert ballot.name == "seat0"
    assert f"President {ADA} (you), Chancellor {BEN}" in read(ballot.text)
    assert len(ballot.keyboard[0]) == 2


def test_who_lets_the_clock_nominate_is_asked_in_a_new_message() -> None:
    room = game()
    assert 0 in told(answer_by_clock(room, playing(room), context(now=NOW + 600)))


def test_nobody_learns_a_ballot_before_the_last_one_is_in() -> None:
    room = choose(game(), 1).room
    for ballots in ("j....", "n...", "j..", "n."):
        after = votes(room, ballots)
        assert after.effects == ()
        room = after.room
    last = read(posts(votes(room, "j"))[0])
    assert f"👍 Ja (3): {ADA}, {CLEO}, {EDDA}" in last
    assert f"👎 Nein (2): {BEN}, {DIRK}" in last


def test_a_ballot_can_be_changed_as_long_as_others_are_missing() -> None:
    one = votes(choose(game(), 1).room, "j....")
    assert toast(one) == "✔ 👍 Ja. You can still change it."
    asked = playing(one.room).game.asked
    after = press(one.room, "answer", person(0), 1, asked, 1)
    assert toast(after) == "✔ 👎 Nein. You can still change it."
    assert after.effects == ()
    assert playing(after.room).game != playing(one.room).game
    decided = votes(after.room, "njnn").room
    assert playing(decided).game.table.tracker == 1
    late = press(decided, "answer", person(0), 1, asked, 0)
    assert unchanged(late, decided)
    assert toast(late) == "You: 👎 Nein · voted down 1–4"


def test_the_last_ballots_toast_promises_no_change() -> None:
    last = votes(votes(choose(game(), 1).room, "jjjj.").room, "j")
    assert toast(last) == words("toast.answered", choice="👍 Ja")


def test_a_hand_is_told_to_its_president_alone() -> None:
    after = votes(choose(game(deck="lff"), 1).room, "jjjjj")
    assert told(after) == {0}
    (prompt,) = [e for e in after.effects if isinstance(e, Post) and e.to == ToSeat(Seat(0))]
    assert prompt.protect
    assert [button.text for button in prompt.keyboard[0]] == ["🔵 Liberal", "🟥 Fascist", "🟥 Fascist"]


def test_the_prompt_becomes_the_record_of_what_was_discarded() -> None:
    after = choose(elected(game(deck="lff"), 1), "f")
    (record,) = [e for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(0))]
    assert record.name == "seat0"
    assert "You discarded 🟥 Fascist" in read(record.text)
    assert words("claim.ask") in record.text


def test_passed_policies_are_told_to_the_chancellor_alone() -> None:
    after = choose(elected(game(deck="lff"), 1), "l")
    assert told(after) == {1}
    (hand,) = [e for e in after.effects if isinstance(e, Post) and e.to == ToSeat(Seat(1))]
    assert hand.protect
    assert [button.text for button in hand.keyboard[0]] == ["🟥 Fascist", "🟥 Fascist"]
    assert posts(after) == []
    assert f"{BEN} has two policies" in read(edits(after)["game"])
    enacted = choose(after.room, "f")
    (record,) = [e for e in enacted.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(1))]
    assert "You chose 🟥 Fascist" in read(record.text)
    assert "enacted: 🟥 Fascist" in read(posts(enacted)[0])


def test_an_enacted_policy_is_told_with_the_board() -> None:
    after = choose(choose(elected(game(deck="lff"), 1), "f").room, "l")
    (post,) = [effect for effect in after.effects if isinstance(effect, Post) and effect.to == GROUP]
    assert post.picture is not None
    assert playing(after.room).pictured
    assert "Liberal" in post.text


def test_the_president_who_investigates_reads_the_party_alone() -> None:
    room = game(play=Play(7).until_fascist(2))
    (president,) = waiting_on(playing(room).game)
    after = choose(room, _offered(room)[0])
    assert buttons(after, "claim")
    (record,) = [one for one in after.effects if isinstance(one, Edit) and one.known_as is not None]
    assert record.to == ToSeat(president)
    assert "You investigated" in record.text, "one message says whom, and what was seen"
    assert "party membership" in record.text
    assert not tells(after, president)


def _offered(room: Room) -> Any:
    question = question_for(playing(room).game, waiting_on(playing(room).game)[0])
    assert question is not None
    return question.options[0]


@pytest.mark.parametrize(
    ("seat", "number", "choice", "why"),
    [(3, None, 0, "illegal.not-asked"), (0, None, 99, "illegal.no-option"), (0, 1, 0, "illegal.closed")],
)
def test_why_an_answer_does_not_count(seat: int, number: int | None, choice: int, why: str) -> None:
    before = rejected(game(), 1)
    who = waiting_on(playing(before).game)[0] if seat == 0 else seat
    asked = playing(before).game.asked if number is None else number
    refuses(press(before, "answer", person(who), 1, asked, choice), before, why)


def test_who_has_no_seat_answers_nothing() -> None:
    before = game()
    for after, why in (
        (tap(before, "answer", person(9), 0), "toast.watching"),
        (press(before, "answer", person(9), 7, 1, 0), "toast.not-your-game"),
        (press(before, "answer", person(0), 7, 1, 0), "toast.not-your-game"),
    ):
        refuses(after, before, why)
    assert toast(press(room(), "answer", person(0), 1, 1, 0)) == plain("toast.not-your-game")
    assert toast(press(lobby(), "answer", person(0), 1, 1, 0)) == plain("toast.not-your-game")


def test_a_game_that_is_over_asks_nothing() -> None:
    for before in (finished(), game(cancelled=True)):
        assert toast(press(before, "answer", person(0), 1, 1, 0)) == plain("illegal.over")


def test_the_time_counts_anew_for_each_question() -> None:
    after = choose(game(reminders=2), 1, now=NOW + 500)
    assert (playing(after.room).time_began_at, playing(after.room).reminders) == (NOW + 500, 0)
    assert playing(votes(after.room, "j....", now=NOW + 900).room).time_began_at == NOW + 500


def test_who_answers_misses_nothing_any_more_and_is_not_voted_on() -> None:
    after = playing(choose(game(missed={0: 2, 1: 1}, replacement_votes={0: (2,), 1: (3,)}), 1).room)
    assert after.missed == {1: 1}
    assert after.replacement_votes == {1: (3,)}


def test_an_unreachable_player_is_voted_on_after_answering() -> None:
    before = game(missed={0: 2}, replacement_votes={0: (2,)}, unreached=(0,))
    after = playing(choose(before, 1).room)
    assert (after.missed, after.replacement_votes) == ({}, {0: (2,)})


def test_meeting_picks_show_to_its_members_alone() -> None:
    before = meeting(12)
    question = open_question(playing(before).game)
    first = question.seats[0]
    after = choose(changed(before, missed={first: 1}), question.options[0][0], first)
    assert posts(after) == []
    edits = {e.to: read(e.text) for e in after.effects if isinstance(e, Edit)}
    assert edits.keys() == set(map(ToSeat, question.seats))
    assert all("Picks so far: " in text for text in edits.values())
    # A secret act must not show in the group's record of who misses questions.
    assert playing(after.room).missed == {first: 1}


def test_the_end_is_told_with_roles_and_the_ways_on() -> None:
    before = game(5)
    for chancellor in (1, 2, 3, 4):
        before = governed(before, chancellor, "l")
    after = choose(choose(elected(before, 1), "f").room, "l")
    assert after.room.playing is None
    act, won, last = posts(after)
    assert "win!" in won
    assert "win!" not in act
    assert words("reveal.roles") in last
    assert not any(SEED in text for text in posts(after)), "the seal is opened in private"
    for verb in ("film", "decided"):
        assert buttons(after, verb) == [(1, NOW)]
    assert buttons(after, "rematch") == buttons(after, "proof") == [(1,)]
    assert after.room.match is not None
    assert after.room.match.won


# --- ballots under the group's message ----------------------------------------------------------------------


def test_group_ballots_prompt_nobody_in_private() -> None:
    after = choose(game(ballots="group"), 1)
    assert told(after) == set()
    assert len(buttons(after, "answer")) == 2


def enacts_fascist(fascist: int, **more: Any) -> tuple[str, str]:
    """Enact one more Fascist policy; return the group's posts about the nomination and the enactment."""
    play = Play(7).ready(fascist)
    president, chancellor = play.table.president, play.harmless
    nominated = choose(game(play=play, **more), chancellor, president)
    held = votes(nominated.room, "j" * len(waiting_on(playing(nominated.room).game))).room
    held = choose(held, next((one for one in _offered(held) if one != "fascist"), "fascist")).room
    return posts(nominated)[-1], posts(choose(held, "fascist"))[-1]


def test_the_group_reads_once_that_hitlers_zone_began() -> None:
    """Each later enactment repeated it, however long everybody knew it."""
    zone = words("board.zone")
    assert [zone in enacts_fascist(fascist)[1] for fascist in (1, 2, 3)] == [False, True, False]
    assert words("danger.last.fascist") in enacts_fascist(4)[1], "one more wins, which is news"


@pytest.mark.parametrize("ballots", ["private", "group"])
def test_group_ballots_warn_of_hitler_as_private_prompts_do(ballots: str) -> None:
    zone = words("board.zone")
    warned = [zone in enacts_fascist(fascist, ballots=ballots)[0] for fascist in (2, 3, 4)]
    assert warned == [False, *[ballots == "group"] * 2]


def test_once_all_ballots_are_in_their_buttons_go() -> None:
    after = votes(choose(game(ballots="group"), 1).room, "jjjjj")
    assert any(effect.name == "game" for effect in after.effects if not isinstance(effect, Post | Edit))
    assert not any(effect.to == GROUP for effect in after.effects if isinstance(effect, Edit))


def test_a_long_games_nomination_has_no_record() -> None:
    play = Play(5)
    for _ in range(8):
        play.reject()
    room = game(play=play, ballots="group")
    after = choose(room, _offered(room)[0])
    assert playing(room).round > 7
    assert ClearButtons(GROUP, "game") in after.effects
    assert not any(isinstance(effect, Edit) for effect in after.effects)


def test_the_ballots_setting_moves_the_open_questions_buttons() -> None:
    after = tap(choose(game(), 1).room, "set", person(0), 5, 2, is_admin=True)
    assert "game" in edits(after)
    assert len([e for e in after.effects if isinstance(e, Edit) and isinstance(e.to, ToSeat)]) == 5
    assert told(tap(after.room, "set", person(0), 5, 1, is_admin=True)) == {0, 1, 2, 3, 4}


def test_voters_are_not_told_to_wait_when_buttons_move() -> None:
    after = tap(votes(choose(game(), 1).room, "jj...").room, "set", person(0), 5, 2, is_admin=True)
    edits = [e for e in after.effects if isinstance(e, Edit) and words("clock.reminder.group") in e.text]
    waits = {e.to.number for e in edits if isinstance(e.to, ToSeat)}
    assert waits == {2, 3, 4}


def test_a_setting_that_stays_moves_nothing() -> None:
    after = tap(choose(game(), 1).room, "set", person(0), 5, 1, is_admin=True)
    assert set(edits(after)) == {"settings"}
    hand = tap(elected(game(), 1), "set", person(0), 5, 2, is_admin=True)
    assert len(hand.effects) == 2, "a hand stays where it is; the group reads who set what"
    assert set(edits(hand)) == {"settings"}


def test_a_lobbys_room_has_no_question_whose_buttons_could_move() -> None:
    assert set(edits(tap(lobby(), "set", person(0), 5, 2, is_admin=True))) == {"settings"}


def test_the_candidates_prompt_tells_whom_it_is_about() -> None:
    assert waiting_on(playing(rejected(game(), 1)).game)[0] == 1
    assert len(tells(votes(choose(game(), 1).room, "nnnnn"), 1)) == 1


def test_the_last_voter_who_is_asked_next_is_asked_in_place() -> None:
    room = votes(choose(game(), 1).room, "n.nnn").room
    after = press(room, "answer", person(1), *_about_vote(room), 1)
    (asked,) = [e for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(1))]
    assert "You voted 👎 Nein." in read(asked.text)
    assert "Pick a Chancellor" in read(asked.text)
    assert 1 not in told(after)


def test_a_last_vote_in_the_group_asks_in_a_new_message() -> None:
    room = votes(choose(game(ballots="group"), 1).room, ".jjjj").room
    assert 0 in told(press(room, "answer", person(0), *_about_vote(room), 0))


def _about_vote(room: Room) -> tuple[int, int]:
    match = playing(room)
    return match.number, match.game.asked
