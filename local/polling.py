"""Long polling: pass updates from Telegram's getUpdates to the webhook handler, and wake rooms when due.

Both happen in one thread. A request for the next update tells Telegram that the last one is done. It is made
only when that is true. So if a crash interrupts an update, Telegram sends it again, as it does to a webhook.
"""

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from bot.display.commands import ALLOWED_UPDATES
from handlers import wakeup, webhook
from handlers.service.build import Built
from infra.queue import Wakeup
from infra.telegram.errors import AnswerLost, RetryLater, Unauthorized, UpdatesElsewhere, WireError
from local import upkeep
from local.invocation import LambdaContext, webhook_event
from local.queue import DelayQueue
from local.sqlite_table import SqliteTable

#: The longest time, in seconds, that Telegram waits for an update before it answers.
PATIENCE = 25.0
#: Seconds between the rounds of the watchdog.
ROUND = 60.0
#: Seconds between two copies of the store; the first is made at the start.
DAY = 86400.0
#: If the webhook handler does not answer an update with 200, the update is tried this many times and then
#: skipped. But while the file refuses its writes, the update is tried without limit.
TRIES = 5
#: The longest wait after the answer to a poll was lost, in seconds.
_LONGEST_PAUSE = 30.0


class Polling:
    """Poll for one bot."""

    def __init__(
        self,
        built: Built,
        queue: DelayQueue,
        table: SqliteTable,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        say: Callable[[str], object] = print,
        heard: Callable[[str | None], object] = lambda trouble: None,
        daily: Callable[[], object] = lambda: None,
    ) -> None:
        """Call ``daily`` once a day, and ``heard`` with the trouble or None after each poll.

        ``heard`` is not called if the poll got a 429, a 5xx or no answer.
        """
        self.built = built
        self.queue = queue
        self._table = table
        #: The id of the next update to ask for; 0: the first one that Telegram has.
        self.offset = 0
        self._clock = clock
        self._sleep = sleep
        self._say = say
        self._heard = heard
        self._daily = daily
        self._watched = clock()
        self._copied = -DAY
        #: The trouble found at the last check.
        self._trouble: str | None = None
        self._taken: str | None = None
        self._failures = 0
        self._tries = 0
        self._stuck = False

    def resume(self) -> None:
        """Queue a wake-up for each room in which something is due now or later, or messages are unsent."""
        for room in self._table.rooms():
            moments = [] if room.due is None else [room.due]
            if room.outbox:
                moments.append(self._clock())
            if moments:
                self.built.app.wakeups.send(Wakeup(room.key, min(moments), "restart"))

    def run(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Poll until ``ended`` returns True. Raises Unauthorized if Telegram does not take the token."""
        while not ended():
            self.step()

    def step(self, patience: float = PATIENCE) -> int:
        """Make one poll and do everything that follows. Returns how many updates it brought.

        In the poll, Telegram waits at most ``patience`` seconds for an update, rounded up to whole seconds.
        """
        moments = [self._watched + ROUND]
        if (first := self.queue.next_at) is not None:
            moments.append(first)
        updates = self._poll(min(patience, max(0.0, min(moments) - self._clock())))
        for update in updates:
            if not self._take(update):
                break
            self.offset = update["update_id"] + 1
        self._wake()
        return len(updates)

    def _is_over(self, since: float, seconds: float) -> bool:
        """Return True if this many seconds have passed since ``since``, or the clock is before that time."""
        return not 0 <= self._clock() - since < seconds

    def _poll(self, patience: float) -> list[dict[str, Any]]:
        # Telegram takes only whole seconds. If they were rounded down, the bot would make many polls of 0
        # seconds in the last second before a wake-up or the watchdog's round.
        seconds = -int(-patience // 1)
        params = {"offset": self.offset, "timeout": seconds, "allowed_updates": list(ALLOWED_UPDATES)}
        gateway = self.built.app.gateway
        try:
            asking = gateway.call("getUpdates", params, wait=seconds + 10.0)
            updates: list[dict[str, Any]] = gateway.run(asking)
        except UpdatesElsewhere as taken:
            self._tell_who_has_them()
            self._sleep(taken.after)
            return []
        except RetryLater as later:
            self._pause(str(later), later.after)
            return []
        except AnswerLost as unknown:
            self._pause(str(unknown), min(2.0**self._failures, _LONGEST_PAUSE))
            return []
        self._failures = 0
        self._taken = None
        failed = self._table.trouble
        self._heard(self._trouble if failed is None else f"nothing can be stored ({failed})")
        return updates

    def _tell_who_has_them(self) -> None:
        """Say, once, where else the bot's updates go."""
        gateway, name = self.built.app.gateway, self.built.app.room_service.username
        try:
            url = str(gateway.run(gateway.call("getWebhookInfo", {})).get("url") or "")
        except WireError:
            url = ""
        taken = f"another process fetches @{name}'s updates, with the same token: stop one of the two"
        if url:
            where = urlsplit(url).hostname
            taken = f"@{name}'s updates go to a webhook at {where}: stop one of the two, or --take-over"
        if taken != self._taken:
            self._taken = taken
            self._say(taken)
        self._heard(taken)

    def _pause(self, why: str, seconds: float) -> None:
        self._failures += 1
        if self._failures == 1:
            self._say(f"Telegram does not answer ({why}); trying again")
        self._sleep(seconds)

    def _take(self, update: dict[str, Any]) -> bool:
        """Give an update to the webhook handler. Returns False if the update must be tried again."""
        headers = {webhook.SECRET_HEADER: self.built.secrets.webhook_secret}
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
        """Return True if the file refused an update's changes. It would refuse the next update's, too."""
        if self._table.trouble is None:
            return False
        if not self._stuck:
            self._stuck = True
            self._say(f"nothing can be stored ({self._table.trouble}); trying again")
        return True

    def _call(self, call: dict[str, Any]) -> None:
        """Make the call in a webhook's reply. Ignore its result: a real webhook never learns it."""
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
        if self._is_over(self._watched, ROUND):
            self._watched = self._clock()
            wakeup.respond(self.built, {}, LambdaContext())
            self._trouble = self._illness()
        if self._is_over(self._copied, DAY):
            self._copied = self._clock()
            self._daily()

    def _illness(self) -> str | None:
        """Return what keeps the bot from storing or sending, or None."""
        now = self._clock()
        if (why := self._table.cannot_store(now)) is not None:
            return f"nothing can be stored ({why})"
        self._table.trouble = None
        since = self._table.waiting_since()
        if since is not None and now - since > upkeep.WAITING:
            return f"messages have been waiting for {(now - since) / 60:.0f} minutes"
        return None
