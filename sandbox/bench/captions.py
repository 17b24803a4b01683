"""Measure how much text the group reads under a board: lines of the captions in whole games."""

from __future__ import annotations

from statistics import median

from sandbox.game import GroupGame
from sandbox.harness import harness_in_memory
from sandbox.measurements import Section, table

#: Goal for the median of lines under a board.
REACH = 5


def caption_lines(players: int, seed: int) -> list[int]:
    """Play a game of the published rules; return the number of lines under each posted board."""
    with harness_in_memory(validated=False, seed=seed) as harness:
        game = GroupGame(harness, players, seed)
        game.open()
        game.play()
        posted = harness.telegram.journal.of("sendPhoto", chat=game.group.id)
        return [len(str(call.params["caption"]).splitlines()) for call in posted if call.ok]


def run(*, seeds: int = 20) -> Section:
    """Count the lines in games of many seeds."""
    found = [lines for seed in range(1, seeds + 1) for lines in caption_lines(7, seed)]
    return Section(
        "Lines under a board",
        """Lines of text under each posted picture of the board. Seven people answer at random.""",
        table(
            ["", "games", "boards", "median", "worst", "goal"],
            [["classic, 7 players", seeds, len(found), f"{median(found):g}", max(found), f"median {REACH}"]],
        ),
    )
