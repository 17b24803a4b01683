"""Build the bot from its configuration and transports, once per process."""

import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from telegram.request import BaseRequest

from bot.display.board_picture import Draw, render
from bot.display.expansion_parts import Expansion
from bot.display.expansions import SHOWN
from bot.display.words import Words
from bot.rooms.sealing import Beacon, quicknet_at
from engine import KNOWN, Ruleset, Setup
from engine.facts import Fact
from engine.step import question_of
from handlers.service.admission import Admission, throttles
from handlers.service.app import App
from handlers.service.lookups import Lookups
from handlers.service.outbox_service import OutboxService, picture_drawer
from handlers.service.room_service import RoomService
from infra.beacon import BeaconClient
from infra.configuration import NO_BEACON, Configuration
from infra.observability import Log
from infra.outbox.outbox_sender import OutboxSender
from infra.outbox.send import WaitUntil
from infra.queue import WakeupQueue, sqs_client
from infra.secrets import Secrets
from infra.store.orders import Orders
from infra.store.pace import Pace
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.table import Cursor, DynamoTable, dynamodb_client
from infra.telegram.gateway import Gateway, Loop

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient
    from mypy_boto3_sqs.client import SQSClient

    from handlers.service.erasing import Eraser
    from handlers.service.private_chat import PrivateChat
    from handlers.service.recording import Recorder
    from handlers.service.upkeep import Cleanup, Upkeep
    from infra.store.archives import Archives
    from infra.store.set_aside import SetAside


@dataclass(frozen=True, slots=True)
class Built:
    """A bot, and what else the Lambda handlers need."""

    app: App
    #: The daily pass over all rooms; made at its first use.
    cleanup: "Callable[[], Cleanup]"
    secrets: Secrets
    log: Log
    #: The watchdog's duties besides waking rooms; None if the configuration has no setup revision, as in the
    #: webhook's function and in simulations.
    upkeep: "Callable[[], Upkeep] | None" = None


@cache
def shared() -> Built:
    """Build the bot from the environment, once per process.

    Raises ConfigurationError, and what ``build`` raises.
    """
    return build(Configuration.from_environment(os.environ))


def build(
    configuration: Configuration,
    *,
    dynamodb: "DynamoDBClient | None" = None,
    sqs: "Callable[[], SQSClient]" = sqs_client,
    request: BaseRequest | None = None,
    clock: Callable[[], float] = time.time,
    entropy: Callable[[], str] = lambda: secrets.token_hex(32),
    loop: Loop | None = None,
    wait_until: WaitUntil | None = None,
    limited: bool = True,
    log: Log | None = None,
    draw: Draw = render,
    beacon: Beacon | None = None,
    beacon_client: BeaconClient | None = None,
) -> Built:
    """Build a bot as configured. Transports, clock, entropy and beacon are the real ones unless given.

    If the configuration says that there is no beacon, ``beacon`` is ignored. With ``limited=False``, messages
    are sent without the bot-wide pace, for comparisons. Raises Incomplete if something in a ruleset has no
    words or no icon, and SecretUnavailable if the token cannot be read.
    """
    check()
    stored_secrets = Secrets(configuration, clock=clock)
    log = log or Log()
    table = DynamoTable(dynamodb or dynamodb_client(), configuration.table_name)
    rooms = Rooms(table, clock)
    gateway = Gateway(
        lambda fresh: stored_secrets.bot_token(refresh=fresh),
        configuration.telegram_api_url,
        request,
        loop=loop,
        clock=clock,
    )
    wakeups = WakeupQueue(configuration.queue_url, clock, sqs)
    pace, orders = Pace(table, clock), Orders(table, clock)
    outbox_sender = OutboxSender(
        rooms,
        gateway,
        wakeups,
        clock,
        pace=pace if limited else None,
        wait_until=wait_until,
        photo=picture_drawer(draw),
        note=log.note,
    )
    users = Users(table, clock)
    if configuration.beacon == NO_BEACON:
        beacon = None
    elif beacon is None:
        beacon = quicknet_at(configuration.beacon)

    # Most processes start during a game, end before it does, and see no private command. So parts that are
    # needed only for a game's end, an erasure or a private chat are imported and made at their first use.

    @cache
    def archives() -> "Archives":
        from infra.store.archives import Archives

        return Archives(table)

    @cache
    def set_aside() -> "SetAside":
        from infra.store.set_aside import SetAside

        return SetAside(table, rooms, clock, log.note)

    @cache
    def recorder() -> "Recorder":
        from handlers.service.recording import Recorder

        return Recorder(rooms, archives(), users, set_aside())

    @cache
    def eraser() -> "Eraser":
        from handlers.service.erasing import Eraser

        return Eraser(rooms, archives(), users, entropy, set_aside())

    @cache
    def private_chat() -> "PrivateChat":
        from handlers.service.erasing import PersonEraser
        from handlers.service.finished_games import FinishedGames
        from handlers.service.private_chat import PrivateChat

        person_eraser = PersonEraser(users, archives(), entropy, set_aside())
        finished = FinishedGames(users, rooms, archives(), gateway, wakeups, pace, clock, draw)
        return PrivateChat(users, rooms, gateway, person_eraser, finished, configuration.bot_username)

    outbox_service = OutboxService(outbox_sender, rooms, clock, set_aside)
    link_key = stored_secrets.link_key()
    room_service = RoomService(
        rooms=rooms,
        users=users,
        recorder=recorder,
        eraser=eraser,
        lookups=Lookups(
            gateway=gateway,
            users=users,
            recorder=recorder,
            beacon=beacon,
            beacon_client=beacon_client or BeaconClient(clock=clock),
            pace=pace,
            orders=orders,
            note=log.note,
        ),
        outbox_service=outbox_service,
        wakeups=wakeups,
        note=log.note,
        bind=log.bind,
        username=configuration.bot_username,
        link_key=link_key,
        beacon=beacon,
        clock=clock,
        entropy=entropy,
        draining=configuration.drain,
    )
    app = App(
        rooms=rooms,
        users=users,
        private_chat=private_chat,
        gateway=gateway,
        outbox_service=outbox_service,
        wakeups=wakeups,
        room_service=room_service,
        admission=Admission(rooms, users, configuration.allowed_chat_ids, orders),
        note=log.note,
        link_key=link_key,
        clock=clock,
        throttles=throttles(clock),
    )

    @cache
    def cleanup() -> "Cleanup":
        from handlers.service.upkeep import Cleanup

        # "fading" is the stored name: with another one, the pass would begin again at the first room.
        return Cleanup(rooms, room_service, clock, Cursor(table, "fading"))

    @cache
    def upkeep() -> "Upkeep":
        from handlers.service.upkeep import Upkeep

        return Upkeep(
            gateway=gateway,
            clock=clock,
            note=log.note,
            registration_cursor=Cursor(table, "registering"),
            daily_pass_cursor=Cursor(table, "daily"),
            revision=configuration.setup_revision or "",
            webhook_url=configuration.webhook_url,
        )

    return Built(
        app,
        cleanup,
        secrets=stored_secrets,
        log=log,
        upkeep=None if configuration.setup_revision is None else upkeep,
    )


