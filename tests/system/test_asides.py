"""My role, asked for in the group: only who tapped reads it there, or a pop-up where Telegram refuses."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import handlers.service.asides
from bot.display.words import shown_length
from handlers.service.asides import APART, ASIDE, WAIT, Asides
from infra.outbox.plan import FOR_EDITS, SENT
from infra.store.items import Change, RoomItem
from sandbox.telegram import Call, MessageView, Refusal, User
from tests.audiences import readers
from tests.system.table import Table, answered

Hook = Callable[[Call], None]


def asides(table: Table, user: User | None) -> list[MessageView]:
    """The messages in the group that somebody sees and others do not."""
    return [view for view in table.tg.chat_view(table.group, viewer=user) if view.receiver is not None]


def alert(table: Table, user: User) -> bool:
    """Whether the newest answer to a tap of theirs was a pop-up."""
    return table.tg.toasts(user)[-1].alert


def refusing(
    *methods: str, status: int = 400, text: str = "Bad Request: BOT_NOT_ADMIN"
) -> Callable[[Call], None]:
    """A hook that refuses these methods."""

    def refuse(call: Call) -> None:
        if call.method in methods and call.chat is not None and call.chat < 0:
            raise Refusal(status, text)

    return refuse


@pytest.fixture
def game(table: Table) -> Table:
    table.open(7, roles="lllffhl")
    table.pass_time(60)
    return table


def test_who_taps_my_role_reads_the_whole_card_in_the_group_and_nobody_else_does(game: Table) -> None:
    david = game.people[3]
    game.press(david, "role")
    (shown,) = asides(game, david)
    assert "Fascist" in shown.text
    assert "Emma" in shown.text, "and whom they know"
    assert game.seat(3).texts()[0].startswith(shown.text), "the same as in private, where the numbers follow"
    assert shown.protected
    for other in [None, game.owner, *(user for user in game.people if user is not david)]:
        assert asides(game, other) == []


def test_the_tap_is_answered_by_a_toast_that_says_where_to_look(game: Table) -> None:
    query = game.press(game.people[3], "role")
    assert query.answer is not None
    assert not query.answer.alert
    assert "Fascist" not in query.answer.text
    assert "below" in query.answer.text


def test_a_role_travels_only_in_calls_that_cannot_reach_the_group(game: Table) -> None:
    since = len(game.tg.journal)
    game.press(game.people[3], "role")
    calls = [call for call in list(game.tg.journal)[since:] if call.chat == game.group.id]
    assert [call.method for call in calls] == ["sendMessage", "editEphemeralMessageText"]
    assert "Fascist" not in calls[0].params["text"], "an old server would post this to everybody"
    assert [readers(call.params) for call in calls] == [(game.people[3].id,)] * 2


def test_it_costs_one_read_and_one_write(game: Table) -> None:
    before = dict(game.desk.measured.store)
    game.press(game.people[3], "role")
    after = game.desk.measured.store
    spent = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    assert spent == {"GetItem": 1, "UpdateItem": 1}
    assert not game.item().outbox


def test_who_has_no_seat_is_told_so_in_a_pop_up(game: Table) -> None:
    kurt = game.person("Kurt")
    assert "You are watching this game" in answered(game.press(kurt, "role"))
    assert asides(game, kurt) == []


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "Bad Request: BOT_NOT_ADMIN"),
        (400, "Bad Request: USER_NOT_PARTICIPANT"),
        (400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
        (403, "Forbidden: bot is not a member of the supergroup chat"),
        (404, "Not Found"),
        (429, "Too Many Requests: retry after 40"),
        (500, "Internal Server Error"),
    ],
)
@pytest.mark.parametrize("method", ["sendMessage", "editEphemeralMessageText"])
def test_where_telegram_refuses_it_is_a_pop_up_and_the_group_hears_nothing(
    game: Table, method: str, status: int, text: str
) -> None:
    game.tg.before_call.append(refusing(method, status=status, text=text))
    posts = game.group_texts()
    query = game.press(game.people[3], "role")
    assert query.answer is not None
    assert query.answer.alert
    assert "Fascist" in query.answer.text
    assert game.group_texts() == posts
    assert not game.item().outbox
    before = len(game.tg.journal)
    game.pass_time(600)
    game.desk.settle()
    later = [call.method for call in list(game.tg.journal)[before:]]
    assert "sendMessage" not in later, "and it is not tried again by itself"


def test_a_chat_that_refused_for_good_is_not_asked_again(game: Table) -> None:
    game.tg.before_call.append(refusing("sendMessage"))
    game.press(game.people[3], "role")
    before = len(game.tg.journal.of("sendMessage", chat=game.group.id))
    for user in game.people:
        game.press(user, "role")
        assert alert(game, user)
    assert len(game.tg.journal.of("sendMessage", chat=game.group.id)) == before


def test_a_passing_trouble_is_forgotten_at_the_next_tap(game: Table) -> None:
    trouble = refusing("sendMessage", status=500, text="Internal Server Error")
    game.tg.before_call.append(trouble)
    game.press(game.people[3], "role")
    game.tg.before_call.remove(trouble)
    game.pass_time(APART)
    game.press(game.people[4], "role")
    assert asides(game, game.people[4])


def test_a_server_that_knows_no_such_messages_tells_the_group_no_secret(game: Table) -> None:
    def old(call: Call) -> None:
        call.params.pop("ephemeral_message_parameters", None)

    game.tg.before_call.append(old)
    posts = game.group_texts()
    game.press(game.people[3], "role")
    assert alert(game, game.people[3])
    assert game.group_texts() == posts, "what it posted to everybody, which was no secret, is taken away"
    before = len(game.tg.journal.of("sendMessage", chat=game.group.id))
    game.press(game.people[4], "role")
    assert alert(game, game.people[4])
    assert len(game.tg.journal.of("sendMessage", chat=game.group.id)) == before, "once is enough"


def test_in_a_forum_it_appears_in_the_game_s_topic(another: Callable[..., Table]) -> None:
    table = another(forum=True)
    table.topic = table.tg.add_topic(table.group, "The table").id
    table.open(5)
    table.press(table.people[0], "role")
    (shown,) = asides(table, table.people[0])
    assert shown.thread == table.topic


def test_a_busy_group_is_spared(game: Table) -> None:
    """Telegram may count such messages like any other: the game's own go first."""
    first, second = game.people[:2]
    for user in (first, second):
        game.press(user, "role")
    assert [bool(asides(game, user)) for user in (first, second)] == [True, False]
    assert alert(game, second)
    game.pass_time(APART)
    game.press(second, "role")
    assert asides(game, second)


