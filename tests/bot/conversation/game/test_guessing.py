"""Guess the line: who may guess, when, what they are answered, and how well they did."""

from collections.abc import Sequence

import pytest

from ai.lookback import look_back
from bot.conversation.game.guessing import best_guess_text, results
from bot.conversation.incoming import Gone, LanguageChosen, Person, PersonForgotten
from bot.conversation.outcome import UNKNOWN, ClearButtons, Edit, Outcome, Private
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import RoomName, UserId
from bot.rooms.player import MOST_GUESSERS, Guess, Guesser, Player, fascist_count, policies, whole_rounds
from engine import OFFERED, Setup
from engine.facts import Fact
from tests.bot.conversation.acts import choose, governed, hears, press, says
from tests.bot.conversation.people import CHAT, person, player
from tests.bot.conversation.replies import buttons, posts, refuses, toast, unchanged, writes
from tests.bot.conversation.rooms import changed, game, lobby, playing
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play, seats

#: Somebody who does not play.
IDA = person(8)


def begun(room: Room | None = None, who: Person = IDA) -> Room:
    """Return a game of five after its first policy, in which somebody guesses."""
    return says(room or governed(game(), 1, "l"), who, "/guess").room


def guess(room: Room, *seats: int, who: Person = IDA) -> Outcome:
    after = Outcome(room)
    for seat in seats:
        after = press(after.room, "guess", who, 1, seat)
    return after


def guesses(room: Room, place: int = 0) -> Sequence[tuple[int, ...]]:
    """Return the seats that somebody guessed at, one guess after another."""
    return [made.seats for made in playing(room).guessers[place].guesses]


# --- who guesses --------------------------------------------------------------------------------------------


def test_one_who_sits_out_gets_the_seats_in_private() -> None:
    after = says(governed(game(), 1, "l"), IDA, "/guess")
    assert posts(after) == [], "the group reads nothing of it"
    (text,) = writes(after, IDA)
    assert "Tap the 2 seats that you think are Fascist, Hitler included." in read(text)
    assert buttons(after, "guess") == [(1, seat) for seat in range(5)]
    assert after.remember == IDA.id
    assert after.room.knows(IDA.id)
    assert IDA.id in after.room.user_ids
    assert not after.room.has(IDA.id)


@pytest.mark.parametrize("seat", range(5))
def test_the_living_do_not_guess(seat: int) -> None:
    after = says(governed(game(), 1, "l"), person(seat), "/guess")
    assert posts(after) == [words("guess.refused")]
    assert playing(after.room).guessers == ()


def test_without_a_game_there_is_nothing_to_guess() -> None:
    assert posts(says(lobby(), IDA, "/guess")) == [words("lobby.open")]


def test_strangers_do_not_guess() -> None:
    before = governed(game(), 1, "l")
    assert posts(says(before, IDA, "/guess", is_member=False)) == [words("toast.not-member")]
    assert playing(says(before, IDA, "/guess", is_member=UNKNOWN).room).guessers, "who writes there is there"
    assert unchanged(press(before, "guess", IDA, 1, 0), before), "a forged button"


def test_who_cannot_be_written_to_is_shown_the_way() -> None:
    after = says(governed(game(), 1, "l"), IDA, "/guess", may_write=False)
    assert "/guess" in posts(after)[0]
    assert playing(after.room).guessers == ()


def test_who_had_a_seat_does_not_guess() -> None:
    left = changed(governed(game(), 1, "l"), former={IDA.id: 2})
    assert posts(says(left, IDA, "/guess")) == [words("guess.refused")]


def test_so_many_guess_at_most() -> None:
    crowd = tuple(Guesser(Player(UserId(1000 + number), "W" * 64, "en")) for number in range(MOST_GUESSERS))
    after = says(changed(governed(game(), 1, "l"), guessers=crowd), IDA, "/guess")
    assert posts(after) == [words("guess.full")]
    assert playing(after.room).guessers == crowd


