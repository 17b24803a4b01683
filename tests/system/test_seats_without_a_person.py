"""Games with seats without a person: the bot writes to nobody for them, and the others notice nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.conversation.game.deadlines import AWAY
from bot.conversation.incoming import Wake
from bot.conversation.lobby.lobby import button_number
from bot.conversation.outcome import GROUP, ClearButtons, Edit, Outcome, Post, Private, Seat
from bot.rooms.model import Player
from engine import OFFERED, Setup, question_for
from handlers.service import effects as outbox
from handlers.service.effects import RoomRequest
from infra.store.archives import Archives
from infra.store.table import DynamoTable
from infra.telegram.errors import NOT_MODIFIED
from sandbox.harness import TABLE
from sandbox.telegram import User
from tests.system.no_person import Somebody, empty, open_with
from tests.system.season import board_of, kept
from tests.system.table import Seat as PrivateChat
from tests.system.table import Table, answered
from tests.system.test_seats import clock, forget, wait

SIZES = [(rules.id, players) for rules in OFFERED for players in (min(rules.players), max(rules.players))]
#: The distance from one seat without a person to the next, for each share.
SHARES = {"every other": 2, "all but one": 1}


def unspoken(table: Table, user: User) -> bool:
    """Return True if the bot has never written to somebody in private."""
    return not PrivateChat(table, user).views()


def sound(table: Table, seats: list[int]) -> None:
    """Check that no message lacked a chat, and no message is left."""
    refused = [(call.method, str(call.answer)) for call in table.tg.journal if not call.ok]
    assert [said for said in refused if NOT_MODIFIED not in said[1]] == []
    assert all(unspoken(table, table.people[seat]) for seat in seats)
    table.pass_time(5)  # the rest of a large table's last messages waits in the queue
    table.harness.settle()
    item = table.item()
    assert (item.outbox, item.lease) == ({}, None)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(("ruleset", "players"), SIZES)
@pytest.mark.quick("classic@1-5-all but one", "classic@1-10-every other", "red-dawn@1-12-all but one")
def test_a_game_with_seats_without_people_ends(table: Table, ruleset: str, players: int, share: str) -> None:
    seats = list(range(1, players, SHARES[share]))
    open_with(table, players, seats, Setup(ruleset, players, {})).finish()
    sound(table, seats)
    assert table.match().archived
    people = [user for seat, user in enumerate(table.people) if seat not in seats]
    (archive,) = Archives(DynamoTable(table.harness.client, TABLE)).latest(table.name.key)  # type: ignore[arg-type]
    sitting = {str(seat): user.id for seat, user in enumerate(table.people) if seat not in seats}
    assert archive.people == sitting
    assert set(board_of(table).entries) == {user.id for user in people}
    assert [kept(table, user).counts.get("games", 0) for user in table.people] == [
        int(user in people) for user in table.people
    ]


def test_group_ballots_have_no_buttons_without_people(table: Table) -> None:
    room = empty(table.gather(5), (1, 2)).room()
    table.rewrite(replace(room, settings=replace(room.settings, ballots="group")))
    somebody = Somebody(table.start_dealt())
    table.press(table.people[0], "answer")
    assert not table.button_gone("answer"), "people vote"
    for seat in (0, 3, 4):
        message, data = table.button("answer")
        table.pass_time()
        table.tg.tap(table.people[seat], message, data.rpartition("|")[0] + "|1")
        table.harness.settle()
    for seat in (1, 2):
        somebody.answer(seat, 1)
    assert table.waiting() == (1,), "voted down; the next candidate is not a person"
    assert table.button_gone("answer")
    somebody.answer(1)
    assert not table.button_gone("answer")
    sound(table, [1, 2])


def test_the_last_answer_of_a_leaver_lets_the_game_go_on(table: Table) -> None:
    somebody = open_with(table, 5, (4,))
    table.nominate(1).vote("jjjj.")
    somebody.answer(4, 0)
    assert "hash" not in table.group_text()
    assert question_for(table.match().game, 0) is not None, "the President has tiles"
    assert "discard" in table.seat(0).text().lower()


def test_what_is_for_nobody_leaves_no_lease(table: Table) -> None:
    open_with(table, 5, (1,))
    room, item, app = table.room(), table.item(), table.harness.built.app
    for_nobody = Post(Seat(1), "a word"), Edit(Seat(1), "seat1", "another"), ClearButtons(Seat(1), "seat1")
    assert outbox.entries(room, for_nobody) == []
    heard = RoomRequest(Wake(table.name), table.name, None, table.harness.clock() + 10)
    app.room_service.save(item, room, Outcome(room, for_nobody), heard)
    assert (table.item().outbox, table.item().lease) == ({}, None)


def test_only_the_outbox_knows_the_chats(table: Table) -> None:
    open_with(table, 5, (1,))
    room = replace(table.room(), topic=9)
    asked = (GROUP, Seat(0), Seat(1), Seat(4), Private(77))
    sent = [(entry.chat, entry.topic) for entry in outbox.entries(room, [Post(to, "a word") for to in asked])]
    first, last = table.people[0].id, table.people[4].id
    assert sent == [(table.group.id, 9), (first, None), (last, None), (77, None)]


@pytest.mark.parametrize("setting", ["off", "fast", "relaxed"])
def test_a_question_for_nobody_is_closed_without_reminders(table: Table, setting: str) -> None:
    if setting != "off":
        clock(table, setting)
    empty(table.gather(5), (0, 3)).start_dealt()
    posts = len(table.group_texts())
    wait(table, AWAY / 2 + 1)
    assert len(table.group_texts()) == posts
    wait(table, AWAY / 2)
    assert table.waiting() == (0, 1, 2, 3, 4), "no person was to nominate, and somebody is nominated"
    sound(table, [0, 3])


def test_only_people_are_reminded(table: Table) -> None:
    empty(clock(table, "fast").gather(5), (3, 4)).start_dealt()
    table.nominate(1).vote("jj...")
    heard = [len(table.seat(seat).texts()) for seat in range(5)]
    wait(table, 46)
    assert [len(table.seat(seat).texts()) for seat in range(5)] == [*heard[:2], heard[2] + 1, 0, 0]
    wait(table, 28)
    assert "Clara" in table.group_text()
    assert "David" not in table.group_text()
    sound(table, [3, 4])


def test_again_keeps_people_who_are_present_and_who_is_no_person(table: Table) -> None:
    open_with(table, 7, (1, 3)).finish()
    table.tg.leave(table.people[2], table.group)
    table.harness.settle()
    table.say(table.people[6], "/leave")
    before = len(table.tg.journal.of("getChatMember"))
    table.press(table.people[0], "rematch")
    lobby = table.room().lobby
    assert lobby is not None
    assert [player.name for player in lobby.players] == ["Anna", "Ben", "David"]
    assert set(lobby.people) == {0}
    asked = {call.params["user_id"] for call in table.tg.journal.of("getChatMember")[before:]}
    assert asked == {table.people[seat].id for seat in (0, 2, 4, 5, 6)}
    sound(table, [1, 3])


def test_only_persons_seats_change_hands(table: Table) -> None:
    somebody = open_with(table, 5, (1, 3))
    table.leave(table.people[2])
    kurt = table.person("Kurt")
    table.say(kurt, "/sub")
    assert "Clara" in table.group_text()
    table.press(kurt, "sit")
    assert table.match().people == {0: table.people[0].id, 2: kurt.id, 4: table.people[4].id}
    assert table.match().former == {table.people[2].id: 2}
    table.people[2] = kurt
    somebody.finish()
    sound(table, [1, 3])


def test_a_person_takes_an_open_seat_of_nobody(
    table: Table,
) -> None:
    somebody = open_with(table, 5, (1, 3))
    match = table.match()
    table.rewrite(replace(table.room(), match=replace(match, away=(1,))))
    kurt = table.person("Kurt")
    table.say(kurt, "/sub")
    table.press(kurt, "sit")
    assert table.match().people[1] == kurt.id
    assert table.match().former == {}
    table.people[1] = kurt
    somebody.finish()
    sound(table, [3])


def test_a_vote_to_replace_somebody_counts_people_alone(table: Table) -> None:
    somebody = empty(clock(table, "fast").gather(7), (3, 4, 5, 6))
    play = Somebody(somebody.start_dealt())
    wait(table, 91)
    while table.match().missed.get(0, 0) < 2:
        for seat in table.waiting():
            if seat in table.match().people and seat:
                prompt = table.seat(seat).prompt()
                prompt.tap(prompt.labels()[0])
            elif seat:
                play.answer(seat)
        wait(table, 91)
    (asked,) = [text for text in table.group_texts() if "Shall somebody else" in text]
    assert "0 of 2 votes" in asked
    table.press(table.people[1], "replace")
    assert table.match().away == ()
    table.press(table.people[2], "replace")
    assert table.match().away == (0,)


def test_only_people_are_asked_to_replace_people(table: Table) -> None:
    somebody = Somebody(empty(clock(table, "fast").gather(5), (1, 2, 3, 4)).start_dealt())
    wait(table, 91)
    while max((table.match().missed.get(seat, 0) for seat in (0, 1)), default=0) < 3:
        for seat in table.waiting():
            if seat > 1:
                somebody.answer(seat)
        wait(table, 91)
        if table.match().over:
            break
    assert table.match().missed[1] >= 2
    assert table.button_gone("replace")


def test_an_unreachable_player_among_computers_stays(table: Table) -> None:
    open_with(table, 5, (1, 2, 3, 4))
    table.tg.block(table.people[0])
    table.harness.settle()
    assert "I can't write to" in table.group_text()
    assert "votes" not in table.group_text()
    assert table.button_gone("replace")


def test_a_host_who_leaves_hands_over_to_a_person(table: Table) -> None:
    empty(table.gather(4), (1,))
    table.press(table.people[0], "leave")
    lobby = table.room().lobby
    assert lobby is not None
    assert lobby.host == table.people[2].id
    (crowned,) = [line for line in table.lobby_text().splitlines() if "👑" in line]
    assert "Clara" in crowned
    for user in table.people[2:4]:
        table.press(user, "leave")
    lobby = table.room().lobby
    assert lobby is not None
    assert [player.name for player in lobby.players] == ["Ben"]
    assert lobby.host == table.people[3].id, "whoever left last, as in a lobby that is empty"


def test_a_lobby_without_a_host_does_not_crown_who_is_no_person(table: Table) -> None:
    empty(table.gather(3), (0, 1, 2)).say(table.owner, "/newgame")
    lobby = table.room().lobby
    assert lobby is not None
    assert lobby.host is None
    assert "👑" not in table.lobby_text()


def test_a_nobody_can_be_removed_and_never_hosts(table: Table) -> None:
    empty(table.gather(4), (1, 2))
    number = table.room().lobby_count
    table.forge(table.people[0], f"setup|{table.name.short}|{number}|-2|0")
    message, _ = table.button("remove")
    hosts = [b["text"] for b in message.buttons() if b["callback_data"].startswith("host|")]
    assert hosts == ["👑 make \u2068David\u2069 host"]
    lobby = table.room().lobby
    assert lobby is not None
    of_ben, of_clara = (
        f"remove|{table.name.short}|{number}|{button_number(player)}" for player in lobby.players[1:3]
    )
    offered = [button["callback_data"] for button in message.buttons()]
    assert offered.count(of_ben) == offered.count(of_clara) == 1
    assert table.forge(table.people[3], of_clara) == "Only the host or an admin can do that."
    table.forge(table.people[0], of_clara)
    lobby = table.room().lobby
    assert lobby is not None
    assert [player.name for player in lobby.players] == ["Anna", "Ben", "David"]
    table.forge(table.people[0], of_clara)
    lobby = table.room().lobby
    assert lobby is not None
    assert [player.name for player in lobby.players] == ["Anna", "Ben", "David"], "nobody is called so now"


def test_start_asks_telegram_about_people_alone(table: Table) -> None:
    empty(table.gather(5), (1, 2))
    before = len(table.tg.journal.of("getChatMember"))
    table.start_dealt()
    asked = {call.params["user_id"] for call in table.tg.journal.of("getChatMember")[before:]}
    assert asked == {table.people[seat].id for seat in (0, 3, 4)}


def test_a_group_with_such_a_game_becomes_a_supergroup(another: Callable[..., Table]) -> None:
    table = another(title="Small group", type="group")
    somebody = open_with(table, 5, (1, 3))
    table.nominate(2)
    table.group = table.tg.migrate(table.group)
    table.harness.settle()
    assert table.match().people.keys() == {0, 2, 4}
    somebody.finish()
    assert table.match().archived
    assert all(unspoken(table, table.people[seat]) for seat in (1, 3))


def test_a_forgotten_persons_seat_becomes_nobodys(table: Table) -> None:
    open_with(table, 5, (1, 3)).finish()
    forget(table, table.people[0])
    assert table.match().people.keys() == {2, 4}
    assert table.match().host is None
    assert not table.names(table.people[0])
    table.press(table.people[2], "rematch")
    lobby = table.room().lobby
    assert lobby is not None
    assert [player.name for player in lobby.players] == ["Ben", "Clara", "David"]


def test_people_are_told_in_private_of_games_in_which_they_sit(table: Table) -> None:
    open_with(table, 5, (1, 3))
    assert "Reichstag" in table.seat(0).say("/games").text()
    assert "Your role" in table.seat(2).say("/role").text()
    assert "Reichstag" not in table.seat(1).say("/games").text(), "Ben has no seat any more"
    toast = table.forge(table.people[1], f"role|{table.name.short}|{table.match().number}")
    assert "You are watching" in toast


def test_a_waiter_without_an_id_is_written_nothing(table: Table) -> None:
    table.gather(2)
    table.cancel(table.people[0])
    room = table.room()
    table.rewrite(replace(room, next_game=(Player(None, "Somebody", "en"),)))
    table.say(table.people[0], "/newgame")
    sound(table, [])
    assert answered(table.press(table.people[1], "join")) == "You're in."
