"""Changes of players in a running game: leaving, substitutes, replacement, blocks, and a removed bot."""

import pytest

from bot.conversation.game.deadlines import AWAY
from bot.conversation.group.settings import items
from engine import Seat
from sandbox.telegram import User
from sandbox.telegram.calls import Refusal
from tests.refusing import refuse
from tests.system.table import Seated, Table, answered


def set_to(table: Table, key: str, value: str) -> Table:
    table.say(table.owner, "/settings")
    number, item = next(one for one in enumerate(items(table.room()), 1) if one[1].key == key)
    tap = f"set|{table.name.short}|{number}|{item.values.index(value) + 1}"
    assert table.forge(table.owner, tap), "the toast says what is on now"
    return table


def clock(table: Table, setting: str) -> Table:
    return set_to(table, "clock", setting)


def without_stand_ins(table: Table) -> Table:
    """Turn off stand-ins for people who leave, as the group's owner, before there is a game."""
    return set_to(table, "stand_in", "off")


def wait(table: Table, seconds: float) -> Table:
    table.wait(seconds)
    table.harness.watch()
    table.harness.settle()
    return table


def test_a_leaver_opens_the_seat_for_the_group(table: Table) -> None:
    table.open(7).leave(table.people[3])
    assert "David" in table.group_text()
    assert table.match().away == (3,)
    new = table.person("Kurt")
    table.press(new, "sit")
    assert table.match().players[3].id == new.id
    assert table.match().away == ()
    assert "Kurt" in table.group_text()


def replaced(table: Table, seat: int, name: str = "Kurt") -> Table:
    table.leave(table.people[seat])
    table.press(table.person(name), "sit")
    return table


ONLY_THE_OWN = "You had another seat in this game, so you can't take this one."


def test_leaving_asks_first_and_staying_keeps_the_seat(table: Table) -> None:
    message, leave = table.open(5).say(table.people[3], "/leave").button("quit")
    assert "do you really want to leave" in message.text
    assert answered(table.press(table.people[1], "quit")) == "That question is not for you."
    assert table.match().away == ()
    table.forge(table.people[3], f"{leave[:-1]}0", message)
    assert table.match().away == ()
    assert message.buttons() == []
    table.leave(table.people[3], "/sub")
    assert table.match().away == (3,)


def test_a_former_substitute_takes_no_other_seat(table: Table) -> None:
    replaced(table.open(5), 3)
    kurt = table.people[5]
    table.leave(kurt)
    table.press(table.people[3], "sit")
    assert table.match().players[3].id == table.people[3].id, "one's own seat is always one's own"
    table.pass_time(60)
    table.leave(table.people[1])
    assert answered(table.press(kurt, "sit")) == ONLY_THE_OWN
    table.press(table.people[1], "sit")
    table.leave(table.people[3])
    table.press(kurt, "sit")
    assert table.match().players[3].id == kurt.id


def test_the_dead_do_not_come_back_by_another_seat(table: Table) -> None:
    table.open(5, roles="hlllf", deck="fff fff fff ffl")
    table.govern(1, "f").govern(2, "f").govern(3, "f").govern(4, "f").target(1)
    assert not table.match().game.table.alive[1]
    replaced(table, 1)
    table.leave(table.people[2])
    assert answered(table.press(table.people[1], "sit")) == ONLY_THE_OWN


def test_forgetting_in_a_game_opens_no_other_seat(table: Table) -> None:
    replaced(table.open(5), 3)
    david = table.people[3]
    forget(table, david)
    table.leave(table.people[0])
    assert answered(table.press(david, "sit")) == ONLY_THE_OWN
    table.press(table.people[0], "sit")
    table.cancel(table.people[0])
    assert not table.names(david)


def test_former_players_are_not_kept_with_a_finished_game(table: Table) -> None:
    replaced(table.open(5), 3)
    david = table.people[3]
    table.hurry()
    assert table.match().archived
    assert not table.names(david)
    assert table.names(table.people[0])


def forget(table: Table, user: User) -> None:
    Seated(table, user).say("/forget").press("forget")


@pytest.mark.parametrize("stand_in", ["on", "off"])
@pytest.mark.parametrize("phase", ["nominate", "ballot", "discard", "enact"])
@pytest.mark.quick("nominate-off", "enact-on")
def test_leaving_at_any_phase_never_hangs_the_game(table: Table, phase: str, stand_in: str) -> None:
    set_to(table, "stand_in", stand_in).open(5)
    if phase != "nominate":
        table.nominate(1)
    if phase in ("discard", "enact"):
        table.vote("jjjjj")
    if phase == "enact":
        table.choose()
    for user in table.people[:2]:
        table.leave(user)
    for _ in range(400):
        if table.match().over:
            break
        waiting = [seat for seat in table.waiting() if seat not in table.match().away]
        for seat in waiting:
            table.seat(seat).prompt().tap(table.seat(seat).prompt().labels()[0])
        if not waiting:
            wait(table, AWAY + 1)
    assert table.match().over


def missing(table: Table, seat: int) -> Table:
    """Let the clock decide for a seat twice in a row, so that the others are asked to replace its player."""
    while table.match().missed.get(Seat(seat), 0) < 2:
        for other in table.waiting():
            if other != seat:
                prompt = table.seat(other).prompt()
                prompt.tap(prompt.labels()[0])
        if seat in table.waiting():
            wait(table, 91)
    return table


def test_old_replacement_votes_do_not_count_again(table: Table) -> None:
    missing(clock(table, "fast").open(5), 0)
    for user in table.people[1:3]:
        table.press(user, "replace")
    assert table.match().replacement_votes == {0: (1, 2)}
    assert table.match().asleep == (0,)
    table.press(table.people[0], "role")
    assert (table.match().asleep, table.match().replacement_votes) == ((), {}), "whoever taps again is back"
    missing(table, 0)
    table.forge(table.people[3], f"replace|{table.name.short}|{table.match().number}|0")
    assert table.match().replacement_votes[Seat(0)] == (3,)
    assert 0 not in table.match().away


def test_a_late_prompt_does_not_take_the_substitutes_place(table: Table) -> None:
    """The substitute's prompt becomes the record, even if the former player's prompt came later."""
    table.gather(5)
    left = table.people[0]
    # A 429 would pause the whole bot.
    deliver = refuse(table.tg, Refusal(502, "Bad Gateway"), "sendMessage", chat=left.id)
    table.start_dealt()
    table.leave(left)
    kurt = table.people[0] = table.person("Kurt")
    table.tg.send(kurt, table.tg.private(kurt), "/help")  # so that no two messages share a number
    table.harness.settle()
    table.press(kurt, "sit")
    (prompt,) = Seated(table, kurt).prompts()
    deliver()
    table.wait(120)
    assert "Pick a Chancellor" in Seated(table, left).text(), "it came in the end"
    assert not Seated(table, left).prompts(), "and lost its buttons"
    table.nominate(1)
    assert "how do you vote" in prompt.message.text
