"""Pictures of rare moments: boards of all kinds, meetings, lies, other scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from sandbox.game import NAMES
from sandbox.page.session import PageSession

from .conftest import Lay
from .shots import shoot
from .table import Table

pytestmark = pytest.mark.browser
SECONDS = 120
#: The number of games after which a moment is given up.
GAMES = 5


def look(table: Table, pane: str) -> None:
    """Turn to a pane of the phone."""
    table.page.locator(f'.tabs [data-pane="{pane}"]').tap()


def choose(table: Table, *labels: str) -> None:
    """Press buttons of the group's newest message that has some, one after another."""
    for label in labels:
        table.group.locator(".keyboard").last.locator(".key", has_text=label).first.tap()
        table.settle()


def laid(lay: Lay, players: int, *labels: str, alone: bool = True) -> Table:
    """Return a phone at a table with these settings where everybody plays themselves.

    ``alone``: whether Anna, the host, also does.
    """
    table = lay(players, others=True, phone=True, scale=1.5)
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    table.say("/newgame")
    if labels:
        choose(table, "Rules and options", *labels)
        # The list of options, and no longer the values of one of them.
        expect(table.group.locator(".keyboard").last).to_contain_text("Rules:")
        choose(table, "Back")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    table.join("Anna")
    for name in NAMES[:players]:
        expect(table.group.locator(".message", has_text="who is in").last).to_contain_text(
            name, timeout=20_000
        )
    choose(table, "Start")
    if alone:
        table.session(lambda session: session.auto_players.on.add(session.people[0].id))
    return table


def begin(table: Table) -> None:
    table.say("/newgame")
    table.join("Anna")
    expect(table.group.locator(".message", has_text="who is in").last).to_contain_text(
        "Greta", timeout=20_000
    )
    choose(table, "Start")


def until(table: Table, holds: Callable[[PageSession], bool]) -> bool:
    """Let people play until ``holds`` is true, and pause; return False if the game ends before."""

    def check(session: PageSession) -> str:
        if holds(session):
            session.auto_players.pace = "paused"
            return "holds"
        room = session.room()
        return "over" if room is not None and room.match is not None and room.match.over else ""

    for _ in range(SECONDS * 20):
        if found := table.session(check):
            table.page.wait_for_timeout(300)
            return bool(found == "holds")
        table.page.wait_for_timeout(50)
    raise AssertionError("the game does not go on")


def enacted(least: int) -> Callable[[PageSession], bool]:
    """Return a check for this many policies on the tracks, or the end of the game."""

    def holds(session: PageSession) -> bool:
        room = session.room()
        if room is None or room.match is None:
            return False
        tracks = room.match.game.table.tracks.values()
        return room.match.over or sum(len(track) for track in tracks) >= least

    return holds


RED_DAWN, XL = ("Rules:", "Red Dawn"), ("Rules:", "Secret Hitler XL")
BOARDS = {
    "classic-5": (5, ()), "classic-10": (10, ()), "classic-10-cold-war": (10, ("Theme",)),
    "red-dawn-9": (9, RED_DAWN), "xl-16": (16, XL), "xl-16-cold-war": (16, (*XL, "Theme")),
}  # fmt: skip


@pytest.mark.parametrize("name", BOARDS)
def test_boards(lay: Lay, name: str) -> None:
    players, labels = BOARDS[name]
    table = laid(lay, players, *labels)
    until(table, enacted(4))
    picture = table.group.locator(".message:has(.picture)").last
    picture.evaluate("row => row.scrollIntoView()")
    expect(picture).to_be_visible()
    shoot(table, f"board-{name}")


def test_a_game_with_xls_own_roles_to_its_end(lay: Lay) -> None:
    roles = ("Capitalist", "Anarchist", "Monarchist")
    table = laid(lay, 9, *XL, *(label for role in roles for label in (role, "○ on")))
    assert not until(table, lambda session: False), "the game is over"
    assert table.ended()
    end = table.group.locator(".message", has_text="Who was who").last
    for role in roles:
        expect(end).to_contain_text(f"{role} (")
    assert table.session(lambda session: session.telegram.violations) == []


def test_a_meeting_of_the_communists(lay: Lay) -> None:
    seat: list[int] = []

    def meeting(session: PageSession) -> bool:
        room = session.room()
        question = room.match.game.question if room is not None and room.match is not None else None
        if question is None or not question.meeting:
            return False
        asked = session.room().match.people[question.seats[0]]  # type: ignore[union-attr]
        seat[:] = [[user.id for user in session.people].index(asked)]
        return True

    for _ in range(GAMES):
        table = laid(lay, 9, *RED_DAWN)
        if until(table, meeting):
            break
    table.sit(NAMES[seat[0]])
    look(table, "private")
    shoot(table, "meeting")


