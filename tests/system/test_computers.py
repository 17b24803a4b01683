"""Seats that computers play: through the entries, from the lobby to the archive.

COMPUTERS=all pytest tests/system/test_computers.py       # whole games at twice as many tables
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from markupsafe import Markup

import ai
from bot.computers import MOST, seat_chance
from bot.conversation.game.computers import PAUSE
from bot.conversation.incoming import Wake
from bot.conversation.outcome import GROUP, ClearButtons, Edit, Outcome, Post, Private, ToSeat
from bot.display.board_picture import picture_of
from bot.display.buttons import data
from bot.display.lobby import computer_names
from bot.display.words import Words, languages
from bot.rooms.names import UserId
from bot.rooms.player import COMPUTER
from engine import OFFERED, QuestionNumber, Seat, Setup, dealt, view
from handlers.service import effects, room_service
from handlers.service.room_service import RoomRequest
from infra.telegram.errors import NOT_MODIFIED
from local.queue import DelayQueue
from sandbox.game import play
from sandbox.harness import sketch
from sandbox.telegram import Pending
from tests.engine.builders import seats
from tests.system.dying import killed_while_thinking
from tests.system.season import archives_at, board_of, kept, recounted
from tests.system.store import Store
from tests.system.table import Table, answered
from tests.system.test_exactly_once import post
from tests.system.test_seats import forget
from tests.system.whole import sound

#: The smallest table of each ruleset with one computer and the largest with all but one; with COMPUTERS=all,
#: also the other way round.
TABLES = [
    (rules.name, players, computers)
    for rules in OFFERED
    for players, usual in ((min(rules.players), 1), (max(rules.players), max(rules.players) - 1))
    for computers in (1, players - 1)
    if computers == usual or os.environ.get("COMPUTERS") == "all"
]
#: Tables without people: the smallest, or the smallest and largest of each ruleset.
NOBODY = [(rules.id, players) for rules in OFFERED for players in (min(rules.players), max(rules.players))]
NOBODY = NOBODY if os.environ.get("COMPUTERS") == "all" else NOBODY[:1]


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return each decision of computers, by seat and question."""
    asked: list[tuple[int, int]] = []
    choose = ai.choose

    def noted(view: Any, question: Any, *rest: Any) -> int:
        asked.append((view.seat, question.number))
        return choose(view, question, *rest)

    monkeypatch.setattr(ai, "choose", noted)
    return asked


def playing(table: Table, people: int = 2, players: int = 5, first: int = 0, **setup: Any) -> Table:
    """Return a game of this many players: the first are people, the others computers."""
    rules = Setup(setup.pop("ruleset", "classic@1"), players, {})
    return table.gather(people, rules).computers(players - people).start(dealt(first=Seat(first), **setup))


def until_asked(table: Table) -> Table:
    """Let wake-ups come until a person is asked, or the game is over."""
    while not table.match().over and set(table.waiting()).isdisjoint(table.match().in_person):
        wait(table)
    return table


def wait(table: Table) -> None:
    at = table.harness.queue.next_at
    assert at is not None, "nobody comes"
    table.wait_until(at)


def finished(table: Table) -> Table:
    """Play a game to its end. People vote Ja and take all first options."""
    while not until_asked(table).match().over:
        for seat in set(table.waiting()) & set(table.match().in_person):
            prompt = table.seat(seat).prompt()
            prompt.tap(prompt.labels()[0])
    return table


def tapped(table: Table) -> Pending:
    """Tap the second answer as the one seat that must answer; return the update before it is delivered."""
    prompt = table.asked().prompt()
    prompt.tap(prompt.labels()[1], settle=False)
    (pending,) = table.tg.delivery.heads()
    return pending


def written_to(table: Table) -> set[int]:
    return {call.chat for call in table.tg.journal if call.chat is not None}


# --- in the lobby -------------------------------------------------------------------------------------


def test_one_tap_adds_the_missing_computers_and_starts(table: Table) -> None:
    message, _ = table.gather(2).button("computers")
    assert "🤖 Fill up with 3 computers" in message.labels()
    assert answered(table.press(table.people[0], "computers")) == "🤖 Computers here: 3"
    assert table.lobby_text().count(COMPUTER) == 4, "three seats, and the line about them"
    assert "Computers (experienced) don't read the chat." in table.lobby_text()
    assert "Enough players" in table.lobby_text()
    table.start()
    assert table.match().computer_seats == (2, 3, 4)
    assert written_to(table) <= {table.group.id, *(user.id for user in table.people[:2])}


