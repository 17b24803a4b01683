"""Write the section "Storm" of ``docs/measurements.md``."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.measurements import Section, table

from .figures import LEAST_SENT, LONGEST, MOST_REFUSED, MOST_WAKEUPS, Figures
from .simulation import FULL, LIMITED, PLAYERS, SLOW, THINKING
from .telegram import REFUSALS, TAKEN

#: A delay counts as unnoticed if at most one message in a hundred waits longer than this (seconds).
UNNOTICED = 5.0

_METHOD = f"""
Games of {PLAYERS} with private ballots. In all of them, the first President is asked at the same moment.
Every seat answers {THINKING[0]:.0f} to {THINKING[1]:.0f} virtual seconds after it is asked. Telegram accepts
{TAKEN} posts and edits a second (a bucket of as many) and answers 429 beyond that. A bot that is refused
{REFUSALS} times within a minute is locked out, for twice as long each time. The queue has five workers, and
Telegram delivers 40 updates at once. After the time of play, nobody answers for the same time. *Without a
pace*: the bot does not limit its own pace and only waits when Telegram refuses. Goals during a backlog: at
least {LEAST_SENT:.0f} sent a second, at most one call refused for {1 / MOST_REFUSED:.0f} sent, at most
{MOST_WAKEUPS:.0f} wake-ups a second (over any ten seconds), no wait longer than {LONGEST} × (messages waiting
/ rate), and nothing waiting at the end. Waits are those of posts and of edits in private, because a group's
limit per minute may delay an edit of its status. If few messages wait, the longest wait comes from that
limit, and the run is not judged. *With limited chats*: one group in {LIMITED} is in slow mode of {SLOW:.0f}
s, and one in {LIMITED} has two private chats that refuse messages for {FULL:.0f} s. Then waits are those of
all other rooms, and refused calls those of all rooms.
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
        return "The bot delays messages noticeably at all of these sizes."
    return (
        f"One bot serves **{max(fine)} such games at once** without noticeable delays: of 100 messages, 99"
        f" wait less than {UNNOTICED:.0f} s."
    )
