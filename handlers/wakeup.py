"""Lambda entry: what happens later. Wake-ups from the queue, and the watchdog's schedule."""

from collections.abc import Mapping
from typing import Any

from handlers.build import Built, shared
from infra.queue import Wakeup

#: Milliseconds before the function's end at which sending stops.
MARGIN = 1_500


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake rooms, with this process's bot."""
    return respond(shared(), event, context)


def respond(built: Built, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake the rooms of an SQS batch (failures are reported one by one), or, by schedule, all due ones."""
    deadline = built.app.clock() + (context.get_remaining_time_in_millis() - MARGIN) / 1000
    if "Records" not in event:
        for key, _ in built.app.rooms.due(built.app.clock()):
            built.app.on_wake(key, deadline)
        return {}
    failed = []
    for record in event["Records"]:
        try:
            wakeup = Wakeup.parse(record["body"])
            if not built.wakeups.forward_if_early(wakeup):
                built.app.on_wake(wakeup.room, deadline, wakeup.attempt)
        except Exception as error:
            built.log.error("a wake-up failed", reason=type(error).__name__)
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}
