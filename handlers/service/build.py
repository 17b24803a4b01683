"""Build the bot from its configuration and transports, once per process."""

import os
import secrets
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from telegram.request import BaseRequest

from bot.display.board_picture import Draw, render
from bot.rooms.sealing import Beacon, quicknet_at
from engine.frozen import frozen
from handlers.service.admission import Admission, Throttles
from handlers.service.app import App
from handlers.service.erasing import Eraser
from handlers.service.finished_games import FinishedGames
from handlers.service.lookups import Lookups
from handlers.service.outbox_service import OutboxService, picture_drawer
from handlers.service.private_chat import PrivateChat
from handlers.service.recording import Recorder
from handlers.service.room_service import RoomService
from handlers.service.upkeep import Cleanup, Upkeep
from infra.beacon import BeaconClient
from infra.configuration import NO_BEACON, Configuration
from infra.observability import Log
from infra.outbox.outbox_sender import OutboxSender
from infra.outbox.send import WaitUntil
from infra.queue import WakeupQueue, sqs_client
from infra.secrets import Secrets, link_key_of
from infra.store.archives import Archives
from infra.store.orders import Orders
from infra.store.pace import Pace
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.set_aside import SetAside
from infra.store.table import Cursor, DynamoTable, dynamodb_client
from infra.telegram.gateway import Gateway, Loop

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient
    from mypy_boto3_sqs.client import SQSClient


@frozen
class Built:
    """A bot, and what else the Lambda handlers need."""

    app: App
    #: The daily pass over all rooms.
    cleanup: Cleanup
    secrets: Secrets
    log: Log
    #: The watchdog's duties besides waking rooms; None if the configuration has no setup revision, as in the
    #: webhook's function and in simulations.
    upkeep: Upkeep | None = None


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
    are sent without the bot-wide pace, for comparisons. Raises SecretUnavailable if the token cannot be read.
    """
    stored_secrets = Secrets(configuration, clock=clock)
    log = log or Log()
    table = DynamoTable(dynamodb or dynamodb_client(), configuration.table_name)
    rooms = Rooms(table, clock)
    url = configuration.telegram_api_url
    gateway = Gateway(
        lambda fresh: stored_secrets.bot_token(refresh=fresh), url, request, loop=loop, clock=clock
    )
    wakeups = WakeupQueue(configuration.queue_url, clock, sqs)
    pace, orders = Pace(table, clock), Orders(table, clock)
    kept_pace, photo = pace if limited else None, picture_drawer(draw)
    outbox_sender = OutboxSender(
        rooms, gateway, wakeups, clock, pace=kept_pace, wait_until=wait_until, photo=photo, note=log.note
    )
    users = Users(table, clock)
    if configuration.beacon == NO_BEACON:
        beacon = None
    elif beacon is None:
        beacon = quicknet_at(configuration.beacon)

    archives, set_aside = Archives(table), SetAside(table, rooms, clock, log.note)
    recorder = Recorder(rooms, archives, users, set_aside)
    finished = FinishedGames(users, rooms, archives, gateway, wakeups, pace, clock, draw)
    eraser = Eraser(rooms, archives, users, entropy, set_aside)
    outbox_service = OutboxService(outbox_sender, rooms, clock, set_aside)
    link_key = link_key_of(stored_secrets.bot_token())
    beacon_client = beacon_client or BeaconClient(clock=clock)
    room_service = RoomService(
        rooms=rooms,
        users=users,
        recorder=recorder,
        eraser=eraser,
        lookups=Lookups(gateway, users, recorder, beacon, beacon_client, pace, orders, log.note),
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
        private_chat=PrivateChat(users, rooms, gateway, eraser, finished, configuration.bot_username),
        gateway=gateway,
        outbox_service=outbox_service,
        wakeups=wakeups,
        room_service=room_service,
        admission=Admission(rooms, users, configuration.allowed_chat_ids, orders),
        note=log.note,
        link_key=link_key,
        clock=clock,
        throttles=Throttles(clock),
    )

    # "fading" is the stored name: with another one, the pass would begin again at the first room.
    cleanup = Cleanup(rooms, room_service, clock, Cursor(table, "fading"))
    upkeep = None
    if configuration.setup_revision is not None:
        registering, daily = Cursor(table, "registering"), Cursor(table, "daily")
        revision, webhook = configuration.setup_revision, configuration.webhook_url
        upkeep = Upkeep(gateway, clock, log.note, registering, daily, revision, webhook)
    return Built(app, cleanup, stored_secrets, log, upkeep)
