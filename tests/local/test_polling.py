"""The bot on one machine: polling, its store over restarts, what comes twice."""

import errno
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from handlers.service.upkeep import Cleanup
from infra.store.pace import with_pause
from infra.telegram.errors import Unauthorized
from local import upkeep
from local.bot import CannotStart, opened
from local.dynamodb.table import Failed
from local.polling import DAY, ROUND, TRIES, Polling
from local.queue import DelayQueue
from local.sqlite_table import InUse, Unusable
from sandbox.telegram.calls import Refusal, too_many
from tests.refusing import refuse

from .conftest import Bots, english_registration_calls
from .telegram_thread import ServedGroup


class Killed(BaseException):
    """The process ends here."""


def steps(polling: Polling, enough: int = 50) -> None:
    for _ in range(enough):
        if not polling.step(0):
            return
    raise AssertionError("the bot does not come to rest")


def seat_everybody(people: ServedGroup, polling: Polling) -> None:
    """Open a lobby and seat everybody: its opener is seated at once, the others by a tap each."""
    open_lobby(people, polling)
    seat_others(people, polling)


def open_lobby(people: ServedGroup, polling: Polling) -> None:
    people.say(people.people[0], "/newgame")
    steps(polling)


def seat_others(people: ServedGroup, polling: Polling) -> None:
    for user in people.people[1:]:
        people.press(user, people.lobby(), "join")
        steps(polling)


