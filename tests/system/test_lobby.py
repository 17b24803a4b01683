"""The lobby, through the webhook's entry."""

from itertools import pairwise

from engine import Setup
from infra.outbox.plan import PATIENT_BURST, PATIENT_SECONDS
from sandbox.game import NAMES
from sandbox.telegram import Call, bad_request
from tests.refusing import refuse
from tests.system.table import Table, answered


def test_newgame_posts_one_lobby_and_edits_it_as_people_join(table: Table) -> None:
    table.gather(5)
    assert len(table.group_views()) == 1
    text = table.lobby_text()
    assert "5 of at most 10" in text
    names = ("Anna", "Ben", "Clara", "David", "Emma")
    assert [name for name in names if name in text] == [user.first_name for user in table.people]


def test_nobody_is_dealt_in_who_left_or_was_banned(table: Table) -> None:
    table.gather(7)
    anna = table.people[0]
    # A player who visibly leaves the group loses the seat at once: see test_thrown_out.
    table.tg.set_status(table.people[3], table.group, "left")
    table.tg.set_status(table.people[4], table.group, "kicked")
    table.harness.settle()
    table.press(anna, "start")
    assert table.room().playing is None, "so many fewer may be another game than they wanted"
    gone = "🚪 No longer in the group, so no longer in the lobby: \u2068David\u2069, \u2068Emma\u2069"
    assert table.group_text() == gone
    assert "5 of at most 10" in table.lobby_text()
    table.start()
    assert [player.name for player in table.match().players] == ["Anna", "Ben", "Clara", "Felix", "Greta"]


def test_who_cannot_be_asked_about_is_taken_to_be_there(table: Table) -> None:
    table.gather(5)
    refuse(table.tg, bad_request("member list is inaccessible"), "getChatMember")
    table.start()
    assert table.room().playing is not None


# --- the group's minute -----------------------------------------------------------------------------------


def let_pass(table: Table, seconds: int) -> None:
    """Let time pass, and let queued wake-ups come when due."""
    for _ in range(seconds):
        table.wait(1)


def lobby_edits(table: Table) -> list[Call]:
    return [call for call in table.tg.journal.of("editMessageText", chat=table.group.id) if call.ok]


def test_fourteen_joins_do_not_delay_the_first_board(table: Table) -> None:
    table.gather(1, Setup("xl@1", 16))
    let_pass(table, 90)
    for name in NAMES[1:15]:
        newcomer = table.person(name)
        message, data = table.button("join")
        assert answered(table.tap(newcomer, message, data)) == "You're in."
        let_pass(table, 3)
    assert "Olga" in table.lobby_text() or lobby_edits(table)[-1].time < table.harness.clock()
    table.start()
    assert "Olga" in table.lobby_text(), "everybody is shown once it begins"
    let_pass(table, 30)
    (board,) = table.tg.journal.of("sendPhoto", chat=table.group.id)
    sent = table.tg.journal.of("sendMessage")
    roles = [call for call in sent if "Your role is dealt" in call.params.get("text", "")]
    assert len(roles) == 15
    assert board.time - roles[0].time < 1


def test_a_hasty_host_does_not_make_the_lobby_stand_still(table: Table) -> None:
    table.gather(2, Setup("xl@1", 16))
    let_pass(table, 90)
    before = len(lobby_edits(table))
    for _ in range(20):  # a tap every two seconds: a theme, and back
        value = 1 if table.room().settings.theme != "weimar" else 2
        data = f"setup|{table.name.short}|1|2|{value}"
        table.tap(table.people[0], table.button("join")[0], data, forged=True)
        let_pass(table, 2)
    times = [call.time for call in lobby_edits(table)[before:]]
    assert max(later - earlier for earlier, later in pairwise(times)) <= PATIENT_SECONDS + 1
    assert len(times) <= PATIENT_BURST + 40 / PATIENT_SECONDS + 1
    table.press(table.person("Dora"), "join")
    let_pass(table, int(PATIENT_SECONDS) + 1)
    assert "Dora" in table.lobby_text()
