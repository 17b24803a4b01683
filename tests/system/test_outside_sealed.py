"""The bot is removed from a group between seal and deal: the sealed game waits, and is then dealt once."""

import pytest

from bot.rooms.names import UserId
from sandbox.beacon import RelayBehaviour
from sandbox.telegram.calls import Refusal
from tests.system.table import Table, answered, link_of
from tests.system.test_outside import GONE, OUT, add, throw_out, to_group, told
from tests.system.test_sealing import Trouble, dealt_by_the_round, seal, seal_of, seals, until_asked
from tests.system.test_seats import wait


@pytest.fixture
def sealed(table: Table) -> Table:
    """Return a sealed game of five before its deal, and somebody who watches."""
    table.person("Kurt")
    table.gather(5).press(table.people[0], "start")
    assert table.room().sealed is not None
    return table


def without_notice(table: Table) -> None:
    """Remove the bot, and lose Telegram's notice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.tg.delivery, "push", lambda *update, **more: None)
        table.tg.kick(table.tg.bot, table.group)


def cards(table: Table) -> list[int]:
    """Return how many role cards each of the five has."""
    return [sum("🎭" in text for text in table.seat(seat).texts()) for seat in range(5)]


def test_those_in_a_sealed_game_hear_once_that_it_waits(sealed: Table) -> None:
    throw_out(sealed)
    wait(sealed, 5000)
    assert told(sealed)[:5] == [1] * 5
    assert "Your game there is paused" in sealed.seat(0).text()


@pytest.mark.parametrize("seconds", [3, 90_000])
def test_a_sealed_game_is_dealt_once_when_the_bot_is_back(sealed: Table, seconds: int) -> None:
    before = seal_of(sealed)
    throw_out(sealed)
    wait(sealed, seconds)
    assert seal_of(sealed).proof == before.proof
    add(sealed)
    if sealed.room().sealed is not None:
        sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)
    assert cards(sealed) == [1] * 5
    assert seals(sealed)[1:] == [], "the seal was posted once"


def test_before_the_round_the_beacon_is_not_asked(sealed: Table) -> None:
    before = seal_of(sealed)
    throw_out(sealed)
    add(sealed)
    assert sealed.harness.clock() < before.at
    assert sealed.harness.beacon.asked == []
    assert sealed.harness.queue.next_at == before.next_try_at
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)


def test_while_out_the_bot_asks_and_sends_nothing(sealed: Table) -> None:
    before = seal_of(sealed)
    throw_out(sealed)
    calls, texts = to_group(sealed), [len(sealed.seat(seat).views()) for seat in range(5)]
    for _ in range(5):
        wait(sealed, 600)
        sealed.harness.built.app.on_wake(sealed.name.key, sealed.harness.clock() + 30)
        sealed.seat(4).say("/language")
    sealed.block(sealed.people[2])
    sealed.block(sealed.people[2], blocked=False)
    assert sealed.harness.beacon.asked == []
    sent = [call for call in sealed.tg.journal if call.params.get("chat_id") == sealed.group.id]
    assert {call.method for call in sent[calls:]} <= {"getChatMember"}, "it only looks whether it is back"
    assert [len(sealed.seat(seat).views()) for seat in range(4)] == texts[:4]
    assert seal_of(sealed) == before


@pytest.mark.parametrize("verb", ["join", "leave", "start", "cancel", "role"])
def test_a_sealed_game_stands_still_while_the_bot_is_out(table: Table, verb: str) -> None:
    message, data = table.gather(5).button("join" if verb in ("cancel", "role") else verb)
    if verb in ("cancel", "role"):
        data = f"{verb}|{data.split('|')[1]}|1" + ("|1|1" if verb == "cancel" else "")
    before = seal(table)
    throw_out(table)
    for user in (table.person("Kurt"), table.people[0], table.people[1]):
        assert table.forge(user, data, message) == OUT
    assert seal_of(table) == before
    add(table)
    table.wait_for_deal()
    assert dealt_by_the_round(table, before)
    assert [player.id for player in table.match().players] == [user.id for user in table.people[:5]]


def test_a_deep_link_seats_nobody_in_a_sealed_game(table: Table) -> None:
    shy = table.person("Shy", started=False)
    table.people.remove(shy)
    link = link_of(table.gather(5).press(shy, "join"))
    before = seal(table)
    throw_out(table)
    table.follow(shy, link)
    assert seal_of(table) == before
    add(table)
    table.wait_for_deal()
    assert not table.match().seat_of(UserId(shy.id))
    assert dealt_by_the_round(table, before)


def test_a_deal_itself_shows_that_the_bot_is_out(sealed: Table) -> None:
    before = seal_of(sealed)
    without_notice(sealed)
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before), "it was dealt before anybody could know"
    assert sealed.room().bot_removed
    assert told(sealed)[:5] == [1] * 5
    dealt = sealed.match()
    wait(sealed, 5000)
    add(sealed)
    assert sealed.match().game == dealt.game
    assert cards(sealed) == [1] * 5
    assert "nominates a Chancellor" in sealed.group_text()


def test_a_seal_refused_to_an_expelled_bot_opens_the_lobby(table: Table) -> None:
    trouble = Trouble(table.gather(5), Refusal(403, "Forbidden: bot was kicked from the group chat"))
    table.press(table.people[0], "start")
    room = table.room()
    assert (room.sealed, room.match, room.bot_removed) == (None, None, True)
    assert room.lobby is not None
    (seed,) = room.lobby.given_up
    assert told(table) == [1] * 5
    assert table.item().outbox == {}
    wait(table, 5000)
    assert table.harness.beacon.asked == []
    trouble.how = None
    add(table)
    table.start()
    assert table.match().proof.attempt == 2
    assert table.match().proof.seed != seed
    assert any(f"Its seed was {seed}." in text for text in table.group_texts())
    assert len(seals(table)) == 1
    assert cards(table) == [1] * 5


def test_a_seal_still_waiting_is_given_up(table: Table) -> None:
    trouble = Trouble(table.gather(5), Refusal(502, "Bad Gateway"))
    before = seal(table)
    throw_out(table)
    trouble.how = None
    wait(table, 60)
    assert table.harness.beacon.asked == []
    assert table.item().outbox == {}
    add(table)
    table.start()
    assert table.match().proof.seed != before.proof.seed
    assert table.match().proof.attempt == 2
    assert len(seals(table)) == 1
    assert told(table) == [1] * 5


def test_a_lost_question_to_the_host_is_asked_again(sealed: Table) -> None:
    sealed.harness.beacon.set_behaviour(RelayBehaviour(gone=True))
    without_notice(sealed)
    until_asked(sealed)
    assert sealed.room().bot_removed
    assert not any("can't reach" in text for text in sealed.group_texts())
    add(sealed)
    message, _ = sealed.button("beacon")
    deal = message.buttons()[1]["callback_data"]
    assert "can't reach" in sealed.group_text()
    sealed.forge(sealed.people[0], deal, message)
    assert sealed.match().proof.unproven_reason == "gone"
    assert cards(sealed) == [1] * 5


def test_the_hosts_question_waits_while_the_bot_is_out(sealed: Table) -> None:
    before = seal_of(sealed)
    sealed.harness.beacon.set_behaviour(RelayBehaviour(gone=True))
    until_asked(sealed)
    message, _ = sealed.button("beacon")
    deal = message.buttons()[1]["callback_data"]
    throw_out(sealed)
    assert sealed.forge(sealed.people[0], deal, message) == OUT
    assert sealed.room().match is None
    sealed.harness.beacon.set_behaviour(RelayBehaviour())
    add(sealed)
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)
    assert GONE in "\n".join(sealed.seat(0).texts())
    assert answered(sealed.press(sealed.people[3], "role")) != OUT
