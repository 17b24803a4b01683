"""Opening a lobby, and setting up what will be played in it."""

from dataclasses import replace

import pytest

from bot.conversation.lobby.lobby import BUSY, with_computers
from bot.conversation.outcome import GROUP, ClearButtons, Lookup, Post, Private, Toast
from bot.display.lobby import lobby_text
from bot.display.words import THEMES, Words
from bot.rooms.names import UserId
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, Setup, ruleset
from tests.bot.conversation.acts import needs, press, says, tap
from tests.bot.conversation.people import NOW, person, player, robot
from tests.bot.conversation.replies import buttons, edits, posts, refuses, toast, unchanged, writes
from tests.bot.conversation.rooms import changed_lobby, finished, game, lobby, names, opened, room
from tests.bot.conversation.texts import plain, read, words

#: The index of the board among the things to set up: after ruleset, theme and the options.
_LAST = 3 + len(OFFERED[0].options)


def test_newgame_seats_its_giver_as_host() -> None:
    after = says(room(), person(3), "/newgame")
    now = opened(after.room)
    assert (now.number, now.host, now.players, now.touched) == (1, 103, (player(3),), NOW)
    assert "Dirk\u2069</b> 👑" in posts(after)[0]
    assert after.room.lobby_count == 1
    assert after.remember == 103
    assert all(buttons(after, verb) for verb in ("join", "leave", "start", "setup"))


def test_an_unwritable_host_opens_a_lobby_without_a_seat() -> None:
    after = says(room(), person(3), "/newgame", may_write=False)
    assert (opened(after.room).host, names(after.room)) == (103, [])
    assert words("lobby.hostless") in posts(after)[0]
    assert buttons(after, "host") == [], "there is nobody yet to take over"
    assert words("lobby.hostless") not in edits(tap(after.room, "join", person(3)))["lobby"]


def test_the_first_to_join_takes_over_a_hostless_lobby() -> None:
    before = lobby(3, host=109)
    assert buttons(says(before, person(9), "/newgame"), "host") == [(1, 100)]
    for other in (person(1), person(7)):
        refuses(tap(before, "host", other, 100), before, "only-host")
    assert toast(tap(before, "host", person(1), 101)) == plain("only-host"), "who came second does not"
    after = tap(before, "host", person(0), 100)
    assert opened(after.room).host == 100
    assert words("lobby.hostless") not in edits(after)["lobby"]
    assert buttons(after, "host") == []


def test_nobody_takes_over_from_a_host_who_sits_there() -> None:
    before = lobby(3, host=102)
    assert buttons(says(before, person(9), "/newgame"), "host") == []
    assert unchanged(tap(before, "host", person(0), 100), before)


def test_an_open_lobby_is_shown_again_and_not_replaced() -> None:
    before = lobby(3)
    after = says(before, person(9), "/newgame")
    assert after.room.lobby == before.lobby
    assert after.room.lobby_count == before.lobby_count
    cleared, post = after.effects
    assert cleared == ClearButtons(GROUP, "lobby"), "two lobbies would be one too many"
    assert isinstance(post, Post)
    assert (post.to, post.name) == (GROUP, "lobby"), "the new message is the one that is kept up to date"
    assert "Cleo" in post.text
    assert buttons(after, "join") == [(1,)]


def test_no_lobby_opens_beside_a_game() -> None:
    after = says(game(), person(9), "/newgame")
    assert after.room.lobby is None
    assert posts(after) == [words("game.running")]


def test_no_lobby_opens_while_the_bot_is_about_to_be_replaced() -> None:
    after = says(room(), person(0), "/newgame", draining=True)
    assert after.room.lobby is None
    assert posts(after) == [words("game.draining")]


def test_an_open_lobby_is_shown_by_a_draining_bot() -> None:
    assert "Ada" in posts(says(lobby(1), person(0), "/newgame", draining=True))[0]


def test_the_group_learns_its_title_from_the_command() -> None:
    assert says(replace(room(), title=""), person(0), "/newgame").room.title == "The Reichstag"


def test_the_next_lobby_begins_with_the_last_games_rules() -> None:
    before = game(7, ruleset="red-dawn@1", options={"veto": "sealed"}, cancelled=True)
    after = says(before, person(3), "/newgame")
    assert opened(after.room).setup == Setup("red-dawn@1", 0, {"veto": "sealed"})
    assert names(after.room) == ["Dirk"], "only Again keeps the people"