def test_settings_and_ballots_in_the_group(lay: Lay) -> None:
    table = lay(7, others=True, phone=True, scale=1.5)
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    table.say("/settings")
    expect(table.group).to_contain_text("Settings of this group")
    shoot(table, "settings")
    choose(table, "Ballots")
    begin(table)
    # Anna may be the first candidate, and then she nominates.
    table.session(lambda session: session.auto_players.on.add(session.people[0].id))
    table.page.wait_for_timeout(300)
    until(table, lambda session: "vote" in session.telegram.chat_view(session.group)[-1].text.lower())
    shoot(table, "ballot-in-group")


def test_what_a_table_remembers(lay: Lay) -> None:
    for _ in range(GAMES):
        table = laid(lay, 7)
        if not until(table, enacted(3)):
            continue
        look(table, "private")
        claimed = 0
        for name in NAMES[:7]:
            table.sit(name)
            if offered := table.private.locator(".key", has_text=re.compile("💬|✅")).all():
                # The President claims as many Liberal policies as possible, the Chancellor as few: one lies.
                tiles = [key.inner_text().count("🔵") for key in offered]
                president = len(re.findall("🔵|🟥", offered[0].inner_text())) == 3
                assert table.private.locator(".key", has_text="✅").count(), "the truth has another sign"
                if president:
                    shoot(table, "record")
                offered[tiles.index((max if president else min)(tiles))].tap()
                table.settle()
                claimed += 1
        if claimed > 1:
            break
    table.sit("Anna")
    look(table, "group")
    table.say("/history")
    expect(table.group.locator(".message").last).to_contain_text("⚡")
    shoot(table, "history")
    table.say("/votes")
    expect(table.group.locator(".message pre")).to_be_visible()
    shoot(table, "votes")
    table.session(lambda session: session.auto_players.on.add(session.people[0].id))
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    expect(table.group).to_contain_text("Who was who", timeout=SECONDS * 1000)
    table.say("/history")
    replay = table.group.locator(".message", has_text="What really happened").last
    expect(replay).to_be_visible(timeout=SECONDS * 1000)
    replay.locator(".fold").first.tap()
    replay.evaluate("row => row.scrollIntoView({ block: 'start' })")
    shoot(table, "replay")


def test_the_way_in_and_the_opening(lay: Lay) -> None:
    table = lay(7, others=True, phone=True, scale=1.5)
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    table.say("/newgame")
    expect(table.button("How to play")).to_be_visible()
    table.button("How to play").tap()
    look(table, "private")
    table.private.get_by_role("button", name="Start", exact=True).tap()
    expect(table.private).to_contain_text("1.")
    table.private.locator(".message").last.evaluate("row => row.scrollIntoView({ block: 'start' })")
    shoot(table, "how-to-play")
    table.private.locator(".key", has_text="Rules").last.tap()
    table.settle()
    table.private.locator(".key", has_text="The board").last.tap()
    expect(table.private.locator(".message:has(.picture)")).to_be_visible()
    table.page.wait_for_timeout(300)
    table.private.locator(".message:has(.picture)").last.evaluate("row => row.scrollIntoView()")
    shoot(table, "rules-board")
    look(table, "group")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    table.join("Anna")
    expect(table.group.locator(".message", has_text="who is in").last).to_contain_text(
        "Greta", timeout=20_000
    )
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    choose(table, "Start")
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    sealed = table.group.locator(".message", has_text="Sealed").last
    sealed.evaluate("row => row.scrollIntoView({ block: 'start' })")
    shoot(table, "opening")
    table.say("/remind")
    table.page.wait_for_timeout(1500)
    table.group.locator(".message").last.evaluate("row => row.scrollIntoView({ block: 'end' })")
    shoot(table, "remind")


def test_what_the_dead_and_those_read_for_whom_it_is_over(lay: Lay) -> None:
    def dead(session: PageSession) -> bool:
        # If Hitler is killed, the game is over, and nobody reads about being dead.
        room = session.room()
        match = None if room is None else room.playing
        return match is not None and not all(match.game.table.alive)

    for _ in range(GAMES):
        table = lay(7, others=True, phone=True, scale=1.5)
        table.say("/settings")
        expect(table.group).to_contain_text("Settings of this group")
        choose(table, "The dead may see")
        table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
        begin(table)
        table.session(lambda session: session.auto_players.on.add(session.people[0].id))
        if until(table, dead):
            break
    room = table.session(lambda session: session.room())
    victim = next(seat for seat, alive in enumerate(room.match.game.table.alive) if not alive)
    who = room.match.players[victim].name
    table.sit(who)
    look(table, "private")
    told = table.private.locator(".message", has_text="You are dead").last
    told.evaluate("row => row.scrollIntoView({ block: 'center' })")
    shoot(table, "dead")
    table.private.locator(".key", has_text="See all cards").last.tap()
    seen = table.private.locator(".message", has_text="You see all cards").last
    expect(seen).to_be_visible()
    seen.evaluate("row => row.scrollIntoView({ block: 'start' })")
    shoot(table, "open-cards")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    ending = table.private.locator(".message", has_text="🏁").last
    expect(ending).to_be_visible(timeout=SECONDS * 1000)
    ending.evaluate("row => row.scrollIntoView({ block: 'end' })")
    table.page.wait_for_timeout(500)
    shoot(table, "ending")
    look(table, "group")
    picture = table.group.locator(".message:has(.picture)").last
    picture.evaluate("row => row.scrollIntoView()")
    shoot(table, "ending-table")
    expect(table.button("The proof")).to_be_visible(timeout=SECONDS * 1000)
    table.button("The proof").tap()
    look(table, "private")
    table.private.get_by_role("button", name="Start", exact=True).tap()
    expect(table.private.locator(".message").last).to_contain_text("engine.proof")
    table.private.locator(".message").last.evaluate("row => row.scrollIntoView({ block: 'start' })")
    shoot(table, "proof")


