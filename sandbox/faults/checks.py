"""Check rooms at rest: everybody who must answer has buttons, and nothing waits to be sent."""

from collections.abc import Sequence
from math import inf
from typing import Any

from bot.rooms.names import from_key
from infra.store.items import Lease
from sandbox.buttons import answers_by_question
from sandbox.telegram import Chat
from sandbox.telegram.calls import GROUP_MINUTE

from .ledger import Owed, excused, names_of
from .people import Person
from .world import World


class Checks:
    """Check rooms' items, their chats and their games."""

    def __init__(self, world: World, people: Sequence[Person]) -> None:
        self._world = world
        self._people = {person.user.id: person for person in people}

    def drained(self, key: str) -> bool:
        """Return True if no message waits to be sent, no update to be delivered, and no invocation runs."""
        return self._world.quiet and not self._item(key)["outbox"]["M"]

    def at_rest(self, key: str) -> None:
        """Check a room once its outbox is empty."""
        item = self._item(key)
        for identifier in item["outbox"]["M"]:
            self._world.fail(f"{key}: stuck in the outbox: {identifier}")
        lease = item.get("lease")
        # A running invocation may still hold the lease.
        until = self._world.clock() if self._world.quiet else inf
        if lease is not None and Lease.unpack(lease["S"]).until > until:
            self._world.fail(f"{key}: a lease is held by nobody")
        if self._world.broken:
            return
        self._prompts(key)
        self._shown(key, item)

    def at_the_end(self, key: str) -> None:
        """Check that messages had existing chats, and that without faults the group's limit was kept."""
        if not self._world.faults.counted:
            self.within_limits(key)
        for owed in self._world.ledger.owed.values():
            if owed.entry.chat not in self._world.telegram.chats:
                self._world.fail(f"{owed} was for a chat that does not exist")

    def within_limits(self, key: str) -> None:
        """Check that the group never got more messages within a minute than Telegram allows."""
        worst = self._world.telegram.flood.worst_minute(from_key(key).chat)
        if worst > GROUP_MINUTE:
            self._world.fail(f"{key}: {worst} messages in one minute of the group")

    def waiting(self) -> str:
        """Describe the players who must still answer."""
        said = []
        for key, seat, user in self._asked():
            asked = "asked" if user and self._buttons_of(key, user) else "without a prompt"
            said.append(f"seat {seat} of {key}, {'a computer' if user is None else asked}")
        return ", ".join(said)

    def without_prompt(self) -> list[Person]:
        """Return the people who must answer and can be reached, but have no buttons for an answer."""
        return [
            person
            for key, _, user in self._asked()
            if user is not None
            and (person := self._people.get(user)) is not None
            and not person.user.blocked
            and not self._buttons_of(key, user)
        ]

    def _asked(self) -> list[tuple[str, int, int | None]]:
        """Return (room, seat, user) for all who must still answer; ``user`` is None for a computer."""
        found = []
        for key, body in self._world.history.bodies.items():
            question = _question(body)
            if question is None:
                continue
            for seat, given in zip(question["seats"], question["answers"], strict=True):
                if (given is None or question["meeting"]) and seat not in body["match"]["away"]:
                    found.append((key, seat, body["match"]["players"][seat]["id"]))
        return found

    def _prompts(self, key: str) -> None:
        body = self._world.history.bodies[key]
        question = _question(body)
        if question is None:
            return
        asked = {user: seat for room, seat, user in self._asked() if room == key}
        for user, seat in asked.items():
            person = None if user is None else self._people.get(user)
            if user is None or person is None or person.user.blocked:
                continue
            options = question["options"][question["seats"].index(seat)]
            buttons = self._buttons_of(key, user)
            if not buttons:
                self._world.fail(f"seat {seat} must answer ({question['step']}) and has no buttons")
            elif len(buttons) != len(options):
                self._world.fail(f"seat {seat} has {len(buttons)} buttons for {len(options)} options")
        for user in self._people:
            seats = [p["id"] for p in body["match"]["players"]]
            if user in seats and seats.index(user) not in question["seats"]:
                private = self._buttons_in(self._world.telegram.chats[user], key, body)
                if private:
                    self._world.fail(f"seat {seats.index(user)} need not answer and has buttons in private")

    def _shown(self, key: str, item: Any) -> None:
        """Check that every named message shows the last content written for it."""
        ledger = self._world.ledger
        last: dict[str, Owed] = {}
        for owed in ledger.owed.values():
            if owed.room == key and owed.tries:
                last |= dict.fromkeys(names_of(owed.entry), owed)
        for name, owed in last.items():
            if not owed.tries[-1].done or excused(owed.tries[-1]):
                continue  # the sender may not have stored the message's id
            chat, number = owed.entry.chat, item["remembered"]["M"].get(name, {}).get("N")
            if number and ledger.shown.get((chat, int(number)), owed.fingerprint) != owed.fingerprint:
                self._world.fail(
                    f"the message {name!r} of chat {chat} does not show its last content ({owed})"
                )

    def _buttons_of(self, key: str, user: int) -> list[str]:
        """Return a person's buttons for the open question, in their private chat or in the group."""
        body = self._world.history.bodies[key]
        chats = [self._world.telegram.chats[user], self._world.telegram.chats[from_key(key).chat]]
        return next((found for chat in chats if (found := self._buttons_in(chat, key, body))), [])

    def _buttons_in(self, chat: Chat, key: str, body: Any) -> list[str]:
        """Return the buttons for the open question under the newest message of a chat that has some."""
        question = _question(body)
        assert question is not None
        end = f"|{body['match']['number']}|{question['number']}"
        for message in reversed(chat.messages.values()):
            if message.deleted:
                continue
            for asked, answers in answers_by_question(message).items():
                if asked.endswith(end):
                    return answers
        return []

    def _item(self, key: str) -> Any:
        return self._world.table.items[key, "room"]


def _question(body: Any) -> Any:
    match = body.get("match")
    if match is None or match["cancelled"]:
        return None
    return match["game"]["question"]
