"""Answers that take two taps: the first one only asks for the second."""

import re
from typing import Any

import pytest

from bot.conversation.incoming import Person, Practise, SettingsChosen
from bot.conversation.outcome import Lookup, Outcome, Post, ToSeat
from bot.display.expansions import SHOWN
from bot.display.words import Words, languages
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import FirstTap, Room
from bot.rooms.names import ChatId
from engine import Seat, waiting_on
from sandbox.buttons import TAP_AGAIN
from tests.bot.conversation.acts import choose, hears, tap, votes, wakes
from tests.bot.conversation.people import NOW, person
from tests.bot.conversation.replies import toast, unchanged
from tests.bot.conversation.rooms import changed, game, lobby, meeting, opened, playing
from tests.bot.conversation.texts import read
from tests.engine.builders import Play


def killing(**more: Any) -> Room:
    """Return a room in which seat 0 is asked whom to execute."""
    play = Play(5).until_fascist(4)
    assert play.game.question is not None
    assert play.game.question.step == "kill"
    return game(play=play, **more)


def kill(before: Room, place: int = 0, after: float = 0.0, **facts: Any) -> Outcome:
    """Tap the option with this index as the asked seat, this many seconds after NOW."""
    (seat,) = waiting_on(playing(before).game)
    now, milliseconds = divmod(round(after * 1000), 1000)
    return tap(before, "answer", person(seat), place, now=NOW + now, milliseconds=milliseconds, **facts)


def killed(after: Outcome) -> bool:
    return not all(playing(after.room).view(None).table.alive)


def test_a_first_tap_changes_nothing_but_its_note() -> None:
    before = killing()
    first = kill(before)
    assert toast(first).startswith(TAP_AGAIN)
    assert first.effects == ()
    assert first.wake_at is None
    assert playing(first.room).first_tap == FirstTap(0, NOW * 1000)
    assert changed(first.room, first_tap=None) == before


def test_the_toast_names_the_person() -> None:
    assert read(toast(kill(killing()))) == "👆 Tap again to execute #1 Ada. You have 10 seconds."


@pytest.mark.rule("R7.8")
@pytest.mark.parametrize("after", [1.0, 1.2, 5, 10.0])
def test_a_second_tap_in_time_executes(after: float) -> None:
    assert killed(kill(kill(killing(), after=0.0).room, after=after))


@pytest.mark.parametrize("after", [0.0, 0.1, 0.999])
def test_a_tap_that_arrives_twice_executes_nobody(after: float) -> None:
    first = kill(killing())
    second = kill(first.room, after=after)
    assert unchanged(second, first.room)
    assert toast(second) == toast(first)
    assert killed(kill(second.room, after=1.5))


def test_whole_seconds_do_not_decide() -> None:
    assert not killed(kill(kill(killing(), after=0.95).room, after=1.05))


def test_a_late_second_tap_counts_as_a_first_one() -> None:
    late = kill(kill(killing()).room, after=10.1)
    assert not killed(late)
    assert late.effects == ()
    assert killed(kill(late.room, after=12))


def test_a_tap_on_another_person_is_a_first_one_for_them() -> None:
    other = kill(kill(killing()).room, 1, after=3)
    assert not killed(other)
    back = kill(other.room, 0, after=5)
    assert not killed(back)
    assert killed(kill(back.room, 0, after=7))


def test_the_first_tap_goes_with_its_question() -> None:
    assert playing(kill(kill(killing()).room, after=3).room).first_tap is None


def test_a_first_tap_is_stored_only_while_it_waits() -> None:
    before = killing()
    assert b"first_tap" not in encode(before)
    first = kill(before).room
    assert decode(encode(first), SCHEMA) == first


def test_a_new_player_begins_with_a_first_tap() -> None:
    before = killing()
    (seat,) = waiting_on(playing(before).game)
    sat = tap(changed(kill(before).room, away=(seat,)), "sit", person(9), seat, now=NOW + 2).room
    assert not killed(tap(sat, "answer", person(9), 0, now=NOW + 4))


