"""Alarms in the operator's chat."""

import json
from typing import Any

import pytest

from handlers.alarm import message_text, post_alarms
from infra.telegram.errors import Refused
from sandbox.telegram import Telegram, VirtualClock
from sandbox.telegram.transport import StandinRequest


def notice(state: str) -> dict[str, Any]:
    alarm = {"AlarmName": "game-OutboxAge", "NewStateValue": state, "AlarmDescription": "Messages wait."}
    return {"Records": [{"Sns": {"Message": json.dumps(alarm)}}]}


def told(event: dict[str, Any], tg: Telegram, chat: int) -> None:
    environment = {"BOT_TOKEN_PARAMETER": "token", "ALARM_CHAT": str(chat)}
    post_alarms(event, environment, lambda name: {"token": tg.token}[name], StandinRequest(tg))


def test_an_alarm_and_its_end_are_told_in_the_operators_chat() -> None:
    tg = Telegram(VirtualClock())
    olga = tg.add_user("Olga", started=True)
    told(notice("ALARM"), tg, olga.id)
    told(notice("OK"), tg, olga.id)
    alarm, ok = "🔴 game-OutboxAge: ALARM\nMessages wait.", "🟢 game-OutboxAge: OK\nMessages wait."
    assert [view.text for view in tg.private_view(olga)] == [alarm, ok]


def test_what_telegram_does_not_take_is_raised() -> None:
    tg = Telegram(VirtualClock())
    with pytest.raises(Refused):
        told(notice("ALARM"), tg, 4711)


@pytest.mark.parametrize("message", ["You have chosen to subscribe", "[]", '{"AlarmName": "x"}'])
def test_a_notice_that_is_no_alarm_is_told_as_it_is(message: str) -> None:
    assert message_text({"Message": message}) == message
