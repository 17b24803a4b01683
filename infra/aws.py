"""Clients of AWS's services, made from one session."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from botocore.session import Session

SERVICES = ("dynamodb", "secretsmanager", "sqs")
"""What we make clients of."""


@cache
def session() -> Session:
    """This process's session. Region, credentials and `AWS_ENDPOINT_URL` come from boto3's own variables.

    One for all clients: each session reads the description of AWS's regions and endpoints for itself,
    which takes twice as long as a client. It is botocore's: boto3 would make the same clients, and takes
    15 ms more to import for what it has beside them.
    """
    from botocore.loaders import Loader
    from botocore.session import get_session

    class OurServices(Loader):
        """Finds services without a look into the folders of all four hundred (15 ms, more on a cold disk)."""

        def list_available_services(self, type_name: str) -> list[str]:
            return list(SERVICES)

    found = get_session()
    found.register_component("data_loader", OurServices())
    return found


def client(service: str, *, connect: float, read: float, tries: int, **overrides: Any) -> Any:
    """A client of a service that gives up early, as somebody waits.

    Args:
        connect, read: seconds to wait for a connection and for an answer, each time.
        tries: how often a request is made at most.
        overrides: arguments of `Session.create_client`, and in `config` those of botocore's `Config`.
    """
    from botocore.config import Config

    config = Config(
        connect_timeout=connect,
        read_timeout=read,
        retries={"mode": "standard", "total_max_attempts": tries},
        # A fifth of a call's CPU goes into describing the client and checking the arguments' types;
        # the tests, with a client that does check, make the same calls.
        user_agent="chancellery",
        parameter_validation=False,
        **overrides.pop("config", {}),
    )
    make: Any = session().create_client
    return make(service, config=config, **overrides)
