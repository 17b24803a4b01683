"""The page's server, as a browser uses it."""

import json
import urllib.request
from typing import Any

import pytest

from sandbox.page.session import PageSettings
from tests.served import served

from .conftest import Client

Json = dict[str, Any]


def stream(client: Client, many: int) -> list[tuple[str, Json]]:
    """Return the first events of a browser's stream. Somebody writes after the snapshot."""
    seen: list[tuple[str, Json]] = []
    with urllib.request.urlopen(client.page.url + "/api/stream", timeout=10) as answer:
        kind = ""
        for raw in answer:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                seen.append((kind, json.loads(line.removeprefix("data: "))))
                if len(seen) == 1:
                    client.act(do="say", user=client.people[0], chat=client.group, text="/newgame")
                if len(seen) == many:
                    break
    return seen


def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    status, body, headers = client.get("/")
    assert status == 200
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert b"http://" not in body.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"https://" not in body
    for path in ("/static/js/main.js", "/static/css/base.css", "/static/icon.svg"):
        assert client.get(path)[0] == 200
    assert client.get("/photo/none")[0] == 404


def test_a_browser_gets_everything_first_and_then_what_changes(client: Client) -> None:
    (first, snapshot), (second, news) = stream(client, 2)
    assert (first, second) == ("snapshot", "news")
    assert [one["name"] for one in snapshot["people"]] == ["Anna", "Ben", "Clara", "David", "Emma"]
    assert {command["command"] for command in snapshot["commands"]["group"]} >= {"newgame", "join", "status"}
    (change,) = news["chats"]
    assert change["chat"] == client.group
    assert change["messages"][0]["html"] == "/newgame"
    (turn,) = news["turns"]
    assert turn["what"] == "Anna: /newgame"
    assert [call["method"] for call in turn["calls"]] == ["getChat", "sendChatAction", "sendMessage"]
    assert turn["store"][0][0] == "GetItem"


def test_taps_are_answered_by_toasts(client: Client) -> None:
    assert client.press(client.people[0], client.open_lobby(), "leave")["ok"]
    toasts = client.session(lambda session: [toast.text for toast in session.telegram.toasts()])
    assert toasts == ["You gave up your seat."]


def test_the_link_seats_a_person_who_never_started_the_bot(client: Client) -> None:
    lobby = client.open_lobby()
    stranger = client.people[2]
    assert client.press(stranger, lobby, "join")["ok"]
    url = client.session(lambda session: session.telegram.toasts()[-1].url)
    assert url.startswith("https://t.me/chancellery_bot?start=")
    assert "Clara" not in client.messages(client.group)[1]["html"]
    assert client.act(do="start", user=stranger, payload=url.partition("=")[2])["ok"]
    assert "Clara" in client.messages(client.group)[1]["html"]


def test_a_private_chat_is_written_in_by_its_own_person_alone(client: Client) -> None:
    anna, ben = client.people[:2]
    assert client.act(do="say", user=anna, chat=anna, text="/help")["ok"]
    assert not client.act(do="say", user=ben, chat=anna, text="/help")["ok"]


@pytest.mark.parametrize("wish", [
    {}, {"do": "fly"}, {"do": "say", "user": 1001},
    {"do": "say", "user": 4, "chat": 1001, "text": "x"},
    {"do": "say", "user": 1001, "chat": 1001, "text": "  "},
    {"do": "say", "user": 1001, "chat": "there", "text": "x"},
    {"do": "tap", "user": 1001, "chat": 1001, "message": "99", "data": "join|x|1"},
    {"do": "start", "user": 1001, "payload": "not a payload!"},
    {"do": "pace", "user": 1001, "pace": "breathless"},
])  # fmt: skip
def test_what_cannot_be_done_is_refused_with_the_reason(client: Client, wish: Json) -> None:
    status, body = client.post("/api/act", json.dumps(wish).encode())
    assert status == 400
    assert json.loads(body)["error"]


def test_only_json_is_taken_so_that_no_other_site_can_act_here(client: Client) -> None:
    wish = json.dumps({"do": "say", "user": 1001, "chat": client.group, "text": "/newgame"}).encode()
    assert client.post("/api/act", wish, "text/plain")[0] == 415
    assert client.post("/api/act", b"[1]")[0] == 400
    assert client.post("/api/act", b"{")[0] == 400
    assert client.messages(client.group) == []


def test_a_turn_can_be_read_in_full_and_the_table_decoded(client: Client) -> None:
    client.open_lobby()
    number = client.look()["turns"][-1]["number"]
    whole = json.loads(client.get(f"/api/turn/{number}")[1])
    assert whole["content"]["message"]["text"] == "/newgame"
    assert whole["calls"][-1]["params"]["chat_id"] == client.group
    assert client.get("/api/turn/99999")[0] == 404
    items = json.loads(client.get("/api/stored")[1])
    room = next(item for item in items if item["key"] == f"room#{client.group}")
    assert room["attributes"]["body"]["lobby"]["host"] == client.people[0]
    assert room["bytes"] > 100


def test_a_new_table_is_laid_with_as_many_people_as_wished(client: Client) -> None:
    client.open_lobby()
    assert client.post("/api/again", json.dumps({"players": 8, "others": False}).encode())[0] == 200
    client.until(lambda: len(client.people) == 8)
    assert client.messages(client.group) == []
    assert client.post("/api/again", json.dumps({"players": 3}).encode())[0] == 400


def test_a_lobby_can_name_its_ruleset_from_the_start() -> None:
    with served(PageSettings(6, others=False, ruleset="xl")) as page:
        room = Client(page).session(lambda session: session.room())
        assert room.lobby.setup.ruleset.startswith("xl@")
