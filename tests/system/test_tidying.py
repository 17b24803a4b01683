"""After a decision, no chat still asks for it: no buttons are left, and no time runs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest

from bot.display.buttons import read
from bot.rooms.model import Ballots, Settings
from engine import Chance, ruleset
from engine.setups import option_sets
from infra.outbox.plan import LIMIT_FOR_EDITS
from infra.store.items import Change, RoomItem
from sandbox.buttons import asks_for_second_tap
from sandbox.telegram import Message
from tests.system.table import Seated, Table, answered
from tests.system.test_seats import set_to

COUNTS_DOWN = 'format="r"'


def dead(table: Table, views: Sequence[Message]) -> list[Message]:
    """Return the messages that have buttons, none of which does anything now."""
    match = table.match()
    question = None if match.over else match.game.question

    def lives(data: str) -> bool:
        tapped = read(data)
        assert tapped is not None
        _, verb, args = tapped
        if verb == "role":
            return True
        if verb == "claim":
            return not match.over
        return verb != "answer" or (question is not None and args[1] == question.number)

    found = [(view, [button.get("callback_data") for button in view.buttons()]) for view in views]
    return [view for view, each in found if any(each) and not any(lives(data) for data in each if data)]


def counting(views: Sequence[Message]) -> list[Message]:
    return [view for view in views if COUNTS_DOWN in view.html]


@pytest.mark.parametrize(("rules", "players", "settings"), [
    ("classic@1", 7, Settings()),
    ("classic@1", 7, Settings(ballots="group", clock="relaxed")),
    ("red-dawn@1", 9, Settings(clock="fast")),
], ids=["in private", "in the group, with a clock", "with meetings"])  # fmt: skip
@pytest.mark.quick("in the group, with a clock")
def test_at_most_one_has_dead_buttons(table: Table, rules: str, players: int, settings: Settings) -> None:
    options = option_sets(ruleset(rules), players).get("all", {})
    table.gather(players).rewrite(replace(table.room(), settings=settings))
    table.pass_time(60)  # joining took most of a minute's edits
    table.cancel(table.people[0])
    table.open(players, ruleset=rules, options=options, roles=None, chance=Chance("0d" * 32))
    rng = random.Random(4)
    table.pass_time(60)  # joining took most of a minute's edits
    while not table.match().over:
        act(table, rng)
        table.pass_time(20)
        for seat in range(players):
            assert len(dead(table, table.seat(seat).views())) <= 1
            if not table.match().view(None).table.alive[seat]:
                data = (b.get("callback_data", "") for v in table.seat(seat).views() for b in v.buttons())
                assert not any(one.startswith("claim|") for one in data), "the dead make no claims"
        assert len(dead(table, table.group_views())) <= 1
        assert len(counting(table.group_views())) <= 1
    table.wait(60)
    assert table.match().round > 5, "the game was long enough to leave something behind"
    everywhere = list(chain(table.group_views(), *(table.seat(seat).views() for seat in range(players))))
    assert dead(table, everywhere) == []
    assert counting(everywhere) == []


def act(table: Table, rng: random.Random) -> None:
    """Tap for those asked, in private or in the group; or let the time of a meeting pass."""
    if table.room().settings.ballots == "private" or table.button_gone("answer"):
        table.step_on(rng)
        return
    message, _ = table.button("answer")
    seat = table.waiting()[0]
    data = rng.choice([button["callback_data"] for button in message.buttons()])
    again = data.startswith("answer")
    while again:
        table.pass_time(6)
        again = asks_for_second_tap(table.tap(table.people[seat], message, data))


@pytest.mark.parametrize("ballots", ["private", "group"])
def test_a_tap_on_a_ballot_that_is_over_says_how_it_ended(table: Table, ballots: Ballots) -> None:
    table.gather(5).rewrite(replace(table.room(), settings=Settings(ballots=ballots)))
    table.start_dealt()
    nine = []
    for round_ in range(2):
        vote = {"private": table.vote, "group": lambda cast: in_group(table, cast)}[ballots]
        if ballots == "private":
            prompt = table.choose().seat(4).prompt()
            nine.append((prompt.message, prompt.data()[0]))
        else:
            table.press(table.people[table.waiting()[0]], "answer")
            nine.append(table.button("answer"))
        vote("jjnnn" if round_ else "jnnnn")
    ended = ["You: 👎 Nein · voted down 1–4", "You: 👎 Nein · voted down 2–3"]
    assert [table.forge(table.people[4], data, message) for message, data in nine] == ended


def in_group(table: Table, cast: str) -> None:
    """Cast the ballots under the group's message, in seat order."""
    message, _ = table.button("answer")
    ja, nein = (button["callback_data"] for button in message.buttons())
    for seat, ballot in zip(table.waiting(), cast, strict=True):
        table.tap(table.people[seat], message, ja if ballot == "j" else nein)


