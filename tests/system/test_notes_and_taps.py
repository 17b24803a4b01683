"""Private notes and second taps through the webhook: answers, stored data, and messages."""

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.buttons import asks_for_second_tap
from sandbox.telegram import Message, Query
from tests.system.table import Seated, Table, answered


def role(seat: Seated) -> Message:
    return seat.say("/role").views()[-1]


def labels(view: Message) -> list[str]:
    return [button["text"].translate({0x2068: None, 0x2069: None, 0xA0: " "}) for button in view.buttons()]


def sent(table: Table, since: int) -> list[tuple[str, int | None]]:
    """Return the calls to Telegram since then, by method and chat."""
    return [(call.method, call.chat) for call in list(table.tg.journal)[since:]]


@contextmanager
def written(table: Table, versions: int) -> Iterator[None]:
    """Check that the room is stored this many times meanwhile."""
    before = table.item().version
    yield
    assert table.item().version - before == versions


def until_execution(table: Table) -> Seated:
    table.open(5, roles="lllfh", deck="ffl ffl ffl ffl ffl")
    for chancellor in (1, 2, 1, 2):
        table.govern(chancellor, "f")
    return table.asked()


def press(table: Table, seat: Seated, place: int = 0) -> Query:
    """Tap an answer once, even if the bot asks for a second tap."""
    prompt = seat.prompt()
    return table.tap(seat.user, prompt.message, prompt.data()[place])


def test_a_first_tap_costs_one_write_and_sends_nothing(table: Table) -> None:
    seat = until_execution(table)
    table.wait(60)
    since = len(table.tg.journal)
    with written(table, 1):
        assert asks_for_second_tap(press(table, seat))
    table.pass_time(0.4)
    with written(table, 0):
        assert asks_for_second_tap(press(table, seat))
    assert {method for method, _ in sent(table, since)} <= {"answerCallbackQuery"}
    assert all(table.match().view(None).table.alive)
    table.pass_time(0.7)
    assert not asks_for_second_tap(press(table, seat))
    assert not all(table.match().view(None).table.alive)


def test_confirm_reaches_the_game_that_runs(table: Table) -> None:
    seat = table.open(5).asked()
    assert "Only an execution takes two taps" in seat.say("/confirm").text()
    assert "Nominating, discarding and enacting" in seat.say("/confirm on").text()
    table.pass_time()
    assert answered(press(table, seat)).startswith("👆 Tap again to confirm: ")
    assert "Only an execution" in seat.say("/confirm off").text()
    assert not asks_for_second_tap(press(table, seat))


def test_notes_are_set_under_role_and_shown_in_prompts(table: Table) -> None:
    anna = table.open(5).seat(0)
    view = role(anna)
    assert labels(view) == ["#2 Ben", "#3 Clara", "#4 David", "#5 Emma"]
    assert "leave yourself a note" in view.text
    table.pass_time(60)
    since = len(table.tg.journal)
    with written(table, 1):
        anna.press("note")
    assert anna.toast().replace("\u00a0", " ").endswith("Only you see this.")
    assert labels(anna.views()[-1]) == ["💙 #2 Ben", "#3 Clara", "#4 David", "#5 Emma"]
    methods = {("answerCallbackQuery", None), ("editMessageReplyMarkup", anna.user.id)}
    assert {(method, chat) for method, chat in sent(table, since)} <= methods
    anna.press("note")
    assert labels(anna.views()[-1])[0] == "🔺 #2 Ben"
    table.nominate(1)
    assert "Ben\u2069\u00a0🔺" in anna.prompt().text
    assert all("🔺" not in text for seat in range(1, 5) for text in table.seat(seat).texts())
    assert all("🔺" not in text for text in table.group_texts())
