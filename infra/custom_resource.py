"""Answer CloudFormation's requests for custom resources, by a PUT to a signed address.

Without an answer the stack waits for the resource's ServiceTimeout and then fails, so ``put_answer`` tries
more than once.
"""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

#: Deliver an answer: (signed address, body).
Put = Callable[[str, bytes], None]

_ATTEMPTS = 4
#: The most characters of a reason. CloudFormation takes answers of at most 4096 bytes in all.
_REASON_LIMIT = 1000


def answer(event: Mapping[str, Any], physical_id: str, failure: str | None, data: Mapping[str, str]) -> bytes:
    """Return the body that reports the request ``event`` as done, or as failed if ``failure`` gives a reason.

    ``data`` holds what the template can read with ``Fn::GetAtt``.
    """
    status = "SUCCESS" if failure is None else "FAILED"
    result = {"Status": status, "Reason": (failure or "done")[:_REASON_LIMIT]}
    ids = {name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    return json.dumps({**result, "PhysicalResourceId": physical_id, **ids, "Data": data}).encode()


def put_answer(address: str, body: bytes, pause: Callable[[float], None] = time.sleep) -> None:
    """PUT ``body`` to the signed ``address``. After failures, try again after 1, 2 and 4 seconds.

    Raises OSError if no try succeeded. Its text leaves out the address, because anybody who knows the address
    can answer.
    """
    for attempt in range(_ATTEMPTS):
        # The address is signed for an empty content type.
        request = urllib.request.Request(address, data=body, method="PUT", headers={"Content-Type": ""})
        try:
            with urllib.request.urlopen(request, timeout=10):
                return
        except OSError:
            if attempt + 1 < _ATTEMPTS:
                pause(2.0**attempt)
    raise OSError("CloudFormation could not be answered")