def test_asking_again_brings_the_seats_again() -> None:
    after = says(guess(begun(), 1, 2).room, IDA, "/guess")
    assert len(playing(after.room).guessers) == 1
    assert ClearButtons(Private(IDA.id), "guess0") in after.effects
    assert "After policy 1: #2 Ben, #3 Cleo" in read(writes(after, IDA)[0])


# --- guessing -----------------------------------------------------------------------------------------------


def test_the_last_pick_makes_the_guess() -> None:
    first = guess(begun(), 3)
    assert toast(first) == plain("guess.picked", seats="#4", left=1)
    assert first.effects == (), "nothing is sent"
    after = guess(first.room, 4)
    assert guesses(after.room) == [(3, 4)]
    assert toast(after) == plain("guess.locked", seats="#4, #5", policies=1)
    (edit,) = after.effects
    assert isinstance(edit, Edit)
    assert edit.to == Private(IDA.id)
    assert "After policy 1: #4 Dirk, #5 Edda" in read(edit.text)


def test_a_pick_can_be_taken_back() -> None:
    after = guess(begun(), 3, 3)
    assert playing(after.room).guessers[0].picked == ()
    assert toast(after) == plain("guess.picked", seats="–", left=2)


def test_there_is_one_guess_after_each_policy() -> None:
    room = guess(begun(), 3, 4).room
    refuses(guess(room, 1), room, "guess.locked", seats="#4, #5", policies=1)
    assert guesses(guess(governed(room, 2, "f"), 0, 1).room) == [(3, 4), (0, 1)]


def test_nobody_guesses_before_the_first_policy() -> None:
    room = begun(game())
    refuses(guess(room, 1), room, "guess.early")


def test_picks_before_a_policy_do_not_count_after_it() -> None:
    room = governed(guess(begun(), 3).room, 2, "f")
    assert guesses(guess(room, 1).room) == []
    assert guesses(guess(room, 1, 2).room) == [(1, 2)]


@pytest.mark.parametrize(("number", "seat"), [(1, -1), (1, 5), (2, 0), (0, 0), (1, 10**9)])
def test_forged_buttons_do_nothing(number: int, seat: int) -> None:
    room = begun()
    assert unchanged(press(room, "guess", IDA, number, seat), room)


def test_nothing_that_a_guesser_is_told_hangs_on_roles() -> None:
    said = []
    for roles in ("lllfh", "hflll", "flhll"):
        asked = says(governed(game(roles=roles), 1, "l"), IDA, "/guess")
        made = [guess(asked.room, *seats) for seats in ((3,), (3, 4), (3, 4, 0), (0, 0))]
        seen = [(toast(after), [getattr(e, "text", "") for e in after.effects]) for after in made]
        said.append((writes(asked, IDA), seen))
    assert said[0] == said[1] == said[2]


def test_who_leaves_or_is_forgotten_guesses_no_more() -> None:
    room = guess(begun(), 3, 4).room
    for said in (Gone(IDA, RoomName(CHAT)), PersonForgotten(IDA)):
        after = hears(room, said).room
        assert playing(after).guessers == (Guesser(None),), "their message's name is not another's"
        assert not after.knows(IDA.id)
    assert "Ines" not in encode(hears(room, PersonForgotten(IDA)).room).decode()


def test_a_language_holds_for_guessers() -> None:
    room = hears(begun(), LanguageChosen(IDA, "de")).room
    assert "Nach Gesetz 1" in toast(guess(room, 3)) or "Gewählt" in toast(guess(room, 3))


def test_a_crowds_guesses_stay_small() -> None:
    made = tuple(Guess(number, number, seats(*range(5))) for number in range(1, 12))
    crowd = tuple(Guesser(Player(UserId(2**52), "W" * 64, "pt_BR"), made) for _ in range(MOST_GUESSERS))
    plainly, crowded = encode(game()), encode(changed(game(), guessers=crowd))
    assert len(crowded) - len(plainly) < 15_000
    assert decode(crowded, SCHEMA) == changed(game(), guessers=crowd)
    assert b"guessers" not in plainly


