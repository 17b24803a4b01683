"""Lambda entry: what happens later. Wake-ups from the queue, and the watchdog's schedule.

The watchdog makes its round every few minutes. It looks after rooms whose wake-up was lost, and after all
that is in no room. Each round is counted: when the count stops, an alarm says so.
"""

from infra import startup  # first, see there

# isort: split

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.rooms.codec import NewerSchema
from handlers.service.build import Built, shared
from infra.observability import Watched
from infra.queue import QueueUnavailable, Wakeup

if TYPE_CHECKING:
    from handlers.service.upkeep import Upkeep

#: Milliseconds before the function's end at which sending stops.
MARGIN = 1_500
#: What an event says that asks for the daily pass at once.
FADING = "fading"
#: Seconds that the watchdog leaves for the room that it is at.
A_ROOM = 5


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake rooms, with this process's bot."""
    try:
        return respond(shared(), event, context)
    finally:
        startup.answered()


def respond(built: Built, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Wake the rooms of an SQS batch (failures are reported one by one), or, by schedule, all due ones."""
    deadline = built.app.clock() + (context.get_remaining_time_in_millis() - MARGIN) / 1000
    if "Records" not in event:
        if event.get("pass") == FADING:
            built.fading().go_on(deadline - A_ROOM)
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
            done = isinstance(error, ValueError)  # what is no wake-up will never be one
        else:
            if not done:
                with built.app.wakeups.following(wakeup):
                    done = _wake(built, wakeup.room, deadline)
        if not done:
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}


def _watch(built: Built, deadline: float) -> None:
    """Wake every due room, earliest first, while there is time. The next round wakes the rest."""
    for key, _ in built.app.rooms.due(built.app.clock()):
        if built.app.clock() > deadline - A_ROOM:
            return
        _wake(built, key, deadline)


def _look_after(built: Built, upkeep: "Upkeep", deadline: float) -> None:
    """Look after the webhook, what is registered, and the daily pass.

    A duty that fails is counted and does not keep the next one back. It comes again with the next round.
    """

    def daily() -> None:
        if upkeep.is_due_today():
            built.fading().go_on(deadline - A_ROOM)
            upkeep.have_passed()

    for duty in (upkeep.look_at_webhook, daily, lambda: upkeep.register(deadline - A_ROOM)):
        try:
            if built.app.clock() < deadline - A_ROOM:
                duty()
        except Exception as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)


def _wake(built: Built, key: str, deadline: float) -> bool:
    """Wake one room. Returns whether that went well: one room's trouble must not stop another."""
    with built.log.invocation(room=key):
        try:
            built.app.on_wake(key, deadline)
        except NewerSchema as error:
            # Newer code looks after it: the room stays due, so that the watchdog of that finds it.
            built.log.failure("newer_room", error)
            return True
        except Exception as error:
            built.log.failure(Watched.WAKEUP_FAILED, error)
            return False
    return True
