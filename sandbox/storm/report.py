"""The section *Storm* of ``docs/measurements.md``."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.measurements import Section, table

from .figures import LEAST_SENT, LONGEST, MOST_REFUSED, MOST_WAKEUPS, Figures
from .simulation import FULL, LIMITED, PLAYERS, SLOW, THINKING
from .telegram import REFUSALS, TAKEN

#: A delay counts as unnoticed if at most one message in a hundred waits longer than this (seconds).
UNNOTICED = 5.0

_METHOD = f"""
Games of {PLAYERS}, all with their first President asked at the same moment; every seat answers
{THINKING[0]:.0f} to {THINKING[1]:.0f} virtual seconds after it is asked, with ballots in private. Telegram
takes {TAKEN} posts and edits a second (a bucket of as many) and answers 429 beyond that; a bot refused
{REFUSALS} times within a minute is locked out, for twice as long each time. Five workers at the queue, 40
updates at once. After the time of play nobody answers for as long again. *Without a pace* is the same code
that keeps no pace of its own and only waits when Telegram refuses. Goals during a backlog: at least
{LEAST_SENT:.0f} sent a second, at most one call refused for {1 / MOST_REFUSED:.0f} sent, at most
{MOST_WAKEUPS:.0f} wake-ups a second (any ten seconds), no wait longer than {LONGEST} × (messages waiting /
rate), and nothing waiting at the end. Waits are those of posts and of edits in private, because a group's
limit per minute may delay an edit of its status. If few messages wait, the longest wait is due to that limit,
and nothing is judged. *With limited chats*: one group in {LIMITED} is in slow mode of {SLOW:.0f} s, and one
in {LIMITED} has two private chats that take nothing for {FULL:.0f} s; the waits are those of all other rooms,
and the refused calls those of all.
"""


def section(storms: Sequence[Figures]) -> Section:
    """Return the section with the figures of all runs."""
    head = "rooms|sent|a second|refused|waiting|usual wait|1 in 100|longest|may be|wake-ups/s|drained|reached"
    rows = [_row(storm) for storm in storms]
    return Section("Storm", _METHOD, [*table(head.split("|"), rows), "", _carried(storms)])


def _row(storm: Figures) -> list[object]:
    kind = " without a pace" if not storm.limited else " with limited chats" if storm.chats else ""
    return [
        f"{storm.rooms}{kind}, {storm.seconds} s",
        f"{storm.sent:,}",
        "–" if storm.rate is None else f"{storm.rate:.1f}",
        f"{storm.refused:,}",
        f"{storm.waiting:,}",
        f"{storm.usual:.1f} s",
        f"{storm.late:.1f} s",
        f"{storm.longest:.1f} s",
        f"{storm.bound:.1f} s",
        f"{storm.wakeups:.1f}",
        "never" if storm.drained is None else f"{storm.drained} s",
        ("yes" if storm.reached else "no") if storm.judged else "–",
    ]


def _carried(storms: Sequence[Figures]) -> str:
    fine = [storm.rooms for storm in storms if storm.limited and storm.late <= UNNOTICED]
    if not fine:
        return "None of these is carried without anybody noticing."
    return (
        f"One bot carries **{max(fine)} such games at once** without anybody noticing: of 100 messages, 99"
        f" wait less than {UNNOTICED:.0f} s."
    )
