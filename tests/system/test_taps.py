"""Taps that must not count: doubled, late, forged, of strangers, of other rooms."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.conversation.game.deadlines import OPEN
from bot.display.buttons import IN_GROUPS, IN_PRIVATE, MAX_BYTES, VERBS, Verb, data, read
from bot.rooms.codec import decode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName
from handlers.service import room_service
from tests.system.table import Table, answered


def test_a_second_tap_of_the_same_button_changes_nothing(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    button = prompt.data()[0]
    first = table.tg.tap(prompt.seat.user, prompt.message, button)
    second = table.tap(prompt.seat.user, prompt.message, button)
    assert answered(first) == "✔ ⁨#2 Ben⁩"
    after = table.item()
    assert answered(second) == "That has been decided already."
    assert table.match().game.table.chancellor == 1
    table.forge(prompt.seat.user, button, prompt.message)
    assert table.item() == after


def test_a_tap_has_its_room_decoded_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(5)
    decoded: list[str] = []

    def counted(body: bytes, schema: int) -> Room:
        decoded.append("room")
        return decode(body, schema)

    monkeypatch.setattr(room_service, "decode", counted)
    prompt = table.asked().prompt()
    table.tap(prompt.seat.user, prompt.message, prompt.data()[0])
    assert table.match().game.table.chancellor == 1
    assert decoded == ["room"]


def test_the_presidents_second_tap_is_not_the_chancellors(table: Table) -> None:
    prompt = table.open(5, deck="lff").elect(1).seat(0).prompt()
    old = prompt.data()
    prompt.tap("Liberal")
    for button in old:
        assert table.forge(prompt.seat.user, button, prompt.message) == "That has been decided already."
    hand = table.seat(1).prompt()
    for button in hand.data():
        assert table.forge(prompt.seat.user, button, hand.message) == "That question is not for you."
    assert table.waiting() == (1,)


def test_a_button_of_an_earlier_game_does_nothing_in_the_next(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    button = prompt.data()[0]
    table.cancel(table.people[0]).open(5).wait(60)
    before = table.item()
    assert table.forge(table.people[0], button, prompt.message) == "That game is over."
    assert table.item() == before


def test_a_ballot_under_another_prompt_is_the_tappers_own(table: Table) -> None:
    prompt = table.open(5).nominate(1).seat(3).prompt()
    table.forge(table.people[0], prompt.data()[0], prompt.message)
    assert table.waiting() == (1, 2, 3, 4)


def test_people_of_another_room_can_answer_nothing_there(table: Table, another: Callable[..., Table]) -> None:
    table.open(5).nominate(1)
    second = another(title="Next door")
    for name in ("Vera", "Willi", "Xenia", "Yves", "Zoe"):
        second.person(name)
    second.open(5).nominate(1)
    before = table.item()
    theirs = table.seat(0).prompt()
    for user in second.people:
        assert second.forge(user, theirs.data()[0]) == "You have no seat in that game."
    assert table.item() == before


def test_taps_cost_the_store_one_read_when_they_are_illegal(table: Table) -> None:
    prompt = table.open(5).nominate(1).seat(0).prompt()
    stranger = table.person("Stranger")
    table.harness.requests.clear()
    table.forge(stranger, prompt.data()[0], prompt.message)
    assert table.harness.requests == {"GetItem": 1}


def test_a_ballot_costs_one_read_and_one_write(table: Table) -> None:
    table.open(5).nominate(1).harness.requests.clear()
    table.seat(0).prompt().tap("Ja")
    assert table.harness.requests == {"GetItem": 1, "UpdateItem": 1}


def test_a_sending_tap_costs_one_more_write_and_the_pace(table: Table) -> None:
    table.open(5).harness.requests.clear()
    table.nominate(1)
    assert table.harness.requests == {"GetItem": 1, "UpdateItem": 3}


def forgeries(room: RoomName) -> list[str]:
    """Yield callback data that no button has, or that means nothing here."""
    name = room.short
    answers = (
        "", "|", "|{0}", "|{0}|1|1", "|{0}|1|1|1|1", "|{0}|x|y|z", "|{0}|-1|-1|-1", "|{0}|1|1|-1",
        "|{0}|1|1|99999999999", "|{0}|99999999999999|1|0", f"|{{0}}|1|{2**63}|0", "|{0}|1|1|0x0",
        "|{0}|1|1|１", "|{0}.zz|1|1|0", "||1|1|0", "|-|1|1|0", "|..|1|1|0", "|zzzzzzzzzzzzzzzz|1|1|0",
        "|-zzzzzzzzzzzzz|1|1|0", "|_1_|1|1|0",
    )  # fmt: skip
    others = {
        "join": ("-1", "0", "2", "１"), "start": (f"{10**12}",), "leave": (" 1",), "set": ("-99|99",),
        "setup": ("1|-99|99", "1|99|-99"), "again": ("-1|1", "99|1"), "clock": ("1|-1", "-1|1"),
        "sit": ("1|-1", "1|99"), "replace": ("1|-1", "1|99"), "role": ("-1",), "nonsense": ("1",),
    }  # fmt: skip
    found = [f"answer{rest}".format(name) for rest in answers]
    found += [f"{verb}|{name}|{rest}" for verb, rests in others.items() for rest in rests]
    return [*found, "", "|", "\x00" * 20, "’" * 21, "a" * 64, "|".join("9" * 30)]


@pytest.mark.parametrize("playing", [False, True])
def test_forged_callback_data_is_answered_and_changes_nothing(table: Table, playing: bool) -> None:
    table.gather(5)
    if playing:
        table.start()
    stranger = table.person("Stranger")
    before = table.item()
    for text in forgeries(table.name):
        for user in (table.people[1], stranger):
            table.forge(user, text)
    assert table.item() == before


def test_forged_data_by_who_may_do_everything_breaks_nothing(table: Table) -> None:
    table.open(5)
    host = table.people[0]
    before = table.match()
    for text in forgeries(table.name):
        table.forge(host, text)
    assert table.match() == before


def test_forged_data_for_a_room_that_never_was_stores_nothing(table: Table) -> None:
    table.gather(1)
    for verb, count in VERBS.items():
        ghost = RoomName(ChatId(-100123456789))
        table.forge(table.people[0], data(ghost, verb, *([1] * count)))
        assert table.harness.built.app.rooms.load(ghost.key) is None


def elsewhere(table: Table, another: Callable[..., Table]) -> Table:
    """Return another group, of somebody who is not in this one."""
    return another(table.tg.add_user("Stranger", started=True), title="UpdatesElsewhere")


def test_a_tap_forged_elsewhere_does_nothing(table: Table, another: Callable[..., Table]) -> None:
    table.gather(5).say(table.people[0], "/rules")
    own = elsewhere(table, another)
    before, posts = table.item(), table.group_texts()
    for verb in sorted(IN_GROUPS - IN_PRIVATE):
        for numbers in ([1] * VERBS[verb], [0] * VERBS[verb], [1, table.people[2].id][: VERBS[verb]]):
            if len(numbers) == VERBS[verb]:
                own.say(own.people[0], "/newgame")
                assert own.forge(own.people[0], data(table.name, verb, *numbers)) == "", verb
    assert (table.item(), table.group_texts()) == (before, posts)


@pytest.mark.parametrize("command", range(7))
def test_a_forged_button_reveals_no_group(table: Table, another: Callable[..., Table], command: int) -> None:
    table.gather(1).cancel(table.people[0])
    own = elsewhere(table, another)
    own.say(own.people[0], "/help")
    before = table.item()
    own.forge(own.people[0], data(table.name, "again", command, table.room().lobby_count))
    assert table.item() == before
    assert not [view for view in table.tg.private_view(own.people[0]) if view.mine]


def test_nothing_is_posted_to_a_private_chat_by_a_forged_tap(table: Table) -> None:
    table.gather(2)
    thief, victim = table.people
    forged: dict[Verb, tuple[int, ...]] = {"rules": (0, 0, 0), "again": (0, 0), "set": (0, 0)}
    for user in (thief, victim):
        for verb, numbers in forged.items():
            for message in (None, table.tg.send(thief, table.tg.private(thief), "/help")):
                table.forge(thief, data(RoomName(ChatId(user.id)), verb, *numbers), message)
        assert table.harness.built.app.rooms.load(RoomName(ChatId(user.id)).key) is None
    assert not [view for view in table.tg.private_view(victim) if view.mine]


def test_a_tap_that_is_forged_elsewhere_is_noted_as_ignored(
    table: Table, another: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    table.gather(1)
    own = elsewhere(table, another)
    own.say(own.people[0], "/help")
    capsys.readouterr()
    own.forge(own.people[0], data(table.name, "rules", 0, 0, 0))
    said = capsys.readouterr()
    assert '"ignored"' in said.err + said.out


def test_every_button_lies_where_it_is_said_to_lie(table: Table) -> None:
    table.open(5).say(table.owner, "/rules").say(table.owner, "/settings")
    table.press(table.owner, "board")
    for command in ("/role", "/rules", "/stats", "/language", "/forget", "/help"):
        table.seat(0).say(command)
    table.pass_time(OPEN)
    table.say(table.owner, "/status").leave(table.people[4])
    table.press(table.people[4], "sit")
    table.hurry()
    for verb in ("film", "decided"):
        table.follow(table.people[0], table.press(table.people[0], verb))
    table.press(table.people[0], "rematch")
    table.press(table.people[0], "setup")
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for call in table.tg.journal:
        for row in (call.params.get("reply_markup") or {}).get("inline_keyboard", ()):
            carried = [button["callback_data"] for button in row if "callback_data" in button]
            found[int(call.params["chat_id"]) < 0] |= {text.partition("|")[0] for text in carried}
    assert found[True] <= IN_GROUPS | {"role"}
    assert found[False] <= IN_PRIVATE
    assert found[True] >= {"join", "setup", "set", "board", "role", "clock", "sit", "rematch"}
    # The curve takes two games: tests/system/test_statistics.py; guesses: tests/system/test_guessing.py.
    assert found[False] >= IN_PRIVATE - {"claim", "watch", "advise", "back", "curve", "guess"}


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=70))
def test_any_text_at_all_is_read_as_data_of_ours_or_as_none(text: str) -> None:
    found = read(text)
    if found is not None:
        _, verb, args = found
        assert len(args) == VERBS[verb]
        assert len(text.encode()) <= MAX_BYTES


@settings(max_examples=100, deadline=None)
@given(
    st.integers(-(10**13), 10**13),
    st.none() | st.integers(1, 2**31 - 1),
    st.sampled_from(sorted(VERBS)),
    st.lists(st.integers(-1, 999), min_size=4, max_size=4),
)
def test_any_button_fits_and_reads_back(chat: int, topic: int | None, verb: Verb, numbers: list[int]) -> None:
    args = tuple(numbers[: VERBS[verb]])
    text = data(RoomName(ChatId(chat), topic), verb, *args)
    assert len(text.encode()) <= MAX_BYTES
    assert read(text) == (RoomName(ChatId(chat), topic), verb, args)


def test_two_taps_on_different_buttons_count_once(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    for button in prompt.data()[:2]:
        table.tg.tap(prompt.seat.user, prompt.message, button)
    table.harness.settle()
    assert table.match().game.table.chancellor == 1
    assert table.seat(0).toast() == "That has been decided already."


def test_a_button_of_a_round_long_ago_answers_with_a_toast(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    button = prompt.data()[0]
    before = table.reject(1).reject(2).item()
    assert table.forge(table.people[0], button, prompt.message) == "That has been decided already."
    assert table.item() == before


def test_an_answer_tapped_by_somebody_else_never_counts(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    before = table.item()
    for user in table.people[1:5]:
        assert table.forge(user, prompt.data()[0], prompt.message) == "That question is not for you."
    assert table.item() == before


def test_a_stranger_can_answer_nothing(table: Table) -> None:
    stranger = table.open(5).nominate(1).person("Stranger")
    before = table.item()
    prompt = table.seat(0).prompt()
    assert table.forge(stranger, prompt.data()[0], prompt.message) == "You have no seat in that game."
    assert table.item() == before


def test_the_dead_can_answer_nothing_and_vote_on_nothing(table: Table) -> None:
    table.open(5, roles="hlllf", deck="fff fff fff ffl")
    table.govern(1, "f").govern(2, "f").govern(3, "f").govern(4, "f").target(1)
    assert not table.match().game.table.alive[1]
    ben = table.people[1]
    for step in ("nomination", "ballots"):
        question = table.question()
        before = table.item()
        for choice in range(3):
            carried = data(table.name, "answer", table.match().number, question.number, choice)
            assert table.forge(ben, carried) == "That question is not for you."
        assert table.item() == before
        if step == "nomination":
            table.nominate(2)
    assert table.waiting() == (0, 2, 3, 4)
