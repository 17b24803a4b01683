"""/rules: the rules of the group's game, in pages, with every power explained."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.display.board_picture import before_the_game
from bot.display.rules_pages import pages, picture_text
from bot.display.words import THEMES, Words, languages, shown_length
from bot.rooms.model import Silence
from engine import OFFERED, Ruleset, Setup, board_of
from sandbox.random_games import every_setup
from sandbox.telegram import Message, Query, User
from tests.system.table import Table, data_of, find_button

SCHEMES = [Words("en", theme) for theme in THEMES]
EVERYWHERE = [Words(language, theme) for language in languages() for theme in THEMES]


def link(table: Table, asker: User) -> str:
    table.pass_time(60)  # joining used up most of a minute's messages
    (button,) = table.say(asker, "/rules").group_views()[-1].buttons()
    return str(button["url"])


def opened(table: Table, seat: int = 0) -> None:
    """Ask for the rules in the group as somebody, and open them in private by the link."""
    url = link(table, table.people[seat])
    table.pass_time(15)
    table.follow(table.people[seat], url)


def shown(table: Table, seat: int = 0) -> Message:
    return table.seat(seat).newest("own-rules")


def turn(table: Table, label: str, seat: int = 0) -> Query:
    return table.seat(seat).press("own-rules", label)


def test_in_a_group_one_short_post_leads_to_the_rules(table: Table) -> None:
    table.gather(7).pass_time(60)
    before = len(table.tg.journal.of(chat=table.group.id))
    opened(table, 3)
    assert "Secret Hitler" in table.group_text()
    assert len(table.group_text()) < 200
    turn(table, "Next", 3)
    turn(table, "Next", 3)
    assert "3/7" in shown(table, 3).text
    assert len(table.tg.journal.of(chat=table.group.id)) == before + 1


def test_a_page_button_of_old_in_the_group_leads_there_too(table: Table) -> None:
    table.gather(7)
    url = link(table, table.people[3])
    before = table.group_texts()
    for args in ("0|1|0", "1|0|0", "0|0|1", "0|-1|0"):
        table.pass_time()
        data = f"rules|{table.name.short}|{args}"
        query = table.tap(table.people[2], table.group_views()[-1], data, forged=True)
        assert query.answer is not None
        assert query.answer.url == url
    assert table.group_texts() == before


def test_who_is_not_in_the_group_gets_the_list_by_its_link(table: Table) -> None:
    table.open(6, ruleset="red-dawn@1")
    url = link(table, table.people[0])
    stranger = table.person("Stranger", member=False)
    for address in (url, url.replace("rules_-", "rules_-1")):
        table.pass_time()
        table.follow(stranger, address)
        assert "Which rules" in shown(table, 6).text
    table.pass_time()
    table.follow(stranger, f"https://t.me/{table.tg.bot.username}?start=rules_x")
    assert "/newgame" in table.seat(6).text(), "a torn link is answered with help"


def how_to_play(table: Table, asker: User) -> str:
    """Return the explanation that a lobby's button opens for somebody."""
    lobby = find_button(table.group_views(), label="❓ How to play")
    table.follow(asker, table.tap(table.people[0], *lobby))
    return table.seat(table.people.index(asker)).text()


def test_a_lobbys_how_to_play_has_the_numbers_of_its_game(table: Table) -> None:
    """It told a range over all sizes: four to six Communist policies."""
    watcher = table.gather(7, Setup("red-dawn@1", 7)).person("Watcher")
    stranger = table.person("Stranger", member=False)
    for reader in (table.people[0], watcher):
        text = how_to_play(table, reader)
        assert "With 7 players\nRoles: 4 Liberals, Fascist, Hitler, Communist" in text
        assert "4 🔶 policies" in text
        assert "4–6" not in text
    assert "4–6 🔶" in how_to_play(table, stranger), "only members may see a group's rules"
    explained = [view for view in table.seat(0).views() if "five lines" in view.text]
    table.tap(table.people[0], *find_button(explained, "own-rules"))
    assert "With 7 players" in shown(table).text


