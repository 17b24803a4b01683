"""Lambda handler for wake-ups from the queue, and for the watchdog's schedule.

The watchdog makes a round every few minutes. It wakes all rooms in which something is due: a wake-up may be
lost, and for some things none is queued. Then it does the upkeep of the whole bot. Each round is counted. If
the count stops, an alarm goes off.
"""

from infra import startup  # must be imported first, see infra/startup.py

# isort: split

from collections.abc import Mapping
from typing import Any

from bot.rooms.codec import NewerSchema
from handlers.service.build import Built, shared
from handlers.service.upkeep import Upkeep
from infra.observability import Watched
from infra.queue import QueueUnavailable, Wakeup

#: Sending stops this many milliseconds before Lambda's timeout.
MARGIN_MS = 1_500
#: The daily pass cleans up rooms that nobody has used for a year. If the field ``pass`` of an event has this
#: value, the daily pass runs at once.
DAILY_PASS = "cleanup"
#: For this many seconds before its deadline, the watchdog starts nothing new, so that it can finish the
#: present room.
LAST_SECONDS = 5


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Handle Lambda's event with this process's bot."""
    try:
        return respond(shared(), event, context)
    finally:
        startup.note_answer()


def respond(built: Built, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake the rooms of an SQS batch and report which failed.

    Without a batch, run the watchdog's round, or only the daily pass if the event asks for it.
    """
    deadline = built.app.clock() + (context.get_remaining_time_in_millis() - MARGIN_MS) / 1000
    if "Records" not in event:
        if event.get("pass") == DAILY_PASS:
            built.cleanup.run(deadline - LAST_SECONDS)
        else:
            _wake_due_rooms(built, deadline)
            if built.upkeep is not None:
                _run_duties(built, built.upkeep, deadline)
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


def _wake_due_rooms(built: Built, deadline: float) -> None:
    """Wake all due rooms, earliest first, until the time is up. The next round wakes the rest."""
    for key, _ in built.app.rooms.due(built.app.clock()):
        if built.app.clock() > deadline - LAST_SECONDS:
            return
        _wake(built, key, deadline)


def _run_duties(built: Built, upkeep: Upkeep, deadline: float) -> None:
    """Check the webhook, register commands and profile, and run the daily pass.

    If a duty fails, that is logged, and the others still run. The next round tries again.
    """

    def daily() -> None:
        if upkeep.check_daily_pass():
            built.cleanup.run(deadline - LAST_SECONDS)
            upkeep.note_daily_pass()

    for duty in (upkeep.look_at_webhook, daily, lambda: upkeep.register(deadline - LAST_SECONDS)):
        try:
            if built.app.clock() < deadline - LAST_SECONDS:
                duty()
        except Exception as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)


def _wake(built: Built, key: str, deadline: float) -> bool:
    """Wake one room. Return False if the wake-up must be tried again.

    The key may also name a person who watches a finished game step by step. Then show the step that they
    asked for last, if it has not been shown yet.

    Errors are logged, not raised, so that one room does not stop the others.
    """
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