#: Endings of pictures' names, with the languages in which they are taken, by their own names.
LANGUAGES = {"": "English", "-fa": "فارسی", "-zh": "简体中文"}


@pytest.mark.parametrize("ending", LANGUAGES)
def test_a_lobby_and_a_board_with_computers(lay: Lay, ending: str) -> None:
    table = lay(7, computers=True, phone=True, scale=1.5)
    # The line of the page is English, and not part of a phone's screen.
    table.page.evaluate("document.querySelector('#guide').hidden = true")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    if ending:
        table.say("/cancel")
        choose(table, "Close it")
        table.say("/settings")
        expect(table.group).to_contain_text("Settings of this group")
        choose(table, "Language", LANGUAGES[ending])
        table.say("/newgame")
        expect(table.group.locator(".key", has_text="▶️").last).to_be_visible()
        table.session(lambda session: session.add_computers(session.people[0], 7))
    expect(table.group.locator(".message").last).to_contain_text(re.compile(r"[7۷]\s🤖"))
    shoot(table, f"lobby{ending}")
    table.group.locator(".key", has_text="▶️").last.tap()
    table.session(lambda session: session.auto_players.on.add(session.people[0].id))
    until(table, enacted(2))
    table.group.locator(".message:has(.picture)").last.evaluate("row => row.scrollIntoView()")
    shoot(table, f"board{ending}")


def test_a_computer_stands_in_for_who_left(lay: Lay) -> None:
    for _ in range(GAMES):
        table = lay(7, others=True, phone=True, scale=1.5)
        table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
        begin(table)
        table.session(lambda session: session.auto_players.on.add(session.people[0].id))
        if not until(table, enacted(1)):
            continue
        table.sit("Emma")
        look(table, "group")
        table.say("/leave")
        table.group.locator(".key", has_text="Leave").last.tap()
        expect(table.group).to_contain_text("A computer 🤖 plays on")
        table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
        if until(table, enacted(2)):
            break
    left = table.group.locator(".message", has_text=" left. A computer").last
    left.evaluate("row => row.scrollIntoView({ block: 'start' })")
    expect(left).to_be_visible()
    shoot(table, "stand-in")


def test_the_table_that_a_newcomer_finds_and_their_turn(lay: Lay) -> None:
    table = lay(7, computers=True)
    shoot(table, "newcomer")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    table.guide.get_by_role("button", name="Take your seat and play").click()
    expect(table.guide).to_contain_text("Your role has come", timeout=20_000)
    table.page.wait_for_timeout(500)
    shoot(table, "play")


def write(table: Table, text: str) -> None:
    box = table.private.get_by_role("combobox")
    box.fill(text)
    box.press("Escape")
    box.press("Enter")


@pytest.mark.parametrize("ending", LANGUAGES)
def test_practice_with_advice_and_with_a_reason(lay: Lay, ending: str) -> None:
    table = lay(2, phone=True, scale=1.5)
    look(table, "private")
    start = table.private.get_by_role("button", name="Start", exact=True)
    if start.is_visible():
        start.tap()
    write(table, "/language")
    table.private.locator(".key", has_text=LANGUAGES[ending]).last.tap()
    table.settle()
    write(table, "/practice")
    expect(table.private.locator(".key", has_text="▶️").last).to_be_visible()
    if not ending:
        shoot(table, "practice-table")
    table.private.locator(".key", has_text="▶️").last.tap()
    prompt = table.private.locator(".message:has(.keyboard)", has_text="🧭").last
    expect(prompt.locator(".key", has_text="💡")).to_be_visible()
    table.page.wait_for_timeout(500)
    prompt.evaluate("row => row.scrollIntoView({ block: 'end' })")
    shoot(table, f"practice{ending}")
    prompt.locator(".key", has_text="💡").tap()
    # The prompt's text has the hint, and no longer only its button.
    hinted = table.private.locator(".text", has_text="💡").last
    expect(hinted).to_be_visible()
    hinted.evaluate("row => row.scrollIntoView({ block: 'end' })")
    shoot(table, f"practice-hint{ending}")