def test_a_person_takes_a_computers_place_at_a_full_table(table: Table) -> None:
    message, _ = table.gather(2).computers(8).button("computers")
    assert [b["text"] for b in message.buttons() if "computers|" in b["callback_data"]] == ["🤖 One fewer"]
    table.forge(table.people[0], data(table.name, "computers", 1, 999), message)
    lobby = table.lobby()
    assert (len(lobby.players), lobby.computer_count) == (10, 8)
    table.press(table.person("Clara"), "join")
    lobby = table.lobby()
    assert (len(lobby.players), lobby.computer_count) == (10, 7)
    assert lobby.is_seated(UserId(table.people[2].id))


def test_the_picture_marks_the_computers_seats(table: Table) -> None:
    match = playing(table, 2, 5).match()
    named = [call.params for call in table.tg.journal.of("sendPhoto", chat=table.group.id)]
    assert named, "a game begins with the board"
    picture = picture_of(table.room(), match)
    assert picture is not None
    assert picture.computers == (2, 3, 4)
    (photo, *_) = [call.files["photo"] for call in table.tg.journal.of("sendPhoto", chat=table.group.id)]
    board = view(match.log[: picture.events], None)
    assert photo == sketch(board, "weimar", seats(2, 3, 4))
    assert photo != sketch(board, "weimar")


def test_computers_have_a_name_each_in_every_language_and_theme() -> None:
    most = max(max(rules.players) for rules in OFFERED)
    themes = ("weimar", "cold-war")
    names = {(code, theme): computer_names(Words(code, theme)) for code in languages() for theme in themes}
    assert all(len(set(each)) >= most for each in names.values())
    assert all(names[code, "weimar"] != names[code, "cold-war"] for code in languages())


# --- whole games --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "players", "computers"), TABLES)
@pytest.mark.quick("classic-5-1", "red-dawn-12-11")
def test_a_game_with_computers_comes_to_its_end(ruleset: str, players: int, computers: int) -> None:
    top = play(ruleset, players, players, options="all" if players % 2 else "none", computers=computers)
    sound(top)
    people = {user.id for user in top.people}
    private = {call.chat for call in top.harness.telegram.journal if call.chat is not None and call.chat > 0}
    assert private <= people
    assert computers < 4 or any(claim.seat in top.match().computer_seats for claim in top.match().claims)


@pytest.mark.parametrize(("ruleset", "players"), NOBODY)
def test_a_game_of_computers_plays_itself_to_its_end(table: Table, ruleset: str, players: int) -> None:
    playing(table, 1, players, first=1, ruleset=ruleset)
    match = table.match()
    everybody = tuple(replace(player, id=None, computer=True) for player in match.players)
    table.rewrite(replace(table.room(), match=replace(match, players=everybody)))
    table.harness.settle()
    wait(table)
    table.harness.watch()
    while not table.match().over:
        wait(table)
    assert table.match().archived
    refused = [(call.method, str(call.answer)) for call in table.tg.journal if not call.ok]
    assert [said for said in refused if NOT_MODIFIED not in said[1]] == []


# --- when they act ------------------------------------------------------------------------------------


def test_computers_vote_at_once_and_unseen(table: Table) -> None:
    playing(table, 2, 5).choose(1)
    assert table.waiting() == (0, 1), "the computers' ballots are in"
    assert "Ja (" not in table.group_text()
    assert table.match().computer_choices == {}


def test_a_computer_acts_at_its_fixed_second(table: Table) -> None:
    playing(table, 2, 5, first=2)
    opened = table.match().opened_at
    assert set(table.match().computer_choices) == {2}, "it has decided"
    assert "nominates" not in table.group_text().partition("👉")[0]
    table.wait_until(opened + PAUSE - 0.5)
    assert table.waiting() == (2,)
    table.wait(0.5)
    assert table.waiting() != (2,)
    assert table.match().opened_at == opened + PAUSE


def test_a_last_ballot_that_is_a_computers_waits_for_its_second(table: Table) -> None:
    playing(table, 1, 5)
    with pytest.MonkeyPatch.context() as late:
        late.setattr(room_service, "thinks", lambda room: False)
        table.choose().seat(0).prompt().tap("Ja")
    opened = table.match().opened_at
    assert len(table.waiting()) == 4, "no computer has come to it yet"
    assert table.harness.clock() < opened + PAUSE
    table.harness.built.app.on_wake(table.name.key, table.harness.clock() + 10)
    assert len(table.match().computer_choices) == 1, "three have voted; the last one would open the ballots"
    wait(table)
    assert table.harness.clock() == opened + PAUSE
    assert table.match().opened_at == opened + PAUSE


