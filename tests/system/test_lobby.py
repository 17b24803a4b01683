"""The lobby, through the webhook's entry."""

from dataclasses import replace
from itertools import pairwise

from bot.conversation.waking import LIFETIME
from engine import Setup
from infra.outbox.plan import PATIENT_BURST, PATIENT_SECONDS
from sandbox.game import NAMES
from sandbox.telegram import Call
from tests.system.table import Table, answered


def test_newgame_posts_one_lobby_and_edits_it_as_people_join(table: Table) -> None:
    table.gather(5)
    assert len(table.group_views()) == 1
    text = table.lobby_text()
    assert "5 of at most 10" in text
    assert [name for name in ("Anna", "Ben", "Clara", "David", "Emma") if name in text] == [
        user.first_name for user in table.people
    ]


def test_a_join_is_confirmed_by_a_toast_and_posts_nothing(table: Table) -> None:
    anna, ben = table.person("Anna"), table.person("Ben")
    table.say(anna, "/newgame")
    posts = table.tg.journal.counts(table.group.id).posts
    assert answered(table.press(ben, "join")) == "You're in."
    assert answered(table.press(anna, "join")) == "You're in already.", "whoever opens a lobby is seated"
    assert table.tg.journal.counts(table.group.id).posts == posts


def test_the_lobby_shows_whose_it_is_to_start(table: Table) -> None:
    table.gather(3)
    crowned = [line for line in table.lobby_text().splitlines() if "👑" in line]
    assert [line.startswith("⁨#1 Anna⁩") for line in crowned] == [True]
    table.forge(table.people[0], f"host|{table.name.short}|1|{table.people[2].id}")
    crowned = [line for line in table.lobby_text().splitlines() if "👑" in line]
    assert [line.startswith("⁨#3 Clara⁩") for line in crowned] == [True]


def test_nobody_is_dealt_in_who_left_or_was_banned(table: Table) -> None:
    table.gather(7)
    anna = table.people[0]
    # A player who visibly leaves the group loses the seat at once: see test_thrown_out.
    table.tg.go_quietly(table.people[3], table.group)
    table.tg.go_quietly(table.people[4], table.group, "kicked")
    table.harness.settle()
    table.press(anna, "start")
    assert table.room().playing is None, "so many fewer may be another game than they wanted"
    assert (
        table.group_text()
        == "🚪 No longer in the group, so no longer in the lobby: \u2068David\u2069, \u2068Emma\u2069"
    )
    assert "5 of at most 10" in table.lobby_text()
    table.start()
    assert [player.name for player in table.match().players] == ["Anna", "Ben", "Clara", "Felix", "Greta"]


def test_who_cannot_be_asked_about_is_taken_to_be_there(table: Table) -> None:
    table.gather(5)

    def refuse(call: Call) -> dict[str, object] | None:
        if call.method == "getChatMember":
            return {"ok": False, "error_code": 400, "description": "Bad Request: member list is inaccessible"}
        return None

    table.tg.before_call.append(refuse)
    table.start()
    assert table.room().playing is not None


def test_who_is_there_is_asked_only_where_a_game_can_start(table: Table) -> None:
    table.gather(4)
    asked = len(table.tg.journal.of("getChatMember"))
    table.press(table.people[0], "start")
    assert len(table.tg.journal.of("getChatMember")) == asked


def test_the_lobby_says_when_a_game_is_played_in_silence(table: Table) -> None:
    table.gather(2)
    assert "Silence" not in table.lobby_text()
    table.rewrite(replace(table.room(), settings=replace(table.room().settings, silence="on")))
    table.press(table.people[0], "setup")
    assert "Silence for the dead and the government: on" in table.lobby_text()


def test_a_started_lobby_has_no_buttons(table: Table) -> None:
    table.gather(6)
    lobby, _ = table.button("start")
    table.start()
    assert list(lobby.buttons()) == []


def test_a_former_admin_may_not_start_from_an_old_lobby(table: Table) -> None:
    table.gather(6)
    table.tg.promote(table.people[3], table.group)
    table.tg.demote(table.people[3], table.group)
    assert answered(table.press(table.people[3], "start")) == "Only the host or an admin can do that."


def test_a_lobby_that_nobody_touches_for_an_hour_closes_itself(table: Table) -> None:
    table.gather(3)
    table.pass_time(LIFETIME - 60)
    table.harness.watch()
    assert table.room().lobby is not None
    table.press(table.people[0], "setup")
    table.pass_time(LIFETIME - 60)
    table.harness.watch()
    assert table.room().lobby is not None, "a touch gives it another hour"
    table.pass_time(120)
    table.harness.watch()
    assert table.room().lobby is None
    assert "closed" in table.group_texts()[0]
    assert table.button_gone("join")


def test_a_button_of_an_expired_lobby_does_nothing(table: Table) -> None:
    table.gather(3)
    message, data = table.button("join")
    table.pass_time(LIFETIME + 60)
    table.harness.watch()
    assert table.forge(table.people[0], data, message) == "That lobby is closed."
    assert table.room().lobby is None


# --- the group's minute -----------------------------------------------------------------------------------


def let_pass(table: Table, seconds: int) -> None:
    """Let time pass, and let queued wake-ups come when due."""
    for _ in range(seconds):
        table.pass_time(1)
        table.harness.settle()


def lobby_edits(table: Table) -> list[Call]:
    """Return the edits of the lobby's message."""
    return [call for call in table.tg.journal.of("editMessageText", chat=table.group.id) if call.ok]


def test_fourteen_joins_do_not_delay_the_first_board(table: Table) -> None:
    table.gather(1, Setup("xl@1", 16))
    let_pass(table, 90)
    for name in NAMES[1:15]:
        newcomer = table.person(name)
        message, data = table.button("join")
        query = table.tg.tap(newcomer, message, data)
        table.harness.settle()
        assert answered(query) == "You're in."
        let_pass(table, 3)
    assert "Olga" in table.lobby_text() or lobby_edits(table)[-1].time < table.harness.clock()
    table.start()
    assert "Olga" in table.lobby_text(), "everybody is shown once it begins"
    let_pass(table, 30)
    (board,) = table.tg.journal.of("sendPhoto", chat=table.group.id)
    roles = [
        call
        for call in table.tg.journal.of("sendMessage")
        if "Your role is dealt" in call.params.get("text", "")
    ]
    assert len(roles) == 15
    assert board.time - roles[0].time < 1


def test_a_hasty_host_does_not_make_the_lobby_stand_still(table: Table) -> None:
    table.gather(2, Setup("xl@1", 16))
    let_pass(table, 90)
    before = len(lobby_edits(table))
    for _ in range(20):  # a tap every two seconds: a theme, and back
        value = 1 if table.room().settings.theme != "weimar" else 2
        table.tg.tap(
            table.people[0], table.button("join")[0], f"setup|{table.name.short}|1|2|{value}", forged=True
        )
        table.harness.settle()
        let_pass(table, 2)
    times = [call.time for call in lobby_edits(table)[before:]]
    assert max(later - earlier for earlier, later in pairwise(times)) <= PATIENT_SECONDS + 1
    assert len(times) <= PATIENT_BURST + 40 / PATIENT_SECONDS + 1
    dora = table.person("Dora")
    table.press(dora, "join")
    let_pass(table, int(PATIENT_SECONDS) + 1)
    assert "Dora" in table.lobby_text()