@pytest.mark.rule("R7.8")
def test_the_clock_executes_without_a_second_tap() -> None:
    before = killing(clock="fast", time_began_at=NOW, opened_at=NOW)
    after = wakes(before, 86_400)
    assert not killed(wakes(before, 1))
    assert killed(after)


def test_under_the_groups_message_it_takes_two_taps_too() -> None:
    first = kill(killing(ballots="group"))
    assert first.effects == ()
    assert killed(kill(first.room, after=2))


def test_other_questions_take_one_tap() -> None:
    for before in (game(), meeting()):
        match = playing(before)
        assert match.game.question is not None
        after = tap(before, "answer", person(match.game.question.seats[0]), 0)
        assert not toast(after).startswith(TAP_AGAIN)


def test_a_forged_option_is_refused_at_once() -> None:
    before = killing()
    assert unchanged(kill(before, 99), before)
    assert not toast(kill(before, 99)).startswith(TAP_AGAIN)


def test_every_language_asks_with_the_same_sign() -> None:
    longest = "#16\u00a0" + "W" * 64
    for language in languages():
        for step in SHOWN.fatal:
            text = Words(language).plain(f"tap-again.{step}", choice=longest)
            assert text.startswith(TAP_AGAIN)
            assert longest in text
            assert len(text) <= 200


# --- for people who ask for it ------------------------------------------------------------------------------


def confirming(before: Room) -> Room:
    """Return the room after everybody turned the second tap on."""
    for user in playing(before).people.values():
        before = hears(before, SettingsChosen(Person(user, "Ada"), confirms=True)).room
    return before


def asked_twice(before: Room, place: int = 0) -> Room:
    """Return the room after an answer, and check that it takes two taps and no look-up."""
    (seat,) = waiting_on(playing(before).game)
    first = tap(before, "answer", person(seat), place, unknown=Lookup.LANGUAGE)
    assert toast(first).startswith("👆 Tap again to confirm: ")
    assert first.effects == ()
    assert playing(first.room).game == playing(before).game
    return tap(first.room, "answer", person(seat), place, now=NOW + 1).room


def test_nominating_and_legislating_take_two_taps() -> None:
    before = confirming(game(deck="lff"))
    before = votes(asked_twice(before), "jjjjj").room
    assert playing(asked_twice(asked_twice(before))).round == 2


def test_a_ballot_takes_one_tap_from_everybody() -> None:
    before = asked_twice(confirming(game()))
    assert toast(votes(before, "j....")) == "✔ 👍 Ja. You can still change it."


def test_the_setting_is_its_owners_alone() -> None:
    before = hears(game(), SettingsChosen(person(0), confirms=True)).room
    assert [one.confirms for one in playing(before).players] == [True, False, False, False, False]
    assert hears(before, SettingsChosen(person(0), confirms=False)).room == game()


def test_a_changed_setting_leaves_the_other_one() -> None:
    before = hears(game(), SettingsChosen(person(0), advised=4)).room
    after = hears(before, SettingsChosen(person(0), confirms=True)).room
    assert playing(after).players[0].advised == 4
    assert playing(hears(after, SettingsChosen(person(0), advised=0)).room).players[0].confirms


def test_advice_lies_under_a_spoiler_in_a_groups_game() -> None:
    effects = choose(hears(game(), SettingsChosen(person(1), advised=4)).room, 2).effects
    (asked,) = [told for told in effects if isinstance(told, Post) and told.to == ToSeat(Seat(1))]
    assert re.search("🧭 <i>Advice: <tg-spoiler>[^<]+</tg-spoiler></i>$", asked.text)


def test_players_bring_the_setting_to_the_table() -> None:
    assert opened(tap(lobby(4), "join", person(4), confirms=True).room).players[4].confirms
    assert b"confirms" not in encode(lobby(4))


def test_a_practice_table_has_its_owners_setting() -> None:
    alone = hears(Room(ChatId(100)), Practise(person(0), confirms=True)).room
    assert opened(alone).players[0].confirms