# --- the end ------------------------------------------------------------------------------------------------


def ended(*made: Sequence[tuple[int, tuple[int, ...]]], who: Sequence[int] = (8, 9, 10)) -> Room:
    """Return a won game of five, with some people's guesses (after a policy, at seats)."""
    play = Play(5, roles="lllfh").rounds(5, "liberal")
    guessers = tuple(
        Guesser(player(who[place]), tuple(Guess(after, after, seats(*suspects)) for after, suspects in mine))
        for place, mine in enumerate(made)
    )
    return game(play=play, guessers=guessers)


def computers(room: Room, rounds: Sequence[int]) -> int:
    """Return how many Fascists the computer would have named after these rounds, worked out plainly."""
    looked, right = look_back(playing(room).log, ()), 0
    for number in rounds:
        rows = looked.beliefs[number]
        likely = sorted(range(5), key=lambda seat: (-rows[seat]["fascist"], seat))[:2]
        right += sum(seat in (3, 4) for seat in likely)
    return right


def test_the_best_guesser_is_named() -> None:
    room = ended([(1, (0, 3)), (2, (3, 4))], [(1, (3, 4)), (2, (3, 4))], [(3, (0, 1))])
    line = best_guess_text(room, playing(room))
    assert line is not None
    expected = computers(room, (1, 2))
    told = f"🎯 Best guess: Jan, 4 of 4 right (the bot's own guess from what all saw: {expected})"
    assert read(line) == told


def test_each_guesser_reads_how_well_they_did() -> None:
    room = ended([(1, (0, 3)), (2, (3, 4))], [])
    told = results(room, playing(room))
    assert [type(effect) for effect in told] == [Edit, ClearButtons]
    edit = told[0]
    assert isinstance(edit, Edit)
    own = computers(room, (1, 2))
    said = f"You guessed 3 of 4 right. The bot's own guess from what all saw: {own}."
    assert said in read(edit.text)
    assert not [button for row in edit.keyboard for button in row if button.data]


def test_of_equal_guessers_who_needed_fewer_is_best() -> None:
    room = ended([(1, (0, 3)), (2, (0, 3))], [(2, (3, 4))])
    assert "Jan, 2 of 2" in read(best_guess_text(room, playing(room)) or "")


def test_nobody_guessed_and_nothing_is_said() -> None:
    for room in (ended(), ended([])):
        assert best_guess_text(room, playing(room)) is None
    assert results(ended(), playing(ended())) == ()


def test_living_players_guesses_do_not_count() -> None:
    room = ended([(1, (3, 4))], who=(1,))
    assert best_guess_text(room, playing(room)) is None, "they sat down later"


def test_a_game_called_off_takes_the_buttons_away() -> None:
    room = guess(begun(), 3, 4).room
    off = press(room, "cancel", person(0), 1, playing(room).game.asked, 1, is_admin=True)
    assert playing(off.room).cancelled
    assert playing(off.room).guessers == ()
    assert ClearButtons(Private(IDA.id), "guess0") in off.effects


# --- what everybody knows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_every_board_says_how_many_are_on_the_line(rules: object) -> None:
    for size in rules.players:  # type: ignore[attr-defined]
        count = fascist_count(Setup(rules.id, size))  # type: ignore[attr-defined]
        assert 2 <= count < size / 2


def test_rounds_are_whole_once_a_policy_is_enacted() -> None:
    room, seen = game(), []
    for chancellor in (1, 2):
        seen.append((policies(_facts(room)), whole_rounds(_facts(room))))
        room = governed(room, chancellor, "l")
    seen.append((policies(_facts(room)), whole_rounds(_facts(room))))
    assert seen == [(0, 0), (1, 1), (2, 2)]
    assert whole_rounds(_facts(choose(room, 4).room)) == 2
    assert whole_rounds(()) == 0


def _facts(room: Room) -> Sequence[Fact]:
    return playing(room).view(None).facts
