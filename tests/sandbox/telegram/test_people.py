"""People's acts reach the bot as updates in Telegram's format."""

from __future__ import annotations

from typing import Any

import aiogram.types
import pytest
from telegram import Update

from sandbox.telegram import Telegram
from sandbox.telegram.model import ANONYMOUS_ADMIN

from .conftest import keyboard


def updates(tg: Telegram) -> list[Any]:
    """Take all waiting updates from the queues, and return them as two libraries read them."""
    raw = tg.call("getUpdates")["result"]
    for update in raw:
        assert not aiogram.types.Update.model_validate(update).model_extra
    read = [Update.de_json(update, None) for update in raw]
    if raw:
        tg.call("getUpdates", {"offset": raw[-1]["update_id"] + 1})
    return [update for update in read if update is not None]


def test_a_command_in_the_group_arrives_with_its_entity(world: Any) -> None:
    world.tg.send(world.ann, world.group, "🦅 /newgame@chancellery_bot xl")
    (update,) = updates(world.tg)
    assert update.message.from_user.language_code == "en"
    (entity,) = update.message.entities
    assert update.message.parse_entity(entity) == "/newgame@chancellery_bot"


def test_in_privacy_mode_the_bot_does_not_overhear_chatter(world: Any) -> None:
    ours = world.say()
    for text in ("hello", "/start@other_bot", "@other_bot hi", "look /command"):
        world.tg.send(world.ann, world.group, text)
    world.tg.send(world.ann, world.group, "as you say", reply_to=ours)
    assert [update.message.text for update in updates(world.tg)] == ["look /command", "as you say"]
    world.tg.set_bot_rights(world.group, can_pin_messages=True)
    updates(world.tg)
    world.tg.send(world.ann, world.group, "hello admin")
    assert [update.message.text for update in updates(world.tg)] == ["hello admin"]


def test_pressing_start_sends_the_deep_links_payload(world: Any) -> None:
    world.tg.open_link(world.ann, "https://t.me/chancellery_bot?start=Abc_-9")
    (update,) = updates(world.tg)
    assert update.message.text == "/start Abc_-9"
    assert update.message.chat.type == "private"
    assert world.tg.open_link(world.ann, "https://example.org/x") == "https://example.org/x"
    with pytest.raises(ValueError, match="payload"):
        world.tg.start_private(world.ann, "no spaces")


def test_blocking_the_bot_arrives_as_kicked(world: Any) -> None:
    world.tg.start_private(world.ann)
    world.tg.block(world.ann)
    world.tg.block(world.ann)
    world.tg.start_private(world.ann)
    seen = updates(world.tg)
    kinds = [u.my_chat_member.new_chat_member.status if u.my_chat_member else u.message.text for u in seen]
    assert kinds == ["/start", "kicked", "member", "/start"]


def test_a_tap_carries_the_message_as_it_is_now(world: Any) -> None:
    message = world.say("Vote", reply_markup=keyboard([("Ja", "1:ja"), ("Nein", "1:nein")]))
    world.tg.tap(world.bob, message, "1:nein")
    (update,) = updates(world.tg)
    assert update.callback_query.data == "1:nein"
    assert update.callback_query.message.reply_markup.inline_keyboard[0][0].text == "Ja"
    world.ok("deleteMessage", chat_id=world.group.id, message_id=message.id)
    world.tg.tap(world.bob, message, "1:ja", forged=True)
    (update,) = updates(world.tg)
    assert not update.callback_query.message.is_accessible


def test_only_a_forger_taps_what_is_not_there(world: Any) -> None:
    message = world.say("Vote", reply_markup=keyboard([("Ja", "1:ja")]))
    stranger = world.tg.add_user("Stranger")
    with pytest.raises(LookupError):
        world.tg.tap(world.ann, message, "1:invented")
    with pytest.raises(PermissionError):
        world.tg.tap(stranger, message, "1:ja")
    world.tg.tap(stranger, message, "1:invented", forged=True)
    assert [update.callback_query.data for update in updates(world.tg)] == ["1:invented"]


