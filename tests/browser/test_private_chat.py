"""On a phone, a whole game is played in the private chat: the group need not be opened once it has begun."""

import random
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from bot.rooms.model import Match
from bot.rooms.rounds import split_into_rounds
from sandbox.page.session import PageSession
from tests.system.table import said
from tests.system.test_recaps import result_of, told

from .conftest import Lay
from .shots import FOLDER, shoot
from .table import Table
from .test_gallery import XL, laid

pytestmark = pytest.mark.browser
#: Looks at the page, 50 ms apart, within which a game ends.
LOOKS = 8_000
#: Looks in a row in which the page may be behind the game.
BEHIND = 100
ASKS_FOR_A_GOVERNMENT = ("how do you vote?", "Pick a Chancellor.")


def match_of(session: PageSession) -> Match:
    room = session.room()
    assert room is not None
    assert room.match is not None
    return room.match


def check_governments(table: Table, heard: set[str]) -> int:
    """Check that the chat has told every earlier government and that the prompt tells the latest one.

    ``heard``: all lines that the chat has shown. Returns how many governments were told.
    """
    match = table.session(match_of)
    people = {user.id: user for user in table.session(lambda session: session.people)}
    seats = SimpleNamespace(people=[people[match.people[seat]] for seat in sorted(match.people)])
    lines = said(table.prompt.inner_text()).splitlines()
    rounds = [
        round_
        for round_ in split_into_rounds(match.view(None).facts)
        if round_.chancellor is not None and round_.resolved and round_.number < match.round
    ]
    for round_ in rounds:
        assert told(heard, result_of(seats, round_)), (round_, sorted(heard))  # type: ignore[arg-type]
    if rounds and any(asked in "\n".join(lines) for asked in ASKS_FOR_A_GOVERNMENT):
        assert told(lines, result_of(seats, rounds[-1])), lines  # type: ignore[arg-type]
    return len(rounds)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("players", "labels", "seed"), [(7, (), 3), (14, XL, 3)], ids=["7", "xl-14"])
def test_a_game_works_without_the_group(lay: Lay, players: int, labels: tuple[str, ...], seed: int) -> None:
    table, rng = laid(lay, players, *labels, alone=False), random.Random(seed)
    table.page.locator('.tabs [data-pane="private"]').tap()
    table.session(lambda session: setattr(session.auto_players, "pace", "at once"))
    expect(table.private).to_contain_text("🎭", timeout=20_000)
    heard: set[str] = set()
    most, pictures, behind = 0, 0, 0
    for _ in range(LOOKS):
        if table.session(lambda session: match_of(session).over):
            break
        if "Anna" not in table.owing():
            table.page.wait_for_timeout(50)
            continue
        expect(table.group).to_be_hidden()
        heard |= set(said(table.private.inner_text()).splitlines())
        try:
            most = max(most, check_governments(table, heard))
        except AssertionError:
            # The page may be a moment behind the game.
            behind += 1
            if behind > BEHIND:
                raise
            table.page.wait_for_timeout(50)
            continue
        behind = 0
        if FOLDER and most > pictures:
            pictures = most
            shoot(table, f"private-{players}-{most}")
        keys = table.prompt.locator(".key")
        table.press(keys.nth(rng.randrange(keys.count())))
    assert table.session(lambda session: match_of(session).over)
    assert most >= 3, "the prompts had something to tell"
    expect(table.private).to_contain_text("🏁")
    assert table.session(lambda session: session.telegram.violations) == []
