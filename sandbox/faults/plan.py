"""The game that a seed plays, and the group that plays it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from bot.rooms.model import Settings
from engine import OFFERED
from sandbox.plans import Plan
from sandbox.setups import option_sets

#: In one of this many seeds somebody practises during the game.
PRACTISING = 10


@dataclass(frozen=True, slots=True)
class SeedPlan(Plan):
    """The game that a seed plays."""

    #: True if the group becomes a supergroup at some time.
    migrates: bool
    #: True if Telegram's own limits apply, besides the faults.
    limited: bool
    #: The number of people in the group who do not play at first.
    watching: int
    #: The number of computers among the players.
    computers: int = 0
    #: True if other groups take some of the bot's pace.
    busy: bool = False
    #: True if somebody else practises meanwhile, in their own chat.
    practising: bool = False

    @classmethod
    def of(cls, rng: random.Random) -> SeedPlan:
        """Return a random plan: any ruleset and size, often with options, with or without a clock."""
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
        """Add what was invented later, with its own random numbers, so that old seeds still play the same."""
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
