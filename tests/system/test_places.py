"""Games in forum topics, in groups that change their id, and with anonymous admins."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.rooms.names import ChatId
from infra.store.items import Change, Conflict, OutboxEntry, RoomItem
from infra.store.rooms import Rooms
from sandbox.telegram.model import ANONYMOUS_ADMIN
from tests.system.table import Table, answered


@pytest.fixture
def small(another: Callable[..., Table]) -> Table:
    return another(title="Small group", type="group")


def test_each_topic_of_a_forum_has_its_own_game(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    anna = forum.person("Anna")
    topics = [forum.tg.add_topic(forum.group, name) for name in ("Red table", "Blue table")]
    for topic in topics:
        forum.topic = topic.id
        forum.say(anna, "/newgame")
        assert len(forum.group_views()) == 1, "the answer stands in its topic"
    forum.press(forum.person("Ben"), "join")
    lobbies = []
    for topic in topics:
        forum.topic = topic.id
        lobbies.append(len(forum.lobby().players))
    assert lobbies == [1, 2]
    forum.topic = None
    forum.say(anna, "/status")
    assert forum.group_text() == "No game here. /newgame opens one."


def test_a_whole_round_in_a_topic_stays_in_it(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    forum.topic = forum.tg.add_topic(forum.group, "The table").id
    forum.open(5).govern(1, "l")
    posts = [view for view in forum.tg.chat_view(forum.group) if view.mine]
    assert posts
    assert {view.thread for view in posts} == {forum.topic}
    links = [entity["url"] for entity in forum.asked().prompt().message.entities if "url" in entity]
    assert links[0].endswith(f"/{forum.topic}/{forum.topic}")


def test_an_invited_bot_says_in_each_topic_how_things_stand(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    topics = [forum.tg.add_topic(forum.group, name).id for name in ("Red table", "Blue table")]
    for forum.topic in topics:
        forum.gather(5)
        forum.rewrite(replace(forum.room(), settings=replace(forum.room().settings, ballots="group")))
        forum.start_dealt()
    forum.tg.kick(forum.tg.bot, forum.group)
    forum.harness.settle()
    forum.pass_time(60)
    seen = len(forum.tg.chat_view(forum.group))
    forum.tg.join(forum.tg.bot, forum.group)
    forum.harness.settle()
    posts = [view for view in forum.tg.chat_view(forum.group)[seen:] if view.mine]
    assert sorted(view.thread or 0 for view in posts) == topics
    for post in posts:
        forum.topic = post.thread
        forum.tap(forum.people[0], post, post.buttons()[0]["callback_data"])
        assert len(forum.waiting()) == 5, "all vote"


def test_a_group_that_becomes_a_supergroup_in_mid_game_plays_on(small: Table) -> None:
    table = small.open(5).nominate(1)
    ballots = [table.seat(seat).prompt() for seat in range(5)]
    new = table.migrate()
    for prompt in ballots:
        prompt.tap("Ja")
    assert table.room().chat == new.id
    assert "The government is elected" in table.group_text()
    assert table.tg.journal.of(chat=new.id)
    table.discard("f")
    assert table.match().game.question is not None


def test_the_supergroup_is_shown_the_game_with_its_buttons(small: Table) -> None:
    table = small.gather(5)
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, ballots="group")))
    table.start_dealt()
    table.press(table.people[0], "answer")
    table.migrate()
    for user in table.people:
        table.press(user, "answer")
    assert "The government is elected" in table.group_text()


def test_a_prompt_from_before_the_migration_becomes_the_next(small: Table) -> None:
    table = small.open(5)
    prompt = table.asked().prompt()
    table.migrate()
    prompt.tap(table.people[1].first_name)
    assert "how do you vote" in prompt.text
    assert len(prompt.message.buttons()) == 2


def test_a_migration_resends_nothing(small: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table = small.open(5)
    moving, outbox_service = Rooms.move, table.harness.built.app.outbox_service
    before = table.item()
    entry = OutboxEntry(table.people[2].id, "sendMessage", {"text": "once"})
    change = Change(entries=[entry], lease=outbox_service.outbox_sender.lease("sender"))
    owed = outbox_service.rooms.save(before, change)
    assert isinstance(owed, RoomItem)

    def late(*given: Any, **more: Any) -> object:
        monkeypatch.setattr(Rooms, "move", moving)
        outbox_service.deliver(owed, "sender", table.harness.clock() + 10)
        return moving(*given, **more)

    monkeypatch.setattr(Rooms, "move", late)
    table.migrate()
    calls = table.tg.journal.of(chat=table.people[2].id)
    sent = [call for call in calls if call.params.get("text") == "once"]
    assert len(sent) == 1


def test_a_migration_learnt_from_a_refusal_loses_nothing(small: Table) -> None:
    table = small.open(5)
    prompt = table.asked().prompt()
    new = table.tg.migrate(table.group)
    table.tg.delivery.clear()  # the service messages never arrive
    table.group = new
    prompt.tap("Ben")
    assert table.room().chat == new.id
    assert "nominates ⁨#2 Ben⁩" in table.group_text()


def test_a_repeated_migration_message_changes_nothing(small: Table) -> None:
    table = small.open(5)
    new = table.tg.migrate(table.group)
    moved = table.tg.delivery.heads()[0]
    assert table.tg.delivery.copy(moved).id != moved.id
    table.harness.settle()
    table.group = new
    before = table.item()
    table.tg.delivery.push("message", moved.update["message"], moved.queue)
    table.harness.settle()
    assert table.item() == before


def test_the_supergroup_finds_its_game(small: Table) -> None:
    table = small.open(5)
    new = table.tg.migrate(table.group)
    table.tg.send(table.people[0], new, "/newgame")
    while heads := [head for head in table.tg.delivery.heads() if head.queue == ("chat", new.id)]:
        table.tg.delivery.deliver(heads[0], table.harness.post)
    table.group = new
    assert table.match().over is False
    assert "running here" in table.group_text()
    table.harness.settle()
    assert (table.room().lobby, table.room().lobby_count) == (None, 1)


def test_a_tap_that_races_the_migration_counts(small: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table = small.open(5)
    prompt, save = table.asked().prompt(), Rooms.save

    def overtaken(rooms: Rooms, before: RoomItem, change: Change) -> RoomItem | Conflict:
        monkeypatch.setattr(Rooms, "save", save)
        service = table.harness.built.app.outbox_service
        assert service.move(table.name, ChatId(table.tg.migrate(table.group).id)) is not None
        return save(rooms, before, change)

    monkeypatch.setattr(Rooms, "save", overtaken)
    prompt.tap("Ben")
    table.group = table.tg.chats[table.group.migrated_to or 0]
    assert table.waiting() == (0, 1, 2, 3, 4)
    assert "nominates" in table.group_text()


def test_a_taken_place_ends_the_old_rooms_calls(small: Table) -> None:
    table = small.open(5)
    prompt = table.asked().prompt()
    new = table.tg.migrate(table.group)
    table.tg.delivery.clear()  # the bot does not hear of it, as if it had been out
    table.tg.send(table.people[0], new, "/newgame")
    table.harness.settle()
    prompt.tap("Ben")
    assert table.item().outbox == {}
    assert table.harness.built.app.rooms.load(f"room#{new.id}") is not None


@pytest.mark.parametrize("shown_in", ["the old chat", "the new chat"])
def test_old_buttons_still_work_after_the_migration(small: Table, shown_in: str) -> None:
    table = small.gather(4)
    message, data = table.button("join")
    emma = table.person("Emma")
    new = table.migrate()
    if shown_in == "the new chat":
        message = next(iter(new.messages.values()))
    assert answered(table.tap(emma, message, data, forged=True)) == "You're in."
    assert table.players()[-1] == "Emma"


def test_an_anonymous_admin_can_open_start_and_cancel(table: Table) -> None:
    boss = table.person("Boss")
    table.tg.promote(boss, table.group, anonymous=True)
    table.add_people("Ann", "Bob", "Cem", "Dan").say(boss, "/newgame")
    confirm(table, boss)
    for user in table.people:
        table.press(user, "join")
    lobby = table.lobby()
    assert lobby.host == boss.id, "the tap says who it was"
    assert ANONYMOUS_ADMIN not in [player.id for player in lobby.players]
    table.say(boss, "/start")
    confirm(table, boss)
    table.wait_for_deal()
    assert table.room().playing is not None
    table.say(boss, "/cancel")
    confirm(table, boss)
    assert table.room().playing is not None, "asked once"
    table.press(boss, "cancel")
    assert table.room().playing is None


@pytest.mark.parametrize("command", ["/nextgame", "/sub"])
def test_an_anonymous_admin_says_by_a_tap_who_waits_or_gets_up(table: Table, command: str) -> None:
    table.open(5)
    boss = table.people[3]
    table.tg.promote(boss, table.group, anonymous=True)
    table.say(boss, command)
    confirm(table, boss)
    if command == "/sub":
        table.pass_time()
        table.press(boss, "quit")
        assert table.match().away == (3,)
    else:
        assert [player.id for player in table.room().next_game] == [boss.id]


def test_an_anonymous_admins_button_gives_others_no_right(table: Table) -> None:
    boss = table.gather(5).person("Boss")
    table.tg.promote(boss, table.group, anonymous=True)
    table.say(boss, "/cancel")
    assert answered(table.press(table.people[3], "again")) == "Only the host or an admin can do that."
    assert table.room().lobby is not None
    confirm(table, boss)
    table.press(boss, "cancel")
    assert table.room().lobby is None


def confirm(table: Table, user: object) -> None:
    """Tap the button that asks an anonymous admin who they are."""
    table.press(user, "again")  # type: ignore[arg-type]
