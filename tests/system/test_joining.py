"""Join by a tap, by a deep link, or by a command, and who may not."""

from collections.abc import Callable

from bot.rooms.names import ChatId, RoomName, sign_lobby
from sandbox.harness import LINK_KEY, Harness
from tests.system.table import Table, link_of

#: An invisible character that keeps Telegram from linking parts of a name.
JOINER = "\u2060"


def test_an_unwritable_person_is_seated_by_start(table: Table) -> None:
    shy = table.gather(2).person("Shy", started=False)
    url = link_of(table.press(shy, "join"))
    assert url.startswith("https://t.me/chancellery_bot?start=")
    assert table.players() == ["Anna", "Ben"], "nobody is seated whom the bot cannot write to"
    table.follow(shy, url)
    assert table.players() == ["Anna", "Ben", "Shy"]
    assert "Shy" in table.lobby_text()
    assert "You have a seat in ⁨The Reichstag⁩" in table.seat(2).text()


def test_a_link_does_not_help_who_was_banned(table: Table) -> None:
    shy = table.gather(1).person("Shy", started=False)
    url = link_of(table.press(shy, "join"))
    table.tg.kick(shy, table.group)
    table.follow(shy, url)
    assert table.players() == ["Anna"]


def test_a_forged_payload_is_a_plain_start(table: Table) -> None:
    shy = table.gather(1).person("Shy", started=False)
    real = link_of(table.press(shy, "join")).partition("start=")[2]
    forged = sign_lobby(RoomName(ChatId(table.group.id)), 1, b"another key")
    torn = ("A" if real[0] != "A" else "B") + real[1:]
    for text in (forged, torn, real[:-1], real[:-4], "x", "-" * 64, "AAAA"):
        table.tg.start_private(shy, text)
        table.harness.settle()
        assert "I can write to you now" in table.seat(1).text()
    assert table.players() == ["Anna"]
    signed = sign_lobby(RoomName(ChatId(table.group.id)), 1, LINK_KEY)
    assert real == signed, "the real one is signed by the bot"


def test_a_second_block_leads_to_the_private_chat_again(table: Table) -> None:
    ben = table.gather(1).person("Ben")
    table.block(ben)
    table.follow(ben, link_of(table.press(ben, "join")))
    assert table.players() == ["Anna", "Ben"]


def test_joining_remembers_for_a_person_which_rooms_they_are_in(table: Table, at: Harness) -> None:
    table.gather(2)
    user = at.built.app.users.load(table.people[1].id)
    assert user.may_write is True
    assert list(user.rooms) == [table.name.key]


def test_a_person_can_sit_in_two_groups_at_once(table: Table, another: Callable[..., Table]) -> None:
    table.open(5)
    second = another(*table.people, title="Der <b>zweite</b> Tisch").open(5)
    seat = table.seat(0)
    first, last = seat.prompts()
    assert "The Reichstag" in first.text
    assert "Der <b>zweite</b> Tisch" in last.text.replace(JOINER, "")
    last.tap("Ben")
    assert [len(t.match().log) > len(u.match().log) for t, u in ((second, table),)] == [True]
    first.tap("Clara")
    assert "nominates ⁨#3 Clara⁩" in table.group_text()
    assert "nominates ⁨#2 Ben⁩" in second.group_text()
    seat.say("/games")
    assert "The Reichstag" in seat.text()
    assert "Der <b>zweite</b> Tisch" in seat.text().replace(JOINER, "")


def test_every_prompt_links_back_to_its_group(table: Table) -> None:
    table.open(5)
    entities = table.asked().prompt().message.entities
    links = [entity["url"] for entity in entities if entity["type"] == "text_link"]
    assert links == [f"https://t.me/c/{str(table.group.id).removeprefix('-100')}/1"]