def test_a_computers_turn_alone_costs_no_edit() -> None:
    top = play("classic", 7, 8, computers=4)
    made = [call.params for call in top.harness.telegram.journal if call.method.startswith("editMessage")]
    edits = [str(p.get("text") or p.get("caption")) for p in made if p.get("chat_id") == top.group.id]
    turns = [text.rpartition("👉")[2] for text in edits if "👉" in text]
    people = [user.first_name for user in top.people]
    assert any(name in turn for turn in turns for name in people)
    assert [turn for turn in turns if "🤖" in turn and not any(name in turn for name in people)] == []


def test_a_vote_and_a_computers_next_act_are_one_post(table: Table) -> None:
    playing(table, 1, 5, first=3)
    until_asked(table)
    before = len(table.group_views())
    table.seat(0).prompt().tap("👎 Nein")
    while not table.match().post_waits:
        wait(table)
    assert len(table.group_views()) == before, "the result waits"
    while table.match().post_waits:
        wait(table)
    posts = [view.text for view in table.group_views()[before:]]
    assert "Nein (" in posts[0]
    assert "nominates" in posts[0] or "enacted" in posts[0]


def test_a_tap_is_answered_before_a_computer_thinks(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    playing(table, 2, 5)
    order: list[str] = []
    choose = ai.choose

    def thinking(*args: Any) -> int:
        order.append("think")
        return choose(*args)

    monkeypatch.setattr(ai, "choose", thinking)
    before = len(table.tg.journal)
    real = type(table.tg).call

    def called(tg: Any, method: str, *rest: Any, **more: Any) -> Any:
        order.append(method)
        return real(tg, method, *rest, **more)

    monkeypatch.setattr(type(table.tg), "call", called)
    table.choose(1)
    assert order[0] == "answerCallbackQuery"
    assert order.count("think") == 3
    assert "sendMessage" in order[: order.index("think")], "the others are asked first"
    assert len(table.tg.journal) > before


def test_a_tap_costs_one_more_write_with_computers(table: Table) -> None:
    playing(table, 2, 5).choose(1)
    until_asked(table)
    harness = table.harness
    reads, writes = harness.reads, harness.writes
    table.seat(0).prompt().tap("Ja")
    alone = (harness.reads - reads, harness.writes - writes)
    assert alone[0] == 1
    reads, writes = harness.reads, harness.writes
    table.seat(1).prompt().tap("Nein")
    assert harness.reads - reads == 1
    assert harness.writes - writes <= 4, "the answer, what was sent, the limiter, the computers"


def test_more_computers_than_decide_in_one_go_are_asked_again(table: Table, thought: list[Any]) -> None:
    playing(table, 1, 16, ruleset="xl@1")
    assert table.waiting() == (0,)
    counts: list[int] = []
    wake, posted = table.harness.wake, table.harness.post

    def counted(run: Callable[..., Any]) -> Callable[..., Any]:
        def one(*args: Any) -> Any:
            before = len(thought)
            answer = run(*args)
            counts.append(len(thought) - before)
            return answer

        return one

    table.harness.wake, table.harness.post = counted(wake), counted(posted)  # type: ignore[method-assign]
    table.choose()
    assert table.waiting() == (0,)
    assert sum(counts) == 15
    assert max(counts) <= MOST
    assert len(thought) == len(set(thought))


# --- exactly once -------------------------------------------------------------------------------------


def test_repeated_wakeups_decide_nothing_twice(table: Table, thought: list[Any]) -> None:
    playing(table, 2, 5, first=2)
    wait(table)
    state, posts = table.match(), len(table.group_texts())
    for _ in range(3):
        table.harness.built.app.on_wake(table.name.key, table.harness.clock() + 10)
        table.harness.settle()
    assert (table.match(), len(table.group_texts())) == (state, posts)
    finished(table)
    assert len(thought) == len(set(thought))


def test_the_watchdog_finds_turns(table: Table, thought: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    table.gather(2).computers(3).start(dealt(first=Seat(2)))
    monkeypatch.setattr(DelayQueue, "due", lambda queue: None)
    table.pass_time(300)
    table.harness.watch()
    assert table.waiting() == (0, 1), "it has nominated, and the computers have voted"
    assert len(thought) == len(set(thought))


@pytest.mark.parametrize("comes", ["redelivery", "watchdog"])
def test_a_dead_process_leaves_computers_to_the_next(table: Table, comes: str, thought: list[Any]) -> None:
    playing(table, 2, 5)
    pending = tapped(table)
    killed_while_thinking(table, pending.update)
    assert len(table.waiting()) == 5, "nobody has voted"
    if comes == "redelivery":
        assert post(table, pending.update) == 200
    else:
        table.pass_time(300)
        table.harness.watch()
    assert table.waiting() == (0, 1)
    assert len(thought) == len(set(thought))


def test_computers_keep_decisions_after_a_lost_race(table: Table, store: Store, thought: list[Any]) -> None:
    playing(table, 2, 5)
    pending = tapped(table)
    thought.clear()

    def meet(operation: str, arguments: Mapping[str, Any]) -> None:
        """Vote as a person between the computers' decisions and their write."""
        if operation == "update_item" and thought:
            store.before.remove(meet)
            table.seat(1).prompt().tap("Ja", settle=False)
            assert post(table, table.tg.delivery.heads()[-1].update) == 200

    store.before.append(meet)
    assert post(table, pending.update) == 200
    table.harness.settle()
    assert table.waiting() == (0,), "the person's ballot and the computers' are in"
    # The person's own invocation decides for them as well: each of the two asks a seat once, and one wins.
    assert {thought.count(one) for one in thought} == {2}


def test_two_workers_at_once_let_a_computer_act_once(table: Table, store: Store) -> None:
    playing(table, 2, 5, first=2)
    table.pass_time(PAUSE)
    app, key = table.harness.built.app, table.name.key
    store.meanwhile(lambda: app.on_wake(key, table.harness.clock() + 10))
    app.on_wake(key, table.harness.clock() + 10)
    table.harness.settle()
    assert sum("nominates" in text and "as Chancellor" in text for text in table.group_texts()) == 1
    assert table.waiting() == (0, 1)


def test_an_invocation_without_time_leaves_deciding_to_the_next(table: Table, thought: list[Any]) -> None:
    playing(table, 2, 5)
    thought.clear()
    table.harness.built.app.on_update(tapped(table).update, table.harness.clock() - 1)
    assert thought == []
    table.harness.settle()
    assert table.waiting() == (0, 1)


# --- what they draw from, and what is kept ------------------------------------------------------------


def test_computers_have_a_chance_of_their_own(table: Table) -> None:
    match = playing(table, 2, 5).match()
    subjects = (QuestionNumber(1), QuestionNumber(2), "say/1")
    keys = [seat_chance(match, Seat(seat), about).key for seat in range(5) for about in subjects]
    assert len({match.game.chance.key, *keys}) == 16


def test_again_keeps_the_computers(table: Table) -> None:
    playing(table, 2, 5).hurry()
    before = [player.shown for player in table.match().players]
    table.press(table.people[1], "rematch")
    assert [player.shown for player in table.lobby().players] == before[1:], "Anna is asked, not seated"


def test_a_game_with_computers_rates_nobody_and_is_told_apart(table: Table) -> None:
    playing(table, 2, 5).hurry()
    (archive,) = archives_at(table).latest(table.name.key)
    assert archive.people == {"0": table.people[0].id, "1": table.people[1].id}
    board = board_of(table)
    assert [standing.games for standing in board.entries.values()] == [0, 0]
    assert recounted(table).board == board
    counts = kept(table, table.people[0]).counts
    assert counts["games/computers"] == 1
    assert "games" not in counts
    assert "Games with computers: " in table.seat(0).say("/stats").text()
    table.say(table.people[0], "/stats")
    assert table.people[0].first_name not in table.group_text()


def test_a_player_among_computers_is_forgotten_too(table: Table) -> None:
    playing(table, 2, 5).hurry()
    forget(table, table.people[0])
    (archive,) = archives_at(table).latest(table.name.key)
    assert table.people[0].id not in archive.people.values()
    assert not kept(table, table.people[0]).counts


def test_computers_play_on_after_a_migration(another: Callable[..., Table]) -> None:
    table = playing(another(type="group"), 2, 5, first=2)
    table.migrate()
    wait(table)
    assert table.waiting() == (0, 1)


def test_what_is_for_computers_leaves_no_lease(table: Table) -> None:
    playing(table, 2, 5)
    room, item, app = table.room(), table.item(), table.harness.built.app
    for_nobody = (
        Post(ToSeat(Seat(3)), Markup("a word")),
        Edit(ToSeat(Seat(3)), "seat3", Markup("another")),
        ClearButtons(ToSeat(Seat(3)), "seat3"),
    )
    assert effects.entries(room, for_nobody) == []
    heard = RoomRequest(Wake(table.name), table.name, None, table.harness.clock() + 10)
    app.room_service.save(item, room, Outcome(room, for_nobody), heard)
    assert (table.item().outbox, table.item().lease) == ({}, None)
    room = replace(room, topic=9)
    for_all = (GROUP, ToSeat(Seat(0)), ToSeat(Seat(3)), Private(UserId(77)))
    posts = [Post(to, Markup("a word")) for to in for_all]
    sent = [(entry.chat, entry.topic) for entry in effects.entries(room, posts)]
    assert sent == [(table.group.id, 9), (table.people[0].id, None), (77, None)]