def test_an_own_deck_with_one_anti_policy_only_has_its_page_too() -> None:
    board = board_of(Setup("xl@1", 8))
    for tile in ("anti-communist", "anti-fascist"):
        setup = Setup("xl@1", 8, board=replace(board, deck={**board.deck, tile: 1}))
        assert "anti-policies" in [page.key for page in pages(SCHEMES[0], setup, silent=False)]


@pytest.mark.rule("R2.6")
def test_the_governments_silence_follows_the_setting(table: Table) -> None:
    table.gather(5)
    cases: list[tuple[str, Silence, bool]] = [
        ("online@1", "ruleset", True),
        ("online@1", "off", False),
        ("classic@1", "ruleset", False),
        ("classic@1", "on", True),
    ]
    for ruleset_id, setting, quiet in cases:
        table.play_by(Setup(ruleset_id, 5))
        room = table.room()
        table.rewrite(replace(room, settings=replace(room.settings, silence=setting)))
        table.pass_time(60)
        opened(table)
        for _ in range(4):
            turn(table, "Next")
        assert ("are quiet" in shown(table).text) == quiet
        assert ("the rule books forbid talking" in shown(table).text.lower()) != quiet


# --- in private ---------------------------------------------------------------------------------------


def test_a_private_page_follows_its_migrated_group(another: Callable[..., Table]) -> None:
    small = another(type="group").open(7, ruleset="xl@1")
    small.seat(2).say("/rules")
    before = shown(small, 2)
    small.migrate()
    small.seat(2).say("/rules")
    assert shown(small, 2) is not before
    turn(small, "Next", 2)
    assert "Secret Hitler XL · 2/" in shown(small, 2).text
    small.pass_time()
    small.tap(small.people[2], before, data_of(before, "Next"))
    assert "Secret Hitler XL · 2/" in before.text, "what the old name stands under leads there too"


def test_a_forged_button_shows_no_strange_groups_rules(table: Table) -> None:
    stranger = table.open(6, ruleset="red-dawn@1").person("Stranger", member=False)
    seat = table.people.index(stranger)
    table.seat(seat).say("/rules")
    message = shown(table, seat)
    table.pass_time()
    table.tap(stranger, message, f"own-rules|{table.name.short}|0|0|0", forged=True)
    assert "Red Dawn" not in shown(table, seat).text
    for args in ("0|99|0", "0|-7|0", "99|0|0", "0|0|99", "-3|0|-4"):
        table.pass_time()
        table.tap(stranger, shown(table, seat), f"own-rules|{table.name.short}|{args}", forged=True)


# --- the words ---------------------------------------------------------------------------------------


def pictures(table: Table, seat: int = 0) -> list[Message]:
    return [view for view in table.seat(seat).views() if view.photo is not None]


def test_the_played_board_is_a_picture_a_tap_away(table: Table) -> None:
    table.gather(9, Setup("red-dawn@1", 9))
    opened(table)
    turn(table, "🖼")
    (picture,) = pictures(table)
    assert "With 9 players" in picture.text
    assert "4 Liberals, 2 Fascists, Hitler, 2 Communists" in picture.text
    assert shown(table).photo is None, "the pages stay words, and go on turning"
    page = shown(table).text
    turn(table, "›")
    assert shown(table).text != page


def test_a_board_that_was_shown_before_is_not_uploaded_again(table: Table) -> None:
    table.gather(7)
    opened(table)
    uploads = [len(call.files) for call in table.tg.journal if call.method == "sendPhoto"]
    turn(table, "🖼")
    turn(table, "🖼")
    sent = [len(call.files) for call in table.tg.journal if call.method == "sendPhoto"][len(uploads) :]
    assert sent == [1, 0]
    assert len(pictures(table)) == 2


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_every_board_can_be_shown_with_a_caption(rules: Ruleset) -> None:
    for setup in every_setup((rules,)):
        assert before_the_game(setup).table.seats == setup.players
        for words in EVERYWHERE:
            assert shown_length(picture_text(words, setup)) <= 1024
