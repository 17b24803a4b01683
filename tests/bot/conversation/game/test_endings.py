"""The end of a game: the dead are told what it means, and everybody how it ended for them."""

from typing import Any

import pytest

from bot.conversation.outcome import GROUP, Outcome, Post, ToSeat
from bot.display.words import THEMES, languages
from bot.rooms.model import Player
from bot.rooms.names import UserId
from engine import Seat
from tests.bot.conversation.acts import choose, says, tap, votes
from tests.bot.conversation.people import NOW, person, player, robot
from tests.bot.conversation.replies import posts, tells, told
from tests.bot.conversation.rooms import game
from tests.bot.conversation.texts import words
from tests.engine.builders import Play
from tests.engine.rulesets.games import board

KILLS = {"fascist": ("kill", None, None, None, None, None)}


def killing(target: int, roles: str = "lllfh", **more: Any) -> Outcome:
    """Return a game whose first Fascist policy kills; the President, seat 0, has chosen this seat."""
    own = board("classic@1", 5, {}, tracks=KILLS)
    play = Play(5, roles=roles, deck="fff", board=own).govern("fascist")
    return choose(game(play=play, **more), target)


def test_only_the_dead_are_told_what_death_means() -> None:
    after = killing(2)
    assert [words("dead") in text for seat in range(5) for text in tells(after, seat)].count(True) == 1
    (text,) = tells(after, 2)
    assert words("dead") in text
    assert "The Reichstag" in text, "which game it is about"


@pytest.mark.parametrize("theme", THEMES)
def test_the_dead_read_what_they_may_do_and_how_they_win(theme: str) -> None:
    (text,) = tells(killing(2, theme=theme), 2)
    for said in (
        "You are dead.",
        "don't vote or hold office any more",
        "Say nothing about the game or your role",
        "You may read along, with /board and /history",
        "You still win or lose with your party.",
    ):
        assert said in text


@pytest.mark.parametrize("language", languages())
def test_death_is_told_in_every_language(language: str) -> None:
    seated = tuple(Player(UserId(100 + seat), f"P{seat}", language) for seat in range(5))
    (text,) = tells(killing(2, seated=seated), 2)
    assert "☠️" in text
    assert "/board" in text
    assert "/history" in text
    assert (words("dead") in text) is (language == "en")


def test_it_says_nothing_of_the_role() -> None:
    texts = {tells(killing(2, roles), 2)[0] for roles in ("lllfh", "llflh")}
    assert len(texts) == 1


def test_a_robot_that_dies_is_told_nothing() -> None:
    seated = (*map(player, range(2)), robot(), *map(player, (3, 4)))
    assert all(words("dead") not in text for text in posts(killing(2, seated=seated)))


def test_hitlers_death_ends_the_game_and_tells_the_dead() -> None:
    (text,) = tells(killing(4), 4)
    assert words("dead") not in text
    assert "You lost." in text
    assert "Hitler is dead." in text


def test_chaos_that_ends_a_game_is_told_in_private() -> None:
    """A player read that the track was full, but not which policy had filled it."""
    short = board("classic@1", 5, tracks={"liberal": (None, None)}, chaos=1)
    play = Play(5, board=short, deck="lff l").govern("l")
    (text,) = tells(votes(choose(game(play=play), play.choices[0]).room, "nnnnn"), 0)
    assert text.index("Chaos!") < text.index("The Liberal track is full.")


def test_each_player_reads_how_it_ended_in_their_own_language() -> None:
    seated = tuple(Player(UserId(100 + seat), f"P{seat}", code) for seat, code in enumerate(languages()[:5]))
    after = killing(4, seated=seated)
    assert told(after) == {0, 1, 2, 3, 4}
    assert len({text.split("\n")[1] for seat in range(5) for text in tells(after, seat)}) == 5


def test_the_way_back_to_the_group_lies_under_it() -> None:
    after = killing(4)
    mine = [effect for effect in after.effects if isinstance(effect, Post) and effect.to == ToSeat(Seat(1))]
    assert [button.url for row in mine[-1].keyboard for button in row] == ["https://t.me/c/1234567890/1"]


def pictures(after: Outcome) -> list[Post]:
    return [e for e in after.effects if isinstance(e, Post) and e.to == GROUP and e.picture is not None]


def test_an_ending_without_a_policy_has_its_picture_too() -> None:
    (post,) = pictures(killing(4))
    assert "Hitler is dead" in post.text


def test_a_too_long_last_post_gives_roles_the_picture() -> None:
    seated = tuple(Player(UserId(100 + seat), chr(65 + seat) * 64, "en") for seat in range(5))
    (post,) = pictures(killing(4, seated=seated))
    assert len(post.text) < 1500


def test_a_called_off_game_is_told_in_words_without_pictures() -> None:
    asked = says(game(5, pictures=False, pictures_at=NOW + 600), person(0), "/cancel")
    after = tap(asked.room, "cancel", person(0), 1)
    assert pictures(after) == []
    assert words("game.cancelled") in "".join(posts(after))
