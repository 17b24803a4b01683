"""Name the people who must still act, and link to their buttons."""

from __future__ import annotations

import pytest

from bot.conversation.game.deadlines import TELL_AFTER
from sandbox.telegram import Message
from tests.system.table import Table


def ways(view: Message) -> list[str]:
    return [str(button["url"]) for button in view.buttons() if "url" in button]


def test_every_waiting_post_links_to_the_private_chat(table: Table) -> None:
    table.open(5, deck="lff lff")
    address = f"https://t.me/{table.tg.bot.username}"
    asked = []
    for act in (
        lambda: None,
        lambda: table.nominate(1),
        lambda: table.vote("jjjjj"),
        lambda: table.discard("f"),
        lambda: table.enact("f"),
    ):
        act()
        asked.append(table.group_views()[-1])
    assert [ways(view) for view in asked] == [[address]] * 5
    table.say(table.people[0], "/status")
    assert ways(table.group_views()[-1]) == [address]


def test_a_claim_leaves_the_link_where_it_is(table: Table) -> None:
    table.open(5, deck="lff lff").govern(1, "f")
    claim = table.seat(0).views()[-1]
    table.nominate(2)
    asked = table.group_views()[-1]
    before = ways(asked)
    table.tap(table.people[0], claim, claim.buttons()[0]["callback_data"])
    table.wait(TELL_AFTER + 1)
    after = table.group_views()[-1]
    assert after is asked
    assert "⁨#1\u00a0Anna⁩ says" in after.text
    assert ways(after) == before != []


def test_a_meeting_has_the_link_and_names_nobody(table: Table) -> None:
    table.open(7, ruleset="red-dawn@1", deck="cll").govern(1, "c")
    assert table.question().meeting
    table.say(table.people[0], "/remind")
    told = table.group_views()[-1]
    assert "the Communists are meeting" in told.text
    assert len(ways(told)) == 1
    assert not any(user.first_name in told.text for user in table.people)
    assert "Answered" not in told.text


def test_missing_voters_are_named_with_the_count(table: Table) -> None:
    table.open(5).choose().vote(".jj..").say(table.people[2], "/remind")
    told = table.group_views()[-1]
    assert told.text.splitlines()[1:] == [
        "Still to act: \u2068#1\u00a0Anna\u2069, \u2068#4\u00a0David\u2069, \u2068#5\u00a0Emma\u2069",
        "Answered so far: 2 of 5",
    ]
    assert [f"tg://user?id={table.people[seat].id}" in told.html for seat in range(5)] == [
        *(True, False, False, True, True)
    ], "their phones tell them"


@pytest.mark.parametrize("first", ["/status", "/remind"])
def test_names_are_told_once_a_minute(table: Table, first: str) -> None:
    table.open(5).choose().say(table.people[0], first)
    posts = len(table.group_views())
    table.vote("j....").say(table.people[1], "/remind")
    assert len(table.group_views()) == posts
    table.say(table.people[1], "/status")
    assert "Still to act" not in table.group_text()
    assert "Everyone votes now" in table.group_text()
    table.pass_time(61)
    table.say(table.people[1], "/remind")
    assert "Answered so far: 1 of 5" in table.group_text()
