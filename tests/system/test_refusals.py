"""Refusals of Telegram: passing ones are tried again; final ones become visible to the group."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from telegram.error import TimedOut

from sandbox.telegram import Call, Refusal, User, bad_request, forbidden, too_many
from tests.refusing import refuse
from tests.system.table import Prompt, Table, answered

TEXTS = ("sendMessage", "editMessageText")


def later(table: Table, seconds: float = 900) -> None:
    end = table.harness.clock() + seconds
    while (moment := table.harness.queue.next_at) is not None and moment <= end:
        table.wait_until(moment)
    table.wait_until(end)


@pytest.mark.parametrize("code", [500, 502])
def test_a_prompt_refused_for_now_comes_later(table: Table, code: int) -> None:
    table.open(5)
    refuse(table.tg, Refusal(code, HTTPStatus(code).phrase), *TEXTS, chat=table.people[1].id, times=1)
    table.nominate(1)
    assert table.item().outbox, "the entry stays"
    assert all(len(table.seat(seat).prompts()) == 1 for seat in (0, 2, 3, 4)), "the others have theirs"
    later(table, 60)
    assert len(table.seat(1).prompts()) == 1
    assert table.item().outbox == {}
    assert "can't write" not in table.group_text()


def test_a_429_of_the_group_holds_up_the_group_alone(table: Table) -> None:
    table.open(5)
    refuse(table.tg, too_many(3600), *TEXTS, chat=table.group.id, times=1)
    table.nominate(1)
    assert table.item().outbox, "the entries stay"
    later(table, 5)
    assert [len(table.seat(seat).prompts()) for seat in range(5)] == [1] * 5
    later(table, 3700)
    assert table.item().outbox == {}
    assert "can't write" not in table.group_text()


def test_a_429_of_five_people_holds_up_the_whole_bot(table: Table) -> None:
    table.open(7)
    for person in table.people:
        refuse(table.tg, too_many(7), *TEXTS, chat=person.id, times=1)
    table.nominate(1)
    later(table, 5)
    asked = [table.seat(seat).prompts() for seat in (2, 3, 4, 5, 6)]
    assert asked.count([]) >= 5, "nobody flood_calls meanwhile"
    later(table, 60)
    assert [len(table.seat(seat).prompts()) for seat in range(7)] == [1] * 7
    assert table.item().outbox == {}


def test_the_wait_that_telegram_asks_for_is_kept(table: Table) -> None:
    table.open(5)
    refuse(table.tg, too_many(120), *TEXTS, chat=table.people[1].id, times=1)
    began = table.nominate(1).harness.clock()
    later(table, 100)
    assert not [c for c in table.tg.journal.of("sendMessage", chat=table.people[1].id) if c.time > began]
    later(table, 60)
    assert len(table.seat(1).prompts()) == 1


def test_a_telegram_that_is_silent_for_ten_minutes_loses_nothing(table: Table) -> None:
    table.open(5)

    def silent(call: Call) -> None:
        if call.method != "answerCallbackQuery":
            raise TimedOut

    table.tg.before_call.append(silent)
    table.nominate(1)
    later(table, 600)
    table.tg.before_call.clear()
    later(table, 900)
    assert [len(table.seat(seat).prompts()) for seat in range(5)] == [1] * 5
    assert len([text for text in table.group_texts() if "nominates ⁨#2 Ben⁩" in text]) == 1


def test_a_lost_answer_may_double_only_that_message(table: Table) -> None:
    table.open(5)
    ben = table.people[1].id
    lost = [1]

    def swallow(call: Call, answer: object) -> None:
        if call.chat == ben and call.method == "sendMessage" and lost[0]:
            lost[0] -= 1
            raise TimedOut

    table.tg.after_call.append(swallow)
    table.nominate(1)
    later(table, 60)
    assert [len(table.seat(seat).prompts()) for seat in range(5)] == [1, 2, 1, 1, 1]
    assert len([text for text in table.group_texts() if "nominates ⁨#2 Ben⁩" in text]) == 1
    table.seat(1).prompts()[0].tap("Ja")
    table.seat(1).prompts()[1].tap("Nein")
    assert table.waiting() == (0, 2, 3, 4), "both are prompts of the same question"


@pytest.mark.parametrize("why", ["blocked", "deactivated", "never started"])
def test_an_unreachable_player_is_named_to_the_group(table: Table, why: str) -> None:
    table.open(5)
    unreachable(table, table.people[1], why)
    table.nominate(1)
    said = [text for text in table.group_texts() if "⁨#2 Ben⁩" in text and "can't write" in text]
    assert len(said) == 1
    assert table.item().outbox == {}


def test_nobody_is_named_for_something_that_only_they_know_of(table: Table) -> None:
    # The President of this round peeks; the group must not learn that the whisper could not be delivered.
    table.open(5, deck="lff lff lff lfl").govern(1, "f").govern(2, "f").elect(3).discard("l")
    unreachable(table, table.people[2], "deactivated")
    table.enact("f")
    assert any("looked at the top" in text for text in table.group_texts())
    assert not any("can't write" in text for text in table.group_texts())
    assert table.item().outbox == {}


def test_an_unreachable_player_may_be_voted_out(table: Table) -> None:
    table.open(5)
    dan = table.people[3]
    table.block(dan)
    for voter in (0, 1):
        assert answered(table.press(table.people[voter], "replace")) == "You voted to replace them."
    assert "2 of 3 votes" in table.group_text()
    assert "can't write to ⁨#4 David⁩" in table.group_text()
    message, data = table.button("replace")
    table.tg.start_private(dan)
    table.harness.settle()
    assert table.forge(table.people[2], data, message).startswith("That player is back")
    table.block(dan)
    for voter in (0, 1, 2):
        table.press(table.people[voter], "replace")
    assert "The table replaces ⁨#4 David⁩" in table.group_text()
    felix = table.person("Felix")
    table.press(felix, "sit")
    assert table.match().players[3].id == felix.id
    assert table.match().unreached == ()


def test_a_block_is_told_when_telegram_says_it_and_once(table: Table) -> None:
    table.open(5).block(table.people[3])
    told = [text for text in table.group_texts() if "can't write" in text]
    assert len(told) == 1
    assert "⁨#4 David⁩" in told[0]


def test_who_comes_back_gets_role_and_open_question_again(table: Table) -> None:
    table.open(5, roles="llfhl")
    ben = table.people[0]
    table.block(ben)
    before = len(table.seat(0).views())
    table.block(ben, blocked=False)
    texts = [view.text for view in table.seat(0).views()[before:]]
    assert any("Your role is dealt" in text for text in texts)
    assert table.seat(0).prompts()[-1].text in texts
    table.seat(0).prompts()[-1].tap("Clara")
    assert table.match().game.table.chancellor == 2


def test_a_deleted_lobby_is_posted_again(table: Table) -> None:
    message, _ = table.gather(3).button("join")
    message.deleted = True
    table.press_gone(table.people[2], message, "leave")
    assert "2 of at most 10" in table.group_text()
    assert len(table.group_views()) == 1


@pytest.mark.parametrize("why", ["IMAGE_PROCESS_FAILED", "something is wrong with it"])
def test_claims_show_where_a_picture_was_refused(table: Table, why: str) -> None:
    table.open(5, deck="lff lff").elect(1)
    refuse(table.tg, bad_request(why), "sendPhoto")
    table.discard("f").enact("f")
    assert table.group_views()[-1].photo is None
    posts = len(table.group_views())
    claim = next(view for view in table.seat(0).views() if any("💬" in b for b in view.labels()))
    Prompt(table.seat(0), claim).tap("🟥")
    assert len(table.group_views()) == posts
    table.wait(20)
    assert "Anna\u2069 says" in table.group_text()
    assert table.room().pictures, "this one picture it was"
    table.tg.before_call.clear()
    table.elect(2).choose().choose()
    assert table.group_views()[-1].photo is not None


def test_a_closed_topic_loses_no_secret_to_the_general_one(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    topic = forum.tg.add_topic(forum.group, "The table")
    forum.topic = topic.id
    forum.open(5).tg.close_topic(forum.group, topic)
    forum.harness.settle()
    forum.nominate(1)
    assert forum.match().game.table.chancellor == 1
    elsewhere = [v for v in forum.tg.chat_view(forum.group) if v.mine and v.thread != topic.id]
    assert elsewhere == []


def unreachable(table: Table, user: User, why: str) -> None:
    """Refuse messages to this user from now on, for the first time."""
    said = {
        "blocked": "bot was blocked by the user",
        "deactivated": "user is deactivated",
        "never started": "bot can't initiate conversation with a user",
    }
    refuse(table.tg, forbidden(said[why]), *TEXTS, chat=user.id)


def test_a_flooded_group_gets_its_posts_in_order(table: Table) -> None:
    table.open(5)
    refuse(table.tg, too_many(30), *TEXTS, chat=table.group.id, times=1)
    table.nominate(1)
    later(table, 40)
    table.vote("jjjjj").discard("f")
    later(table, 120)
    texts = table.group_texts()
    turns = ("nominates \u2068#2\u00a0Ben\u2069", "The government is elected")
    order = [next(index for index, text in enumerate(texts) if said in text) for said in turns]
    assert order == sorted(order)
    assert table.item().outbox == {}
