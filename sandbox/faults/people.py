"""The people: they read their chats on their phones and tap answers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from bot.display.buttons import data
from bot.display.words import Words, languages
from bot.rooms.names import RoomName
from sandbox.offered import asks_again, by_question, newest
from sandbox.telegram import Chat, User
from sandbox.telegram.model import Message, Query

from .world import World

#: Seconds after which somebody whose tap was not answered taps again.
PATIENCE_SECONDS = 30.0
#: Seconds until somebody makes a second tap that the bot asks for.
INSISTS_AFTER = 2.0
#: The toasts of a bot that is out of the group: such a tap does not count, so people tap again.
OUT = frozenset(Words(code).plain("out.toast") for code in languages())
#: How many of a chat's last messages a person sees.
_SCREEN = 25


@dataclass(eq=False)
class Person:
    """Somebody with a phone."""

    world: World
    user: User
    group: Chat
    rng: random.Random
    #: Seconds that they think: from, to.
    pace: tuple[float, float]
    #: How often they tap twice, on old buttons, or change a ballot.
    fidgety: float
    asleep_until: float = 0.0
    looking: bool = False
    playing: bool = True
    taps: dict[str, Query] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    def notice(self) -> None:
        """Look at the phone soon, because it buzzed."""
        if not self.looking:
            self.looking = True
            wait = max(self.rng.uniform(*self.pace), self.asleep_until - self.world.clock())
            self.world.machine.after(wait, self._look)

    def prompts(self) -> list[tuple[Message, dict[str, list[str]]]]:
        """Return messages with buttons for answers, newest first, and their callback data by question."""
        found = []
        for chat in (self.world.telegram.private(self.user), self._current(self.group)):
            for message in list(reversed(chat.messages.values()))[:_SCREEN]:
                if message.keyboard is not None and not message.deleted and (answers := by_question(message)):
                    found.append((message, answers))
        return found

    def _look(self) -> None:
        self.looking = False
        if self.world.clock() < self.asleep_until:
            self.notice()
            return
        if self.user.blocked or not self.playing:
            return
        for message, answers in self.prompts():
            for question, choices in answers.items():
                if self._owes(question):
                    self._tap(message, question, self.rng.choice(choices))
                    return
        if not self._watch():
            self._fidget()

    def _owes(self, question: str) -> bool:
        """Return True if the question still needs an answer, as far as the person knows."""
        if question in self.settled:
            return False
        tapped = self.taps.get(question)
        if tapped is None:
            return True
        if tapped.answer is not None and tapped.answer.text not in OUT and not asks_again(tapped):
            self.settled.add(question)
            return False
        return self.world.clock() - tapped.time >= PATIENCE_SECONDS

    def _tap(self, message: Message, question: str, choice: str) -> None:
        self.taps[question] = self.world.telegram.tap(self.user, message, choice)
        self.world.machine.after(PATIENCE_SECONDS + 1, self.notice)
        self.world.machine.after(INSISTS_AFTER, lambda: self._insist(message, question))
        if self.rng.random() < self.fidgety:
            # Twice in a row, or another choice at once.
            again = self.rng.choice([choice, self.rng.choice(by_question(message)[question])])
            self.world.machine.after(self.rng.uniform(0.05, 2), lambda: self._again(message, again))

    def _insist(self, message: Message, question: str) -> None:
        """Make the second tap that the bot asks for, unless the button is gone."""
        tapped = self.taps.get(question)
        if tapped is None or not asks_again(tapped) or self.world.clock() < self.asleep_until:
            return
        if not self.user.blocked and tapped.data in by_question(message).get(question, ()):
            self._tap(message, question, tapped.data)

    def _again(self, message: Message, choice: str) -> None:
        if not self.user.blocked and not message.deleted:
            self.world.telegram.tap(self.user, message, choice, forged=True)

    def _watch(self) -> bool:
        """Accept, once, the offer to see all cards, which dead players get. Return True if there was one."""
        for message in list(reversed(self.world.telegram.private(self.user).messages.values()))[:_SCREEN]:
            for button in message.buttons():
                offer = button.get("callback_data", "")
                if offer.startswith("watch|") and self._owes(offer):
                    self.taps[offer] = self.world.telegram.tap(self.user, message, offer)
                    self.world.machine.after(PATIENCE_SECONDS + 1, self.notice)
                    return True
        return False

    def _fidget(self) -> None:
        """Perhaps tap an old button."""
        old = self.prompts()
        if old and self.rng.random() < self.fidgety:
            message, answers = self.rng.choice(old)
            self._again(message, self.rng.choice([c for choices in answers.values() for c in choices]))

    def _current(self, chat: Chat) -> Chat:
        return self.world.telegram.chats[chat.migrated_to] if chat.migrated_to is not None else chat

    # --- on purpose ---------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Write in the group."""
        if self._current(self.group).member(self.user).present:
            self.world.telegram.send(self.user, self.group, text)

    def command(self, verb: str, *args: int) -> Query | None:
        """Tap under the newest message with a button of this verb; return None if there is none."""
        chat = self._current(self.group)
        message = newest(chat, verb, among=_SCREEN)
        if message is None:
            return None
        return self.world.telegram.tap(self.user, message, data(RoomName(chat.id), verb, *args), forged=True)

    def forget_taps(self) -> None:
        """Forget earlier taps: after taking a seat, old buttons may concern the person again."""
        self.taps.clear()
        self.settled.clear()
        self.notice()

    def start_private(self) -> None:
        """Press Start in the private chat, as people do who miss something there."""
        self.world.telegram.start_private(self.user)
