"""Whatever people and groups are called, they are called so, and nothing else changes."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from engine import Chance, Setup, answer, reply, ruleset, start
from engine.custom import ENDINGS
from engine.facts import Enacted
from handlers.conversation.announce import announce, edit_of_post
from handlers.conversation.lobby import lobby_post
from handlers.conversation.outcome import Post
from handlers.conversation.setup_panel import THEMES
from handlers.display.words import Words, languages, shown_length
from handlers.rooms.model import Claim, Lobby, Match, Player, Room, Settings
from handlers.rooms.own_board import LONGEST_NAME, MOST_SLOTS, MOST_TILES, OwnBoard
from tests.system.table import Table

#: Telegram's limits for a text and for a caption, in UTF-16 units once its tags are read.
TEXT, CAPTION = 4096, 1024

NAMES = {
    "html": "<b>Bold</b> & <a href='x'>link</a> &lt;",
    "right to left": "شیرین",
    "bidi override": "‮evil‬",
    "64 emoji": "👨‍👩‍👧‍👦" * 9 + "🦄",
    "empty": "",
    "blank": "\u3164",
    "braces": "{seat} {0} %s",
    "lines": "two\nlines",
    "markdown": "*_`[x](y)`_*",
    "long": "x" * 64,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_round_with_any_name_is_told_with_that_name(table: Table, name: str) -> None:
    table.person("Anna")
    odd = table.person(name)
    table.open(5, deck="lff")
    table.choose()
    shown = f"⁨{name}⁩" if name.strip("\u3164") else f"⁨👤 {odd.id % 1000}⁩"
    assert f"nominates {shown} as Chancellor" in table.group_text()
    assert "⁨Anna⁩" in table.group_text(), "the others are still called what they are called"
    table.vote("jjjjj").discard("f").enact("f")
    for command in ("/players", "/status", "/board"):
        table.say(odd, command)
    assert table.tg.private_view(odd)


@pytest.mark.parametrize("title", NAMES.values(), ids=NAMES)
def test_prompts_name_a_group_of_any_title(another: Callable[..., Table], title: str) -> None:
    table = another(title=title)
    table.open(5)
    assert (title or "…") in table.asked().prompt().text


def test_last_names_are_said_too(table: Table) -> None:
    table.person("Anna", last_name="von <Papen>")
    table.open(5)
    assert "⁨Anna von <Papen>⁩ nominates a Chancellor" in table.group_text()


def test_sixteen_names_of_the_longest_kind_still_fit_into_every_message(table: Table) -> None:
    for number in range(16):
        table.person(f"{number}" + "🦄" * 62, last_name="&" * 64)
    table.open(16, ruleset="xl@1")
    rng = random.Random(1)
    for _ in range(12):
        table.step_on(rng)
    for command in ("/players", "/status", "/history"):
        table.say(table.people[0], command)
    table.finish()
    table.pass_time(60)
    for command in ("/players", "/history", "/stats"):
        table.say(table.people[0], command)
    refused = [call for call in table.tg.journal if not call.ok]
    assert refused == []


def everywhere(room: Room) -> Iterator[Room]:
    """The same room in every language and theme."""
    for language in languages():
        for theme in THEMES:
            yield replace(room, settings=Settings(language=language, theme=theme))


def largest_board() -> OwnBoard:
    """A board for sixteen with as much on it as a group can put there."""
    longest = sorted(RULES.powers, key=lambda power: -len(Words("de").plain(f"power.{power}")))
    slots = [longest[0]] * (MOST_SLOTS - 1) + [None]
    kinds = [
        f"{tile}:{power}" if power else tile for tile, on in RULES.tiles.items() for power in on or ("",)
    ]
    deck = dict.fromkeys(kinds, 1)
    deck |= dict.fromkeys(("liberal", "fascist", "communist"), (MOST_TILES - len(deck)) // 3)
    changes = {
        "tracks": dict.fromkeys(("liberal", "fascist", "communist"), slots),
        "deck": deck,
        "zone": 7,
        "veto": 7,
        "chaos": 9,
        "few": 9,
        "hitler_knows": True,
        "communists_know": True,
        "endings": {ending: ["liberal", "communist"] for ending in ENDINGS},
    }
    return OwnBoard(1, "🦄" * LONGEST_NAME, RULES.id, 16, changes)


RULES = ruleset("xl@1")
SIXTEEN = tuple(Player(number, chr(0x1F400 + number) * 64, "en") for number in range(1, 17))
OPTIONS = {name: choice.values[-1] for name, choice in RULES.options.items()}
SHAKES = dict.fromkeys(range(1, 17), 10)
LOBBY = Lobby(1, 1, "ab" * 32, Setup(RULES.id, 0, OPTIONS), SIXTEEN, SHAKES, own=largest_board())


@cache
def voted_down(tiles: int | None = None) -> Match:
    """A game of theirs on that board in which nobody is ever elected, until so many tiles lie there, or to
    its end. Its latest post begins with the last ballots."""
    game, events = start(LOBBY.setup_for(16), Chance("ab" * 32))
    posted = 0
    while game.question is not None and sum(isinstance(event.fact, Enacted) for event in events) != tiles:
        posted = len(events)
        for seat, options in zip(game.question.seats, game.question.options, strict=True):
            game, told = answer(game, reply(game, seat, "nein" if "nein" in options else options[0]))
            events += told
    shakes = tuple(SHAKES.values())
    return Match(1, 1, LOBBY.seed, SIXTEEN, shakes, game, events, posted, own=LOBBY.own)


def test_a_lobby_of_sixteen_of_the_longest_names_with_the_largest_board_shows_everybody() -> None:
    for room in everywhere(Room(-1001, lobby=LOBBY)):
        text = lobby_post(room).text
        assert shown_length(text) <= TEXT
        assert "16. " in text


@pytest.mark.parametrize("pictured", [False, True])
def test_claims_of_sixteen_of_the_longest_names_leave_room_for_what_happened_and_who_must_act(
    *, pictured: bool
) -> None:
    match = voted_down(tiles=1)
    if pictured:  # which is enacted after a session; ballots are told in an earlier post
        enacted = next(at for at, event in enumerate(match.log) if isinstance(event.fact, Enacted))
        match = replace(match, posted=enacted, pictured=True)
    claims = tuple(Claim(seat, 1, "president", ("fascist",) * 3, len(match.log) + 1) for seat in range(16))
    for room in everywhere(Room(-1001, match=match)):
        alone = edit_of_post(room, match).text.splitlines()
        text = edit_of_post(room, replace(match, claims=claims)).text
        assert shown_length(text) <= (CAPTION if pictured else TEXT)
        assert set(alone) < set(text.splitlines())
        assert "…" in text.splitlines(), "some claims are left out"
        if not pictured:
            newest = edit_of_post(room, replace(match, claims=claims[-1:])).text.splitlines()
            assert set(newest) < set(text.splitlines())


def test_the_end_of_a_game_of_sixteen_of_the_longest_names_on_the_largest_board_is_told() -> None:
    match = voted_down()
    for room in everywhere(Room(-1001, match=match)):
        _, effects = announce(room, match.log[-1:])
        texts = [effect.text for effect in effects if isinstance(effect, Post)]
        assert all(shown_length(text) <= TEXT for text in texts)
        assert any("16. " in text for text in texts)
        assert any("engine.proof" in text for text in texts)


def test_a_name_changed_during_a_game_changes_nothing_in_it(table: Table) -> None:
    table.open(5)
    table.tg.rename(table.people[1], first_name="Somebody else")
    table.choose()
    assert "nominates ⁨Ben⁩" in table.group_text()
