"""The command line. It prints no role, hand, ballot or name without ``--reveal``, and never a token."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

import click
from botocore.exceptions import BotoCoreError, ClientError

from bot.rooms.codec import encode
from infra.configuration import TELEGRAM_API_URL
from infra.queue import QueueUnavailable
from infra.store.set_aside import Aside
from infra.store.table import StoreError
from infra.telegram.errors import WireError
from local.bot_socket import Closed
from operate import changes, doctor, rooms, rotating
from operate.bot import Bot, CannotRun, NotDone, at_home, stack
from operate.output import Output, counted, moment

P = ParamSpec("P")
_EXPECTED = (CannotRun, NotDone, Closed, StoreError, WireError, QueueUnavailable)


@dataclass
class Run:
    """One run of the command line."""

    output: Output
    #: Finds the bot that ``--stack`` or ``--home`` names. Raises CannotRun.
    bot: Callable[[ExitStack], Bot]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "OPERATE"})
@click.option("--stack", "name", help="name of the stack; boto3 finds region and credentials as always")
@click.option("--home", "folder", type=click.Path(path_type=Path), help="folder of `make bot`")
@click.option("--json", "as_json", is_flag=True, help="print JSON instead of tables")
@click.option("--yes", "sure", is_flag=True, help="make changes without asking")
@click.pass_context
def main(context: click.Context, name: str | None, folder: Path | None, as_json: bool, sure: bool) -> None:
    """Operate a stack in the cloud (--stack), or a bot on this machine (--home; BOT_TOKEN is its token)."""
    if context.obj is not None:
        context.obj.output.as_json, context.obj.output.sure = as_json, sure
        return
    if (name is None) == (folder is None):
        raise click.UsageError("say --stack NAME or --home FOLDER")

    def opened(leaving: ExitStack) -> Bot:
        url = (os.environ.get("TELEGRAM_API_URL") or TELEGRAM_API_URL).rstrip("/")
        if name is not None:
            return leaving.enter_context(stack(name, api_url=url))
        assert folder is not None
        token, beacon = os.environ.get("BOT_TOKEN", ""), os.environ.get("BEACON") or None
        return leaving.enter_context(at_home(folder.expanduser(), token, api_url=url, beacon=beacon))

    context.obj = Run(Output(as_json, sure), opened)


def command(function: Callable[Concatenate[Output, Bot, P], None]) -> Callable[P, None]:
    """Turn a function of an output and a bot into a command. Expected errors end it with one line."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        context = click.get_current_context()
        with ExitStack() as leaving:
            try:
                function(context.obj.output, context.obj.bot(leaving), *args, **kwargs)
            except ClientError as error:  # AWS's text may quote the request
                code = error.response.get("Error", {}).get("Code") or type(error).__name__
                raise click.ClickException(f"AWS refuses: {code}") from None
            except BotoCoreError as error:
                raise click.ClickException(f"AWS refuses: {type(error).__name__}") from None
            except _EXPECTED as error:
                raise click.ClickException(str(error)) from None
            except OSError as error:
                raise click.ClickException(f"{error.filename}: {error.strerror}") from None

    # A group's number is negative, but it is not an option.
    settings = {"ignore_unknown_options": True}
    name = function.__name__.removesuffix("_").replace("_", "-")
    return main.command(name=name, context_settings=settings)(run)


@command
def doctor_(output: Output, bot: Bot) -> None:
    """Check the deployment and suggest fixes. Fails if something is bad."""
    findings = list(doctor.examine(bot))
    verdict = max((finding.verdict for finding in findings), key=list(doctor.Verdict).index)
    rows = [finding.as_row() for finding in findings]
    if output.as_json:
        output.say({"place": bot.name, "verdict": verdict.value, "findings": rows}, "")
    else:
        output.rows(rows, "")
        output.say(None, f"{bot.name}: {doctor.VERDICT_TEXTS[verdict]}")
    if verdict is doctor.Verdict.BAD:
        raise click.exceptions.Exit(1)


@command
def rooms_(output: Output, bot: Bot) -> None:
    """List every room, its state and since when."""
    output.rows([rooms.in_short(item) for item in bot.rooms.every()], "no rooms yet")


@command
@click.argument("key")
@click.option(
    "--reveal",
    is_flag=True,
    help="show settings, lobby and game, with all roles, hands and names; the audit records that",
)
def room(output: Output, bot: Bot, key: str, reveal: bool) -> None:
    """Show one room (room#CHAT, room#CHAT#TOPIC or CHAT): what it waits for and since when."""
    item = changes.find_room(bot, key)
    if not reveal:
        detail = rooms.in_detail(item, bot.clock())
        shown = {name: value for name, value in detail.items() if value or name == "unsent"}
        output.say(detail, "\n".join(f"{name}: {value}" for name, value in shown.items()))
        return
    output.confirm(f"show every role, hand and name of {item.key}; that you did is recorded")
    read = bot.record("reveal", item.key, lambda: rooms.read(item))
    if read is None:
        raise CannotRun("this version cannot read the room")
    whole = json.loads(encode(read))
    output.say(whole, json.dumps(whole, ensure_ascii=False, indent=1))


