"""Commands that anyone may give at any time: status, board, history, players, help, and one's own role."""

from bot.conversation.outcome import GROUP, Post, Toast
from bot.display.commands import GROUP as COMMANDS
from tests.bot.conversation.acts import choose, governed, press, says, tap, votes
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import buttons, posts
from tests.bot.conversation.rooms import finished, game, lobby, room
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play


def test_the_status_names_the_awaited_in_seat_order() -> None:
    (text,) = posts(says(votes(choose(game(), 1).room, ".n.j.").room, person(0), "/status"))
    assert "Still to act: #1 Ada, #3 Cleo, #5 Edda\n" in read(text)
    assert "Nein" not in read(text).partition("⏰")[0]


def test_the_status_has_the_groups_own_buttons() -> None:
    after = says(choose(game(ballots="group"), 1).room, person(0), "/status")
    assert len(buttons(after, "answer")) == 2
    assert buttons(says(choose(game(), 1).room, person(0), "/status"), "answer") == []


def test_without_a_game_the_status_says_what_there_is() -> None:
    told = says(lobby(), person(0), "/status")
    assert (posts(told), buttons(told, "join")) == ([words("lobby.open")], [(1,)])
    assert posts(says(room(), person(0), "/status")) == [words("lobby.none")]
    assert posts(says(finished(), person(0), "/status")) == [words("lobby.none")]


def test_without_a_game_there_is_no_board_or_history() -> None:
    for command in ("/board", "/history", "/votes", "/players"):
        assert posts(says(room(), person(0), command)) == [words("lobby.none")]


def test_role_in_a_group_is_the_same_answer_for_every_role() -> None:
    for command in ("/role", "/games"):
        asked = [(game(roles=roles), seat) for roles in ("lllfh", "hflll") for seat in range(5)]
        answers = [says(before, person(seat), command).effects for before, seat in asked]
        assert all(answer == answers[0] for answer in answers)
        assert says(room(), person(0), command).effects == answers[0], "nor does it tell that a game runs"


def test_the_board_is_a_picture_with_words() -> None:
    (post,) = says(governed(game(), 1, "l"), person(0), "/board").effects
    assert isinstance(post, Post)
    assert post.to == GROUP
    assert post.picture is not None
    assert "Liberal" in post.text


def test_a_running_games_history_tells_no_hands() -> None:
    (text,) = posts(says(governed(game(), 1, "l"), person(0), "/history"))
    assert "Ada" in text
    assert "Ben" in text
    assert "blockquote" not in text


def test_a_finished_games_history_is_its_replay() -> None:
    texts = posts(says(finished(), person(0), "/history"))
    assert texts[0].startswith(f"{words('replay.title')}\n<blockquote expandable>")
    assert all("<blockquote expandable>" in text for text in texts)
    assert posts(says(game(cancelled=True), person(0), "/history"))[0].count("blockquote") == 0


def test_who_voted_what_is_a_grid_of_rounds_and_seats() -> None:
    room = votes(choose(governed(game(), 1, "l"), 2).room, "jnn.j").room
    room = votes(room, "n").room
    (text,) = posts(says(room, person(0), "/votes"))
    grid = text.partition("<pre>")[2].partition("</pre>")[0].replace("\u200e", "").splitlines()
    rows = [" ".join(line.split()) for line in grid]
    assert rows == ["1 2 3 4 5", "1 1→2 + + + + + 5:0 🔵", "2 2→3 + - - - + 2:3", "3 3→–"]
    assert all(name in text for name in ("#1\u00a0Ada", "#5\u00a0Edda"))
    assert "no vote" not in text
    play = Play(7).until_fascist(4)
    play.target(play.choices[0]).nominate(play.choices[0]).vote("n" * play.voters)
    (text,) = posts(says(game(play=play), person(0), "/votes"))
    assert ". no vote" in text, "the dead"


def test_the_players_in_the_order_of_their_seats() -> None:
    (text,) = posts(says(game(), person(0), "/players"))
    places = [text.index(name) for name in ("Ada", "Ben", "Cleo")]
    assert places == sorted(places)


def test_help_names_the_commands() -> None:
    (text,) = posts(says(room(), person(0), "/help"))
    assert [command for command in COMMANDS if f"/{command}" not in text] == ["help"]


# --- my role ------------------------------------------------------------------------------------------------


def test_my_role_is_shown_to_who_taps_alone() -> None:
    after = tap(game(roles="lllfh"), "role", person(4))
    assert after.effects == ()
    assert after.toast is not None
    assert after.toast.alert
    assert "Hitler" in after.toast.text


def test_everybody_is_shown_their_own() -> None:
    toasts = [tap(game(roles="lllfh"), "role", person(seat)).toast for seat in (0, 3)]
    assert [toast.text.count("🎭 Fascist") > 0 for toast in toasts if toast] == [False, True]


def test_who_has_no_seat_has_no_role() -> None:
    refused = Toast(plain("toast.not-your-game"), alert=True)
    assert tap(game(), "role", person(9)).toast == Toast(plain("toast.watching"), alert=True)
    assert tap(finished(), "role", person(9)).toast == refused
    assert press(game(), "role", person(0), 7).toast == refused
    assert press(room(), "role", person(0), 1).toast == refused
