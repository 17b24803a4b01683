"""Lambda handler for wake-ups from the queue, and for the watchdog's schedule.

The watchdog makes a round every few minutes. It wakes rooms whose wake-up was lost, and does the upkeep of
the whole bot. Each round is counted. If the count stops, an alarm goes off.
"""

from infra import startup  # must be imported first, see infra/startup.py

# isort: split

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.rooms.codec import NewerSchema
from handlers.service.build import Built, shared
from infra.observability import Watched
from infra.queue import QueueUnavailable, Wakeup

if TYPE_CHECKING:
    from handlers.service.upkeep import Upkeep

#: Sending stops this many milliseconds before Lambda's timeout.
MARGIN = 1_500
#: The value of ``pass`` in an event that asks for the daily pass at once.
DAILY_PASS = "cleanup"
#: Seconds that the watchdog leaves to finish its last room.
SECONDS_PER_ROOM = 5


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Handle Lambda's event with this process's bot."""
    try:
        return respond(shared(), event, context)
    finally:
        startup.note_answer()


def respond(built: Built, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake the rooms of an SQS batch and report which failed, or run the watchdog's round."""
    deadline = built.app.clock() + (context.get_remaining_time_in_millis() - MARGIN) / 1000
    if "Records" not in event:
        if event.get("pass") == DAILY_PASS:
            built.cleanup().run(deadline - SECONDS_PER_ROOM)
        else:
            _watch(built, deadline)
            if built.upkeep is not None:
                _look_after(built, built.upkeep(), deadline)
            built.log.count(Watched.WATCHDOG_ROUND)
            built.log.flush()
        return {}
    failed = []
    for record in event["Records"]:
        try:
            wakeup = Wakeup.parse(record["body"])
            done = built.app.wakeups.forward_if_early(wakeup)
        except (ValueError, QueueUnavailable) as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)
            built.log.flush()
            done = isinstance(error, ValueError)  # a malformed wake-up is not tried again
        else:
            if not done:
                with built.app.wakeups.following(wakeup):
                    done = _wake(built, wakeup.room, deadline)
        if not done:
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}


def _watch(built: Built, deadline: float) -> None:
    """Wake all due rooms, earliest first, until time is up. The next round wakes the rest."""
    for key, _ in built.app.rooms.due(built.app.clock()):
        if built.app.clock() > deadline - SECONDS_PER_ROOM:
            return
        _wake(built, key, deadline)


def _look_after(built: Built, upkeep: "Upkeep", deadline: float) -> None:
    """Check the webhook, register commands and profile, and run the daily pass.

    A duty that fails is counted, and the others still run. The next round repeats it.
    """

    def daily() -> None:
        if upkeep.check_due_today():
            built.cleanup().run(deadline - SECONDS_PER_ROOM)
            upkeep.note_pass()

    for duty in (upkeep.look_at_webhook, daily, lambda: upkeep.register(deadline - SECONDS_PER_ROOM)):
        try:
            if built.app.clock() < deadline - SECONDS_PER_ROOM:
                duty()
        except Exception as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)


def _wake(built: Built, key: str, deadline: float) -> bool:
    """Wake one room. Returns False if that failed: one room's trouble must not stop the others."""
    with built.log.invocation(room=key):
        try:
            built.app.on_wake(key, deadline)
        except NewerSchema as error:
            # The room stays due, so that the watchdog of the newer code finds it.
            built.log.failure("newer_room", error)
            return True
        except Exception as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)
            return False
    return True
