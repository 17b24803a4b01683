"""The private chat: each command is answered by one message to who gave it."""

import re
from dataclasses import replace

import pytest

from bot.conversation.game.info import READABLE
from bot.conversation.incoming import Command
from bot.conversation.outcome import Post, Private
from bot.conversation.private import commands
from bot.conversation.private.commands import respond_in_private
from bot.display.buttons import Button, Verb, read
from bot.display.commands import PRIVATE
from bot.display.guide import Guide, guide_payload
from bot.display.rules_pages import guide_text
from bot.display.words import THEMES, Words, languages, shown_length
from bot.records.own_record import Profile
from bot.rooms.codec import first_setup
from bot.rooms.model import Room
from bot.rooms.names import ChatId, UserId
from engine import OFFERED, Ruleset
from sandbox.telegram.html import parse, utf16
from tests.bot.conversation.acts import governed, says, tap
from tests.bot.conversation.people import BEACON, person
from tests.bot.conversation.replies import posts, unchanged
from tests.bot.conversation.rooms import finished, game, lobby, room
from tests.bot.conversation.texts import plain, words
from tests.bot.conversation.texts import read as as_read
from tests.engine.builders import Play


def asks(command: str, *rooms: Room, who: int = 1, language: str = "en", **kept: object) -> Post:
    """Give a private command as somebody who is known in these rooms."""
    said = Command(person(who, language), None, command)
    answer = respond_in_private(said, rooms, Profile(**kept), "TheBot")  # type: ignore[arg-type]
    assert answer.to == Private(UserId(100 + who))
    return answer


def carried(post: Post) -> dict[str, tuple[Verb, int]]:
    """Return each button's verb and last number, by its words."""
    found = {}
    for button in (button for row in post.keyboard for button in row if button.data is not None):
        meant = read(button.data or "")
        assert meant is not None
        found[button.text] = (meant[1], meant[2][-1])
    return found


def addresses(post: Post) -> dict[str, str]:
    """Return the address that each button opens, by its words."""
    return {button.text: button.url for row in post.keyboard for button in row if button.url is not None}


def follows(link: str, language: str = "en") -> Post:
    """Start after a link with this payload."""
    said = Command(person(1, language), None, "start", link)
    return respond_in_private(said, (), Profile(), "TheBot")


# --- how to play -----------------------------------------------------------------------------------------


def test_a_lobbys_button_leads_to_five_lines_and_back() -> None:
    here = lobby(3, "red-dawn@1", theme="cold-war")
    after = tap(here, "howto", person(9))
    assert after.toast is not None
    address, _, link = (after.toast.url or "").partition("?start=")
    assert (address, unchanged(after, here)) == ("https://t.me/TheBot", True)
    assert re.fullmatch("[A-Za-z0-9_-]{1,64}", link), "as Telegram takes them"
    page = follows(link)
    assert "Red Dawn in five lines" in page.text
    assert "With 6 or more players there are Anarchists, too" in page.text
    assert [f"\n{line}. " in page.text for line in range(1, 7)] == [True] * 5 + [False]
    assert "Stalin" in page.text, "in the words of the group's theme"
    assert addresses(page)[plain("button.group")] == "https://t.me/c/1234567890/1"
    offered = {plain("button.practice"): ("practice", 0), plain("button.rules"): ("own-rules", 0)}
    assert carried(page) == offered


def test_the_way_back_leads_into_the_topic() -> None:
    setup = first_setup()
    topic, small = replace(lobby(2), topic=77), replace(lobby(2), chat=ChatId(-4711))
    url = addresses(follows(guide_payload(topic, setup)))[plain("button.group")]
    assert url.endswith("/1234567890/77/77")
    assert plain("button.group") not in addresses(follows(guide_payload(small, setup)))


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_the_five_lines_fit_every_ruleset_language_and_theme(code: str, theme: str, rules: Ruleset) -> None:
    text = guide_text(Words(code, theme), rules.id)
    assert shown_length(text) < 1500
    assert ("{" in text, "howto." in text) == (False, False)


@pytest.mark.parametrize(
    "link", ["play_", "play_0_0_-abc", "play_99_9_-abc", "play_1_0_x", "play_1_0_-z" * 9, "hello"]
)
def test_whatever_else_a_link_says_is_let_go(link: str) -> None:
    page = follows(link)
    welcomed = words("welcome") in page.text
    assert welcomed or "Secret Hitler in five lines" in page.text


def test_how_to_play_is_a_tap_away_from_help() -> None:
    page = commands.how_to(Words(), person(1), Guide(), "TheBot")
    assert "Secret Hitler in five lines" in page.text
    assert plain("button.group") not in addresses(page)


def test_start_welcomes_and_helps() -> None:
    assert words("welcome") in asks("start").text
    assert words("welcome") not in asks("help").text
    assert {command for command in PRIVATE if f"/{command}" not in asks("help").text} == {"start"}
    assert carried(asks("help")) == {
        plain("button.practice"): ("practice", 0),
        plain("button.howto"): ("fair", 2),
        plain("button.fair"): ("fair", 1),
        plain("button.privacy"): ("fair", 3),
    }
    assert addresses(asks("help")) == {plain("button.add"): "https://t.me/TheBot?startgroup=hello"}


def test_whatever_else_is_said_is_answered_like_a_call_for_help() -> None:
    assert asks("whatever") == asks("help")


def test_the_roles_of_all_running_games_are_shown_protected() -> None:
    answer = asks("role", game(roles="lfllh"), lobby(), game(roles="lfllh"))
    assert answer.protect
    assert answer.text.count("<tg-spoiler>") == 2
    assert "Your role: Fascist" in as_read(answer.text)
    assert "#3 Cleo: Liberal" not in as_read(answer.text), "what the seat does not know is not told"
    assert "#3 Cleo: Hitler" in as_read(asks("role", game(roles="lfhll")).text)


