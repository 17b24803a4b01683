"""Things that people do besides answering: come, go, write, block the bot, fall asleep."""

from __future__ import annotations

from typing import Any

from .people import Person
from .seed_setup import SeedSetup

#: Virtual seconds without a step of the game after which people without a prompt press Start.
WORRIED_AFTER = 900.0
_BARRED = ("/leave", "/join", "/cancel", "/newgame", "/start", "/settings")
_SAID = ("/status", "/board", "/players", "/help", "/newgame", "/history", "/rules")


class SideActions(SeedSetup):
    """Let a seed's people do such things, at random."""

    def __init__(self, seed: int, **shared: Any) -> None:
        super().__init__(seed, **shared)
        #: The probability of each action, in percent.
        self._often = {
            self._speak: 2.0,
            self._call_the_clock: 2.0,
            self._look_up_role: 3.0,
            self._sleep: 1.0,
            self._block_somebody: 1.0 if self.world.faults.plan.rate else 0.0,
            self._leave: self.rng.choice((0.0, 0.0, 1.0)),
            self._sit: 5.0,
            self._remove_bot: self.rng.choice((0.0, 0.0, 0.5)),
            self._migrate: 1.0 if self.plan.migrates else 0.0,
        }

    def act(self) -> None:
        """Take one action, or none, at random."""
        for person in self.people:
            person.notice()
        self._fill_seat()
        chance = self.rng.random() * 100
        for action, often in self._often.items():
            chance -= often
            if chance < 0:
                action(self.rng.choice(self.people))
                break
        if self.world.clock() - self.world.history.last_change > WORRIED_AFTER:
            self._press_start()

    def while_sealed(self, sealed: dict[str, Any]) -> None:
        """Try what is forbidden before the deal. The host sometimes goes on without an absent beacon."""
        if sealed["asked"] and self.may("beacon", 60):
            self.people[0].command("beacon", sealed["number"], self.rng.choice((0, 0, 1)))
        for person in self.rng.sample(self.people, min(4, len(self.people))):
            if self.rng.random() < 0.7:
                person.say(self.rng.choice(_BARRED))
            else:
                person.command(self.rng.choice(("join", "leave", "start", "role")), sealed["number"])

    def add_bot_back(self) -> None:
        """Add the bot to the group again if it was removed."""
        chat = self.chat
        if not chat.member(self.world.telegram.bot).present:
            self.world.telegram.add_bot(chat)

    def block(self, user: int) -> None:
        """Let a person block the bot, and unblock it later."""
        person = next((p for p in self.people if p.user.id == user), None)
        if person is None or person.user.blocked:
            return
        self.world.telegram.block(person.user)
        self.world.machine.after(self.rng.uniform(20, 200), person.start_private)

    def _block_somebody(self, person: Person) -> None:
        self.block(person.user.id)

    def _speak(self, person: Person) -> None:
        person.say(self.rng.choice(_SAID))

    def _call_the_clock(self, person: Person) -> None:
        """Call the clock for the open question, whether allowed or not, often as two people at once."""
        match = self.match
        question = match["game"]["question"]
        if question is None:
            return
        for caller in dict.fromkeys((person, self.rng.choice(self.people))):
            if caller.command("clock", match["number"], question["number"]) is None:
                caller.say("/status")

    def _look_up_role(self, person: Person) -> None:
        """Tap *My role* in the group."""
        person.command("role", self.match["number"])

    def _sleep(self, person: Person) -> None:
        person.asleep_until = self.world.clock() + self.rng.uniform(10, 300)

    def _leave(self, person: Person) -> None:
        """Write /leave, and press the button a little later."""
        person.say("/leave")
        self.world.machine.after(self.rng.uniform(2, 10), lambda: self._quit(person))

    def _quit(self, person: Person) -> None:
        match = self.match
        for seat, player in enumerate(match["players"]):
            if player["id"] == person.user.id:
                person.command("quit", match["number"], seat, 1)

    def _sit(self, person: Person) -> None:
        """Take an open seat: one's own after leaving, or any seat if the person only watches."""
        seated = [player["id"] for player in self.match["players"]]
        away = self.match["away"]
        own = [seat for seat in away if seated[seat] == person.user.id]
        if own or (away and person.user.id not in seated):
            person.command("sit", self.match["number"], self.rng.choice(own or away))
            self.world.machine.after(20, person.forget_taps)

    def _remove_bot(self, person: Person) -> None:
        """Remove the bot from the group, and add it again some minutes later."""
        if self.chat.member(self.world.telegram.bot).present:
            self.world.telegram.remove_bot(self.chat)
            self.world.machine.after(self.rng.uniform(5, 400), self.add_bot_back)

    def _migrate(self, person: Person) -> None:
        # A bot outside the group would not learn its new id.
        present = self.chat.member(self.world.telegram.bot).present
        if self.group.migrated_to is None and present:
            self.world.telegram.migrate(self.group)

    def _fill_seat(self) -> None:
        """Let a watcher take the seat of somebody who left."""
        for person in self.people[len(self.players) :]:
            if self.match["away"] and self.may(("sit", person.user.id), 60):
                self._sit(person)

    def _press_start(self) -> None:
        """Let people press Start who must answer but have no buttons."""
        for person in self.checks.without_prompt():
            if self.may(("start", person.user.id), 300):
                person.start_private()