def test_updates_are_fetched_answered_and_confirmed(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        seat_everybody(people, polling)
        assert all(user.first_name in people.lobby().text for user in people.people)
        assert [toast.text for toast in people.do(people.telegram.toasts)] == ["You're in."] * 4
        steps(polling)
        assert people.do(people.telegram.delivery.pending) == []
        assert people.telegram.violations == []


def test_commands_and_profile_are_registered_with_telegram(people: ServedGroup, bot: Bots) -> None:
    with bot():
        names = {c["command"] for commands in people.telegram.commands.values() for c in commands}
        assert {"newgame", "status", "role"} <= names


def test_a_game_goes_on_after_a_restart_in_its_middle(people: ServedGroup, bot: Bots) -> None:
    tapped: set[tuple[int, str]] = set()
    with bot() as polling:
        seat_everybody(people, polling)
        people.press(people.people[0], people.lobby(), "start")
        steps(polling)
        ((president, message, choice),) = people.prompts(tapped)
        tapped.add((president.id, choice))
        people.tap(president, message, choice)
        steps(polling)
    with bot() as polling:
        prompts = people.prompts(tapped)
        assert len(prompts) == 5
        for user, ballot, ja in prompts:
            people.tap(user, ballot, ja)
            steps(polling)
        assert "elected" in people.texts()


def test_an_unconfirmed_update_comes_again_harmlessly(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        people.say(people.people[0], "/newgame")
        steps(polling)
        people.press(people.people[1], people.lobby(), "join")
        polling.step(0)
        # The process ends here: the tap was handled, but Telegram has not been told.
        offset = polling.offset
    before = people.do(lambda: len(people.group.messages))
    with bot() as polling:
        assert polling.offset == 0
        assert polling.step(0) == 1
        assert polling.offset == offset
    assert people.lobby().text.count("Ben") == 1
    assert people.do(lambda: len(people.group.messages)) == before


def test_saved_but_unsent_messages_survive_a_crash(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        gateway = polling.built.app.gateway
        call = gateway.call

        async def dying(method: str, *arguments: Any, **options: Any) -> Any:
            if method == "sendMessage":
                raise Killed
            return await call(method, *arguments, **options)

        object.__setattr__(gateway, "call", dying)
        people.say(people.people[0], "/newgame")
        with pytest.raises(Killed):
            polling.step(0)
    with pytest.raises(LookupError):
        people.lobby()
    with bot() as polling:
        # The dead process held the lease of the room; nobody waits until it expires.
        polling.step(0)
        assert "who is in" in people.lobby().text


def test_the_watchdog_makes_its_round_every_minute(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        seat_everybody(people, polling)
        polling.queue.__init__(polling.queue._clock)  # type: ignore[misc]  # every wake-up is lost
        bot.ahead = 2 * ROUND
        polling.step(0)
        assert "closed" not in people.texts()
        bot.ahead = 3600 + 3 * ROUND
        polling.step(0)
        assert "closed" in people.texts()


def test_an_unstorable_update_is_tried_again_and_left(
    people: ServedGroup, bot: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bot() as polling:
        slept: list[float] = []
        polling._sleep = slept.append
        monkeypatch.setattr("local.polling.webhook.respond", lambda *_: {"statusCode": 503})
        people.say(people.people[0], "/newgame")
        for _ in range(TRIES - 1):
            assert polling.step(0) == 1
            assert polling.offset == 0
        assert polling.step(0) == 1
        assert polling.offset > 0
        assert slept == [1.0] * (TRIES - 1)


def test_a_full_disk_confirms_no_update(people: ServedGroup, bot: Bots) -> None:
    said: list[str] = []
    with bot() as polling:
        polling._say, polling._sleep = said.append, lambda seconds: None
        table = polling._table
        table._file.execute("PRAGMA max_page_count = 1")
        for number in range(20):  # any room left in the file's pages fills up
            with suppress(Failed):
                blob = {"B": secrets.token_bytes(50 * 2**number)}
                table.run("put_item", {"Item": {"pk": {"S": "x"}, "sk": {"S": str(number)}, "blob": blob}})
        people.say(people.people[0], "/newgame")
        for _ in range(2 * TRIES):
            polling.step(0)
        assert polling.offset == 0
        assert people.texts().count("who is in") == 0, "nothing is said that is not kept"
        full = [line for line in said if "full" in line]
        assert full == ["nothing can be stored (database or disk is full); trying again"]
        table._file.execute("PRAGMA max_page_count = 100000")
        bot.ahead = 60  # anybody who began to send has given up by then
        steps(polling)
        assert people.texts().count("who is in") == 1
        assert people.do(people.telegram.delivery.pending) == []


def test_a_silent_telegram_is_waited_for_ever_longer(people: ServedGroup, bot: Bots) -> None:
    said: list[str] = []
    slept: list[float] = []
    with bot() as polling:
        polling._say, polling._sleep = said.append, slept.append
        refuse(people.telegram, too_many(7), "getUpdates", times=1)
        refuse(people.telegram, Refusal(502, "Bad Gateway"), "getUpdates", times=2)
        for _ in range(3):
            assert polling.step(0) == 0
        assert slept == [7.0, 2.0, 4.0]
        assert len(said) == 1
        assert people.telegram.token not in said[0]
        polling.step(0)
        assert polling._failures == 0


def test_a_stop_during_a_call_ends_after_it(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        people.say(people.people[0], "/newgame")
        # The first look is before it was told to end, the second after the call that did not notice.
        looks = iter((False, True))
        polling.run(lambda: next(looks))
        assert people.lobby().text


def test_two_processes_cannot_have_the_same_games(bot: Bots) -> None:
    with bot(), pytest.raises(InUse), bot():
        pass


def test_another_bot_has_games_of_its_own(people: ServedGroup, bot: Bots) -> None:
    with bot() as polling:
        seat_everybody(people, polling)
    assert sorted(path.name for path in bot.folder.glob("*.sqlite3")) == ["424242.sqlite3"]


def test_links_that_seat_people_hold_over_a_restart(bot: Bots) -> None:
    with bot() as polling:
        key = polling.built.app.link_key
    with bot() as polling:
        assert polling.built.app.link_key == key


def test_a_deployed_bot_is_not_taken_over_unasked(people: ServedGroup, bot: Bots) -> None:
    people.telegram.call("setWebhook", {"url": "https://example.org/", "secret_token": "x"})
    with pytest.raises(CannotStart, match="has a webhook"), bot():
        pass
    with opened(bot.environment, bot.folder, take_over=True) as polling:
        seat_everybody(people, polling)


def test_a_missing_or_wrong_token_is_said_without_saying_it(bot: Bots) -> None:
    with pytest.raises(CannotStart, match="BOT_TOKEN is not set"), opened({}, bot.folder):
        pass
    wrong = {**bot.environment, "BOT_TOKEN": "424242:wrong"}
    with pytest.raises(Unauthorized) as caught, opened(wrong, bot.folder):
        pass
    assert "wrong" not in str(caught.value)


def test_where_telegram_is_out_of_reach_the_bot_says_so(bot: Bots) -> None:
    away = {**bot.environment, "TELEGRAM_API_URL": "http://127.0.0.1:9"}
    with (
        pytest.raises(CannotStart, match=r"out of reach at http://127\.0\.0\.1:9; is"),
        opened(away, bot.folder),
    ):
        pass


def test_idle_rooms_are_sought_daily(people: ServedGroup, bot: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    with bot() as polling:
        looked: list[float] = []
        monkeypatch.setattr(Cleanup, "run", lambda self, deadline: looked.append(deadline - self.clock()))
        # The first round notes the day, and each day has its look.
        for ahead, looks in ((61, 0), (DAY / 2, 0), (DAY + 62, 1), (DAY + 180, 1), (2 * DAY + 200, 2)):
            bot.ahead = ahead
            polling.step(0)
            assert len(looked) == looks
        assert min(looked) > 0


class TestRegistering:
    """Commands and profile keep no bot from starting."""

    @pytest.mark.parametrize(
        "answer", [too_many(600), Refusal(400, "Bad Request"), Refusal(502, "Bad Gateway")]
    )
    def test_what_telegram_does_not_take_now_is_taken_later(
        self, people: ServedGroup, bot: Bots, answer: Refusal, capsys: pytest.CaptureFixture[str]
    ) -> None:
        give_way = refuse(people.telegram, answer, "setMy")
        with bot() as polling:
            seat_everybody(people, polling)
            assert people.telegram.commands == {}
            if answer.code != 400:
                assert "trying again later" in capsys.readouterr().out
            give_way()
            bot.ahead = 61
            polling.step(0)
            assert bool(people.telegram.commands) == (answer.code != 400)

    def test_a_second_start_registers_nothing_again(self, people: ServedGroup, bot: Bots) -> None:
        for _ in range(2):
            with bot():
                methods = [call.method for call in people.telegram.journal]
                calls = [method for method in methods if method.startswith(("setMy", "deleteMy"))]
        assert len(calls) == len(english_registration_calls())


class TestAClockThatIsSetBack:
    """Must mute nobody for as long as it was ahead."""

    AHEAD = 2 * DAY

    def test_the_bot_answers_at_once_while_it_runs(self, people: ServedGroup, bot: Bots) -> None:
        with bot() as polling:
            open_lobby(people, polling)
            bot.ahead = self.AHEAD  # by that clock a message would be too old to accept
            seat_others(people, polling)
            now, pace = time.time() + self.AHEAD, polling.built.app.outbox_service.outbox_sender._pace
            assert pace is not None
            pace.change(lambda state: with_pause(state, now + 60, now))
            bot.ahead = 0
            people.press(people.people[0], people.lobby(), "start")
            steps(polling)
            assert len(people.prompts(set())) == 1

    def test_the_bot_answers_at_once_after_a_restart(self, people: ServedGroup, bot: Bots) -> None:
        with bot() as polling:
            open_lobby(people, polling)
            bot.ahead = self.AHEAD  # by that clock a message would be too old to accept
            seat_others(people, polling)
        bot.ahead = 0
        with bot() as polling:
            people.press(people.people[0], people.lobby(), "start")
            steps(polling)
            assert len(people.prompts(set())) == 1

    def test_the_watchdog_goes_on_with_its_rounds(self, people: ServedGroup, bot: Bots) -> None:
        bot.ahead = self.AHEAD
        with bot() as polling:
            polling.step(0)
            bot.ahead = 0
            polling.step(0)
            assert polling._watched < time.time() + 1, "a round was made, and it counts from now"

    def test_what_waits_in_the_queue_comes_after_its_delay(self) -> None:
        now = [1000.0]
        queue = DelayQueue(lambda: now[0])
        queue.put("first", 10)
        queue.put("second", 20)
        now[0] -= 500
        assert queue.next_at == 510
        queue.put("third", 5)
        now[0] += 20
        bodies = []
        while batch := queue.due():
            bodies.append(batch["Records"][0]["body"])
        assert bodies == ["third", "first", "second"]


class TestSomebodyElse:
    TAKEN = Refusal(409, "Conflict: terminated by other getUpdates request")

    def test_two_that_poll_are_said_by_name_and_once(self, people: ServedGroup, bot: Bots) -> None:
        said: list[str] = []
        with bot() as polling:
            polling._say, polling._sleep = said.append, lambda seconds: None
            give_way = refuse(people.telegram, self.TAKEN, "getUpdates")
            for _ in range(3):
                polling.step(0)
            (line,) = said
            assert "another process fetches @chancellery_bot's updates" in line
            heartbeat = upkeep.heartbeat_file(bot.folder, "424242")
            assert "another process" in str(upkeep.find_trouble(heartbeat))
            give_way()
            polling.step(0)
            assert upkeep.find_trouble(heartbeat) is None

    def test_a_webhook_elsewhere_is_said_with_its_host(self, people: ServedGroup, bot: Bots) -> None:
        said: list[str] = []
        with bot() as polling:
            polling._say, polling._sleep = said.append, lambda seconds: None
            people.telegram.call("setWebhook", {"url": "https://bot.example.org/secret", "secret_token": "x"})
            refuse(people.telegram, self.TAKEN, "getUpdates")
            polling.step(0)
        assert "webhook at bot.example.org" in said[0]
        assert "secret" not in said[0]
        with pytest.raises(CannotStart, match=r"webhook at bot\.example\.org"), bot():
            pass


class TestADiskThatMisbehaves:
    def test_a_store_that_cannot_be_made_is_one_sentence(
        self, people: ServedGroup, environment: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(Unusable, match="cannot be written"), opened(environment, tmp_path / "file"):
            pass

    def test_a_read_only_folder_with_a_store_is_one_sentence(
        self, people: ServedGroup, bot: Bots, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with bot() as polling:
            seat_everybody(people, polling)
        refused = Mock(side_effect=PermissionError(errno.EACCES, "Permission denied"))
        monkeypatch.setattr("local.sqlite_table.tempfile.TemporaryFile", refused)
        with pytest.raises(Unusable, match="cannot be written"), bot():
            pass

    def test_a_store_that_is_damaged_is_one_sentence(self, people: ServedGroup, bot: Bots) -> None:
        with bot() as polling:
            seat_everybody(people, polling)
        path = bot.folder / "424242.sqlite3"
        for damaged in (b"no database at all, but long enough" * 100, path.read_bytes()[:5000]):
            path.write_bytes(damaged)
            with pytest.raises(Unusable, match=r"is damaged .*--restore"), bot():
                pass

    def test_a_full_disk_is_no_health(self, people: ServedGroup, bot: Bots) -> None:
        heartbeat = upkeep.heartbeat_file(bot.folder, "424242")
        with bot() as polling:
            polling._say, polling._sleep = lambda line: None, lambda seconds: None
            polling.step(0)
            assert upkeep.find_trouble(heartbeat) is None
            table = polling._table
            table._file.execute("PRAGMA query_only = ON")  # as a file system that became read-only
            polling._watched = -1e9
            polling.step(0)
            polling.step(0)
            assert "nothing can be stored" in str(upkeep.find_trouble(heartbeat))
            table._file.execute("PRAGMA query_only = OFF")
            polling._watched = -1e9
            polling.step(0)
            polling.step(0)
            assert upkeep.find_trouble(heartbeat) is None

    def test_a_heartbeat_that_cannot_be_written_ends_nothing(
        self, people: ServedGroup, bot: Bots, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(upkeep, "write_heartbeat", Mock(side_effect=OSError("No space left on device")))
        with bot() as polling:
            seat_everybody(people, polling)

    def test_messages_that_wait_for_long_are_no_health(self, people: ServedGroup, bot: Bots) -> None:
        heartbeat = upkeep.heartbeat_file(bot.folder, "424242")
        with bot() as polling:
            refuse(people.telegram, Refusal(502, "Bad Gateway"), "sendMessage")
            people.say(people.people[0], "/newgame")
            polling.step(0)
            bot.ahead = upkeep.WAITING + 61
            polling.step(0)
            polling.step(0)
            trouble = upkeep.find_trouble(heartbeat, lambda: time.time() + bot.ahead)
        assert "messages have been waiting for 16 minutes" in str(trouble)
