"""The bot on one machine: polling, its store over restarts, what comes twice."""

import secrets
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Protocol

import pytest

from handlers.service.fading import Fading
from infra.store.table import StoreUnavailable
from infra.telegram.errors import Unauthorized
from local.bot import CannotStart, opened
from local.dynamodb.table import Failed
from local.polling import DAY, ROUND, TRIES, Polling
from local.sqlite_table import InUse
from sandbox.telegram import Call
from sandbox.telegram.errors import Refusal, too_many

from .telegram_thread import Town


class Killed(BaseException):
    """The process ends here."""


class Bots(Protocol):
    folder: Path
    environment: dict[str, str]
    ahead: float

    def __call__(self) -> AbstractContextManager[Polling]: ...


def steps(polling: Polling, enough: int = 50) -> None:
    """Poll until Telegram has nothing more."""
    for _ in range(enough):
        if not polling.step(0):
            return
    raise AssertionError("the bot does not come to rest")


def seated(people: Town, polling: Polling) -> None:
    """A lobby with everybody in it: who opens it is seated by that, the others by a tap each."""
    host, *others = people.people
    people.say(host, "/newgame")
    steps(polling)
    for user in others:
        people.press(user, people.lobby(), "join")
        steps(polling)


def test_updates_are_fetched_answered_and_confirmed(people: Town, bot: Bots) -> None:
    with bot() as polling:
        seated(people, polling)
        assert all(user.first_name in people.lobby().text for user in people.people)
        toasts = people.do(people.telegram.toasts)
        assert [toast.text for toast in toasts] == ["You are in."] * 4
        steps(polling)
        assert people.do(people.telegram.delivery.pending) == []
        assert people.telegram.violations == []


def test_commands_and_profile_are_registered_with_telegram(people: Town, bot: Bots) -> None:
    with bot():
        names = {c["command"] for commands in people.telegram.commands.values() for c in commands}
        assert {"newgame", "status", "role"} <= names


def test_a_game_goes_on_after_a_restart_in_its_middle(people: Town, bot: Bots) -> None:
    tapped: set[tuple[int, str]] = set()
    with bot() as polling:
        seated(people, polling)
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


def test_an_update_that_was_not_confirmed_before_a_crash_comes_again_and_changes_nothing(
    people: Town, bot: Bots
) -> None:
    with bot() as polling:
        people.say(people.people[0], "/newgame")
        steps(polling)
        people.press(people.people[1], people.lobby(), "join")
        polling.step(0)
        # The process ends here: the tap is dealt with, but Telegram has not been told.
        offset = polling.offset
    before = people.do(lambda: len(people.group.messages))
    with bot() as polling:
        assert polling.offset == 0
        assert polling.step(0) == 1
        assert polling.offset == offset
    assert people.lobby().text.count("Ben") == 1
    assert people.do(lambda: len(people.group.messages)) == before


def test_what_was_saved_but_not_sent_before_a_crash_is_sent_after_it(people: Town, bot: Bots) -> None:
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
        # The dead process held the lease of the room; nobody waits for its end.
        polling.step(0)
        assert "who is in" in people.lobby().text


def test_the_watchdog_makes_its_round_every_minute(people: Town, bot: Bots) -> None:
    with bot() as polling:
        seated(people, polling)
        polling.queue.__init__(polling.queue._clock)  # type: ignore[misc]  # every wake-up is lost
        bot.ahead = 2 * ROUND
        polling.step(0)
        assert "closed" not in people.texts()
        bot.ahead = 3600 + 3 * ROUND
        polling.step(0)
        assert "closed" in people.texts()


