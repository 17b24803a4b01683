"""The game that a seed plays, the kind of its group, and the events around it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from bot.rooms.model import Settings
from engine import OFFERED
from sandbox.plans import Plan
from sandbox.setups import option_sets

#: In one seed out of this many somebody practises during the game.
PRACTISING = 10


@dataclass(frozen=True, slots=True)
class SeedPlan(Plan):
    """The game that a seed plays."""

    #: True if the group becomes a supergroup at some time.
    migrates: bool
    #: True if Telegram's own limits apply, besides those that faults invent.
    limited: bool
    #: People in the group who do not play, at first.
    watching: int
    #: The number of computers among the players.
    computers: int = 0
    #: True if other groups of the bot take their share of its pace.
    busy: bool = False
    #: True if somebody else practises meanwhile, in their own chat.
    practising: bool = False

    @classmethod
    def of(cls, rng: random.Random) -> SeedPlan:
        """Return any ruleset, any size, often with options, with and without a clock."""
        rules = rng.choice(OFFERED)
        players = rng.choice(list(rules.players))
        options = rng.choice(list(option_sets(rules, players).values()))
        settings = Settings(
            language=rng.choice(("en", "de")),
            theme=rng.choice(("weimar", "cold-war")),
            clock=rng.choice(("off", "off", "relaxed", "fast")),
            ballots=rng.choice(("private", "private", "group")),
        )
        return cls(
            rules,
            players,
            dict(options),
            settings,
            rng.random() < 0.15,
            rng.random() < 0.25,
            rng.choice((0, 1, 2)),
        )

    def __str__(self) -> str:
        set_up = self.settings
        moves = (" becoming a supergroup" if self.migrates else "") + (" limited" if self.limited else "")
        others = f" computers={self.computers}" * bool(self.computers) + " busy" * self.busy
        others += " practising" * self.practising
        return f"{self.game} clock={set_up.clock} ballots={set_up.ballots}{moves}{others}"

    def drawn_apart(self, seed: int) -> SeedPlan:
        """Return the plan with later additions: a seed without them still plays as it did before."""
        open_cards = random.Random(f"open/{seed}").choice(("off", "on"))
        rng = random.Random(f"others/{seed}")
        computers = rng.randint(1, self.players - 1) if rng.random() < 0.3 else 0
        strength = rng.choice(("novice", "seasoned")) if computers else self.settings.strength
        settings = replace(self.settings, open_cards=open_cards, strength=strength)
        return replace(
            self,
            settings=settings,
            computers=computers,
            busy=rng.random() < 0.25,
            practising=seed % PRACTISING == PRACTISING - 1,
        )
