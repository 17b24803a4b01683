"""People on the page who act automatically."""

import re
from collections.abc import Iterator

import pytest

from sandbox.page.session import PageSession, PageSettings
from tests.served import served

from .conftest import Client


@pytest.fixture
def crowd() -> Iterator[Client]:
    """Yield a page with five people, all except the first playing automatically and fast."""
    with served(PageSettings(5)) as page:
        client = Client(page)
        client.act(do="pace", user=client.people[0], pace="quick")
        yield client


def names(crowd: Client) -> set[str]:
    return set(re.findall(r"\w+", crowd.messages(crowd.group)[1]["html"]))


def ended(session: PageSession) -> bool:
    room = session.room()
    return room is not None and room.match is not None and room.match.over


def test_one_person_alone_is_waited_for(crowd: Client) -> None:
    lobby = crowd.open_lobby()
    anna = crowd.people[0]
    crowd.press(anna, lobby, "join")
    crowd.until(lambda: {"Anna", "Ben", "Clara", "David", "Emma"} <= names(crowd))
    crowd.press(anna, crowd.messages(crowd.group)[1], "start")
    assert crowd.until(lambda: crowd.look()["people"][0]["owes"])
    assert not crowd.look()["people"][0]["itself"]


@pytest.mark.thorough
def test_a_whole_game_plays_itself_when_everybody_does(crowd: Client) -> None:
    assert crowd.act(do="pace", user=crowd.people[0], pace="at once")["ok"]
    crowd.open_lobby()
    assert crowd.act(do="itself", user=crowd.people[0], on=True)["ok"]
    crowd.until(lambda: crowd.session(ended), 100)
    assert not crowd.session(lambda session: session.telegram.violations)


def test_who_is_taken_over_again_waits_for_a_person(crowd: Client) -> None:
    ben = crowd.people[1]
    assert crowd.act(do="itself", user=ben, on=False)["ok"]
    assert not crowd.look()["people"][1]["itself"]
    crowd.act(do="itself", user=ben, others=True, on=True)
    assert [one["itself"] for one in crowd.look()["people"]] == [True, False, True, True, True]
    crowd.act(do="itself", user=ben, others=True, on=False)
    assert not any(one["itself"] for one in crowd.look()["people"])


def test_while_the_pace_is_paused_nobody_acts(crowd: Client) -> None:
    anna = crowd.people[0]
    assert crowd.act(do="pace", user=anna, pace="paused")["ok"]
    crowd.open_lobby()
    for _ in range(20):
        crowd.session(lambda session: session.tick())
    assert "Ben" not in names(crowd)
    assert crowd.act(do="pace", user=anna, pace="quick")["ok"]
    crowd.until(lambda: "Ben" in names(crowd))


def test_somebody_can_block_the_bot_and_let_it_back(crowd: Client) -> None:
    anna = crowd.people[0]
    assert crowd.act(do="block", user=anna, on=True)["ok"]
    assert crowd.look()["people"][0]["blocked"]
    assert crowd.act(do="block", user=anna, on=False)["ok"]
    assert not crowd.look()["people"][0]["blocked"]
