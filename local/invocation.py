"""Call the Lambda handlers without Lambda."""

import json
from collections.abc import Mapping
from typing import Any


class LambdaContext:
    """The part of Lambda's context that the handlers use."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the time that a handler may plan with. Nothing stops a handler that takes longer."""
        return 30_000


def webhook_event(update: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
    """Return the event that a Function URL makes of Telegram's request with an update."""
    return {"version": "2.0", "headers": dict(headers), "body": json.dumps(update), "isBase64Encoded": False}
