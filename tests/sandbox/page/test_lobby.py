"""The table with computers that a newcomer sees first."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.page.session import PageSession, PageSettings
from tests.served import served

from .conftest import Client


@pytest.fixture
def newcomer() -> Iterator[Client]:
    """Yield a page with one person at a table for seven, the others computers."""
    with served(PageSettings(7, computers=True)) as page:
        yield Client(page)


def players(client: Client) -> list[bool]:
    """Return for each player of the lobby True if it is a computer."""
    return [player.computer for player in client.session(lambda session: session.room()).lobby.players]


def at(client: Client) -> str:
    return str(client.look()["stage"]["at"])


def sit(client: Client) -> dict[str, Any]:
    return client.act(do="seat", user=client.people[0])


def pace(client: Client, name: str) -> None:
    assert client.act(do="pace", user=client.people[0], pace=name)["ok"]


def test_a_lobby_with_computers_stands_there_from_the_beginning(newcomer: Client) -> None:
    assert [one["name"] for one in newcomer.look()["people"]] == ["Anna"]
    assert players(newcomer) == [False, True, True, True, True, True, True]
    assert newcomer.messages(newcomer.group)[-1]["html"].count("🤖") == 7, "six seats, and a line about them"
    assert newcomer.look()["stage"] == {"at": "lobby", "asked": [], "until": None}


def test_one_command_starts_and_says_until_when_it_is_sealed(newcomer: Client) -> None:
    pace(newcomer, "slow")
    assert sit(newcomer)["ok"]
    told = newcomer.look()
    assert told["stage"]["at"] == "sealed"
    assert 0 < told["stage"]["until"] - newcomer.session(lambda session: session.clock.real(told["now"])) < 12
    refused = sit(newcomer)
    assert not refused["ok"]
    assert "running" in refused["error"]
    pace(newcomer, "at once")
    newcomer.until(lambda: newcomer.look()["stage"]["asked"] == newcomer.people)


def test_who_gave_the_seat_up_is_seated_again_by_the_same_wish(newcomer: Client) -> None:
    assert newcomer.press(newcomer.people[0], newcomer.messages(newcomer.group)[-1], "leave")["ok"]
    assert all(players(newcomer))
    assert sit(newcomer)["ok"]
    sealed = newcomer.session(lambda session: session.room()).sealed
    assert [player.computer for player in sealed.players] == [True] * 6 + [False]


def test_computers_wait_while_the_pace_is_paused(newcomer: Client) -> None:
    pace(newcomer, "paused")
    sit(newcomer)
    for _ in range(5):
        newcomer.session(lambda session: session.tick())
    assert at(newcomer) == "sealed"
    assert newcomer.session(lambda session: session.next_at) > 0
    pace(newcomer, "quick")
    newcomer.until(lambda: at(newcomer) == "playing")


@pytest.mark.thorough
def test_a_game_is_played_to_its_end_and_the_next_begins(newcomer: Client) -> None:
    pace(newcomer, "at once")
    newcomer.act(do="itself", user=newcomer.people[0], on=True)
    sit(newcomer)
    newcomer.until(lambda: at(newcomer) == "over", 60)
    assert any("Who was who" in message["html"] for message in newcomer.messages(newcomer.group))
    assert sit(newcomer)["ok"]
    room = newcomer.session(lambda session: session.room())
    assert [player.computer for player in (room.sealed or room.match).players].count(True) == 6


def test_a_person_who_never_started_the_bot_gets_a_seat(newcomer: Client) -> None:
    def forgotten(session: PageSession) -> None:
        session.telegram.tap(session.people[0], lobby(session), leave(session))
        session.people[0].started = False

    def lobby(session: PageSession) -> Any:
        return next(reversed(session.group.messages.values()))

    def leave(session: PageSession) -> str:
        buttons = [button["callback_data"] for button in lobby(session).buttons()]
        return next(data for data in buttons if data.startswith("leave|"))

    newcomer.session(forgotten)
    newcomer.session(lambda session: session.tick())
    assert sit(newcomer)["ok"]
    assert at(newcomer) == "sealed"


def test_a_lobby_is_filled_with_as_many_computers_as_needed(client: Client) -> None:
    body = json.dumps({"players": 5, "computers": True}).encode()
    assert client.post("/api/again", body)[0] == 200
    client.until(lambda: len(client.people) == 1)
    assert players(client) == [False, True, True, True, True]


def test_as_many_computers_come_as_the_ruleset_needs_at_least() -> None:
    with served(PageSettings(5, ruleset="xl", computers=True)) as page:
        lobby = Client(page).session(lambda session: session.room()).lobby
        assert lobby.setup.ruleset.startswith("xl@")
        assert len(lobby.players) == max(5, min(lobby.sizes))


def test_a_group_that_the_bot_has_not_met_is_empty(client: Client) -> None:
    assert client.look()["stage"]["at"] == "empty"