def test_an_update_that_cannot_be_stored_is_tried_again_and_at_last_left(
    people: Town, bot: Bots, monkeypatch: pytest.MonkeyPatch
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


def test_while_the_disk_is_full_no_update_is_confirmed_and_once_it_has_room_all_are_dealt_with(
    people: Town, bot: Bots
) -> None:
    said: list[str] = []
    with bot() as polling:
        polling._say, polling._sleep = said.append, lambda seconds: None
        table = polling._table
        table._file.execute("PRAGMA max_page_count = 1")
        for number in range(20):  # whatever room there is in the file's pages goes
            with suppress(Failed):
                blob = {"B": secrets.token_bytes(50 * 2**number)}
                table.run("put_item", {"Item": {"pk": {"S": "x"}, "sk": {"S": str(number)}, "blob": blob}})
        people.say(people.people[0], "/newgame")
        for _ in range(2 * TRIES):
            polling.step(0)
        assert polling.offset == 0
        assert people.texts().count("who is in") == 0, "nothing is said that is not kept"
        assert [line for line in said if "full" in line] == [
            "nothing can be stored (database or disk is full); trying again"
        ]
        table._file.execute("PRAGMA max_page_count = 100000")
        bot.ahead = 60  # whoever began to send has given up by then
        steps(polling)
        assert people.texts().count("who is in") == 1
        assert people.do(people.telegram.delivery.pending) == []


def test_a_full_disk_puts_off_the_daily_look_and_does_not_end_the_bot(
    people: Town, bot: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Fading, deadline: float) -> None:
        raise StoreUnavailable("put_item: InternalServerError")

    said: list[str] = []
    with bot() as polling:
        polling._say = said.append
        monkeypatch.setattr(Fading, "go_on", full)
        polling.step(0)
    assert said == ["the daily look is put off until tomorrow (put_item: InternalServerError)"]


def test_when_telegram_does_not_answer_the_bot_waits_longer_each_time_and_says_so_once(
    people: Town, bot: Bots
) -> None:
    said: list[str] = []
    slept: list[float] = []
    with bot() as polling:
        polling._say, polling._sleep = said.append, slept.append
        answers = [too_many(7), Refusal(502, "Bad Gateway"), Refusal(502, "Bad Gateway")]

        def refuse(call: Call) -> None:
            if call.method == "getUpdates" and answers:
                raise answers.pop(0)

        people.telegram.before_call.append(refuse)
        for _ in range(3):
            assert polling.step(0) == 0
        assert slept == [7.0, 2.0, 4.0]
        assert len(said) == 1
        assert people.telegram.token not in said[0]
        polling.step(0)
        assert polling._failures == 0


def test_who_is_told_to_end_while_a_call_takes_no_notice_ends_after_that(people: Town, bot: Bots) -> None:
    with bot() as polling:
        people.say(people.people[0], "/newgame")
        # The first look is before it was told to end, the second after the call that took no notice.
        looks = iter((False, True))
        polling.run(lambda: next(looks))
        assert people.lobby().text


def test_two_processes_cannot_have_the_same_games(bot: Bots) -> None:
    with bot(), pytest.raises(InUse), bot():
        pass


def test_another_bot_has_games_of_its_own(people: Town, bot: Bots) -> None:
    with bot() as polling:
        seated(people, polling)
    assert sorted(path.name for path in bot.folder.glob("*.sqlite3")) == ["424242.sqlite3"]


def test_links_that_seat_people_hold_over_a_restart(bot: Bots) -> None:
    with bot() as polling:
        key = polling.built.app.link_key
    with bot() as polling:
        assert polling.built.app.link_key == key


def test_a_deployed_bot_is_not_taken_over_unasked(people: Town, bot: Bots) -> None:
    people.telegram.call("setWebhook", {"url": "https://example.org/", "secret_token": "x"})
    with pytest.raises(CannotStart, match="has a webhook"), bot():
        pass
    with opened(bot.environment, bot.folder, take_over=True) as polling:
        seated(people, polling)


def test_a_missing_or_wrong_token_is_said_without_saying_it(bot: Bots) -> None:
    with pytest.raises(CannotStart, match="BOT_TOKEN is not set"), opened({}, bot.folder):
        pass
    wrong = {**bot.environment, "BOT_TOKEN": "424242:wrong"}
    with pytest.raises(Unauthorized) as caught, opened(wrong, bot.folder):
        pass
    assert "wrong" not in str(caught.value)


def test_where_telegram_is_out_of_reach_the_bot_says_so(bot: Bots) -> None:
    away = {**bot.environment, "TELEGRAM_API_URL": "http://127.0.0.1:9"}
    with pytest.raises(CannotStart, match="does not answer as it should"), opened(away, bot.folder):
        pass


def test_once_a_day_it_looks_for_rooms_that_nobody_touched_for_a_year(
    people: Town, bot: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bot() as polling:
        looked: list[float] = []
        monkeypatch.setattr(Fading, "go_on", lambda self, deadline: looked.append(deadline - self.clock()))
        polling.step(0)
        assert len(looked) == 1, "the first look comes with the start"
        assert looked[0] > 0
        for ahead, looks in ((DAY / 2, 1), (DAY + 1, 2), (DAY + 60, 2), (2 * DAY + 2, 3)):
            bot.ahead = ahead
            polling.step(0)
            assert len(looked) == looks
