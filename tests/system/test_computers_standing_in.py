"""A computer plays for people who leave a running game, until somebody takes the seat."""

from collections.abc import Callable
from typing import Any

import pytest

import ai
from bot.conversation.game.computers import PAUSE
from bot.display.buttons import Verb, data
from bot.records.archive import decode_archive
from bot.rooms.names import UserId
from bot.rooms.player import COMPUTER
from engine import Seat
from engine.facts import Discarded
from sandbox.telegram import User
from tests.system.dying import killed_while_thinking
from tests.system.season import archives_at, board_of, kept, recounted
from tests.system.table import Table, said
from tests.system.test_computers import finished, playing, wait
from tests.system.test_exactly_once import post
from tests.system.test_seats import clock, forget, missing, set_to

NOT_YOU = "🤖 You left, and a computer plays for you. Send /sub in the group to take your seat back."


def leave(table: Table, *seats: int) -> Table:
    for seat in seats:
        table.leave(table.people[seat])
    return table


def heard(table: Table, user: User) -> list[str]:
    """Return everything that the bot has posted to somebody in private."""
    return [str(call.params["text"]) for call in table.tg.journal.of("sendMessage", chat=user.id)]


# --- getting up -----------------------------------------------------------------------------------------


def test_whoever_left_hears_only_how_it_ended(table: Table) -> None:
    david = leave(table.open(5), 3).people[3]
    told = "🚪 #4 David left. A computer 🤖 plays on until someone takes the seat."
    assert said(table.group_text()) == told
    match = table.match()
    assert (match.computer_seats, match.computers_from_start, match.away) == ((3,), (), (3,))
    before = len(heard(table, david))
    table.nominate(1)
    assert table.waiting() == (0, 1, 2, 4), "the computer has voted"
    finished(table)
    (ending,) = heard(table, david)[before:]
    assert "The Reichstag" in ending
    assert f"4 {COMPUTER} David: Fascist" in said("".join(table.group_texts())), "who was who"