@command
@click.argument("key")
def unstick(output: Output, bot: Bot, key: str) -> None:
    """End a room's wait for Telegram, and wake it now."""
    item = changes.find_room(bot, key)
    output.confirm(f"end {item.key}'s waits for Telegram, and wake it; unsent: {len(item.outbox)}")
    bot.record("unstick", item.key, lambda: changes.unstick(bot, item))
    output.say({"room": item.key, "woken": True}, f"{item.key} is looked after {bot.soon}")


@command
@click.option("--most", type=click.IntRange(1), help="how many at most (default: all)")
def replay(output: Output, bot: Bot, most: int | None) -> None:
    """Queue dead letters again: wake-ups that failed five times."""
    if bot.at_home:
        raise CannotRun("at home no wake-up is lost: the bot looks after its rooms whenever it starts")
    dead = changes.count_messages(bot, "dead_letters")
    wanted = dead if most is None else min(most, dead)
    sent = 0
    if wanted:
        output.confirm(f"send {wanted} of about {counted(dead, 'dead letter')} again")
        over = partial(output.over, what="replay")
        sent = bot.record("replay", str(wanted), lambda: changes.replay(bot, wanted, over))
    output.say({"sent": sent, "dead": dead}, f"{sent} sent again")


@command
@click.argument("who", type=int)
def ban(output: Output, bot: Bot, who: int) -> None:
    """Stop a group (its number is negative) or a person from playing."""
    output.confirm(f"ban {who}: no new lobby, no seat, no answer; a game that runs is played to its end")
    bot.record("ban", str(who), lambda: bot.orders.ban(who))
    output.say({"banned": who}, f"{who} is banned {bot.everywhere}")


@command
@click.argument("who", type=int)
def unban(output: Output, bot: Bot, who: int) -> None:
    """Let a banned group or person play again."""
    output.confirm(f"let {who} play again")
    bot.record("unban", str(who), lambda: bot.orders.unban(who))
    output.say({"unbanned": who}, f"{who} may play {bot.everywhere}")


@command
@click.argument("group", type=click.IntRange(max=-1))
def allow(output: Output, bot: Bot, group: int) -> None:
    """Add a group to the list of groups that may begin games. If the list is empty, all groups may."""
    if bot.parameters.get("AllowedChats"):
        alone = "the stack is deployed with AllowedChats, which alone counts"
        raise CannotRun(f"{alone}: deploy without it first")
    first = "" if bot.orders.current(fresh=True).allowed else "; all groups that are not listed get no answer"
    output.confirm(f"let group {group} play{first}")
    bot.record("allow", str(group), lambda: bot.orders.allow(group))
    output.say({"allowed": group}, f"{group} may play {bot.everywhere}")


@command
@click.argument("group", type=int)
def disallow(output: Output, bot: Bot, group: int) -> None:
    """Remove a group from the list of groups that may begin games. A running game goes on."""
    allowed = bot.orders.current(fresh=True).allowed
    last = "; the list is empty then, and all groups may play" if allowed <= {group} else ""
    output.confirm(f"take group {group} off the list{last}")
    bot.record("disallow", str(group), lambda: bot.orders.disallow(group))
    output.say({"disallowed": group}, f"{group} is off the list {bot.everywhere}")


@command
def allowed(output: Output, bot: Bot) -> None:
    """Show the list of groups that may begin games, by their numbers. If it is empty, all groups may."""
    found = sorted(bot.orders.current(fresh=True).allowed)
    output.rows([{"group": group} for group in found], "the list is empty: all groups may play")


@command
def banned(output: Output, bot: Bot) -> None:
    """List the groups and people who are banned, by number."""
    found = sorted(bot.orders.current(fresh=True).banned)
    output.rows([{"who": who, "what": "group" if who < 0 else "person"} for who in found], "nobody")


@command
def pause(output: Output, bot: Bot) -> None:
    """Stop new games from now on, without a deploy."""
    output.confirm("let nobody open a new lobby; what is open or running goes on")
    bot.record("pause", "", lambda: bot.orders.pause(True))
    output.say({"paused": True}, f"no new games {bot.everywhere}")


@command
def resume(output: Output, bot: Bot) -> None:
    """Allow new games again."""
    output.confirm("let new lobbies open again")
    bot.record("resume", "", lambda: bot.orders.pause(False))
    output.say({"paused": False}, f"new games open again {bot.everywhere}")


@command
def reset_pace(output: Output, bot: Bot) -> None:
    """Let the whole bot send at once. End the wait under its own limit, and the pause that Telegram wants."""
    output.confirm("have the whole bot send at once; if Telegram has enough of it, that makes it worse")
    bot.record("reset-pace", "", bot.pace.reset)
    output.say({"reset": True}, "messages go out as their rooms are looked after")