def test_a_waiter_hears_once_in_their_language() -> None:
    after = says(room(next_game=(player(4), player(5, "de"))), person(0), "/newgame")
    assert "lobby has opened" in writes(after, person(4))[0]
    assert writes(after, person(5)) != writes(after, person(4))
    assert after.room.next_game == ()


def test_each_ruleset_is_described_before_one_is_taken() -> None:
    """A player who only wanted to look at the rules found the lobby changed to another game."""
    shown = tap(tap(lobby(2), "setup", person(0), 0, 0).room, "setup", person(0), 1, 0)
    (text,) = edits(shown).values()
    assert opened(shown.room).setup == opened(lobby(2)).setup
    for place, rules in enumerate(OFFERED, start=1):
        said = f"{plain(f'ruleset.{rules.name}')}: {min(rules.players)}–{max(rules.players)} players"
        assert said in read(text)
        taken = press(shown.room, "setup", person(0), 1, 1, place)
        assert opened(taken.room).setup == Setup(rules.id, 0)
        assert opened(taken.room).panel == 0
        assert toast(taken) == f"Rules: {plain(f'ruleset.{rules.name}')}", "as the message may be late"


def test_a_tap_takes_the_next_value_and_wraps_around() -> None:
    now = tap(lobby(2), "setup", person(0), 0, 0)
    for theme in (*THEMES[1:], THEMES[0]):
        following = next(args for args in buttons(now, "setup") if args[1] == 2)
        now = press(now.room, "setup", person(0), *following)
        assert now.room.settings.theme == theme
        assert opened(now.room).panel == 0


def test_two_taps_take_one_value() -> None:
    once = tap(tap(lobby(2), "setup", person(0), 0, 0).room, "setup", person(0), 2, 2)
    twice = tap(once.room, "setup", person(0), 2, 2)
    assert unchanged(twice, once.room)
    assert toast(twice) == toast(once) == "Theme: The Cold War"


def test_six_settings_cost_six_edits() -> None:
    now = tap(changed_lobby(lobby(8), setup=Setup("xl@1", 0)), "setup", person(0), 0, 0)
    assert buttons(now, "join") == buttons(now, "leave") == [(1,)]
    edited = 0
    for item in range(2, 8):
        now = press(now.room, "setup", person(0), 1, item, 2)
        edited += len(edits(now))
    assert edited == 6
    assert (now.room.settings.theme, len(opened(now.room).setup.options)) == ("cold-war", 5)


def test_what_has_many_values_shows_them() -> None:
    boards = tuple(OwnBoard(number, f"Board {number}", "classic@1", 5) for number in range(1, 7))
    shown = tap(lobby(5, boards=boards), "setup", person(0), 0, 0)
    assert (1, _LAST, 0) in buttons(shown, "setup")
    values = tap(shown.room, "setup", person(0), _LAST, 0)
    last = [args for args in buttons(values, "setup") if args[1] == _LAST]
    assert last == [(1, _LAST, n) for n in range(1, 8)]
    after = tap(values.room, "setup", person(0), _LAST, 3)
    assert opened(after.room).own == boards[1]
    assert opened(after.room).panel == 0


def test_another_ruleset_begins_with_its_own_options() -> None:
    before = lobby(6, "red-dawn@1", options={"deck": "balanced"})
    assert opened(tap(before, "setup", person(0), 1, 1).room).setup.options == {}


def test_an_option_is_set_and_the_others_stay() -> None:
    before = changed_lobby(lobby(6, "red-dawn@1", options={"secret-roles": "on"}), panel=0)
    rules = next(rules for rules in OFFERED if rules.id == "red-dawn@1")
    item = 3 + list(rules.options).index("deck")
    place = 1 + rules.options["deck"].values.index("as-printed")
    after = tap(before, "setup", person(0), item, place)
    assert opened(after.room).setup.options == {"secret-roles": "on", "deck": "as-printed"}


def test_a_tap_beside_the_lobbys_own_buttons_leaves_them_there() -> None:
    assert opened(tap(lobby(6), "setup", person(0), 2, 2).room).panel is None


def test_the_theme_is_the_groups() -> None:
    assert tap(lobby(2), "setup", person(0), 2, 2).room.settings.theme == "cold-war"


def test_the_lobby_plays_on_a_board_of_the_groups_own() -> None:
    own = OwnBoard(7, "Ours", "classic@1", 5)
    after = tap(lobby(5, boards=(own,)), "setup", person(0), _LAST, 2)
    assert opened(after.room).own == own
    assert "Ours" in edits(after)["lobby"]
    assert opened(tap(after.room, "setup", person(0), _LAST, 1).room).own is None


