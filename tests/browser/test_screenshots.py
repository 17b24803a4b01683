"""The screens a player sees, reached by playing; `make screenshots` keeps them in docs/screenshots/."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Lay
from .shots import FOLDER, shoot
from .table import Table

pytestmark = pytest.mark.browser
SECONDS = 100
#: The number of games after which a missing screen is given up.
GAMES = 6


class Session:
    """Plays Anna's seat while the others play themselves, and stops at the screens that are wanted."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.rng = random.Random(seed)
        self.page = table.page
        self.ended = 0

    def begin(self) -> None:
        self.ended = self.table.ended()
        self.table.say("/newgame")
        self.table.join("Anna")
        for name in ("Ben", "Clara", "David", "Emma", "Felix", "Greta"):
            expect(self.lobby).to_contain_text(name, timeout=20_000)

    @property
    def lobby(self) -> Locator:
        return self.table.group.locator(".message", has_text="who is in").last

    def start(self) -> None:
        self.table.button("▶️ Start").click()
        expect(self.table.group).to_contain_text("nominates a Chancellor", timeout=20_000)

    def until(self, screens: dict[str, Callable[[], bool]], take: Callable[[str], None]) -> None:
        """Play on; `take` each screen when it appears for the first time; end with the game."""
        for _ in range(SECONDS * 20):
            # Asked before the screens are looked at: a prompt that comes meanwhile must wait for its picture.
            owes = "Anna" in self.table.owing()
            for name in [name for name, there in screens.items() if there()]:
                take(name)
                del screens[name]
            if self.table.ended() > self.ended:
                return
            if owes:
                self.table.answer("Anna", lambda labels: self.rng.randrange(len(labels)))
            self.page.wait_for_timeout(50)
        raise AssertionError("the game does not end")


def asked(table: Table, words: str) -> Callable[[], bool]:
    """Return whether the newest message to Anna asks this, and waits for her."""

    def there() -> bool:
        last = table.private.locator(".message").last
        return "Anna" in table.owing() and last.count() > 0 and words in last.inner_text()

    return there


def test_the_screens_of_a_game_on_a_phone(lay: Lay) -> None:
    table = lay(7, others=True, phone=True, scale=1.5)
    page = table.page
    page.get_by_role("button", name="The table").tap()
    page.get_by_label("Pace").select_option("quick")
    page.keyboard.press("Escape")
    play = Session(table, 4)

    def look(pane: str) -> None:
        page.locator(f'.tabs [data-pane="{pane}"]').tap()

    def take(name: str) -> None:
        look("private")
        shoot(table, name)

    screens: dict[str, Callable[[], bool]] = {
        "ballot": asked(table, "how do you vote?"),
        # From a later round, when somebody is barred; the first nomination is already under the role card.
        "nomination": asked(table, "Barred by term limits"),
        "hand": asked(table, "do you discard?"),
    }
    wanted = set(screens)
    for game in range(GAMES):
        look("group")
        play.begin()
        table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
        play.start()
        look("private")
        if not game:
            table.look_at_role()
        table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
        play.until(screens, take)
        if not screens:
            break
    assert set(screens) == set(), f"{wanted - set(screens)} were seen"
    look("group")
    expect(table.group).to_contain_text("Who was who")
    roles = table.group.locator(".message", has_text="Who was who").last
    roles.evaluate("row => row.scrollIntoView({ block: 'center' })")
    shoot(table, "reveal")


@pytest.mark.parametrize("scheme", ["light", "dark"] if FOLDER else ["light"])
def test_the_page_at_a_desk(lay: Lay, scheme: str) -> None:
    table = lay(7, others=True, scheme=scheme)
    table.page.get_by_label("Pace").select_option("quick")
    play = Session(table, 8)
    play.begin()
    play.start()
    table.look_at_role()
    seen: list[str] = []

    def take(name: str) -> None:
        if scheme == "dark":
            table.page.get_by_role("button", name="Underneath").click()
        shoot(table, f"page-{scheme}")
        seen.append(name)

    played = table.group.locator(".message:has(.picture)")
    play.until({"overview": lambda: played.count() > 1 and asked(table, "vote?")()}, take)
    if not seen:
        take("overview")
    expect(table.group).to_contain_text("Who was who")
