"""Any names of people and groups are shown as they are, and change nothing else."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from bot.conversation.game.announce import LONGEST_CAPTION, announce, edit_of_post
from bot.conversation.incoming import cleaned
from bot.conversation.lobby.lobby import lobby_post
from bot.conversation.outcome import Post
from bot.display.telling import called
from bot.display.words import THEMES, Words, languages, shown_length
from bot.rooms.model import Lobby, Match, Player, Room, Settings
from bot.rooms.names import ChatId, UserId
from bot.rooms.own_board import LONGEST_NAME, MOST_SLOTS, MOST_TILES, OwnBoard
from bot.rooms.sealing import Proof
from engine import OFFERED, Chance, Ruleset, Seat, Setup, answer, dealt, reply, ruleset, start
from engine.claim import Claim
from engine.custom import ENDINGS
from engine.facts import Enacted
from engine.setups import option_sets
from tests.system.table import Table

#: Telegram's limits for a text and for a caption, in UTF-16 units, after reading its tags.
TEXT, CAPTION = 4096, 1024
#: An invisible character that keeps parts of a name from being links.
JOINER = "\u2060"
NAMES = {
    "html": "<b>Bold</b> & <a href='x'>link</a> &lt;", "right to left": "شیرین",
    "bidi override": "‮evil‬", "64 emoji": "👨‍👩‍👧‍👦" * 9 + "🦄", "empty": "", "blank": "\u3164",
    "braces": "{seat} {0} %s", "lines": "two\nlines", "markdown": "*_`[x](y)`_*", "long": "x" * 64,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_round_with_any_name_is_told_with_that_name(table: Table, name: str) -> None:
    table.person("Anna")
    odd = table.person(name)
    table.open(5, deck="lff").choose()
    shown = f"⁨#2 {cleaned(name)}⁩" if name.strip("\u3164") else f"⁨#2 👤 {odd.id % 1000}⁩"
    assert f"nominates {shown} as Chancellor" in table.group_text().replace(JOINER, "")
    assert "⁨#1 Anna⁩" in table.group_text(), "the others are still called what they are called"
    table.vote("jjjjj").discard("f").enact("f")
    for command in ("/players", "/status", "/board"):
        table.say(odd, command)
    assert table.tg.private_view(odd)


#: Every character that changes the direction of text, and some that break lines or are not drawn at all.
CONTROLS = (
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
    "\u2028\u2029\x85\x00\x1b\ufeff\u00ad"
)


def test_control_characters_are_taken_out_of_names(another: Callable[..., Table]) -> None:
    odd = f"{CONTROLS}Ha{CONTROLS}ns{CONTROLS}"
    table = another(title=odd)
    table.person("Anna")
    table.person(odd, last_name=f"{CONTROLS}Meier")
    table.gather(5).start_dealt().choose()
    told = [text for seat in range(5) for text in table.seat(seat).texts()]
    prompts = [prompt for seat in range(5) for prompt in table.seat(seat).prompts()]
    labels = [label for prompt in prompts for label in prompt.labels()]
    for text in (*table.group_texts(), *told, *labels):
        assert set(CONTROLS).isdisjoint(text.replace("\u2068", "").replace("\u2069", ""))
        assert text.count("\u2068") == text.count("\u2069"), "every name stays within its own direction"


def test_substitutes_and_waiters_names_are_cleaned_alike(table: Table) -> None:
    table.open(5).leave(table.people[1])
    table.press(table.person("\u202eKurt\u2066"), "sit")
    table.say(table.person("\u202eZoe"), "/nextgame")
    table.say(table.owner, "/settings board \u202eOurs\u2029Two {" + '"ruleset":"classic@1"}')
    table.say(table.owner, "/settings name 1 \u2067Mine")
    assert table.match().players[1].name == "Kurt"
    assert [player.name for player in table.room().next_game] == ["Zoe"]
    assert [own.name for own in table.room().boards] == ["Mine"]


@pytest.mark.parametrize("title", NAMES.values(), ids=NAMES)
def test_prompts_name_a_group_of_any_title(another: Callable[..., Table], title: str) -> None:
    table = another(title=title).open(5)
    assert (cleaned(title) or "…") in table.asked().prompt().text.replace(JOINER, "")


def test_two_people_of_one_name_are_told_apart(table: Table) -> None:
    table.add_people("Anna", "Emma", "Emma", "Emma", "David").open(5, deck="lff").choose(1)
    assert "⁨#1 Anna⁩ nominates ⁨#3 Emma⁩ as Chancellor" in table.group_text()
    assert "✔ ⁨#3 Emma⁩" in table.seat(0).toast()
    assert "⁨#3 Emma⁩" in table.seat(4).prompt().text
    table.vote("jjnjj")
    assert "👍 Ja (4): ⁨#1 Anna⁩, ⁨#2 Emma⁩, ⁨#4 Emma⁩, ⁨#5 David⁩" in table.group_texts()[-1]
    table.discard("f").enact("f")
    assert table.asked().prompt().labels() == ["⁨#1 Anna⁩", "⁨#4 Emma⁩", "⁨#5 David⁩"]


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.quick("red-dawn")
def test_a_seats_number_goes_with_every_name(table: Table, rules: Ruleset) -> None:
    players = max(rules.players)
    for seat in range(players):
        table.person(f"Q{chr(ord('a') + seat)}z")
    options = option_sets(rules, players).get("all", {})
    table.open(players, ruleset=rules.id, options=options, roles=None, chance=Chance("07" * 32))
    seen = len(table.group_views())
    rng = random.Random(7)
    while not table.match().over:
        table.step_on(rng)
        for command in ("/players", "/history") if rng.random() < 0.05 else ():
            table.say(table.people[0], command)
    private = [view for seat in range(players) for view in table.seat(seat).views()]
    told = [*table.group_views()[seen - 1 :], *private]
    labels = [button["text"] for view in told for button in view.buttons()]
    named = 0
    for text in (*(view.text for view in told), *labels):
        for found in re.finditer(r"([^\s\u2068]*)\s?Q([a-p])z", text):
            assert found[0] == f"#{ord(found[2]) - ord('a') + 1}\u00a0Q{found[2]}z", "no line breaks there"
            named += 1
    assert named > 10 * players


@pytest.mark.thorough
def test_sixteen_long_names_fit_into_every_message(table: Table) -> None:
    for number in range(16):
        table.person(f"{number}" + "🦄" * 62, last_name="&" * 64)
    table.open(16, ruleset="xl@1")
    rng = random.Random(1)
    for _ in range(12):
        table.step_on(rng)
    for command in ("/players", "/status", "/history", "/board"):
        table.say(table.people[0], command)
    while "not Hitler" not in table.group_text():
        table.step_on(rng)
    table.say(table.people[0], "/board")
    assert "not Hitler: " in table.group_text(), "by number, if need be"
    table.finish().pass_time(60)
    for command in ("/players", "/history", "/stats"):
        table.say(table.people[0], command)
    refused = [call for call in table.tg.journal if not call.ok]
    assert refused == []


def everywhere(room: Room) -> Iterator[Room]:
    for language in languages():
        for theme in THEMES:
            yield replace(room, settings=Settings(language=language, theme=theme))


def largest_board() -> OwnBoard:
    """Return the largest board for sixteen that a group can make."""
    longest = sorted(RULES.powers, key=lambda power: -len(Words("de").plain(f"power.{power}")))
    slots = [longest[0]] * (MOST_SLOTS - 1) + [None]
    tiles = RULES.tiles.items()
    kinds = [f"{tile}:{power}" if power else tile for tile, on in tiles for power in on or ("",)]
    deck = dict.fromkeys(kinds, 1)
    deck |= dict.fromkeys(("liberal", "fascist", "communist"), (MOST_TILES - len(deck)) // 3)
    changes = {
        "tracks": dict.fromkeys(("liberal", "fascist", "communist"), slots), "deck": deck, "zone": 7,
        "veto": 7, "chaos": 9, "few": 9, "hitler_knows": True, "communists_know": True,
        "endings": {ending: ["liberal", "communist"] for ending in ENDINGS},
    }  # fmt: skip
    return OwnBoard(1, "🦄" * LONGEST_NAME, RULES.id, 16, changes)


RULES = ruleset("xl@1")
SIXTEEN = tuple(Player(UserId(number), chr(0x1F400 + number) * 64, "en") for number in range(1, 17))
OPTIONS = {name: choice.values[-1] for name, choice in RULES.options.items()}
LOBBY = Lobby(1, UserId(1), Setup(RULES.id, 0, OPTIONS), SIXTEEN, own=largest_board())


@cache
def voted_down(tiles: int | None = None) -> Match:
    """Play their game on that board with no successful election, up to this many tiles or to its end."""
    game, events = start(LOBBY.setup_for(16), Chance("ab" * 32))
    posted = 0
    while game.question is not None and sum(isinstance(event.fact, Enacted) for event in events) != tiles:
        posted = len(events)
        for seat, options in zip(game.question.seats, game.question.options, strict=True):
            game, told = answer(game, reply(game, seat, "nein" if "nein" in options else options[0]))
            events += told
    proof = Proof("ab" * 32, 99, 10**8, "cd" * 32)
    return Match(1, UserId(1), proof, SIXTEEN, game, events, posted, own=LOBBY.own)


@cache
def governed() -> Match:
    """Play their game until a government of the third and fourth enacts the first Fascist policy."""
    game, events = start(Setup(RULES.id, 16, OPTIONS), dealt((), Seat(2), [["fascist"] * 3]))
    while not any(isinstance(event.fact, Enacted) for event in events):
        assert game.question is not None
        for seat, options in zip(game.question.seats, game.question.options, strict=True):
            game, told = answer(game, reply(game, seat, "ja" if "ja" in options else options[0]))
            events += told
    return Match(1, UserId(1), Proof("ab" * 32, 99, 10**8, "cd" * 32), SIXTEEN, game, events)


def test_a_full_lobby_with_long_names_shows_everybody() -> None:
    for room in everywhere(Room(ChatId(-1001), lobby=LOBBY)):
        text = lobby_post(room).text
        assert shown_length(text) <= TEXT
        assert SIXTEEN[-1].name in text


@pytest.mark.parametrize("pictured", [False, True])
def test_claims_of_long_names_leave_room_for_news(*, pictured: bool) -> None:
    match = voted_down(tiles=1)
    if pictured:  # enacted after a session; ballots are told in an earlier post
        enacted = next(at for at, event in enumerate(match.log) if isinstance(event.fact, Enacted))
        match = replace(match, post_start=enacted, pictured=True)
    claims = [Claim(Seat(seat), 1, "president", ("fascist",) * 3, len(match.log) + 1) for seat in range(16)]
    both = (claims, claims[-1:])
    all_told, one_told = (match.with_claims(told, 0).mark_claims_posted(afresh=True) for told in both)
    cut = 0
    for room in everywhere(Room(ChatId(-1001), match=match)):
        alone = edit_of_post(room, match).text.splitlines()
        text = edit_of_post(room, all_told).text
        assert shown_length(text) <= (CAPTION if pictured else TEXT)
        assert set(alone) < set(text.splitlines())
        (told,) = set(text.splitlines()) - set(alone)
        assert told == "…" or told.startswith("💬")
        cut += told == "…"
        (line,) = set(edit_of_post(room, one_told).text.splitlines()) - set(alone)
        assert line.startswith("💬"), "there is room for one"
    assert cut, "claims stand in one line, which is left out where it is too long"


@pytest.mark.thorough
def test_the_largest_games_end_fits_and_is_told() -> None:
    match = voted_down()
    for room in everywhere(Room(ChatId(-1001), match=match)):
        _, effects = announce(room, match.log[-1:])
        texts = [effect.text for effect in effects if isinstance(effect, Post)]
        assert all(shown_length(text) <= TEXT for text in texts)
        assert any(called(SIXTEEN[15], Seat(15)) in text for text in texts)
        rows = [row for effect in effects if isinstance(effect, Post) for row in effect.keyboard]
        assert any("film|" in str(button.data) for row in rows for button in row)


def test_a_policy_of_long_names_keeps_its_picture() -> None:
    match = governed()
    for room in everywhere(Room(ChatId(-1001), match=match)):
        before = next(at for at, event in enumerate(match.log) if isinstance(event.fact, Enacted))
        room, effects = announce(room, match.log[before:])
        (pictured,) = [effect for effect in effects if isinstance(effect, Post) and effect.picture]
        assert shown_length(pictured.text) <= LONGEST_CAPTION < CAPTION
        assert called(SIXTEEN[2], Seat(2)) in pictured.text, "who investigates stands there"
        assert room.match is not None
        assert shown_length(edit_of_post(room, room.match).text) <= CAPTION


def test_a_name_changed_during_a_game_changes_nothing_in_it(table: Table) -> None:
    table.open(5)
    table.people[1].first_name = "Somebody else"
    table.choose()
    assert "nominates ⁨#2 Ben⁩" in table.group_text()
