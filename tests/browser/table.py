"""Use the page as a person does: read and click."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from sandbox.page.server import Page as Served
from sandbox.page.session import PageSession

#: Milliseconds within which the page must reach an expected state.
PATIENCE = 10_000
#: The message at the end of a game. (The sign alone is also at the end of each track.)
WON = re.compile("🏁 .* wins?!")


class Table:
    """The page as one person uses it."""

    def __init__(self, page: Page, served: Served) -> None:
        self.page = page
        self.served = served
        self.troubles: list[str] = []
        page.set_default_timeout(PATIENCE)
        expect.set_options()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._console)
        page.goto(served.url)
        expect(page.locator(".person").first).to_be_visible()

    def _console(self, message: Any) -> None:
        # The page answers a refused act with 400, which Chromium logs as an error.
        if message.type == "error" and "400" not in message.text:
            self.troubles.append(message.text)

    # --- what the page shows -------------------------------------------------------------------------------

    @property
    def group(self) -> Locator:
        return self.page.locator("#group")

    @property
    def private(self) -> Locator:
        return self.page.locator("#private")

    @property
    def guide(self) -> Locator:
        """Return the line about the state of the game and the next step."""
        return self.page.locator("#guide")

    @property
    def toast(self) -> Locator:
        return self.page.locator(".toast").last

    def seat(self, name: str) -> Locator:
        return self.page.locator(".person", has_text=name)

    @property
    def prompt(self) -> Locator:
        """Return the private chat's newest message with buttons."""
        return self.private.locator(".message:has(.keyboard)").last

    def owing(self) -> list[str]:
        """Return the names of people with an open prompt in private."""
        return self.page.locator(".person.owing .name").all_inner_texts()

    def ended(self) -> int:
        """Return how many games have ended, by the group's messages."""
        return self.group.locator(".text", has_text=WON).count()

    def session(self, job: Callable[[PageSession], Any]) -> Any:
        """Run ``job`` with the session in its thread, and return the result."""
        return self.served.ask(job).result(10)

    def look_at_role(self) -> str:
        """Press Show my role in the private chat, close the pop-up, and return its text."""
        self.private.locator(".key", has_text="🎭").last.click()
        alert = self.page.get_by_role("dialog")
        expect(alert).to_contain_text("🎭")
        said = alert.inner_text()
        self.page.keyboard.press("Escape")
        expect(alert).to_have_count(0)
        return said

    # --- what a person does --------------------------------------------------------------------------------

    def sit(self, name: str) -> None:
        self.seat(name).locator("input").check(force=True)

    def say(self, text: str) -> None:
        box = self.group.get_by_role("combobox")
        box.fill(text)
        box.press("Escape")
        box.press("Enter")

    def open_lobby(self) -> None:
        self.group.get_by_role("button", name="Open a lobby").click()
        expect(self.button("Join")).to_be_visible()

    def button(self, label: str) -> Locator:
        return self.group.locator(".keyboard").get_by_role("button", name=label).last

    def join(self, name: str) -> None:
        """Take a seat and join by the lobby's button, and by the private chat if needed."""
        self.sit(name)
        self.button("Join").click()
        lobby = self.group.locator(".message", has_text="who is in").last
        start = self.private.get_by_role("button", name="Start", exact=True)
        # Not the toast, which may be gone too soon on a slow machine.
        expect(lobby.filter(has_text=name).or_(start).first).to_be_visible()
        if start.is_visible():
            start.click()
        expect(lobby).to_contain_text(name)

    def settle(self) -> None:
        """Wait until no button is busy."""
        expect(self.page.locator('.key[aria-busy="true"]')).to_have_count(0)

    def answer(self, name: str, choose: Callable[[list[str]], int]) -> str:
        """Take the seat of somebody who must answer, press one of the buttons, and return its label."""
        self.sit(name)
        expect(self.private).to_have_attribute("aria-label", re.compile(re.escape(name)))
        keys = self.prompt.locator(".key")
        labels = keys.all_inner_texts()
        chosen = choose(labels)
        self.press(keys.nth(chosen))
        return labels[chosen]

    def press(self, key: Locator) -> None:
        """Press an answer, and a second time if the bot asks for it. Close a pop-up that is in the way."""
        if self.page.get_by_role("dialog").count():
            self.page.keyboard.press("Escape")
        key.click()
        self.settle()
        if self.session(_asks_again):
            self.page.wait_for_timeout(1_200)
            key.click()
            self.settle()


def _asks_again(session: PageSession) -> bool:
    room = session.room()
    return room is not None and room.match is not None and room.match.first_tap is not None