def test_a_stand_in_acts_at_its_fixed_second(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(5).pass_time(300)
    choose = ai.choose

    def slowly(*args: Any) -> int:
        table.pass_time(1.7)
        return choose(*args)

    monkeypatch.setattr(ai, "choose", slowly)
    leave(table, 0)
    at = table.match().stood_in_at
    assert at > table.match().opened_at + PAUSE
    assert set(table.match().computer_choices) == {0}
    table.wait_until(at + PAUSE - 0.5)
    assert table.waiting() == (0,)
    table.wait_until(at + PAUSE)
    assert table.match().opened_at == at + PAUSE


def test_a_leavers_ballot_counts(table: Table) -> None:
    table.open(5).nominate(1).vote("nnn..")
    leave(table, 0)
    assert table.waiting() == (3, 4), "who voted has voted"
    leave(table, 3)
    assert table.waiting() == (4,), "nobody sees it"
    table.pass_time(100)
    leave(table, 4)
    assert table.waiting() == (4,)
    assert set(table.match().computer_choices) == {4}
    table.wait_until(table.match().stood_in_at + PAUSE)
    voted = table.match().view(None).facts
    nein = str(("nein",) * 3)
    assert any(str(ballots[:3]) == nein for fact in voted if (ballots := getattr(fact, "ballots", ())))


def test_a_leaver_answers_claims_and_learns_nothing(table: Table) -> None:
    table.open(5, deck="lff lff").elect(1)
    message = table.seat(0).prompt().message
    answer = table.seat(0).prompt().data()[0]
    leave(table, 0)
    assert not message.buttons(), "the prompt has lost its buttons"
    table.wait_until(table.match().stood_in_at + PAUSE)
    assert table.forge(table.people[0], answer, message) == NOT_YOU
    number = table.match().number
    taps: dict[Verb, tuple[int, ...]] = {"claim": (1, 0, 0), "watch": (), "role": ()}
    for verb, more in taps.items():
        assert table.forge(table.people[0], data(table.name, verb, number, *more)) == NOT_YOU
    for command in ("/role", "/games"):
        assert table.seat(0).say(command).text() == "You are not in a game right now."


def test_a_returning_leaver_is_told_what_was_done(table: Table) -> None:
    table.open(5, deck="lff lff").elect(1)
    leave(table, 0)
    table.press(table.people[0], "sit")
    assert table.match().computer_seats == ()
    assert table.match().computer_choices == {}
    table.wait_until(table.match().stood_in_at + 2 * PAUSE)
    assert table.waiting() == (0,), "the computer keeps out of it"
    leave(table, 0)
    table.wait_until(table.match().stood_in_at + PAUSE)
    assert table.waiting() == (1,)
    table.press(table.people[0], "sit")
    (discarded,) = [event.fact for event in table.match().log if isinstance(event.fact, Discarded)]
    told = said(table.seat(0).text())
    assert "#1 Anna drew 🔵🟥🟥" in told
    assert f"#1 Anna discarded {'🔵' if discarded.tile == 'liberal' else '🟥'}" in told
    assert table.match().former == {}


def test_whom_the_table_votes_out_a_computer_replaces(table: Table) -> None:
    missing(clock(table, "fast").open(5), 0)
    for user in table.people[1:4]:
        table.press(user, "replace")
    assert "A computer 🤖 plays on" in table.group_text()
    assert table.match().computer_seats == (0,)


def test_group_ballots_have_no_buttons_for_computers(table: Table) -> None:
    leave(set_to(table, "ballots", "group").open(5), 1)
    button = data(table.name, "answer", table.match().number, table.match().game.asked, 0)
    message, _ = table.button("answer")
    table.press(table.people[0], "answer")
    assert table.forge(table.people[1], button, message) == NOT_YOU


# --- the last one ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stand_in", ["on", "off"])
def test_a_game_that_all_people_have_left_is_called_off(table: Table, stand_in: str) -> None:
    leave(set_to(table, "stand_in", stand_in).open(5), 0, 1, 2, 3)
    assert not table.match().over
    leave(table, 4)
    assert table.match().cancelled
    (told,) = [text for text in table.group_texts() if "Nobody is at the table" in text]
    why = "🚪 #5 Emma left. Nobody is at the table now.\n🛑 The game was called off.\n"
    assert said(told).startswith(why)
    assert not table.match().archived
    table.say(table.people[0], "/newgame")
    assert table.room().lobby is not None


def test_leaving_ends_a_game_against_computers(table: Table) -> None:
    leave(playing(table, 1, 5), 0)
    assert table.match().cancelled
    assert "Nobody is at the table" in "".join(table.group_texts())
    table.harness.watch()
    assert table.harness.queue.next_at is None, "nobody plays on for nobody"


def test_the_dead_are_people_who_are_there(table: Table) -> None:
    table.open(5, roles="hlllf", deck="fff fff fff ffl")
    table.govern(1, "f").govern(2, "f").govern(3, "f").govern(4, "f").target(1)
    leave(table, 0, 2, 3, 4)
    assert not table.match().over
    finished(table)
    assert table.match().archived


# --- what is kept of it ---------------------------------------------------------------------------------


def test_a_game_that_somebody_left_is_rated_as_theirs(table: Table) -> None:
    leave(table.open(5), 3).hurry()
    (archive,) = archives_at(table).latest(table.name.key)
    assert archive.people == {str(seat): user.id for seat, user in enumerate(table.people)}
    archived = decode_archive(archive.body)
    assert (archived.computers, archived.stand_ins) == ((), (3,))
    board = board_of(table)
    assert board.entries[UserId(table.people[3].id)].games == 1
    assert recounted(table).board == board
    assert kept(table, table.people[3]).counts["games"] == 1


def test_again_does_not_take_along_who_left(table: Table) -> None:
    leave(playing(table, 3, 5), 1).hurry()
    table.press(table.people[0], "rematch")
    lobby = table.lobby()
    assert lobby.people == {0: table.people[0].id}
    asked = [at for at in range(3) if "wants to play again" in table.seat(at).text()]
    assert asked == [2]
    assert lobby.computer_count == 2


def test_a_forgotten_leaver_is_nowhere(table: Table) -> None:
    david = leave(table.open(5), 3).people[3]
    forget(table, david)
    match = table.match()
    assert Seat(3) not in match.people
    assert (match.players[3].computer, match.computers_from_start) == (True, ())
    assert "David" not in match.players[3].name
    assert match.former == {david.id: 3}, "as long as the game goes on it bars them from other seats"
    table.hurry()
    assert not table.names(david)
    (archive,) = archives_at(table).latest(table.name.key)
    assert david.id not in archive.people.values()
    assert {standing.games for standing in board_of(table).entries.values()} == {1}
    assert recounted(table).board == board_of(table)


# --- around it ------------------------------------------------------------------------------------------


def test_stand_ins_play_on_after_a_migration(another: Callable[..., Table]) -> None:
    table = another(type="group").open(5)
    leave(table, 0)
    table.migrate()
    wait(table)
    assert table.waiting() == (1, 2, 3, 4)


@pytest.mark.parametrize("comes", ["redelivery", "watchdog"])
def test_a_dead_process_leaves_the_computer_to_the_next(table: Table, comes: str) -> None:
    table.open(5).say(table.people[0], "/leave").press(table.people[0], "quit", settle=False)
    (pending,) = table.tg.delivery.heads()
    killed_while_thinking(table, pending.update)
    if comes == "redelivery":
        assert post(table, pending.update) == 200
        assert set(table.match().computer_choices) == {0}
    table.pass_time(300)
    table.harness.watch()
    table.harness.settle()
    assert table.waiting() == (1, 2, 3, 4)


def test_reminders_and_the_clock_leave_the_computer_out(table: Table) -> None:
    david = leave(clock(table, "fast").open(5).nominate(1), 3).people[3]
    before = len(heard(table, david))
    table.wait_until(table.match().time_began_at + 80)
    assert len(heard(table, david)) == before
    assert "Clara" in table.group_text(), "it names who has not voted"
    assert "David" not in table.group_text()
