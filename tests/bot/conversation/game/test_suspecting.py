"""/suspect: players' suspicions are told to the group, kept, and compared with the truth."""

from dataclasses import replace

import pytest

from engine import Seat, waiting_on
from tests.bot.conversation.acts import choose, says
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import posts
from tests.bot.conversation.rooms import finished, game, playing, room
from tests.bot.conversation.texts import read, words
from tests.engine.builders import Play, seats


def test_whoever_plays_says_by_numbers_whom_they_suspect() -> None:
    after = says(game(7), person(2), "/suspect 5, 7")
    assert [read(text) for text in posts(after)] == ["🔍 #3 Cleo suspects #5 Edda, #7 Gwen"]
    assert playing(after.room).suspicions == ((2, 1, (4, 6)),)
    again = says(after.room, person(2), "/suspect #1")
    assert playing(again.room).suspicions == ((2, 1, (0,)),), "one a round"


UNKNOWN = "🔍 I only know players by their numbers, 1 to 7. Write for example: /suspect 1 2"


@pytest.mark.parametrize(("argument", "told"), [
    ("", "🔍 Say who you suspect by their numbers: /suspect 1 2"),
    *((argument, UNKNOWN) for argument in ("0", "8", "Ben", "1 x", "-1")),
    ("3", "🔍 #3 Cleo is you. Write the numbers of others, for example: /suspect 1 2"),
    ("1 3", "🔍 #3 Cleo is you. Write the numbers of others, for example: /suspect 1 2"),
])  # fmt: skip
def test_a_mistake_is_answered_with_what_to_write(argument: str, told: str) -> None:
    after = says(game(7), person(2), f"/suspect {argument}")
    assert list(map(read, posts(after))) == [told]
    assert playing(after.room).suspicions == ()


def test_a_dead_suspect_is_answered_with_living_ones() -> None:
    before = game(play=Play(7, roles="llllffh").ready(3).until_fascist(4))
    (president,) = waiting_on(playing(before).game)
    after = choose(before, 4).room
    others = [seat for seat in range(7) if seat not in (president, 4)]
    (told,) = posts(says(after, person(president), "/suspect 5"))
    example = f"/suspect {others[0] + 1} {others[1] + 1}"
    assert read(told) == f"☠️ Dead: #5 Edda. Write the numbers of living players, for example: {example}"


def test_only_players_are_heard() -> None:
    assert posts(says(game(7), person(9), "/suspect 1")) == [words("suspect.players")]
    assert posts(says(room(), person(0), "/suspect 1")) == [words("lobby.none")]


def test_history_keeps_it_and_the_end_sets_it_beside_the_truth() -> None:
    now = says(game(roles="lllfh"), person(0), "/suspect 4 2").room
    (history,) = posts(says(now, person(1), "/history"))
    assert "🔍 At some point of this round #1 Ada suspected #2 Ben, #4 Dirk" in read(history)
    assert "Fascist" not in read(history)
    over = finished()
    over = replace(over, match=replace(playing(over), suspicions=((Seat(0), 1, seats(1, 3)),)))
    told = "".join(read(text) for text in posts(says(over, person(1), "/history")))
    assert "🔍 At some point of this round #1 Ada suspected #2 Ben (Liberal), #4 Dirk (Fascist)" in told