def test_a_ballot_that_the_clock_closed_says_how_it_ended(table: Table) -> None:
    table.gather(5).rewrite(replace(table.room(), settings=Settings(clock="fast")))
    table.start_dealt().choose()
    prompt = table.seat(2).prompt()
    data = prompt.data()[0]
    table.vote("jj...").wait(95)
    assert table.forge(table.people[2], data, prompt.message).startswith("This ballot is over: 👍 Ja ")
    assert prompt.labels() == []


def test_records_of_hands_keep_their_claim_buttons(table: Table) -> None:
    table.open(5, deck="lff lff lff lff lff").govern(1, "f")
    first = table.seat(0).views()[-1]
    assert [button["callback_data"].partition("|")[0] for button in first.buttons()][:1] == ["claim"]
    table.govern(2, "l").govern(3, "l")
    assert first.buttons(), "she has not been in office again"
    table.govern(0, "l")
    assert not first.buttons()


def test_a_closed_question_stops_counting(table: Table) -> None:
    table.open(5).choose().pass_time(130)
    table.say(table.people[0], "/status").press(table.people[0], "clock")
    assert len(counting(table.group_views())) == 2, "the call, and the game's own post"
    assert all("In a minute it answers for you" in table.seat(seat).text() for seat in range(5)), "reminders"
    over = "⌛ The game has gone on. /status shows how it stands now."
    assert table.group_texts().count(over) == 1, "a call says more than the status"
    table.vote("jjjjj")
    told = [*table.group_views(), *(view for seat in range(5) for view in table.seat(seat).views())]
    assert counting(told) == []
    assert dead(table, told) == []


def holding(seat: Seated) -> bool:
    """Return True if a private chat has a button of the seat, except the one that shows the role."""
    data = [button.get("callback_data", "") for view in seat.views() for button in view.buttons()]
    return any(not text.startswith("role|") for text in data)


@pytest.mark.parametrize("stand_in", ["on", "off"])
def test_who_hands_a_seat_on_keeps_no_buttons_of_it(table: Table, stand_in: str) -> None:
    set_to(table, "stand_in", stand_in).open(5, deck="lff lff").govern(1, "f")
    table.choose().leave(table.people[0])
    kurt = table.person("Kurt")
    former = table.seat(0)
    assert holding(former) == (stand_in == "off")
    table.press(kurt, "sit")
    assert not holding(former)


def test_a_busy_groups_buttons_stay_and_answer(table: Table) -> None:
    table.gather(5).rewrite(replace(table.room(), settings=Settings(ballots="group")))
    table.start_dealt().press(table.people[0], "answer")
    message, data = table.button("answer")
    *others, last = table.waiting()
    for seat in others:
        table.press(table.people[seat], "answer")
    busy = Change(remembered={"group_sends": {table.group.id: [table.harness.clock()] * LIMIT_FOR_EDITS}})
    assert isinstance(table.harness.built.app.rooms.save(table.item(), busy), RoomItem)
    table.press(table.people[last], "answer")
    assert message.buttons()
    assert answered(table.tap(table.people[1], message, data)) == "You: 👍 Ja · elected 5–0"
