"""Clients of AWS's services, made from one session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from botocore.session import Session

SERVICES = ("dynamodb", "secretsmanager", "sqs")
"""What we make clients of."""


@cache
def session() -> Session:
    """This process's session. Region, credentials and `AWS_ENDPOINT_URL` come from boto3's own variables.

    One for all clients: each session reads for itself what they have in common. It is botocore's: boto3
    would make the same clients, and takes 15 ms more to import for what it has beside them.
    """
    from botocore.loaders import Loader
    from botocore.session import get_session

    class OurServices(Loader):
        """Reads what our clients need, and not what four hundred other services would."""

        def list_available_services(self, type_name: str) -> list[str]:
            """Without a look into all their folders (15 ms, more on a cold disk)."""
            return list(SERVICES)

        def load_data_with_path(self, name: str) -> tuple[Any, str]:
            """The list of all services' addresses (1 MB, 14 ms) made of the short one of the partitions.

            Each of our services says by rules of its own where it is; of the list, botocore takes only
            what is the same for all.
            """
            data, path = super().load_data_with_path("partitions" if name == "endpoints" else name)
            if name == "endpoints":
                data = {"version": 3, "partitions": [_endpoints(each) for each in data["partitions"]]}
            return data, path

    found = get_session()
    found.register_component("data_loader", OurServices())
    return found


def _endpoints(partition: Mapping[str, Any]) -> dict[str, Any]:
    """What botocore's `endpoints.json` says of a partition (a set of regions), but for single services."""
    suffix, dual = (partition["outputs"][name] for name in ("dnsSuffix", "dualStackDnsSuffix"))
    kinds = (("-fips", suffix, ("fips",)), ("", dual, ("dualstack",)), ("-fips", dual, ("dualstack", "fips")))
    variants = [
        {"hostname": f"{{service}}{kind}.{{region}}.{{dnsSuffix}}", "dnsSuffix": end, "tags": list(tags)}
        for kind, end, tags in kinds
    ]
    return {
        "partition": partition["id"],
        "dnsSuffix": suffix,
        "regionRegex": partition["regionRegex"],
        "regions": partition["regions"],
        "services": {},
        "defaults": {
            "hostname": "{service}.{region}.{dnsSuffix}",
            "protocols": ["https"],
            "signatureVersions": ["v4"],
            "variants": variants,
        },
    }


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
