"""AWS and Telegram on loopback ports, for functions that run in separate processes."""

import logging
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

from sandbox.dynoxide import create_table
from sandbox.harness import CREDENTIALS
from sandbox.lambda_runtime import LambdaRuntime, update_event
from sandbox.telegram import Response, Telegram
from sandbox.telegram.calls import validate
from sandbox.telegram.transport import serving

SECRET = "a-secret-of-the-webhook"


@dataclass
class LocalCloud:
    """The local services, and the environment variables of a function that uses them."""

    aws: str
    telegram: Telegram
    environment: dict[str, str] = field(default_factory=dict)

    def service(self, name: str) -> Any:
        """Return a boto3 client of one of the local AWS services."""
        make: Any = boto3.client
        return make(name, endpoint_url=self.aws, **CREDENTIALS)

    def items(self) -> list[dict[str, Any]]:
        """Return all items in the table."""
        found: list[dict[str, Any]] = self.service("dynamodb").scan(TableName="rooms")["Items"]
        return found

    def deliver(self, runtime: LambdaRuntime) -> list[int]:
        """Deliver all pending updates to the function, as Telegram would; return the HTTP statuses."""
        statuses = []

        def carry(update: dict[str, Any], headers: dict[str, str]) -> Response:
            response = Response.of(runtime.invoke(update_event(update, SECRET)))
            statuses.append(response.status)
            return response

        self.telegram.delivery.run_until_idle(carry)
        return statuses


@contextmanager
def local_cloud() -> Iterator[LocalCloud]:
    """Start a cloud with a table ``rooms``, a queue ``wakeups`` and the secrets ``token`` and ``secret``."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    aws = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    aws.start()
    host, port = aws.get_host_and_port()
    # moto keeps its state in the process, so an earlier server may have left some.
    reset = urllib.request.Request(f"http://{host}:{port}/moto-api/reset", method="POST")
    urllib.request.urlopen(reset, timeout=10).close()
    telegram = Telegram(time.time)
    # Load aiogram's models now. This can take seconds, too long for the first answer.
    validate("getMe", {})
    try:
        with serving(telegram) as server:
            cloud = LocalCloud(f"http://{host}:{port}", telegram)
            create_table(cloud.service("dynamodb"), "rooms")
            queue = cloud.service("sqs").create_queue(QueueName="wakeups")["QueueUrl"]
            for name, value in (("token", telegram.token), ("secret", SECRET)):
                cloud.service("secretsmanager").create_secret(Name=name, SecretString=value)
            cloud.environment = {
                "AWS_ENDPOINT_URL": cloud.aws,
                "TELEGRAM_API_URL": server.url,
                "TABLE_NAME": "rooms",
                "QUEUE_URL": queue,
                "BEACON": "off",
                "BOT_USERNAME": telegram.bot.username or "",
                "BOT_TOKEN_PARAMETER": "token",
                "WEBHOOK_SECRET_PARAMETER": "secret",
                "POWERTOOLS_SERVICE_NAME": "chancellery",
                "POWERTOOLS_METRICS_NAMESPACE": "chancellery/test",
                "PYDANTIC_DISABLE_PLUGINS": "true",
            }
            yield cloud
    finally:
        aws.stop()