def test_another_ruleset_leaves_the_own_board_behind() -> None:
    own = OwnBoard(7, "Ours", "classic@1", 5)
    assert opened(tap(lobby(5, boards=(own,), own=own), "setup", person(0), 1, 2).room).own is None


def test_the_panel_closes_and_the_lobbys_buttons_are_back() -> None:
    after = tap(changed_lobby(lobby(2), panel=0), "setup", person(0), -1, 0)
    assert opened(after.room).panel is None
    assert buttons(after, "join") == [(1,)]


def test_a_forged_item_shows_all_of_them() -> None:
    assert opened(tap(lobby(2), "setup", person(0), 99, 1).room).panel == 0
    assert opened(tap(lobby(2), "setup", person(0), 1, 99).room).panel == 1


def test_setting_up_is_the_hosts_or_an_admins() -> None:
    before = lobby(3)
    refused = tap(before, "setup", person(1), 2, 2)
    assert unchanged(refused, before)
    assert refused.toast == Toast(plain("only-host"), alert=True)
    assert tap(before, "setup", person(9), 2, 2, is_admin=True).room.settings.theme == "cold-war"
    needs(Lookup.IS_ADMIN, tap, before, "setup", person(1), 2, 2)


def test_the_host_is_not_asked_about() -> None:
    assert tap(lobby(3), "setup", person(0), 2, 2, unknown=Lookup.IS_ADMIN).room.settings.theme == "cold-war"


def test_the_host_hands_the_lobby_over() -> None:
    after = tap(changed_lobby(lobby(3), panel=-2), "host", person(0), 102)
    assert opened(after.room).host == 102
    assert opened(after.room).panel is None
    assert toast(tap(after.room, "host", person(0), 101)) == plain("only-host")


def test_the_lobby_is_handed_to_nobody_who_is_not_in_it() -> None:
    before = lobby(3)
    refuses(tap(before, "host", person(0), 109), before, "toast.not-in")


def test_nobody_but_the_host_or_an_admin_hands_over_or_removes() -> None:
    before = lobby(3)
    for verb in ("host", "remove"):
        assert toast(tap(before, verb, person(1), 101)) == plain("only-host")
        assert tap(before, verb, person(9), 101, is_admin=True).room != before


def test_the_host_takes_a_seat_away() -> None:
    assert names(tap(lobby(3), "remove", person(0), 101).room) == ["Ada", "Cleo"]


def test_a_host_who_is_removed_hands_over_to_who_joined_first() -> None:
    assert opened(tap(lobby(3), "remove", person(9), 100, is_admin=True).room).host == 101


def test_of_two_robots_the_one_that_was_named_goes() -> None:
    robots = (player(0), robot("First"), robot("Second"))
    before = changed_lobby(lobby(), players=robots, panel=-2)
    (_, first, second) = buttons(tap(before, "setup", person(0), -2, 0), "remove")
    assert names(press(before, "remove", person(0), *second).room) == ["Ada", "First"]
    after = press(before, "remove", person(0), *first)
    assert names(after.room) == ["Ada", "Second"]
    again = press(after.room, "remove", person(0), *first)
    assert unchanged(again, after.room), "tapped twice, one goes"
    assert toast(again) == plain("toast.not-in")


def test_the_people_are_shown_to_be_handed_over_to_or_removed() -> None:
    after = tap(lobby(3), "setup", person(0), -2, 0)
    assert buttons(after, "host") == [(1, 101), (1, 102)], "the host is the host"
    assert buttons(after, "remove") == [(1, 100), (1, 101), (1, 102)]


def test_a_button_of_an_earlier_lobby_is_worth_nothing() -> None:
    before = lobby(3, number=2)
    for verb in ("join", "leave", "start"):
        refuses(press(before, verb, person(0), 1), before, "toast.lobby-closed")


def test_every_touch_keeps_the_lobby_open_for_longer() -> None:
    later = NOW + 600
    for after in (
        tap(lobby(3), "setup", person(0), 2, 2, now=later),
        tap(lobby(3), "join", person(7), now=later),
        tap(lobby(3), "leave", person(1), now=later),
        tap(lobby(3), "host", person(0), 101, now=later),
        tap(lobby(3), "remove", person(0), 101, now=later),
    ):
        assert opened(after.room).touched == NOW + 600


