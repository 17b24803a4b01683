"""Count the posts and edits of a game, and those in the group's busiest minute."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from infra.outbox.plan import TIDYING
from sandbox.bench.measured_games import named
from sandbox.game import GroupGame
from sandbox.harness import harness_in_memory
from sandbox.measurements import table
from sandbox.telegram.calls import COUNTED


@dataclass(frozen=True, slots=True)
class Kind:
    """Games that are counted together."""

    ruleset: str
    players: int
    options: str
    #: The place where people vote: private or group.
    ballots: str
    seeds: int
    #: The goals for the median and the maximum of all calls, tidying included.
    reach: tuple[int, int]
    #: How many of the players are computers.
    computers: int = 0

    def __str__(self) -> str:
        where = "in the group" if self.ballots == "group" else "in private"
        return f"{named(self.ruleset, self.players, self.options, self.computers)}, ballots {where}"


#: The goals for XL come from the first measurement, since a ballot of sixteen needs sixteen messages.
GAMES = (
    Kind("classic", 7, "none", "private", 100, (330, 490)),
    Kind("classic", 7, "none", "group", 100, (155, 225)),
    # Computers play about as many rounds as people: 14 to 15.
    Kind("classic", 7, "none", "private", 100, (80, 115), computers=6),
    Kind("xl", 16, "all", "private", 10, (1150, 1650)),
    Kind("xl", 16, "all", "group", 10, (400, 550)),
)


class MessageCounts(NamedTuple):
    """The posts and edits of one game."""

    #: All of them, and those without tidying.
    every: int
    untidied: int
    seed: int
    #: The maximum of posts and edits to the group within sixty seconds.
    worst_minute: int
    #: Seconds from the message with the seal to the last role card.
    to_roles: int


def count_messages(kind: Kind, seed: int) -> MessageCounts:
    """Play a game and count its posts and edits."""
    with harness_in_memory(validated=False, seed=seed) as harness:
        game = GroupGame(harness, kind.players - kind.computers, seed)
        if kind.ballots != "private":
            game.set("ballots", kind.ballots)
            # Changing a setting does not belong to the game.
            harness.telegram.journal.clear()
        game.open(kind.ruleset, kind.options, kind.computers)
        to_roles = _to_roles(game)
        game.play()
        journal = harness.telegram.journal
        every = sum(call.ok for call in journal.of(*COUNTED))
        # The bot removes buttons and leaves traces of votes and claims only if the limits leave room.
        traces = [call for call in journal.of("editMessageText") if _is_trace(call.params)]
        tidied = sum(call.ok for call in (*journal.of(TIDYING), *traces))
        worst = harness.telegram.flood.worst_minute(game.group.id)
    return MessageCounts(every, every - tidied, seed, worst, to_roles)


def _is_trace(params: Mapping[str, Any]) -> bool:
    last = str(params["text"]).splitlines()[-1]
    return last.startswith("You: ") or last in ("You did not vote.", "💬 You made no claim.")


def _to_roles(game: GroupGame) -> int:
    """Return the seconds from the message with the seal to the last role card, by Telegram's dates."""
    seal = next(
        m for m in reversed(game.group.messages.values()) if "Sealed: " in m.text and m.forwarded is None
    )
    chats = [game.harness.telegram.private(user) for user in game.people]
    return max(int(message.date) for chat in chats for message in chat.messages.values()) - int(seal.date)


def run() -> list[str]:
    """Count the posts and edits in games of many seeds."""
    rows: list[list[object]] = []
    for kind in GAMES:
        found = [count_messages(kind, seed) for seed in range(1, kind.seeds + 1)]
        worst = max(found)
        shown = [
            f"{median(one.every for one in found):g}",
            f"{worst.every} (seed {worst.seed})",
            " · ".join(map(str, kind.reach)),
            f"{median(one.untidied for one in found):g} · {max(one.untidied for one in found)}",
            max(one.worst_minute for one in found),
            f"{max(one.to_roles for one in found)} s",
        ]
        rows.append([str(kind), len(found), *shown])
    return table(["", "seeds", "median", "worst", "goal", "without", "minute", "roles"], rows)