# --- completeness -------------------------------------------------------------------------------------------
# When the bot is built, check that everything that can happen has words and icons.


class Incomplete(ValueError):
    """Something in a ruleset has no words or no icon."""


@cache
def check() -> None:
    """Raise Incomplete if anything that can be played has no words or no icon.

    Its text lists everything that is missing.
    """
    if found := tuple(gaps()):
        raise Incomplete("\n".join(found))


def gaps(
    rulesets: Iterable[Ruleset] = KNOWN, shown: Expansion = SHOWN, words: Words | None = None
) -> Iterator[str]:
    """Yield a sentence for each thing that is missing: an icon, a text, or the line that tells of a fact."""
    catalogue = words or Words()
    for kind in dict.fromkeys(Fact.kinds.values()):
        if kind not in shown.lines and kind not in shown.without_line:
            yield f"the fact {kind.id!r} has no line, and is not among those without one on purpose"
        elif kind in shown.without_line and kind not in shown.remembered and kind not in shown.forgotten:
            yield f"no history tells of the fact {kind.id!r}, and it is not among the forgotten ones"
    for name in (*(mark.icon for mark in shown.marks), *(face.icon for face in shown.faces.values())):
        if name is not None and name not in shown.icons:
            yield f"there is no icon {name!r}"
    needed = [f"option.{verb}" for verb in sorted(shown.verbs)]
    for rules in rulesets:
        yield from _missing_icons(rules, shown)
        needed += [key for key in _catalogue_keys(rules, shown) if key not in needed]
    for key in needed:
        if not catalogue.has(key):
            yield f"the catalogue has no words for {key!r}"


def _missing_icons(rules: Ruleset, shown: Expansion) -> Iterator[str]:
    for power in _powers(rules):
        if f"power/{power}" not in shown.icons:
            yield f"{rules.id}: the power {power!r} has no icon"
    endings = {
        ending for players in rules.players for ending in rules.board_for(Setup(rules.id, players)).endings
    }
    for ending in sorted(endings - shown.endings.keys()):
        yield f"{rules.id}: the ending {ending!r} has no icons"
    for role in rules.secret_roles:
        if f"role/{role}" not in shown.icons:
            yield f"{rules.id}: the role {role!r} has no icon"


def _powers(rules: Ruleset) -> tuple[str, ...]:
    """Return the powers that spaces on the board or tiles of this ruleset may have."""
    carried = (power for powers in rules.tiles.values() for power in powers)
    return tuple(dict.fromkeys((*rules.powers, *carried)))


def _catalogue_keys(rules: Ruleset, shown: Expansion) -> Iterator[str]:
    """Yield the catalogue's keys that a ruleset needs: for its names, questions and refusals."""
    yield f"ruleset.{rules.name}"
    yield from (f"tile.{kind}" for kind in rules.tiles)
    for power in _powers(rules):
        yield from (f"power.{power}", f"rules.power.{power}")
    for role in rules.secret_roles:
        yield from (f"role.{role}", f"role.{role}.about", f"rules.secret.{role}")
    yield from (f"parties.{role}" for role in rules.own_sides)
    for option, choice in rules.options.items():
        yield from (
            f"setup.{option}",
            f"setup.about.{option}",
            *(f"value.{value}" for value in choice.values),
        )
        refused = {choice.refuses(value, players) for value in choice.values for players in rules.players}
        yield from (f"illegal.{reason}" for reason in sorted(refused - {None}, key=str))
    for question in sorted({asked for step in rules.steps.values() if (asked := question_of(step))}):
        yield from (f"ask.{question}", f"waiting.{question}")
        if question not in shown.without_record:
            yield f"answered.{question}"
