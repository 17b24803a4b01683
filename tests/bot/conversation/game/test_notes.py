"""Private notes on seats: only their owner sees them, and they end with the game."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.game.info import role_in
from bot.conversation.game.notes import note_rows, role_rows
from bot.conversation.incoming import PersonForgotten
from bot.conversation.outcome import Effects, Outcome, Private, ToSeat
from bot.display.buttons import read as carried
from bot.display.signs import NOTES, SIGNS
from bot.display.words import Words, languages
from bot.records.archive import encode_archive
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, UserId
from engine import Seat, waiting_on
from sandbox.buttons import TAP_AGAIN
from tests.bot.conversation.acts import hears, leaves, press, prompt_of, tap
from tests.bot.conversation.people import NOW, person
from tests.bot.conversation.replies import toast, unchanged
from tests.bot.conversation.rooms import changed, game, lobby, playing
from tests.bot.conversation.texts import read
from tests.engine.builders import Play

NONE, TRUST, SUSPECT, UNSURE = range(4)


def note(before: Room, who: int, about: int, which: int) -> Outcome:
    return tap(before, "note", person(who), about, which)


def noted(before: Room, who: int = 0) -> Room:
    """Return the room after a seat noted something on every other one."""
    for other in range(len(playing(before).players)):
        if other != who:
            before = note(before, who, other, 1 + other % 3).room
    return before


def test_a_note_is_kept_and_told_to_its_owner_alone() -> None:
    after = note(game(), 0, 2, SUSPECT)
    assert playing(after.room).notes == {0: {2: "suspect"}}
    assert read(toast(after)) == "🔺 #3 Cleo: suspect. Only you see this."
    assert after.effects == ()
    assert after.wake_at is None


def test_buttons_go_round_through_all_notes() -> None:
    room, shown = game(), []
    for _ in range(5):
        button = note_rows(room, UserId(100))[0][1]
        shown.append(button.text.replace("\u00a0", " "))
        assert button.data is not None
        _, _, (_, seat, which) = carried(button.data) or (None, None, (0, 0, 0))
        room = note(room, 0, seat, which).room
    name = shown[0]
    assert "Cleo" in name
    assert shown == [name, f"💙 {name}", f"🔺 {name}", f"❓ {name}", name]


def test_a_press_that_arrives_twice_counts_once() -> None:
    once = note(game(), 0, 2, TRUST)
    assert unchanged(note(once.room, 0, 2, TRUST), once.room)


def test_without_a_note_nothing_is_stored() -> None:
    before = game()
    assert b"notes" not in encode(before)
    after = note(before, 0, 2, TRUST).room
    assert decode(encode(after), SCHEMA) == after
    assert note(after, 0, 2, NONE).room == before


def test_there_is_a_button_for_each_other_seat() -> None:
    rows = note_rows(game(5), UserId(102))
    assert sum(len(row) for row in rows) == 4
    assert "Cleo" not in str(rows)
    assert note_rows(game(), UserId(999)) == ()
    assert note_rows(lobby(), UserId(100)) == ()


@pytest.mark.parametrize(("who", "about", "which"), [(0, 0, 1), (0, 5, 1), (0, -2, 1), (0, 2, 4), (0, 2, -1)])
def test_forged_notes_change_nothing(who: int, about: int, which: int) -> None:
    before = game()
    assert unchanged(note(before, who, about, which), before)


def test_strangers_and_old_games_note_nothing() -> None:
    before = game()
    assert unchanged(note(before, 9, 2, TRUST), before)
    assert unchanged(press(before, "note", person(0), 7, 2, TRUST), before)
    assert unchanged(press(lobby(), "note", person(0), 1, 2, TRUST), lobby())


def test_prompts_show_their_owners_notes() -> None:
    before = noted(game())
    buttons = [read(button.text) for row in prompt_of(before, 0).keyboard for button in row]
    assert buttons == ["🔺 #2 Ben", "❓ #3 Cleo", "💙 #4 Dirk", "🔺 #5 Edda"]
    before = tap(before, "answer", person(0), 0).room
    assert "#2 Ben 🔺" in read(prompt_of(before, 0).text)
    assert "🔺" not in read(prompt_of(before, 1).text)


def test_role_shows_notes_on_its_buttons() -> None:
    room = noted(game())
    (row, *_) = role_rows([room], UserId(100))
    assert row[0].text.startswith("🔺")
    assert role_in(room, UserId(100)) == role_in(game(), UserId(100))


def test_several_games_have_a_button_each() -> None:
    here, there = game(), replace(game(), chat=ChatId(-100555), title="Bonn")
    ((one,), (two,)) = role_rows([here, there, lobby()], UserId(100))
    assert (read(one.text), read(two.text)) == ("The Reichstag", "Bonn")
    assert two.data is not None
    assert carried(two.data) == (there.name, "note", (1, -1, 0))


# --- nobody else's ------------------------------------------------------------------------------------------


def of_others(effects: Effects, owner: int) -> list[Any]:
    """Return the effects that do not reach the owner of a seat."""
    return [one for one in effects if one.to not in (ToSeat(Seat(owner)), Private(UserId(100 + owner)))]


def moved(room: Room, seat: int, choice: int, now: int) -> Outcome:
    """Let a seat answer, with two taps if needed."""
    after = tap(room, "answer", person(seat), choice, now=now)
    if after.toast is not None and after.toast.text.startswith(TAP_AGAIN):
        after = tap(after.room, "answer", person(seat), choice, now=now + 2)
    return after


@pytest.mark.parametrize("ballots", ["private", "group"])
@pytest.mark.parametrize("ruleset", ["classic@1", "red-dawn@1", "xl@1"])
def test_others_read_the_same_with_and_without_notes(ruleset: str, ballots: str) -> None:
    rng, owner = random.Random(f"{ruleset}/{ballots}"), 3
    bare = game(play=Play(8, ruleset=ruleset), ballots=ballots)
    worlds, now = [bare, noted(bare, owner)], NOW
    for _ in range(120):
        question, now = playing(worlds[0]).game.question, now + 5
        if question is None or question.meeting:
            break
        seat = rng.choice(waiting_on(playing(worlds[0]).game))
        choice = rng.randrange(len(question.options[question.seats.index(seat)]))
        left, right = (moved(world, seat, choice, now) for world in worlds)
        assert of_others(left.effects, owner) == of_others(right.effects, owner)
        assert left.toast == right.toast
        worlds = [left.room, right.room]
        ended = playing(worlds[1]).over
        assert changed(worlds[1], notes={}) == worlds[0]
        assert bool(playing(worlds[1]).notes) is not ended


def test_an_archive_holds_no_note() -> None:
    room = game(play=Play(5).rounds(5, "liberal"))
    assert encode_archive(playing(changed(room, notes={0: {1: "trust"}}))) == encode_archive(playing(room))


# --- gone ---------------------------------------------------------------------------------------------------


def test_notes_go_with_the_game() -> None:
    before = noted(game())
    for seat in range(4):
        before = leaves(before, person(seat)).room
    after = leaves(before, person(4)).room
    assert playing(after).over
    assert playing(after).notes == {}


def test_forgetting_a_person_takes_their_notes() -> None:
    after = hears(noted(noted(game(), 0), 1), PersonForgotten(person(0))).room
    assert set(playing(after).notes) == {1}


def test_a_substitute_does_not_find_notes() -> None:
    before = changed(noted(game()), away=(0,))
    assert playing(tap(before, "sit", person(0), 0).room).notes[Seat(0)]
    assert playing(tap(before, "sit", person(9), 0).room).notes == {}


# --- words --------------------------------------------------------------------------------------------------


def test_notes_have_signs_and_words_of_their_own() -> None:
    tiles = {Words().plain(f"sign.{tile}") for tile in ("liberal", "fascist", "communist")}
    assert not set(NOTES.values()) & {*SIGNS.values(), *tiles}
    for language in languages():
        words = Words(language)
        for key, sign in NOTES.items():
            assert sign in words.plain("note.ask")
            text = words.plain(f"note.{key}", seat="#16\u00a0" + "W" * 64)
            assert text.startswith(sign)
            assert len(text) <= 200
