"""Where our clients send what: as botocore itself would, from a shorter list of addresses."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore.awsrequest import AWSPreparedRequest
from botocore.config import Config
from botocore.session import Session, get_session

from infra import aws

DATA = Path(botocore.__file__).parent / "data"
PARTITIONS = json.loads((DATA / "partitions.json").read_text())["partitions"]
REGIONS = [region for partition in PARTITIONS for region in partition["regions"]]
#: A call of each service that needs no arguments.
CALLS = {"dynamodb": "list_tables", "secretsmanager": "list_secrets", "sqs": "list_queues"}
KEYS: dict[str, Any] = {"aws_access_key_id": "nobody", "aws_secret_access_key": "nothing"}


class NotSent(Exception):
    """The request is complete, and goes nowhere."""


@cache
def of_botocore() -> Session:
    return get_session()


def sent(client: Any, call: str) -> tuple[str, str]:
    """Where a call would go, and what it is signed for (date, region and service are in there)."""
    seen: list[AWSPreparedRequest] = []

    def stop(request: AWSPreparedRequest, **_: Any) -> None:
        seen.append(request)
        raise NotSent

    client.meta.events.register("before-send", stop)
    with pytest.raises(NotSent):
        getattr(client, call)()
    signed = seen[0].headers["Authorization"]
    return seen[0].url, (signed.decode() if isinstance(signed, bytes) else signed).split(",")[0]


def test_every_service_of_ours_is_asked() -> None:
    assert set(CALLS) == set(aws.SERVICES)


@pytest.mark.parametrize("service", aws.SERVICES)
@pytest.mark.parametrize("region", REGIONS)
def test_in_every_region_a_call_goes_where_botocore_sends_it(service: str, region: str) -> None:
    ours = aws.client(service, connect=1, read=1, tries=1, region_name=region, **KEYS)
    its = of_botocore().create_client(service, region, **KEYS)
    where, signed = sent(ours, CALLS[service])
    assert (where, signed) == sent(its, CALLS[service])
    assert f"/{region}/{service}/" in signed


@pytest.mark.parametrize("service", aws.SERVICES)
@pytest.mark.parametrize("region", ["eu-central-1", "us-gov-west-1", "region-of-tomorrow-1", "eu-west-9"])
@pytest.mark.parametrize("kind", ["use_fips_endpoint", "use_dualstack_endpoint"])
def test_other_kinds_of_addresses_are_found_too(service: str, region: str, kind: str) -> None:
    special: dict[str, Any] = {kind: True}
    ours = aws.client(service, connect=1, read=1, tries=1, region_name=region, config=special, **KEYS)
    its = of_botocore().create_client(service, region, config=Config(**special), **KEYS)
    assert sent(ours, CALLS[service]) == sent(its, CALLS[service])
