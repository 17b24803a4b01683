"""The game that a seed plays."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from bot.rooms.model import Settings
from engine import OFFERED, Ruleset
from engine.setups import option_sets

#: In one of this many seeds, a person practises during the game.
PRACTISING = 10


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """The game that a seed plays, the settings of its group, and what else happens."""

    rules: Ruleset
    players: int
    options: dict[str, str]
    settings: Settings
    #: True if the group becomes a supergroup during the game.
    migrates: bool = False
    #: True if Telegram enforces its limits, besides the faults.
    limited: bool = False
    #: The number of people in the group who watch, and may take a free seat later.
    watching: int = 0
    #: The number of computers among the players.
    computers: int = 0
    #: True if other groups use up some of the bot's pace.
    busy: bool = False
    #: True if another person practises in their private chat during the game.
    practising: bool = False

    @classmethod
    def of(cls, seed: int, rng: random.Random) -> SeedPlan:
        """Return a random plan: any ruleset, size and set of options, with or without a clock."""
        rules = rng.choice(OFFERED)
        players = rng.choice(list(rules.players))
        options = rng.choice(list(option_sets(rules, players).values()))
        settings = Settings(
            language=rng.choice(("en", "de")),
            theme=rng.choice(("weimar", "cold-war")),
            clock=rng.choice(("off", "off", "relaxed", "fast")),
            ballots=rng.choice(("private", "private", "group")),
        )
        migrates, limited, watching = rng.random() < 0.15, rng.random() < 0.25, rng.choice((0, 1, 2))
        # The random numbers of newer features are separate, so old seeds stay the same.
        open_cards = random.Random(f"open/{seed}").choice(("off", "on"))
        rng = random.Random(f"others/{seed}")
        computers = rng.randint(1, players - 1) if rng.random() < 0.3 else 0
        strength = rng.choice(("novice", "seasoned")) if computers else settings.strength
        return cls(
            rules,
            players,
            dict(options),
            replace(settings, open_cards=open_cards, strength=strength),
            migrates,
            limited,
            watching,
            computers,
            busy=rng.random() < 0.25,
            practising=seed % PRACTISING == PRACTISING - 1,
        )

    def __str__(self) -> str:
        set_up = self.settings
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        moves = (" becoming a supergroup" if self.migrates else "") + (" limited" if self.limited else "")
        others = f" computers={self.computers}" * bool(self.computers) + " busy" * self.busy
        others += " practising" * self.practising
        game = f"{self.rules.id} x{self.players}{options}"
        return f"{game} clock={set_up.clock} ballots={set_up.ballots}{moves}{others}"