def test_an_anonymous_admin_writes_as_the_group(world: Any) -> None:
    world.tg.promote(world.bob, world.group, anonymous=True)
    world.tg.send(world.bob, world.group, "/newgame")
    world.tg.tap(world.bob, world.say(reply_markup=keyboard([("Ja", "j")])), "j")
    written, tapped = updates(world.tg)
    assert written.message.from_user.id == ANONYMOUS_ADMIN
    assert written.message.sender_chat.id == world.group.id
    assert tapped.callback_query.from_user.id == world.bob.id


def test_coming_going_and_the_bots_own_standing_arrive(world: Any) -> None:
    tg, group, dan = world.tg, world.group, world.tg.add_user("Dan")
    tg.join(dan, group)
    tg.leave(dan, group)
    tg.kick(world.cem, group)
    tg.set_status(world.cem, group, "left")
    tg.join(world.cem, group)
    tg.set_bot_rights(group, can_pin_messages=True)
    tg.kick(tg.bot, group)
    tg.join(tg.bot, group)
    seen = updates(tg)
    joined = [u.message.new_chat_members[0].id for u in seen if u.message and u.message.new_chat_members]
    left = [u.message.left_chat_member.id for u in seen if u.message and u.message.left_chat_member]
    assert joined == [dan.id, world.cem.id, tg.bot.id]
    assert left == [dan.id, world.cem.id]
    statuses = [u.my_chat_member.new_chat_member.status for u in seen if u.my_chat_member]
    assert statuses == ["administrator", "kicked", "member"]


def test_changes_of_members_arrive_only_for_admin_bots(world: Any) -> None:
    tg, group = world.tg, world.group
    tg.call("getUpdates", {"allowed_updates": ["message", "chat_member"]})
    tg.promote(world.bob, group)
    tg.set_bot_rights(group, can_restrict_members=True)
    tg.set_status(world.bob, group, "member")
    (update,) = updates(tg)
    assert update.chat_member.new_chat_member.status == "member"


def test_a_migration_is_told_in_both_chats(world: Any) -> None:
    old = world.tg.add_group("Old", [world.ann, world.bob], type="group")
    new = world.tg.migrate(old)
    away, here = updates(world.tg)
    assert (away.message.chat.id, away.message.migrate_to_chat_id) == (old.id, new.id)
    assert (here.message.chat.id, here.message.migrate_from_chat_id) == (new.id, old.id)
    world.tg.send(world.bob, old, "/status")
    (update,) = updates(world.tg)
    assert update.message.chat.id == new.id


def test_topics_edits_and_new_names_arrive(world: Any) -> None:
    forum = world.tg.add_group("Forum", [world.ann], forum=True)
    topic = world.tg.add_topic(forum, "Games")
    message = world.tg.send(world.ann, forum, "/newgame", topic.id)
    world.ann.first_name = "<b>Anna</b>"
    world.tg.edit(world.ann, message, "/newgame xl")
    opened, written, edited = updates(world.tg)
    assert opened.message.forum_topic_created.name == "Games"
    assert (written.message.message_thread_id, written.message.is_topic_message) == (topic.id, True)
    assert edited.edited_message.text == "/newgame xl"
    assert edited.edited_message.from_user.first_name == "<b>Anna</b>"


def test_people_cannot_do_what_a_client_forbids(world: Any) -> None:
    tg, stranger = world.tg, world.tg.add_user("Stranger")
    message = tg.send(world.ann, world.group, "/mine")
    tg.start_private(world.cem)
    tg.block(world.cem)
    for act in (
        lambda: tg.send(stranger, world.group, "/hello"),
        lambda: tg.send(stranger, tg.private(world.ann), "hello"),
        lambda: tg.send(world.cem, tg.private(world.cem), "hello?"),
        lambda: tg.edit(world.bob, message, "theirs"),
    ):
        with pytest.raises(PermissionError):
            act()


@pytest.mark.parametrize(("wrong", "said"), [
    (lambda world: world.tg.add_user("Twin", id=world.ann.id), "exists"),
    (lambda world: world.tg.add_group("Twin", id=world.group.id), "negative id"),
    (lambda world: world.tg.promote(world.bob, world.group, can_fly=True), "no such right"),
    (lambda world: world.clock.advance(-1), "backwards"),
    (lambda world: world.tg.migrate(world.group), "only a group"),
    (lambda world: world.tg.add_topic(world.group, "x"), "forum"),
])  # fmt: skip
def test_the_world_is_built_with_care(world: Any, wrong: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wrong(world)
