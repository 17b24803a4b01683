"""People who read their chats on their phones and tap answers."""

import random
from dataclasses import dataclass, field

from bot.display.buttons import Verb, data
from bot.display.words import Words, languages
from bot.rooms.names import ChatId, RoomName
from sandbox.buttons import answers_by_question, asks_for_second_tap, data_with_verb, newest_with_button
from sandbox.telegram import Chat, User
from sandbox.telegram.model import Message, Query

from .world import World

#: Seconds without an answer after which a person taps again.
PATIENCE_SECONDS = 30.0
#: Seconds until a person makes the second tap that the bot asks for.
SECOND_TAP_AFTER = 2.0
#: The toasts of a bot that was removed from the group. The tap does not count, so people tap again.
OUT = frozenset(Words(code).plain("out.toast") for code in languages())
#: How many of a chat's last messages a person looks at.
_SCREEN = 25


@dataclass(eq=False)
class Person:
    """Somebody with a phone."""

    world: World
    user: User
    group: Chat
    rng: random.Random
    #: Seconds until they look at the phone: from, to.
    pace: tuple[float, float]
    #: The probability of extra taps: twice in a row, on old buttons, or on another ballot.
    fidgety: float
    asleep_until: float = 0.0
    looking: bool = False
    playing: bool = True
    taps: dict[str, Query] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    def notice(self) -> None:
        """Plan to look at the phone soon, because it buzzed."""
        if not self.looking:
            self.looking = True
            wait = max(self.rng.uniform(*self.pace), self.asleep_until - self.world.clock())
            self.world.machine.after(wait, self._look)

    def prompts(self) -> list[tuple[Message, dict[str, list[str]]]]:
        """Return messages with answers, newest first, and the answers' callback data by question."""
        found = []
        for chat in (self.world.telegram.private(self.user), self.chat):
            for message in list(reversed(chat.messages.values()))[:_SCREEN]:
                if (
                    message.keyboard is not None
                    and not message.deleted
                    and (answers := answers_by_question(message))
                ):
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
        if not self._accept_open_cards():
            self._fidget()

    def _owes(self, question: str) -> bool:
        """Return True if the question needs a tap, as far as the person can tell."""
        if question in self.settled:
            return False
        tapped = self.taps.get(question)
        if tapped is None:
            return True
        if tapped.answer is not None and tapped.answer.text not in OUT and not asks_for_second_tap(tapped):
            self.settled.add(question)
            return False
        return self.world.clock() - tapped.time >= PATIENCE_SECONDS

    def _tap(self, message: Message, question: str, choice: str) -> None:
        self.taps[question] = self.world.telegram.tap(self.user, message, choice)
        self.world.machine.after(PATIENCE_SECONDS + 1, self.notice)
        self.world.machine.after(SECOND_TAP_AFTER, lambda: self._tap_second_time(message, question))
        if self.rng.random() < self.fidgety:
            # Tap twice in a row, or change the choice at once.
            again = self.rng.choice([choice, self.rng.choice(answers_by_question(message)[question])])
            self.world.machine.after(self.rng.uniform(0.05, 2), lambda: self._again(message, again))

    def _tap_second_time(self, message: Message, question: str) -> None:
        """Make the second tap if the bot asks for one and the button is still there."""
        tapped = self.taps.get(question)
        if tapped is None or not asks_for_second_tap(tapped) or self.world.clock() < self.asleep_until:
            return
        if not self.user.blocked and tapped.data in answers_by_question(message).get(question, ()):
            self._tap(message, question, tapped.data)

    def _again(self, message: Message, choice: str) -> None:
        if not self.user.blocked and not message.deleted:
            self.world.telegram.tap(self.user, message, choice, forged=True)

    def _accept_open_cards(self) -> bool:
        """Accept the offer to see all cards, which dead players get. Return True if there was a new one."""
        message = newest_with_button(self.world.telegram.private(self.user), "watch", among=_SCREEN)
        offer = "" if message is None else data_with_verb(message, "watch")[0]
        if message is not None and self._owes(offer):
            self.taps[offer] = self.world.telegram.tap(self.user, message, offer)
            self.world.machine.after(PATIENCE_SECONDS + 1, self.notice)
            return True
        return False

    def _fidget(self) -> None:
        """Tap an old button, at random."""
        old = self.prompts()
        if old and self.rng.random() < self.fidgety:
            message, answers = self.rng.choice(old)
            self._again(message, self.rng.choice([c for choices in answers.values() for c in choices]))

    @property
    def chat(self) -> Chat:
        """Return the group, or the supergroup that it has become."""
        chat = self.group
        return self.world.telegram.chats[chat.migrated_to] if chat.migrated_to is not None else chat

    # --- acts that side actions ask for ---------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Write a message in the group, if the person is in it."""
        if self.chat.member(self.user).present:
            self.world.telegram.send(self.user, self.group, text)

    def command(self, verb: Verb, *args: int) -> Query | None:
        """Tap a button of this verb under the newest message that has one; return None if there is none."""
        chat = self.chat
        message = newest_with_button(chat, verb, among=_SCREEN)
        if message is None:
            return None
        return self.world.telegram.tap(
            self.user, message, data(RoomName(ChatId(chat.id)), verb, *args), forged=True
        )

    def forget_taps(self) -> None:
        """Forget earlier taps. After taking a seat, old buttons may concern the person again."""
        self.taps.clear()
        self.settled.clear()
        self.notice()

    def start_private(self) -> None:
        """Press Start in the private chat, as people do if a message is missing there."""
        self.world.telegram.start_private(self.user)