# --- again, after a game ------------------------------------------------------------------------------------


def test_again_asks_each_who_is_still_there() -> None:
    after = tap(finished(), "rematch", person(2), present=frozenset({100, 102, 103}))
    assert names(after.room) == ["Cleo"]
    asked = [e for e in after.effects if isinstance(e, Post) and isinstance(e.to, Private)]
    assert [effect.to for effect in asked] == [Private(UserId(100)), Private(UserId(103))]
    assert all("wants to play again" in effect.text for effect in asked)
    assert all("?start=" in (effect.keyboard[0][0].url or "") for effect in asked)
    assert opened(after.room).host == 102
    assert after.room.lobby_count == 2


def test_who_got_up_or_blocked_the_bot_is_not_asked_again() -> None:
    after = tap(finished(away=(1,), unreached=(3,)), "rematch", person(2))
    asked = [effect.to for effect in after.effects if isinstance(effect.to, Private)]
    assert asked == [Private(UserId(100)), Private(UserId(104))]


def test_a_robot_plays_again_though_telegram_knows_nothing_of_it() -> None:
    seats = (*map(player, range(4)), robot())
    after = tap(finished(seated=seats), "rematch", person(0), present=frozenset({100}))
    assert names(after.room) == ["Ada", "Robot"]


@pytest.mark.parametrize(("before", "after"), [(3, 2), (1, 0), (0, 0), (4, 4)])
def test_the_next_game_has_one_less_with_advice(before: int, after: int) -> None:
    seats = (replace(player(0), advised=before), *map(player, range(1, 5)))
    again = tap(finished(seated=seats), "rematch", person(0), present=frozenset({100}))
    assert [one.advised for one in opened(again.room).players] == [after]


def test_who_is_still_there_must_be_found_out_first() -> None:
    needs(Lookup.PRESENT, tap, finished(), "rematch", person(2))


def test_only_who_played_opens_the_next_one_and_only_once() -> None:
    over = finished()
    assert toast(tap(over, "rematch", person(9))) == plain("toast.not-your-game")
    again = tap(over, "rematch", person(0)).room
    assert toast(press(again, "rematch", person(1), 1)) == plain("toast.already-open")
    assert toast(tap(game(), "rematch", person(0))) == plain("toast.already-open")
    assert toast(press(over, "rematch", person(0), 9)) == plain("toast.not-your-game")


def test_no_rematch_while_the_bot_is_about_to_be_replaced() -> None:
    assert toast(tap(finished(), "rematch", person(0), draining=True)) == plain("game.draining")


def test_where_messages_come_late_no_lobby_opens_and_it_says_why() -> None:
    after = says(room(), person(0), "/newgame", backlog=BUSY + 1.0)
    assert posts(after) == [words("game.busy")]
    assert after.room.lobby is None
    assert "Ada" in posts(says(lobby(1), person(0), "/newgame", backlog=BUSY + 1.0))[0]
    assert toast(tap(finished(), "rematch", person(0), backlog=BUSY + 1.0)) == plain("game.busy")


def test_a_small_lobby_says_how_many_are_missing() -> None:
    few = lobby_text(Words(), opened(lobby(3)), silent=False)
    assert "2 more players are needed." in few
    assert len(few.splitlines()) == 6, "the title, how many, three players, and who is missing"


def test_computers_share_a_line_in_the_lobby() -> None:
    full = lobby(seated=with_computers(Words(), tuple(map(player, range(3))), 4))
    text = lobby_text(Words(), opened(full), silent=False)
    assert sum("🤖" in line for line in text.splitlines()) == 2, "who they are, and how they play"


def test_an_option_says_what_it_does_where_it_is_set() -> None:
    shown = tap(changed_lobby(lobby(6), setup=Setup("xl@1", 0)), "setup", person(0), 0, 0)
    about = words("setup.about.oktoberfest")
    assert about not in edits(shown)["lobby"]
    assert words("lobby.options") in edits(shown)["lobby"], "how to read about an option"
    number = 3 + list(ruleset("xl@1").options).index("oktoberfest")
    assert (1, number, 0) in buttons(shown, "setup"), "it is shown before it is set"
    option = tap(shown.room, "setup", person(0), number, 0)
    assert about in edits(option)["lobby"]
    assert words("lobby.options") not in edits(option)["lobby"]
    assert about not in edits(tap(option.room, "setup", person(0), number, 2))["lobby"]
