"""Pages of rules name what a table has, each thing once, and nothing that it does not have."""

import re

import pytest

from bot.display.expansion_parts import Page
from bot.display.own_board import roles_line, tiles_line
from bot.display.rules_pages import all_pages, page_text, pages, picture_text, shown_setup
from bot.display.words import THEMES, Words, languages, shown_length
from engine import OFFERED, Board, Ruleset, Setup, board_of
from engine.tiles import UNKNOWN, kind, ordinary, power
from sandbox.random_games import every_setup

#: Words in which all tables are read; in the others, only the pages of whole rulesets.
READ = [Words("en"), Words("en", "cold-war"), Words("de"), Words("ru", "cold-war")]
#: Tables that `make test` reads.
TRIED = ("en-weimar-classic", "en-weimar-xl", "de-weimar-red-dawn", "ru-cold-war-online")
EVERYWHERE = [Words(language, theme) for language in languages() for theme in THEMES]
#: The longest page for a phone: of one table, and of a ruleset.
PAGE, WHOLE = 1700, 2000


def named(words: Words) -> str:
    return f"{words.language}-{words.theme}"


def powers_of(rules: Ruleset, board: Board) -> set[str]:
    """Return the powers that a board's slots give, and that its tiles carry or may carry."""
    found = {slot for slots in board.tracks.values() for slot in slots if slot}
    for tile in board.deck:
        carried = power(tile)
        found |= set(rules.tiles[kind(tile)]) if carried == UNKNOWN else {carried} if carried else set()
    return found


def every_power(rules: Ruleset) -> set[str]:
    return {*rules.powers, *(carried for powers in rules.tiles.values() for carried in powers)}


def told(every: tuple[Page, ...]) -> str:
    return "\n\n".join(page.text for page in every)


def once(words: Words, text: str, rules: Ruleset, powers: set[str], roles: set[str]) -> None:
    """Check that each of these powers and roles is named once, and no other; and each option once."""
    for each in every_power(rules):
        name = words.plain(f"power.{each}")
        assert text.count(f"<b>{name}</b>") == (each in powers), each
    # An option may have the name of the role that it brings.
    apart = text.replace("⚙️ <b>", "⚙️ ")
    for each in rules.secret_roles:
        assert apart.count(f"<b>{words.plain(f'role.{each}')}</b>") == (each in roles), each
    for each in rules.options:
        assert text.count(f"⚙️ <b>{words.plain(f'setup.{each}')}</b>") == 1, each
        assert text.count(words.html(f"setup.about.{each}", zone=3)) == 1


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.parametrize("words", READ, ids=named)
@pytest.mark.quick(*TRIED)
def test_pages_of_a_table_name_what_it_has_once_and_nothing_else(words: Words, rules: Ruleset) -> None:
    for setup in every_setup((rules,)):
        board, every = board_of(setup), pages(words, setup, True)
        text = told(every)
        roles = {card.partition(":")[2] for card in board.secret_roles}
        once(words, text, rules, powers_of(rules, board), roles)
        assert text.count(roles_line(words, board)) == 1
        assert text.count(tiles_line(words, board)) == 1
        for option, value in rules.chosen(setup).items():
            line = words.html("named", name="X", value=words.html(f"value.{value}")).removeprefix("X")
            assert f"<b>{words.plain(f'setup.{option}')}</b>{line}" in text
        for number, page in enumerate(every, start=1):
            whole = page_text(words, setup, page, number, len(every))
            assert shown_length(whole) <= PAGE, page.key
            assert "rules." not in whole, "a key without words"


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.parametrize("words", READ, ids=named)
@pytest.mark.quick(*TRIED)
def test_pages_of_a_table_say_nothing_that_is_false_there(words: Words, rules: Ruleset) -> None:
    for setup in every_setup((rules,)):
        board, text = board_of(setup), told(pages(words, setup, False))
        removes = any(not ordinary(tile) and not rules_card(tile) for tile in board.deck)
        assert (words.html("rules.session.enacted") in text) is not removes
        assert (words.html("rules.session.removed") in text) is removes
        assert (words.html("rules.removal") in text) is removes
        smears = "hitler-smeared" in board.endings and "smear" in powers_of(rules, board)
        assert (words.html("rules.power.smear.wins") in text) is smears
        staunch = any(card.endswith("capitalist") for card in board.secret_roles)
        recruits = not powers_of(rules, board).isdisjoint(("recruitment", "radicalisation"))
        apart = any(card.partition(":")[2] in rules.own_sides for card in board.secret_roles)
        assert (words.html("rules.sides.own") in text) is apart
        assert (words.html("rules.power.recruitment") in text) is (staunch and recruits)
        assert (words.html("rules.silence.off") in text) is True
        assert words.html("rules.silence") not in text
        winners = {*board.tracks, *board.roles}
        for party in ("liberal", "fascist", "communist"):
            assert (f"<b>{words.html(f'parties.{party}')}</b>" in text) is (party in winners)


