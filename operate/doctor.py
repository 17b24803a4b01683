"""Check a bot and suggest fixes."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import telegram

from bot.conversation.lobby.lobby import BUSY
from bot.display.commands import ALLOWED_UPDATES, registrations
from bot.rooms.codec import SCHEMA
from bot.rooms.sealing import quicknet_at
from infra.beacon import BeaconClient, BeaconUnavailable, NotOutYet, operators_of
from infra.configuration import NO_BEACON
from infra.store.table import StoreError
from infra.telegram.errors import AnswerLost, RetryLater, WireError
from operate.bot import Bot, CannotRun
from operate.changes import count_messages
from operate.output import counted
from operate.rooms import read

#: Report if more updates than this wait at Telegram, or if more wake-ups than this wait in the queue.
PENDING, WAKEUPS = 50, 500
#: Telegram's last error with the webhook is reported for this many seconds.
RECENT_SECONDS = 3600
#: Concurrent executions that other functions than the webhook need: five queue workers and the watchdog.
OTHER_FUNCTIONS = 6
#: The names in ``Bot.stack`` of the functions that are called through an alias.
FUNCTIONS = ("webhook function", "wakeup function")
ALIAS = "published"
#: The environment variable in which a function gets each parameter.
VARIABLE_OF = {
    "AllowedChats": "ALLOWED_CHATS",
    "Drain": "DRAIN",
    "Beacon": "BEACON",
    "SetupRevision": "SETUP_REVISION",
    "Stage": "POWERTOOLS_METRICS_NAMESPACE",
}
#: The webhook's answer to a secret that is not the stored one.
_UNAUTHORIZED = "401"
_ROUND_AGO = 30.0


class Verdict(StrEnum):
    """How bad a finding is, best first."""

    FINE = "fine"
    LOOK = "look"
    BAD = "bad"


#: The verdicts as sentences.
VERDICT_TEXTS = {
    Verdict.FINE: "all is well",
    Verdict.LOOK: "it works; look at what says so",
    Verdict.BAD: "something is wrong",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    verdict: Verdict
    found: str
    #: The fix, if there is anything to do.
    do: str = ""

    def as_row(self) -> dict[str, str]:
        """Return the finding as a row of a table."""
        return {"what": self.what, "verdict": self.verdict.value, "found": self.found, "to do": self.do}


def examine(bot: Bot, beacon: BeaconClient | None = None) -> Iterator[Finding]:
    """Yield a finding for each thing that can be checked from outside."""
    network = _network(bot)
    if network is not None:
        yield network
    looks: list[Callable[[Bot], Finding]] = [] if network is not None else [_bot, _webhook, _commands]
    looks += [_pace, _orders, _readable]
    if not bot.at_home or bot.running:  # a stopped bot maintains no rooms
        looks.append(_rooms)
    if not bot.at_home:
        looks += [_queue, _dead_letters, _concurrency]
        looks += [partial(_runs, name) for name in FUNCTIONS]
    for look in looks:
        yield _run_check(look, bot)
    if network is None:
        yield _beacon(bot, beacon)
    yield _versions()


def _run_check(look: Callable[[Bot], Finding], bot: Bot) -> Finding:
    what = str(look.args[0]) if isinstance(look, partial) else look.__name__[1:]
    try:
        return look(bot)
    except (WireError, StoreError, CannotRun) as error:
        return Finding(what, Verdict.BAD, str(error), "mend this first; the rest may follow")
    except Exception as error:
        # The doctor goes on with the next check. Only the error's type is shown: its text may quote secrets.
        return Finding(what, Verdict.BAD, type(error).__name__, "look at the rights of who asks")


def _network(bot: Bot) -> Finding | None:
    """Return a finding if this machine cannot reach Telegram. The bot itself may be well."""
    try:
        bot.call("getMe")
    except (AnswerLost, RetryLater) as error:
        if not getattr(error, "flood", False):
            found = "Telegram is out of reach from here: what it knows of the bot was not looked at"
            return Finding("network", Verdict.BAD, found, "look at this machine's network, then ask again")
    except WireError:
        pass  # it answers, and the next finding says more
    return None


def _bot(bot: Bot) -> Finding:
    me = bot.call("getMe")
    name = f"@{me['username']}"
    if not me.get("can_join_groups", True):
        return Finding("bot", Verdict.BAD, f"{name} may not be added to groups", "BotFather: /setjoingroups")
    if me.get("can_read_all_group_messages"):
        return Finding("bot", Verdict.LOOK, f"{name} reads every message", "BotFather: /setprivacy, Enable")
    return Finding("bot", Verdict.FINE, name)


def _webhook(bot: Bot) -> Finding:
    hook = bot.call("getWebhookInfo")
    url, pending = hook.get("url", ""), hook.get("pending_update_count", 0)
    if bot.at_home:
        if url:
            return Finding("webhook", Verdict.BAD, "set: the bot is deployed as well", "stop one of the two")
        return Finding("webhook", Verdict.FINE, f"none, as it should be; {pending} updates wait")
    if url != bot.stack["webhook"]:
        do = "operate rotate secret, which sets it; or deploy with another SetupRevision"
        return Finding("webhook", Verdict.BAD, "not this stack's" if url else "not set", do)
    if set(hook.get("allowed_updates", ALLOWED_UPDATES)) != set(ALLOWED_UPDATES):
        found = "other kinds of updates are asked for"
        return Finding("webhook", Verdict.BAD, found, "operate rotate secret")
    last = str(hook.get("last_error_message", ""))[:120]
    recent = bot.clock() - hook.get("last_error_date", 0) < RECENT_SECONDS
    if recent and pending and _UNAUTHORIZED in last:
        found = f"the stored secret is not the one that Telegram has; {pending} updates wait"
        return Finding("webhook", Verdict.BAD, found, "operate rotate secret")
    if recent:
        return Finding("webhook", Verdict.LOOK, f"last error: {last}", "the log of the webhook says why")
    if pending > PENDING:
        return Finding("webhook", Verdict.LOOK, f"{pending} updates wait", "the alarms say which is used up")
    return Finding("webhook", Verdict.FINE, f"{pending} updates wait")


def _commands(bot: Bot) -> Finding:
    wanted = [name for name, _ in registrations()[""].group]
    scope = {"scope": {"type": "all_group_chats"}}
    found = [one["command"] for one in bot.call("getMyCommands", scope)]
    if found != wanted:
        do = "they come within minutes; if not, deploy or start with another SetupRevision (SETUP_REVISION)"
        return Finding("commands", Verdict.LOOK, "not those of this version", do)
    return Finding("commands", Verdict.FINE, f"{len(found)} in groups")


def _rooms(bot: Bot) -> Finding:
    late = [key for key, at in bot.rooms.due(bot.clock() - 900)]
    if late:
        found = f"{counted(len(late), 'room')} due for a quarter of an hour"
        return Finding("rooms", Verdict.BAD, found, "is the schedule on? the log of the wake-up says more")
    return Finding("rooms", Verdict.FINE, "none is overdue")


def _readable(bot: Bot) -> Finding:
    what, count, unread = "rooms that can be read", 0, []
    for item in bot.rooms.every():
        count += 1
        if read(item) is None:
            unread.append(item.key)
    if unread:
        some = ", ".join(unread[:3])
        found = f"{len(unread)} of {counted(count, 'room')} cannot be read by this version: {some}"
        return Finding(what, Verdict.BAD, found, "docs/operating.md, Back to the release before")
    return Finding(what, Verdict.FINE, f"all {count}")


def _runs(what: str, bot: Bot) -> Finding:
    """Compare the version behind the alias with the parameters of the stack."""
    service, name = bot.cloud("lambda"), bot.stack[what]
    alias = service.get_alias(FunctionName=name, Name=ALIAS)
    version = alias["FunctionVersion"]
    if others := alias.get("RoutingConfig", {}).get("AdditionalVersionWeights"):
        found = f"version {version}, and {', '.join(others)} takes over"
        return Finding(what, Verdict.LOOK, found, "a deploy is under way: ask again in some minutes")
    runs = service.get_function_configuration(FunctionName=name, Qualifier=ALIAS)
    variables = runs["Environment"]["Variables"]
    wanted = {name: bot.parameters.get(name, "") for name in VARIABLE_OF}
    wanted["Stage"] = f"chancellery/{wanted['Stage']}"
    stale = [name for name, value in wanted.items() if variables.get(VARIABLE_OF[name], value) != value]
    if stale:
        found = f"version {version} runs with another {', '.join(stale)} than the stack's"
        return Finding(what, Verdict.BAD, found, "deploy again with another SetupRevision")
    newest = service.get_function_configuration(FunctionName=name)
    if newest["CodeSha256"] != runs["CodeSha256"]:
        found = f"version {version} runs, and newer code is there"
        return Finding(what, Verdict.LOOK, found, "the last deploy went back: its alarms say why")
    return Finding(what, Verdict.FINE, f"version {version}, with the stack's parameters")


def _pace(bot: Bot) -> Finding:
    left = bot.pace.paused_until() - bot.clock()
    if left > 0:
        do = "wait; knocking prolongs it. If that cannot be: operate reset-pace"
        return Finding("pace", Verdict.BAD, f"Telegram makes the bot wait, {left:.0f} s more", do)
    backlog = bot.pace.backlog()
    verdict, do = (Verdict.LOOK, _MORE) if backlog > BUSY else (Verdict.FINE, "")
    return Finding("pace", verdict, f"messages wait {backlog:.0f} s", do)


def _orders(bot: Bot) -> Finding:
    ordered = bot.orders.current(fresh=True)
    banned = f"{len(ordered.banned)} banned"
    if ordered.paused:
        return Finding("orders", Verdict.LOOK, f"no new games; {banned}", "operate resume")
    return Finding("orders", Verdict.FINE, banned)


def _queue(bot: Bot) -> Finding:
    waiting = count_messages(bot, "queue")
    verdict = Verdict.LOOK if waiting > WAKEUPS else Verdict.FINE
    return Finding("queue", verdict, f"{waiting} wake-ups wait", _MORE if waiting > WAKEUPS else "")


def _dead_letters(bot: Bot) -> Finding:
    dead = count_messages(bot, "dead_letters")
    if dead:
        return Finding("dead letters", Verdict.LOOK, str(dead), "mend what the log says, then operate replay")
    return Finding("dead letters", Verdict.FINE, "none")


def _concurrency(bot: Bot) -> Finding:
    limit = bot.cloud("lambda").get_account_settings()["AccountLimit"]
    connections, reserved = int(bot.stack["connections"]), int(bot.stack["concurrency"])
    # Reserved executions are for the webhook function alone; otherwise all functions share what is free.
    others = 0 if reserved else OTHER_FUNCTIONS
    have, wanted = reserved or limit["UnreservedConcurrentExecutions"], connections + others
    found = f"{have} for {wanted}" + (" reserved" if reserved else f" of {limit['ConcurrentExecutions']}")
    if have < wanted:
        more = "reserve more" if reserved else "ask AWS for more"
        do = f"{more}, or deploy with MaxConnections={max(1, have - others)}"
        return Finding("concurrency", Verdict.LOOK, found, do)
    return Finding("concurrency", Verdict.FINE, found)


def _beacon(bot: Bot, given: BeaconClient | None) -> Finding:
    if bot.beacon == NO_BEACON:
        return Finding("beacon", Verdict.FINE, "off: deals are marked as not proven")
    client, beacon, now = given or BeaconClient(), quicknet_at(bot.beacon or None), time.time()
    number = beacon.round_after(now - _ROUND_AGO)
    try:
        addresses, out_at = beacon.addresses_of(number), beacon.time_of(number)
        said = bot.gateway.run(client.fetch(number, addresses, out_at=out_at, deadline=now + 8))
    except (BeaconUnavailable, NotOutYet) as unavailable:
        if isinstance(unavailable, BeaconUnavailable) and unavailable.disagreed:
            return Finding("beacon", Verdict.BAD, str(unavailable), "take the wrong address out of BEACON")
        return Finding("beacon", Verdict.LOOK, "out of reach from here", "deals wait, then ask the host")
    if said.disagreed:
        others = ", ".join(said.disagreed)
        return Finding("beacon", Verdict.BAD, f"{others}: another value", "take it out of BEACON")
    if len(operators_of(beacon.addresses)) < 2:
        do = "add an address of another operator: two that agree are harder to fool"
        return Finding("beacon", Verdict.LOOK, f"round {number}, of one operator alone", do)
    return Finding("beacon", Verdict.FINE, f"round {number}")


def _versions() -> Finding:
    numbers = f"Python {platform.python_version()}, telegram {telegram.__version__}, rooms of schema {SCHEMA}"
    return Finding("versions", Verdict.FINE, numbers)


_MORE = "docs/operating.md, Thirty messages a second"
