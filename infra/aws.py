"""Clients of AWS's services, made from one session."""

from __future__ import annotations

from functools import cache
from typing import Any

import boto3
from botocore.config import Config


@cache
def session() -> boto3.Session:
    """Return the process's session.

    boto3 reads region, credentials and ``AWS_ENDPOINT_URL`` from the environment. All clients share the
    session, so that the data common to them is read only once.
    """
    return boto3.Session()


def client(service: str, *, connect: float, read: float, tries: int, **overrides: Any) -> Any:
    """Return a client of a service that gives up early, because somebody is waiting.

    Args:
        connect, read: seconds to wait for a connection and for an answer, in each attempt.
        tries: the most attempts for one request.
        overrides: arguments of ``boto3.Session.client``, and in ``config`` those of botocore's ``Config``.
    """
    config = Config(
        connect_timeout=connect,
        read_timeout=read,
        retries={"mode": "standard", "total_max_attempts": tries},
        # Building the long user agent and checking argument types takes a fifth of a call's CPU time. The
        # tests make the same calls with a client that checks.
        user_agent="chancellery",
        parameter_validation=False,
        **overrides.pop("config", {}),
    )
    make: Any = session().client
    return make(service, config=config, **overrides)
