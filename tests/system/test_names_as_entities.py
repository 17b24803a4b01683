"""No part of a name of people, groups or boards can be tapped, or notifies anybody."""

from collections.abc import Callable, Iterator

import pytest

from bot.conversation.incoming import MARKS, cleaned
from bot.display.words import name, plain_name
from sandbox.telegram import Message
from sandbox.telegram.html import detect
from tests.system.table import Table
from tests.system.test_seats import set_to

#: Texts that Telegram would link. The bot's own texts have none of them.
ODD = ("/zzleave", "/zzleave@zz_bot", "@zzping", "#zztag", "$ZZZ", "zz.com", "https://zz.org/a", "zz@zz.net")
#: A marker in names: no entity may contain it.
SIGN = "zz"


@pytest.mark.parametrize("odd", [*ODD, "tg://resolve?domain=zz", "t.me/zz", "＠zzz ＃zz"])
def test_nothing_in_a_name_is_found_by_telegram(odd: str) -> None:
    assert detect(odd) or "＠" in odd, "shown as it is, it is tapped"
    for around in ("{}", "1 {}: x", "({})", "{}, {}"):
        for shown in (str(name(odd)), plain_name(odd)):
            assert detect(around.format(shown, shown)) == []


def test_the_joiner_is_not_seen_and_the_name_stays_what_it_is() -> None:
    assert str(name("/leave")).replace("\u2060", "") == "\u2068/leave\u2069"
    assert plain_name("Ann Lee") == "\u2068Ann Lee\u2069"
    assert str(name("A / B")) == "\u2068A / B\u2069"


def test_combining_marks_without_end_are_cut() -> None:
    assert cleaned("Z" + "\u0335" * 500 + "a") == "Z" + "\u0335" * MARKS + "a"
    assert cleaned("ท์ที่") == "ท์ที่"
    assert cleaned("é́") == "é́"


def posts(table: Table) -> Iterator[Message]:
    for chat in table.tg.chats.values():
        for message in chat.messages.values():
            if message.sender is table.tg.bot:
                yield message


def tapped(table: Table) -> set[str]:
    """Return the entities that Telegram made of parts of names."""
    found = set()
    for message in posts(table):
        raw = message.text.encode("utf-16-le")
        for entity in message.entities:
            start = entity["offset"]
            words = raw[start * 2 : (start + entity["length"]) * 2].decode("utf-16-le")
            kinds = ("bot_command", "mention", "hashtag", "cashtag", "url", "email")
            if entity["type"] in kinds and SIGN in words:
                found.add(f"{words} in {message.text!r}")
    return found


def test_no_place_that_shows_a_name_lets_it_be_tapped(another: Callable[..., Table]) -> None:
    table = another(title=f"{ODD[0]} {ODD[2]} {ODD[5]}")
    for odd in ODD[:6]:
        table.person(odd)
    boss = table.owner
    boss.first_name = "/zzboss"
    set_to(table, "open_cards", "on")
    set_to(table, "silence", "on")
    table.say(boss, '/settings board /zzboard @zzping {"ruleset":"classic@1"}')
    table.press(boss, "board")
    table.say(table.people[1], "/nextgame").say(table.people[0], "/newgame")
    for user in table.people[:6]:
        table.press(user, "join")
    table.person("/zznew", started=False)
    table.say(table.people[6], "/join").say(table.people[6], "/nextgame").start_dealt()
    everywhere = ("/players", "/status", "/remind", "/board", "/history", "/votes", "/sub", "/rules", "/help")
    table.leave(table.people[3])
    table.press(table.people[3], "sit")
    table.block(table.people[2])
    table.tg.start_private(table.people[2])
    table.harness.settle()
    for command in everywhere:
        table.say(boss, command)
    for seat in range(6):
        for command in ("/role", "/games", "/stats", "/rules", "/help"):
            table.seat(seat).say(command)
    table.pass_time(200)
    table.say(boss, "/status").press(boss, "clock")
    table.finish(3)
    for command in (*everywhere, "/stats"):
        table.say(boss, command)
    table.press(table.people[1], "rematch")
    table.pass_time(100)
    table.say(boss, "/settings").press(boss, "set")
    assert any("\u2060" in message.text for message in posts(table))
    assert tapped(table) == set()
