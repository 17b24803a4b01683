"""/suspect: players' suspicions are told to the group, kept, and compared with the truth."""

from dataclasses import replace

import pytest

from tests.bot.conversation.rooms import finished, game, person, playing, posts, read, room, says, words


def test_whoever_plays_says_by_numbers_whom_they_suspect() -> None:
    after = says(game(7), person(2), "/suspect 5, 7")
    assert [read(text) for text in posts(after)] == ["🔍 #3 Cleo suspects #5 Edda, #7 Gwen"]
    assert playing(after.room).suspicions == ((2, 1, (4, 6)),)
    again = says(after.room, person(2), "/suspect #1")
    assert playing(again.room).suspicions == ((2, 1, (0,)),), "one a round"


@pytest.mark.parametrize("argument", ["", "0", "8", "Ben", "3", "1 x", "-1"])
def test_anything_but_other_seats_is_answered_with_how_to(argument: str) -> None:
    after = says(game(7), person(2), f"/suspect {argument}")
    assert posts(after) == [words("suspect.usage")]
    assert playing(after.room).suspicions == ()


def test_only_players_are_heard() -> None:
    assert posts(says(game(7), person(9), "/suspect 1")) == [words("suspect.players")]
    assert posts(says(room(), person(0), "/suspect 1")) == [words("lobby.none")]


def test_history_keeps_it_and_the_end_sets_it_beside_the_truth() -> None:
    now = says(game(roles="lllfh"), person(0), "/suspect 4 2").room
    (history,) = posts(says(now, person(1), "/history"))
    assert "🔍 #1 Ada suspects #2 Ben, #4 Dirk" in read(history)
    assert "Fascist" not in read(history)
    over = finished()
    over = replace(over, match=replace(playing(over), suspicions=((0, 1, (1, 3)),)))
    told = "".join(read(text) for text in posts(says(over, person(1), "/history")))
    assert "🔍 #1 Ada suspects #2 Ben (Liberal), #4 Dirk (Fascist)" in told
