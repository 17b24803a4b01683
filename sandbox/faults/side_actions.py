"""Things that people do in a game besides answering: come, go, block the bot, ask, fall asleep."""

from __future__ import annotations

from typing import Any

from .people import Person
from .stage import Stage

#: Virtual seconds without a step of the game after which people look for their prompts.
WORRIED = 900.0
_BARRED = ("/leave", "/join", "/cancel", "/newgame", "/start", "/settings")
_SAID = ("/status", "/board", "/players", "/help", "/newgame", "/history", "/rules")


class SideActions:
    """Have a stage's people do such things, at random."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._world = stage.world
        self._rng = stage.rng
        #: How often each action happens, in percent.
        self._often = {
            self._speak: 2.0,
            self._call_the_clock: 2.0,
            self._look_up_role: 3.0,
            self._sleep: 1.0,
            self._block_somebody: 1.0 if stage.world.faults.plan.rate else 0.0,
            self._leave: self._rng.choice((0.0, 0.0, 1.0)),
            self._sit: 5.0,
            self._throw_out: self._rng.choice((0.0, 0.0, 0.5)),
            self._migrate: 1.0 if stage.plan.migrates else 0.0,
        }

    def act(self) -> None:
        """Do one action, or none, at random."""
        for person in self._stage.people:
            person.notice()
        self._come_in()
        chance = self._rng.random() * 100
        for action, often in self._often.items():
            chance -= often
            if chance < 0:
                action(self._rng.choice(self._stage.people))
                break
        if self._world.clock() - self._world.history.last_change > WORRIED:
            self._complain()

    def while_sealed(self, sealed: dict[str, Any]) -> None:
        """Try what must wait for the deal. Sometimes the host goes on without an absent beacon."""
        if sealed["asked"] and self._stage.may("beacon", 60):
            self._stage.people[0].command("beacon", sealed["number"], self._rng.choice((0, 0, 1)))
        for person in self._rng.sample(self._stage.people, min(4, len(self._stage.people))):
            if self._rng.random() < 0.7:
                person.say(self._rng.choice(_BARRED))
            else:
                person.command(self._rng.choice(("join", "leave", "start", "role")), sealed["number"])

    def invite_back(self) -> None:
        """Invite the bot back to the group if it was thrown out."""
        chat = self._stage.chat
        if not chat.member(self._world.telegram.bot).present:
            self._world.telegram.add_bot(chat)

    def block(self, user: int) -> None:
        """Have a person block the bot, and unblock it later."""
        person = next((p for p in self._stage.people if p.user.id == user), None)
        if person is None or person.user.blocked:
            return
        self._world.telegram.block(person.user)
        self._world.machine.after(self._rng.uniform(20, 200), person.start_private)

    def _block_somebody(self, person: Person) -> None:
        self.block(person.user.id)

    def _speak(self, person: Person) -> None:
        person.say(self._rng.choice(_SAID))

    def _call_the_clock(self, person: Person) -> None:
        """Call the clock for the open question, allowed or not, often as two people at once."""
        match = self._stage.match
        question = match["game"]["question"]
        if question is None:
            return
        for caller in dict.fromkeys((person, self._rng.choice(self._stage.people))):
            if caller.command("clock", match["number"], question["number"]) is None:
                caller.say("/status")

    def _look_up_role(self, person: Person) -> None:
        """Tap *My role* in the group, which answers with a message for this person alone, or a pop-up."""
        person.command("role", self._stage.match["number"])

    def _sleep(self, person: Person) -> None:
        person.asleep_until = self._world.clock() + self._rng.uniform(10, 300)

    def _leave(self, person: Person) -> None:
        """Ask to leave, and press the button a little later."""
        person.say("/leave")
        self._world.machine.after(self._rng.uniform(2, 10), lambda: self._quit(person))

    def _quit(self, person: Person) -> None:
        match = self._stage.match
        for seat, player in enumerate(match["players"]):
            if player["id"] == person.user.id:
                person.command("quit", match["number"], seat, 1)

    def _sit(self, person: Person) -> None:
        """Take an open seat: a watcher takes any, somebody who left takes their own."""
        seated = [player["id"] for player in self._stage.match["players"]]
        away = self._stage.match["away"]
        own = [seat for seat in away if seated[seat] == person.user.id]
        if own or (away and person.user.id not in seated):
            person.command("sit", self._stage.match["number"], self._rng.choice(own or away))
            self._world.machine.after(20, person.forget_taps)

    def _throw_out(self, person: Person) -> None:
        """Throw the bot out of the group, and invite it back some minutes later."""
        if self._stage.chat.member(self._world.telegram.bot).present:
            self._world.telegram.remove_bot(self._stage.chat)
            self._world.machine.after(self._rng.uniform(5, 400), self.invite_back)

    def _migrate(self, person: Person) -> None:
        # A bot that is out of the group would not hear of its new id.
        present = self._stage.chat.member(self._world.telegram.bot).present
        if self._stage.group.migrated_to is None and present:
            self._world.telegram.migrate(self._stage.group)

    def _come_in(self) -> None:
        """Have a watcher sit down for somebody who left."""
        for person in self._stage.people[len(self._stage.players) :]:
            if self._stage.match["away"] and self._stage.may(("sit", person.user.id), 60):
                self._sit(person)

    def _complain(self) -> None:
        """Have people press Start who are asked and have nothing to tap."""
        for person in self._stage.checks.without_prompt():
            if self._stage.may(("start", person.user.id), 300):
                person.start_private()
