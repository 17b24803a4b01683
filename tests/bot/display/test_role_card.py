"""The covered role card: for every role of a setup one shape, and no line too wide for a small screen."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from bot.conversation.game.announce import covered_card, role_card
from bot.display.role_card import LINE, envelopes
from bot.display.widths import cut, filled, width, wrapped
from bot.display.words import languages, shown_length
from bot.rooms.model import Match, Player, Room, Settings
from bot.rooms.sealing import Proof
from engine import Chance, Event, Setup, board_of, start
from engine.steps.communists import PartyChanged
from handlers.service.asides import LONGEST
from sandbox.setups import every_setup

#: How wide a line may be in a message at 360 px, in hundredths of an em of its font: headless Chromium shows
#: the cards of all languages in the sandbox page's group, where bubbles are narrower than in private, and
#: counts their lines there (``tests/browser/test_role_card.py``), and there is room for more than this.
BUDGET = 1500
#: Short, long, wide and foreign ones.
NAMES = (
    "Jo",
    "Maximiliane-Katharina von W.",
    "W" * 64,
    "Ольга Константинопольская",
    "李小龙",
    "آناهیتا",
    "i" * 64,
)
SPOILER = re.compile("<tg-spoiler>(.*)</tg-spoiler>", re.DOTALL)


def alike(setup: Setup) -> object:
    """What of a setup its role cards can depend on."""
    board = board_of(setup)
    roles = (tuple(board.roles.items()), board.hitler_knows, board.communists_know, board.secret_roles)
    return (setup.ruleset, roles, tuple(board.tracks), tuple(board.endings.items()), board.zone)


SETUPS = tuple({alike(setup): setup for setup in every_setup()}.values())


def match_of(setup: Setup, language: str, seed: int = 0) -> Match:
    """A game that was dealt, with players of short, long, wide and foreign names."""
    key = seed.to_bytes(32, "big").hex()
    players = tuple(Player(n, NAMES[(n + seed) % len(NAMES)], language) for n in range(setup.players))
    return Match(1, 0, Proof(key), players, *start(setup, Chance(key)))


def shape(text: str) -> tuple[str, int]:
    """What is seen of a covered card: what stands uncovered, and how many lines are covered."""
    covered = SPOILER.findall(text)
    assert len(covered) == 1
    return SPOILER.sub("▒", text), covered[0].count("\n") + 1


def lines(text: str) -> list[str]:
    """What is covered."""
    return SPOILER.findall(text)[0].replace("&amp;", "&").replace("&lt;", "<").split("\n")


def cards(room: Room, match: Match) -> Iterator[str]:
    """Each seat's card."""
    for seat in range(len(match.players)):
        yield covered_card(room, match, seat).text


def check(texts: Sequence[str]) -> None:
    """All of them look alike while they are covered."""
    assert len({shape(text) for text in texts}) == 1
    for text in texts:
        for line in lines(text):
            assert width(line) <= BUDGET
            assert width(line) > BUDGET - width("."), "no line is seen to be shorter than others"
        assert shown_length(text) <= LONGEST, "it goes into what one alone sees in the group, too"


@pytest.mark.parametrize("theme", ["weimar", "cold-war"])
@pytest.mark.parametrize("language", languages())
def test_in_every_setup_the_covered_cards_of_all_roles_look_alike(language: str, theme: str) -> None:
    room = Room(-1, title="The Reichstag", settings=Settings(language, theme))
    for number, setup in enumerate(SETUPS):
        check(list(cards(room, match_of(setup, language, number))))


@pytest.mark.parametrize("language", ["en", "ru", "zh_Hans"])
def test_whoever_became_a_communist_has_a_card_that_looks_like_all_others(language: str) -> None:
    room = Room(-1, title="The Reichstag", settings=Settings(language, "cold-war"))
    for setup in (Setup("xl@1", 12), Setup("red-dawn@1", 9, {"secret-roles": "on"})):
        match = match_of(setup, language)
        before = list(cards(room, match))
        for seat, party in enumerate(match.game.table.parties):
            if party != "communist":
                told = Event(PartyChanged(seat, "communist"), (seat,))
                changed = replace(match, log=type(match.log)((*match.log, told)))
                assert covered_card(room, changed, seat).text != before[seat]
                check([covered_card(room, changed, seat).text, *before])


def test_below_its_cover_every_card_of_a_game_says_the_same_numbers_and_who_knows_whom() -> None:
    for setup in SETUPS:
        match = match_of(setup, "en", 2)
        room, board = Room(-1, title="The Reichstag"), board_of(setup)
        covers = list(cards(room, match))
        below = {role_card(room, match, seat).text.removeprefix(cover) for seat, cover in enumerate(covers)}
        assert len(below) == 1
        (told,) = below
        assert f"{board.roles['liberal']} Liberal" in told
        assert f"Hitler knows {'the Fascists' if board.hitler_knows else 'nobody'}." in told
        assert ("Communist" in told) == bool(board.roles.get("communist")), "a Liberal of XL learns of them"


def test_what_a_setup_is_measured_by_has_every_role_that_is_dealt() -> None:
    for setup in SETUPS:
        table = match_of(setup, "en").game.table
        assert set(zip(table.parties, table.roles, strict=True)) <= set(envelopes(board_of(setup)))


def test_a_card_holds_all_that_its_seat_knows() -> None:
    for setup in SETUPS:
        match = match_of(setup, "en", 3)
        room = Room(-1, title="The Reichstag")
        for seat, text in enumerate(cards(room, match)):
            table = match.view(seat).table
            known = [other for other, party in enumerate(table.parties) if party and other != seat]
            told = [re.match("\u2068(\\d+)\u00a0", line) for line in lines(text)]
            assert [int(one[1]) - 1 for one in told if one] == sorted(known, key=[*known].index)


def test_the_budget_is_the_width_of_a_line() -> None:
    assert LINE <= BUDGET


def test_text_is_broken_between_words_and_names_never_are() -> None:
    assert wrapped("Protect Hitler, and look Liberal.", 1000) == ["Protect Hitler, and", "look Liberal."]
    assert wrapped("\u20685 Emma von Trapp\u2069: Fascist", 950) == [
        "\u20685 Emma von Trapp\u2069:",
        "Fascist",
    ]
    assert wrapped("你是民主派（阵营：民主派）。", 800) == ["你是民主派（阵", "营：民主派）。"]
    assert wrapped("W" * 12, 10 * width("W")) == ["W" * 10, "WW"]
    assert wrapped("", 1000) == [""]


def test_what_is_cut_says_so_and_is_not_too_wide() -> None:
    assert cut("5 Emma", 600) == "5 Emma"
    assert cut("5 " + "W" * 64, 600) == "5 WWWW…"
    assert width(cut("5 " + "i" * 64, 600)) <= 600


def test_filled_lines_are_one_as_wide_as_another() -> None:
    wide = [width(filled(line, 1500)) for line in ("", "Hitler", "🎭 шщ", "李小龙", "Fascist")]
    assert max(wide) <= 1500
    assert min(wide) > 1500 - width(".")


@pytest.mark.parametrize(("players", "alone"), [(8, True), (9, False)])
def test_the_only_communist_is_not_sent_to_meet_the_others(players: int, alone: bool) -> None:
    setup = Setup("red-dawn@1", players)
    match = match_of(setup, "en")
    seat = next(seat for seat, role in enumerate(match.game.table.roles) if role == "communist")
    text = " ".join(role_card(Room(-1, None), match, seat).text.replace(".", "").split())
    assert ("only one of your party" in text) == alone
    assert ("meet the other" in text) != alone