def rules_card(tile: str) -> bool:
    return kind(tile) in ("article-48", "enabling-act")


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.parametrize("words", EVERYWHERE, ids=named)
@pytest.mark.quick(*(f"{language}-weimar-xl" for language in languages()))
def test_pages_of_a_ruleset_name_all_it_has_once(words: Words, rules: Ruleset) -> None:
    every = all_pages(words, rules.id, True)
    boards = [board_of(setup) for setup in every_setup((rules,))]
    powers = set().union(*(powers_of(rules, board) for board in boards))
    roles = {card.partition(":")[2] for board in boards for card in board.secret_roles}
    once(words, told(every), rules, powers, roles)
    for name, choice in rules.options.items():
        (page,) = [page for page in every if page.key == "options"]
        assert all(words.html(f"value.{value}") in page.text for value in choice.values), name
    for number, page in enumerate(every, start=1):
        whole = page_text(words, shown_setup(rules.id), page, number, len(every))
        assert shown_length(whole) <= WHOLE, page.key
        assert "rules." not in whole, "a key without words"


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_pages_of_a_ruleset_have_its_numbers_by_size_as_tables(rules: Ruleset) -> None:
    words = Words()
    every = all_pages(words, rules.id, True)
    (page,) = [page for page in every if page.key == "sizes"]
    tables = re.findall("<pre>(.*?)</pre>", page.text, re.DOTALL)
    assert len(tables) == 2
    fields = ("roles", "deck")
    boards = {players: board_of(Setup(rules.id, players)) for players in rules.players}
    for field, table in zip(fields, tables, strict=True):
        names = dict.fromkeys(name for board in boards.values() for name in getattr(board, field))
        counts = {players: getattr(board, field) for players, board in boards.items()}
        rows = {players: [count.get(name, 0) for name in names] for players, count in counts.items()}
        assert by_size(table) == rows
    (tracks,) = [page for page in every if page.key == "board"]
    for colour in ("liberal", "fascist"):
        block = tracks.text.partition(f"<b>{words.plain(f'party.{colour}')}</b>\n")[2]
        lines = [line for line in block.split("\n\n")[0].splitlines() if line.startswith("👥")]
        assert lines


def by_size(table: str) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for line in table.splitlines():
        found = re.fullmatch(r"👥 ([\d–, ]+?)  +(.*)", line)
        assert found, line
        counts = [int(count) for count in found[2].split("·")]
        for part in found[1].split(", "):
            first, _, last = part.strip().partition("–")
            for players in range(int(first), int(last or first) + 1):
                assert players not in rows, "each size stands in one row"
                rows[players] = counts
    return rows


def test_an_own_boards_pages_leave_out_printed_options() -> None:
    words = Words()
    setup = Setup("xl@1", 8, {"anti-policies": "on"}, board_of(Setup("xl@1", 8, {"anti-policies": "on"})))
    (page,) = [page for page in pages(words, setup, False) if page.key == "options"]
    assert re.findall("⚙️ <b>(.*?)</b>", page.text) == ["Oktoberfest", "Veto"]


def test_the_deck_tells_what_a_five_year_plan_adds() -> None:
    """A reader counted four Communist policies in the deck, and six were enacted or seen."""
    words = Words("en")
    line = "🏭 Five-Year Plan adds to the draw pile: 🔶🔶🔵"
    for rules in OFFERED:
        for setup in every_setup((rules,)):
            goal = pages(words, setup, False)[0].text
            planned = any("five-year-plan" in slots for slots in board_of(setup).tracks.values())
            assert (f"\n{line}\n" in goal) == planned
            assert (line in picture_text(words, setup)) == planned
    sizes = next(page for page in all_pages(words, "red-dawn@1", False) if page.key == "sizes")
    assert f"👥 9–12: {line}" in re.sub("<[^>]*>", "", sizes.text)
    assert all(line not in page.text for page in all_pages(words, "classic@1", False))
