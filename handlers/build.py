"""Builds the bot from its settings and transports. Each entry holds one, made at its first call."""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from telegram.request import BaseRequest

from handlers.app import App
from handlers.asides import Asides
from handlers.delivering import Deliverer, pictures
from handlers.display.board_picture import Draw, render
from handlers.enquiring import Enquiries
from handlers.forgetting import Forgetting
from handlers.personal import Personal
from handlers.recording import Recorder
from handlers.throttle import IN_A_GROUP, Throttle
from infra.archives import Archives
from infra.courier import Courier
from infra.loop import Loop
from infra.observability import Log
from infra.people import Users
from infra.queue import Wakeups, sqs_client
from infra.secrets import Secrets
from infra.settings import Settings
from infra.store import Rooms
from infra.table import Table, dynamodb_client
from infra.telegram import Gateway

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient
    from mypy_boto3_sqs.client import SQSClient


@dataclass(frozen=True, slots=True)
class Built:
    """A bot with what its entries need beside it."""

    app: App
    #: What Telegram must say in its header; read when first asked for.
    webhook_secret: Callable[[], str]
    log: Log


@cache
def shared() -> Built:
    """This process's bot, from its environment. Raises SettingsError with what is missing."""
    return build(Settings.from_environment(os.environ))


def build(
    settings: Settings,
    *,
    dynamodb: "DynamoDBClient | None" = None,
    sqs: "Callable[[], SQSClient]" = sqs_client,
    request: BaseRequest | None = None,
    clock: Callable[[], float] = time.time,
    entropy: Callable[[], str] = lambda: secrets.token_hex(32),
    loop: Loop | None = None,
    log: Log | None = None,
    draw: Draw = render,
) -> Built:
    """A bot for these settings; transports, clock and chance are the real ones unless handed in."""
    kept = Secrets(settings)
    log = log or Log()
    table = Table(dynamodb or dynamodb_client(), settings.table_name)
    rooms = Rooms(table, clock)
    gateway = Gateway(
        lambda fresh: kept.bot_token(refresh=fresh),
        settings.telegram_api_url,
        request,
        loop=loop,
        clock=clock,
    )
    wakeups = Wakeups(settings.queue_url, clock, sqs)
    courier = Courier(rooms, gateway, wakeups, clock, photo=pictures(draw), note=log.note)
    users, archives = Users(table, clock), Archives(table)
    recorder = Recorder(rooms, archives, users)
    personal = Personal(users, rooms, gateway, Forgetting(users, archives, entropy))
    app = App(
        rooms=rooms,
        users=users,
        recorder=recorder,
        personal=personal,
        gateway=gateway,
        enquiries=Enquiries(gateway, personal, recorder),
        deliverer=Deliverer(courier, rooms, table, clock),
        asides=Asides(rooms, gateway, clock, log.note),
        wakeups=wakeups,
        note=log.note,
        bind=log.bind,
        username=settings.bot_username,
        link_key=kept.webhook_secret().encode(),
        clock=clock,
        entropy=entropy,
        throttle=Throttle(clock),
        in_groups=Throttle(clock, IN_A_GROUP),
        allowed_chats=settings.chats,
        draining=settings.drain,
    )
    return Built(app, kept.webhook_secret, log)
