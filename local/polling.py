"""Long polling: updates from Telegram's getUpdates into the webhook entry, and what time brings.

One thing after another in one thread. An update is confirmed to Telegram only by asking for the next one
after it was dealt with, so that one cut short by a crash comes again, as it does to a webhook.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from bot.display.commands import ALLOWED_UPDATES
from handlers import wakeup, webhook
from handlers.service.build import Built
from infra.queue import Wakeup
from infra.store.table import StoreUnavailable
from infra.telegram.errors import AnswerLost, RetryLater, Unauthorized, WireError
from local.invocation import LambdaContext, webhook_event
from local.queue import DelayQueue
from local.sqlite_table import SqliteTable

#: Longest time that Telegram holds an answer back, in seconds.
PATIENCE = 25.0
#: Seconds between the rounds of the watchdog.
ROUND = 60.0
#: Seconds between two looks for rooms that nobody has touched for a year; the first comes with the start.
DAY = 86400.0
#: How often an update of a room that cannot be written is tried before the others go on without it. What the
#: file does not take is tried until it does.
TRIES = 5
#: Longest wait after Telegram could not be reached, in seconds.
_LONGEST_PAUSE = 30.0


class Polling:
    """Feeds one bot."""

    def __init__(
        self,
        built: Built,
        queue: DelayQueue,
        table: SqliteTable,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        say: Callable[[str], object] = print,
        heard: Callable[[], object] = lambda: None,
        daily: Callable[[], object] = lambda: None,
    ) -> None:
        """``heard`` is called whenever Telegram has answered; ``daily`` once a day."""
        self.built = built
        self.queue = queue
        self._table = table
        #: The id of the next update that is wanted; 0: whatever Telegram has.
        self.offset = 0
        self._clock = clock
        self._sleep = sleep
        self._say = say
        self._heard = heard
        self._daily = daily
        self._watched = clock()
        self._faded = -DAY
        self._failures = 0
        self._tries = 0
        self._stuck = False

    def resume(self) -> None:
        """Queue what the last process left: rooms whose clock runs, or with something unsent."""
        for room in self._table.rooms():
            moments = [] if room.due is None else [room.due]
            if room.outbox:
                moments.append(self._clock())
            if moments:
                self.built.app.wakeups.send(Wakeup(room.key, min(moments), "restart"))

    def run(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Go on until it is ``ended``. Raises Unauthorized when Telegram does not take the token."""
        while not ended():
            self.step()

    def step(self, patience: float = PATIENCE) -> int:
        """One poll of at most so many seconds, and everything that follows; how many updates it brought."""
        updates = self._poll(min(patience, self._until_next()))
        for update in updates:
            if not self._take(update):
                break
            self.offset = update["update_id"] + 1
        self._wake()
        return len(updates)

    def _until_next(self) -> float:
        moments = [self._watched + ROUND]
        if self.queue.next_at is not None:
            moments.append(self.queue.next_at)
        return max(0.0, min(moments) - self._clock())

    def _poll(self, patience: float) -> list[dict[str, Any]]:
        # Whole seconds, rounded up: Telegram knows no others, and polling on in a hurry gains nothing.
        seconds = -int(-patience // 1)
        params = {"offset": self.offset, "timeout": seconds, "allowed_updates": list(ALLOWED_UPDATES)}
        gateway = self.built.app.gateway
        try:
            updates: list[dict[str, Any]] = gateway.run(
                gateway.call("getUpdates", params, wait=seconds + 10.0)
            )
        except RetryLater as later:
            self._pause(str(later), later.after)
            return []
        except AnswerLost as unknown:
            self._pause(str(unknown), min(2.0**self._failures, _LONGEST_PAUSE))
            return []
        self._failures = 0
        self._heard()
        return updates

    def _pause(self, why: str, seconds: float) -> None:
        self._failures += 1
        if self._failures == 1:
            self._say(f"Telegram does not answer ({why}); trying again")
        self._sleep(seconds)

    def _take(self, update: dict[str, Any]) -> bool:
        """Hand an update to the webhook's entry; whether it is dealt with."""
        headers = {webhook.SECRET_HEADER: self.built.webhook_secret()}
        event = webhook_event(update, headers)
        self._table.trouble = None
        reply = webhook.respond(self.built, event, LambdaContext())
        if reply["statusCode"] != 200 and (self._not_written() or self._tries + 1 < TRIES):
            self._tries += 1
            self._sleep(1.0)
            return False
        self._tries = 0
        self._stuck = False
        if reply.get("body"):
            self._call(json.loads(reply["body"]))
        return True

    def _not_written(self) -> bool:
        """Whether the file did not take what an update changed; the others would fare no better."""
        if self._table.trouble is None:
            return False
        if not self._stuck:
            self._stuck = True
            self._say(f"nothing can be stored ({self._table.trouble}); trying again")
        return True

    def _call(self, call: dict[str, Any]) -> None:
        """The call that rides in a webhook's reply; like there, nobody looks at what becomes of it."""
        gateway = self.built.app.gateway
        try:
            gateway.run(gateway.call(call.pop("method"), call))
        except Unauthorized:
            raise
        except WireError as error:
            self._say(f"an answer was not taken ({error})")

    def _wake(self) -> None:
        while (batch := self.queue.due()) is not None:
            wakeup.respond(self.built, batch, LambdaContext())
        if self._clock() - self._watched >= ROUND:
            self._watched = self._clock()
            wakeup.respond(self.built, {}, LambdaContext())
        if self._clock() - self._faded >= DAY:
            self._faded = self._clock()
            self._daily()
            try:
                wakeup.respond(self.built, {"pass": wakeup.FADING}, LambdaContext())
            except StoreUnavailable as error:
                self._say(f"the daily look is put off until tomorrow ({error})")
