"""Measure how much longer one group's messages wait if other groups cause trouble for the same bot."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from sandbox.measurements import table
from sandbox.shared_bot import Group, SharedBot, is_judged, seconds_waited
from sandbox.telegram import User
from sandbox.telegram.calls import FloodLimits

#: Virtual seconds: of play, between two looks at prompts, and until a neighbour answers.
SECONDS, LOOKING, THINKING = 900, 10.0, (0.0, 40.0)
#: The goals: seconds that a message may wait longer, and bytes of a room's item.
MOST_LONGER, MOST_BYTES = 2.0, 100 * 1024
HOUR = 3600.0

#: A message's chat and text, and its number among the messages with this text in this chat.
MessageKey = tuple[int, str, int]


def _play(group: Group, besides: Sequence[User] = ()) -> None:
    group.play(THINKING, LOOKING, besides)


def _ask(group: Group, seconds: float) -> None:
    """Let people ask for the status in turn, every ``seconds`` seconds."""
    people = itertools.cycle(group.people)
    group.bot.repeat(seconds, lambda: group.say(next(people), "/status"))


# --- what neighbours do -------------------------------------------------------------------------------------

#: Adds a group to a shared bot, pauses, and then starts the trouble.
Trouble = Callable[[SharedBot], Iterator[None]]


def slow_mode(bot: SharedBot) -> Iterator[None]:
    """Add a group in slow mode of an hour, in which people play and ask for the status."""
    slow = Group(bot, 5)
    yield
    slow.group.slow_mode = int(HOUR)
    bot.telegram.flood.count(slow.group.id, bot.clock())
    _play(slow)
    _ask(slow, 7.0)


def forum(bot: SharedBot, topics: int = 30) -> Iterator[None]:
    """Add a forum with games in thirty topics, which share the limit of one group."""
    owner = bot.telegram.add_user("Otto", started=True)
    chat = bot.telegram.add_group("Forum", [owner], forum=True)
    tables = [Group(bot, 5, forum=chat) for _ in range(topics)]
    yield
    for one in tables:
        _play(one)
        _ask(one, 30.0)


def full_private_chats(bot: SharedBot) -> Iterator[None]:
    """Add a game with two people whose private chats refuse messages for an hour."""
    full = Group(bot, 5)
    yield
    for user in full.people[2:4]:
        bot.telegram.flood.closed[user.id] = bot.clock() + HOUR
    _play(full)


def coming_and_going(bot: SharedBot) -> Iterator[None]:
    """Add a player who leaves and returns, with one act per second."""
    home = Group(bot, 7)
    ben, numbers = home.people[1], itertools.count()

    def act() -> None:
        number, match = next(numbers), home.match()
        seat = "|".join((home.name.short, str(match.number), "1"))
        message = home.group.messages[max(home.group.messages)]
        if number % 3 == 0:
            home.say(ben, "/leave")
        else:
            data = f"quit|{seat}|1" if number % 3 == 1 else f"sit|{seat}"
            bot.telegram.tap(ben, message, data, forged=True)

    yield
    _play(home, [ben])
    bot.repeat(1.0, act)


def pressing_start(bot: SharedBot, groups: int = 10) -> Iterator[None]:
    """Add a person who must answer in ten groups, but only presses Start once a second."""
    anna = bot.telegram.add_user("Anna", started=True)
    tables = [Group(bot, 5, among=[anna]) for _ in range(groups)]
    yield
    for one in tables:
        _play(one, [anna])
    bot.repeat(1.0, lambda: bot.telegram.send(anna, bot.telegram.private(anna), "/start"))


TROUBLES: dict[str, Sequence[Trouble]] = {
    "a group in slow mode of an hour": [slow_mode],
    "a forum of 30 topics": [forum],
    "two full private chats": [full_private_chats],
    "a player leaves and returns, an act a second": [coming_and_going],
    "somebody in ten groups presses Start once a second": [pressing_start],
}
TROUBLES["all of them"] = [trouble for (trouble,) in TROUBLES.values()]


# --- the measurement ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Impact:
    """How much longer a group's messages wait because of its neighbours."""

    #: The number of compared messages.
    messages: int
    #: The longest wait in seconds without the trouble, and with it.
    before: float
    after: float
    #: The maximum number of seconds that a message waited longer because of the trouble.
    longer: float
    #: The size of the largest item of a room, in bytes.
    largest: int

    @property
    def reached(self) -> bool:
        """Return True if both goals are reached."""
        return self.messages > 0 and self.longer <= MOST_LONGER and self.largest <= MOST_BYTES


def measure_impact(troubles: Sequence[Trouble], seconds: float = SECONDS, seed: int = 1) -> Impact:
    """Play the same game twice: with calm neighbours, and with the same neighbours causing trouble."""
    calm, _ = _waits(troubles, seconds, seed, begun=False)
    loud, largest = _waits(troubles, seconds, seed, begun=True)
    both, before = calm.keys() & loud.keys(), max(calm.values())
    # A few texts differ, such as a count of ballots. Those messages are compared with the longest calm wait.
    longer = max(loud[each] - (calm[each] if each in both else before) for each in loud)
    if len(both) <= 0.95 * max(len(calm), len(loud)):
        longer = math.inf  # the games differ too much, such as if one stopped
    return Impact(len(both), before, max(loud.values()), longer, largest)


def _waits(
    troubles: Sequence[Trouble], seconds: float, seed: int, *, begun: bool
) -> tuple[dict[MessageKey, float], int]:
    with closing(SharedBot(seed)) as bot:
        started = [trouble(bot) for trouble in troubles]
        for each in started:
            next(each)
        fine = Group(bot, 7)
        # Let the group's minute pass in which the games were set up.
        bot.run(120)
        # Telegram enforces its limits per group and per bot, but tolerates bursts in one chat.
        bot.telegram.flood.limits = FloodLimits(per_chat_second=None)
        fine.play((0.0, 0.0), LOOKING)
        for each in started if begun else ():
            next(each, None)
        bot.run(seconds)
    waits: dict[MessageKey, float] = {}
    seen: Counter[tuple[int, str]] = Counter()
    for message in bot.messages:
        if message.room == fine.name.key and is_judged(message):
            entry = message.entry
            said = entry.chat, str(entry.params.get("text") or entry.params.get("caption"))
            seen[said] += 1
            waits[*said, seen[said]] = seconds_waited(message, bot.clock())
    return waits, bot.largest


def run() -> list[str]:
    """Measure each kind of neighbour, and all of them together."""
    rows = []
    for name, troubles in TROUBLES.items():
        found = measure_impact(troubles)
        waits = [f"{value:.1f} s" for value in (found.before, found.after, found.longer)]
        rows.append([name, found.messages, *waits, found.largest, "yes" if found.reached else "no"])
    head = "neighbours|messages|longest wait alone|with them|longer|largest item|reached"
    return table(head.split("|"), rows)