@command
@click.argument("text")
def tell(output: Output, bot: Bot, text: str) -> None:
    """Send a text to every room with a running game or an open lobby, private ones too, at the bot's pace."""
    if not 0 < len(text.strip()) <= 1000:
        raise click.UsageError("a message has 1 to 1000 characters")
    items = changes.running(bot)
    seconds = len(items) * bot.pace.interval
    output.confirm(f"say so in {counted(len(items), 'room')}, which takes about {seconds:.0f} s: {text}")
    over = output.over(items, "tell")
    told, missed = bot.record("tell", str(len(items)), lambda: changes.tell(bot, over, text))
    text = f"told {bot.soon}: {counted(told, 'room')}; too busy: {missed}"
    output.say({"told": told, "missed": missed}, text)


@command
@click.argument("key")
@click.option("--to", "file", required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--reveal", is_flag=True, help="also during a game; the file then has its secrets")
def export(output: Output, bot: Bot, key: str, file: Path, reveal: bool) -> None:
    """Write a room, its finished games and its leaderboard to a file."""
    item = changes.find_room(bot, key)
    read = rooms.read(item)
    if not reveal and (read is None or read.playing is not None):
        raise CannotRun("a game runs there, or it cannot be read: wait for its end, or --reveal")
    items = changes.items_of_room(bot, item.key)
    count = counted(len(items), "item")
    output.confirm(f"write {count} of {item.key}, with names and ids, to {file}; that is recorded")
    over = output.over(items, "export")
    bot.record("export", item.key, lambda: _write(file, changes.as_json(list(over))))
    result = {"room": item.key, "items": len(items), "file": str(file)}
    output.say(result, f"{count} in {file}")


def _write(file: Path, text: str) -> None:
    file.touch(mode=0o600)  # only its owner may read it
    file.chmod(0o600)  # an existing file may be readable by anybody
    file.write_text(text, "utf-8")


@command
def aside(output: Output, bot: Bot) -> None:
    """List records, erasures and messages that were set aside, with the reason. Their rooms went on."""
    found = [{"key": one.key, "why": one.why, "since": moment(one.at)} for one in bot.set_aside.all()]
    output.rows(found, "nothing is set aside")


@command
@click.argument("key", required=False)
def retry(output: Output, bot: Bot, key: str | None) -> None:
    """Write or send again what was set aside: all of it, or only what has this key."""
    wanted = _set_aside(bot, key)
    output.confirm(f"write or send {counted(len(wanted), 'thing')} again that failed")
    bot.record("retry", key or "all", lambda: changes.retry(bot, wanted))
    output.say({"retried": len(wanted)}, f"{len(wanted)} written, or on the way")


@command
@click.argument("key")
def drop(output: Output, bot: Bot, key: str) -> None:
    """Delete one thing that was set aside, without trying it again."""
    (one,) = _set_aside(bot, key)
    output.confirm(f"delete {key} for good")
    bot.record("drop", key, lambda: bot.set_aside.drop(one))
    output.say({"dropped": key}, f"{key} is gone")


def _set_aside(bot: Bot, key: str | None) -> list[Aside]:
    """Return all that is set aside, or only what has this key. Raises CannotRun if nothing has it."""
    found = [one for one in bot.set_aside.all() if key in (None, one.key)]
    if key is not None and not found:
        raise CannotRun(f"nothing is set aside as {key}")
    return found


@command
@click.argument("key")
def purge(output: Output, bot: Bot, key: str) -> None:
    """Delete everything that is stored about a group or topic: room, settings, games, leaderboard."""
    item = changes.find_room(bot, key)
    count = counted(len(changes.items_of_room(bot, item.key)), "item")
    others = changes.sibling_keys(bot, item.key)
    staying = f"; rooms of the same group that stay: {', '.join(others)}" if others else ""
    output.confirm(f"delete {item.key} with {count}, for good; a game that runs ends at once{staying}")
    over = partial(output.over, what="purge")
    gone = bot.record("purge", item.key, lambda: changes.purge(bot, item.key, over))
    result = {"room": item.key, "deleted": gone, "staying": others}
    output.say(result, f"gone: {counted(gone, 'item')}{staying}")


@command
@click.argument("what", type=click.Choice(["secret", "token"]))
def rotate(output: Output, bot: Bot, what: str) -> None:
    """Change the webhook secret (made here) or the token (typed, never an argument).

    Without a terminal, the token is read from the standard input.
    """
    if bot.at_home:
        raise CannotRun("at home the token is in the environment, and there is no webhook")
    if what == "secret":
        output.confirm("put a new secret into the store and tell Telegram")
        bot.record("rotate", what, lambda: rotating.new_secret(bot))
    else:
        token = click.prompt("BotFather's new token", hide_input=True, err=True).strip()
        output.confirm("put this token into the store and tell Telegram; open join links die")
        bot.record("rotate", what, lambda: rotating.new_token(bot, token))
    output.say({"rotated": what}, f"the {what} is another one now")


@command
def audit(output: Output, bot: Bot) -> None:
    """List what operators did, the newest first."""
    found = [{**record, "at": moment(record["at"])} for record in bot.audit.records()]
    output.rows(found, "nothing yet")