def test_a_busy_group_is_spared_by_every_process(game: Table) -> None:
    first, second = game.people[:2]
    game.press(first, "role")
    app = game.desk.built.app
    asides_anew = Asides(app.rooms, app.gateway, app.clock, app.note)
    follow_up = replace(app.follow_up, asides=asides_anew)
    another_process = replace(
        app, room_service=replace(app.room_service, follow_up=follow_up), follow_up=follow_up
    )
    game.desk.built = replace(game.desk.built, app=another_process)
    game.press(second, "role")
    assert [bool(asides(game, user)) for user in (first, second)] == [True, False]


def test_an_aside_that_is_late_has_its_minute_all_the_same(game: Table) -> None:
    """Telegram counts from when the calls come, the room from before they are made."""
    first, second = game.people[:2]

    def slow(call: Call) -> None:
        if call.method in ("sendMessage", "editEphemeralMessageText"):
            game.desk.clock.advance(WAIT - 0.1)  # type: ignore[attr-defined]

    game.tg.before_call.append(slow)
    game.press(first, "role")
    game.tg.before_call.remove(slow)
    game.pass_time(60 - 2 * WAIT + 1)
    game.press(second, "role")
    assert [bool(asides(game, user)) for user in (first, second)] == [True, False]


def test_where_the_store_takes_its_time_it_is_a_pop_up(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = game.desk.built.app.rooms
    save = rooms.save

    def slow(*arguments: Any, **options: Any) -> Any:
        saved = save(*arguments, **options)
        game.desk.clock.advance(WAIT + 0.1)  # type: ignore[attr-defined]
        return saved

    monkeypatch.setattr(rooms, "save", slow)
    game.press(game.people[0], "role")
    assert asides(game, game.people[0]) == []
    assert alert(game, game.people[0])


def test_of_two_who_tap_at_once_one_gets_the_pop_up(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = game.desk.built.app.rooms
    now = game.desk.clock()
    taken = Asides._minute_taken

    def late(self: Asides, item: RoomItem, chat: int) -> bool:
        rooms.save(item, Change(messages={f"{ASIDE}{chat}": now}))  # another process
        return taken(self, item, chat)

    monkeypatch.setattr(Asides, "_minute_taken", late)
    game.press(game.people[0], "role")
    assert asides(game, game.people[0]) == []
    assert alert(game, game.people[0])


def test_a_group_whose_minute_is_used_up_gets_the_pop_up(game: Table) -> None:
    now = game.desk.clock()
    busy = Change(messages={f"{SENT}{game.group.id}": [now] * FOR_EDITS})
    assert isinstance(game.desk.built.app.rooms.save(game.item(), busy), RoomItem)
    game.press(game.people[3], "role")
    assert alert(game, game.people[3])
    assert asides(game, game.people[3]) == []


def test_a_card_that_is_too_long_for_the_group_is_a_pop_up(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = shown_length(game.seat(3).texts()[0].partition("\nRoles: ")[0])
    monkeypatch.setattr(handlers.service.asides, "LONGEST", longest - 1)
    game.press(game.people[3], "role")
    assert alert(game, game.people[3])
    game.pass_time(APART)
    monkeypatch.setattr(handlers.service.asides, "LONGEST", longest)
    game.press(game.people[3], "role")
    assert asides(game, game.people[3])