def test_the_hands_that_one_saw_are_told_again_below_the_card() -> None:
    text = asks("role", governed(game(deck="lff"), 1, "l")).text
    assert text.count("<tg-spoiler>") == 2
    assert "was handed 🔵🟥" in text


def test_the_roles_of_very_many_games_fit_one_message() -> None:
    read_as, entities = parse(asks("role", *[governed(game(deck="lff"), 1, "l")] * 30).text)
    assert utf16(read_as) <= 4096
    assert len(entities) <= 100
    assert read_as.endswith("…")


def test_who_plays_nowhere_has_no_role() -> None:
    for rooms in ((), (lobby(),), (finished(),), (game(cancelled=True),)):
        assert asks("role", *rooms).text == words("games.none")


def test_the_games_and_lobbies_that_one_is_in() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    text = asks("games", game(), lobby(), sealed, room(), finished()).text
    assert text.count("▶️") == 2
    assert text.count("✋") == 1
    assert as_read(asks("games", lobby()).text) == "✋ The Reichstag (lobby)"
    assert as_read(asks("games", game()).text) == "▶️ The Reichstag"
    assert asks("games", game(), lobby(), who=9).text == words("games.none")


@pytest.mark.parametrize("command", READABLE)
def test_a_player_reads_the_table_in_private_too(command: str) -> None:
    here = governed(game(deck="lff", roles="lfllh"), 1, "l")
    said = (posts(says(here, person(0), f"/{command}"))[0], asks(command, here).text)
    group, own = map(as_read, said)
    assert own.splitlines()[0] == "The Reichstag"
    assert own.splitlines()[1:] == group.splitlines(), "the same as the group reads, and no secret"
    assert asks(command, here, language="de").text != asks(command, here).text


@pytest.mark.parametrize("command", READABLE)
def test_after_the_end_players_read_everything_in_private(command: str) -> None:
    own = as_read(asks(command, finished(roles="lfllh")).text)
    assert as_read(posts(says(finished(roles="lfllh"), person(0), f"/{command}"))[-1]) in own
    assert ("Hitler" in own) is (command in ("history", "players")), "roles are public now"


@pytest.mark.parametrize("command", READABLE)
def test_nobody_else_reads_the_table_in_private(command: str) -> None:
    here = governed(game(deck="lff"), 1, "l")
    for rooms, who in (((here,), 9), ((), 1), ((lobby(),), 1), ((finished(),), 9)):
        told = asks(command, *rooms, who=who).text
        assert f"No game of yours is running, so /{command} has nothing to show here." in told


def test_of_a_long_history_the_latest_rounds_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player read only the last round of a game of sixteen, because the others filled the page before."""
    here = game(play=Play(7).until_fascist(4))
    whole = as_read(asks("history", here).text)
    numbered = re.compile(r"(?m)^(?:📯 )?(\d+)\. ")
    rounds = numbered.findall(whole)
    monkeypatch.setattr("bot.display.buttons.LONGEST", 5 * len(whole) // 6)
    told = as_read(asks("history", here).text)
    latest = numbered.findall(told)
    assert "… (earlier rounds: /history in the group)" in told.splitlines()
    assert len(rounds) > len(latest) > 1
    assert latest == rounds[-len(latest) :]


def test_the_rules_begin_with_ones_own_game() -> None:
    assert asks("rules", who=9).text == words("rules.choose")
    assert "1/" in asks("rules", game()).text


def test_answers_come_in_the_persons_own_language() -> None:
    assert asks("games", language="de").text == str(Words("de").html("games.none"))


# --- the account --------------------------------------------------------------------------------------------


def test_the_language_menu_marks_the_one_that_is_on() -> None:
    buttons = [button for row in asks("language").keyboard for button in row]
    assert len(buttons) == 1 + len(languages())
    marked = [button.text for button in buttons if button.text.startswith("●")]
    assert marked == [f"● {plain('language.automatic')}"]
    polish = commands.language_menu(Words("en"), person(1), Profile(language="pl"))
    marked = [b.text for row in polish.keyboard for b in row if b.text.startswith("●")]
    assert marked == [f"● {Words('pl').plain('language')}"]


def test_each_of_its_buttons_carries_its_own_language() -> None:
    menu = commands.language_menu(Words("en"), person(1), Profile())
    numbers = [_number(button) for row in menu.keyboard for button in row]
    assert [commands.language_of(number) for number in numbers] == [None, *languages()]
    with pytest.raises(ValueError, match="no such language"):
        commands.language_of(7)


def _number(button: Button) -> int:
    meant = read(button.data or "")
    assert meant is not None
    return meant[2][0]


def test_ones_own_statistics_have_a_counting_button() -> None:
    assert carried(asks("stats")) == {plain("button.stats-off"): ("counted", 0)}
    out = asks("stats", counted=False)
    assert carried(out) == {plain("button.stats-on"): ("counted", 1)}
    assert out.text != asks("stats").text


def test_being_forgotten_is_asked_before_it_is_done() -> None:
    answer = asks("forget")
    assert answer.text == words("forget.ask")
    assert carried(answer) == {plain("button.forget"): ("forget", 1), plain("button.keep"): ("forget", 0)}
    assert commands.forget_answer(Words("en"), person(1), gone=True).text == words("forget.done")
    assert commands.forget_answer(Words("en"), person(1), gone=False).text == words("forget.kept")


def test_why_a_deal_is_fair_and_back() -> None:
    page = commands.explanation(Words("en"), person(1), "fair")
    assert page.text == words("fair")
    assert carried(page) == {plain("button.back"): ("fair", 0)}
