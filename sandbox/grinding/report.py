"""The section "Fair deal" of docs/measurements.md."""

from collections.abc import Mapping, Sequence

from sandbox.bench.report import Section, table
from sandbox.grinding.attacks import GUESSES, SEEDS, SHAKES, Goal, Hits
from sandbox.shares import share

METHOD = """
Whoever runs the bot, in league with one player, against a deal by the rule book; an attack wins where that
player is dealt what they want. *Old scheme*: the seed is sealed when the lobby opens, and how often each
player shook is mixed in. *New scheme*: the seed is sealed, then the round of a public beacon that was named
with the seal comes out (here the desk's own). Shares are of {lobbies} lobbies each, with 95 % intervals.
Old: honest players shake {least} to {most} times each and the host starts when the counts suit. New, first
attempt: of {seeds} seeds that one is sealed which suits most of {guesses} values (the last ones that came
out, and guesses), in any seat. To reach: nothing over chance at the first attempt; with k attempts, all of
them visible, 1 − (1 − p)^k.
"""


def section(
    *,
    lobbies: int,
    reach: int,
    seed_found: tuple[int, float],
    old: Mapping[Goal, Hits],
    new: Mapping[Goal, Hits],
    known: Mapping[Goal, Hits],
    attempts: Mapping[Goal, Sequence[Hits]],
) -> Section:
    """What was measured, as a section of the report."""
    tried, seconds = seed_found
    expected = float(Goal.side(5).chance) ** -reach
    rows = [
        *(_row("old scheme: starts when it suits", goal, hits) for goal, hits in old.items()),
        *(_row("new scheme: first attempt", goal, hits) for goal, hits in new.items()),
        *(_row("new scheme: sealed after the round (void)", goal, hits) for goal, hits in known.items()),
    ]
    visible = [(goal, k, hits) for goal, found in attempts.items() for k, hits in enumerate(found, start=1)]
    return Section(
        "Fair deal",
        METHOD.format(lobbies=f"{lobbies:,}", least=SHAKES[0], most=SHAKES[1], seeds=SEEDS, guesses=GUESSES),
        [
            *table(["the attack", "wants to be", "players", "fair %", "found %"], rows),
            "",
            "Old scheme, five players: a seed with which seat 1 is on the Fascist side whatever one honest",
            f"player does (for each of the counts 0 to {reach - 1}) was found after {tried:,} seeds, in",
            f"{seconds:.0f} s of one core; one in {expected:,.0f} is such a seed.",
            "",
            "Giving up what does not suit, in the new scheme (attempts are numbered, their seeds opened):",
            "",
            *table(
                ["wants to be (7 players)", "attempts", "1 − (1 − p)^k %", "found %"],
                [
                    [goal.name, k, f"{100 * float(1 - (1 - goal.chance) ** k):.1f}", _share(hits)]
                    for goal, k, hits in visible
                ],
            ),
        ],
    )


def _row(attack: str, goal: Goal, hits: Hits) -> list[object]:
    return [attack, goal.name, goal.players, f"{100 * float(goal.chance):.1f}", _share(hits)]


def _share(hits: Hits) -> str:
    return str(share(hits.hits, hits.lobbies)).replace(" %", "")
