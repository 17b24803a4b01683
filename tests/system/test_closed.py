"""A bot that admits only some groups, no new games while it drains, and few commands a minute."""

from collections.abc import Callable
from dataclasses import replace

from bot.conversation import limits
from bot.display.words import Words
from bot.rooms.names import ChatId, RoomName, UserId
from handlers.service.admission import GROUP_COMMANDS_PER_MINUTE, PER_MINUTE, PRIVATE_TAPS_PER_MINUTE
from sandbox.harness import Harness
from tests.system.table import Seated, Table, answered, link_of


def allowing(at: Harness, chats: frozenset[int] | None) -> None:
    """Deploy the bot again, for these groups."""
    app = at.built.app
    admission = replace(app.admission, allowed_chats=chats)
    at.built = replace(at.built, app=replace(app, admission=admission))


def draining(at: Harness) -> None:
    app = at.built.app
    at.built = replace(at.built, app=replace(app, room_service=replace(app.room_service, draining=True)))


def test_only_groups_of_the_list_may_play(another: Callable[..., Table], at: Harness) -> None:
    ours, theirs = another(title="Ours"), another(title="Theirs")
    allowing(at, frozenset({ours.group.id}))
    for group in (ours, theirs):
        group.say(group.person("Anna"), "/newgame")
    assert "who is in?" in ours.group_text()
    assert theirs.group_texts() == []
    assert at.built.app.rooms.load(theirs.name.key) is None


def test_only_allowed_groups_begin_games(another: Callable[..., Table], at: Harness) -> None:
    ours, theirs, running = another(title="Ours"), another(title="Theirs"), another(title="Running").open(5)
    orders = at.built.app.admission.orders
    assert orders is not None
    orders.allow(ours.group.id)
    for group in (ours, theirs):
        group.say(group.person("Anna"), "/newgame")
    assert "who is in?" in ours.group_text()
    assert theirs.group_texts() == []
    running.nominate(1)
    assert running.match().game.table.chancellor == 1, "a game that runs is played to its end"
    orders.disallow(ours.group.id)
    theirs.say(theirs.people[0], "/newgame")
    assert "who is in?" in theirs.group_text()


def test_a_group_off_the_list_is_left_alone(another: Callable[..., Table], at: Harness) -> None:
    group = another(title="Ours").open(5)
    prompt = group.asked().prompt()
    allowing(at, frozenset({-1}))
    before = group.item()
    assert answered(prompt.tap("Ben")) == ""
    group.say(group.people[0], "/cancel")
    assert group.item() == before
    allowing(at, None)
    prompt.tap("Ben")
    assert group.match().game.table.chancellor == 1


def test_a_link_into_a_barred_group_seats_nobody(another: Callable[..., Table], at: Harness) -> None:
    group = another(title="Theirs").gather(1)
    emma = group.person("Emma", started=False)
    link = link_of(group.press(emma, "join"))
    allowing(at, frozenset({-1}))
    group.follow(emma, link)
    assert not group.lobby().is_seated(UserId(emma.id))


def test_before_an_upgrade_no_lobby_opens(another: Callable[..., Table], at: Harness) -> None:
    playing, idle, gathered = another(title="Playing"), another(title="Idle"), another(title="Gathered")
    playing.open(5)
    gathered.gather(5)
    draining(at)
    idle.say(idle.person("Anna"), "/newgame")
    assert idle.room().lobby is None
    playing.nominate(1).vote("jjjjj")
    assert playing.match().game.table.in_office
    playing.cancel(playing.people[0]).say(playing.people[0], "/newgame")
    assert playing.room().lobby is None
    gathered.start()
    assert gathered.room().playing is not None, "who is there may still begin"


def test_a_person_is_answered_a_few_times_a_minute(table: Table) -> None:
    anna, ben = table.person("Anna"), table.person("Ben")
    for _ in range(PER_MINUTE + 5):
        table.tg.send(anna, table.tg.private(anna), "/help")
    table.harness.settle()
    assert len(table.seat(0).texts()) == PER_MINUTE + 1
    assert table.seat(0).text().startswith("🕐 That is a lot at once, "), "who is not answered hears so, once"
    assert "/role" in Seated(table, ben).say("/help").text(), "nobody else has to wait for that"
    table.pass_time(61)
    table.seat(0).say("/help")
    assert len(table.seat(0).texts()) == PER_MINUTE + 2


def test_what_a_game_needs_is_always_answered(table: Table) -> None:
    anna = table.open(5).seat(0)
    for _ in range(PER_MINUTE + 5):
        table.tg.send(anna.user, table.tg.private(anna.user), "what now?")
    table.harness.settle()
    assert "🕐" in anna.text()
    assert "The Reichstag" in anna.say("/role").text()
    before = len(anna.texts())
    anna.say("/start")
    assert len(anna.texts()) > before + 1, "the role and what is asked are told again"


def test_a_lobby_link_works_however_much_was_asked_before(table: Table) -> None:
    table.gather(2)
    carl = Seated(table, table.person("Carl"))
    for _ in range(PER_MINUTE + 5):
        table.tg.send(carl.user, table.tg.private(carl.user), "hello?")
    table.harness.settle()
    carl.user.started = False
    table.follow(carl.user, table.press(carl.user, "join"))
    assert "Carl" in table.lobby_text()


def test_who_turns_pages_without_end_hears_so_in_a_toast_once(table: Table) -> None:
    anna = Seated(table, table.person("Anna")).say("/help")
    message = anna.views()[-1]
    data = f"own-rules|{RoomName(ChatId(anna.user.id)).short}|1|1|0"
    times = range(PRIVATE_TAPS_PER_MINUTE + 3)
    queries = [table.tg.tap(anna.user, message, data, forged=True) for _ in times]
    table.harness.settle()
    assert [answered(query) for query in queries[-3:]] == [Words().plain("throttled"), "", ""]
    assert "/role" in anna.say("/help").text(), "and commands are counted for themselves"


def test_one_person_cannot_use_up_what_a_group_is_answered(table: Table) -> None:
    table.open(5).pass_time(61)
    posts = len(table.group_views())
    for _ in range(limits.PER_MINUTE + 4):
        table.tg.send(table.people[0], table.group, "/status")
    table.harness.settle()
    told = table.group_texts()[posts:]
    assert len(told) == GROUP_COMMANDS_PER_MINUTE
    assert [text.startswith("🕐 That is a lot") for text in told] == [False] * limits.PER_PERSON + [True]
    assert not table.seat(0).text().startswith("🕐"), "it is said once, where it was asked"
    table.say(table.people[1], "/status")
    assert len(table.group_views()) == posts + GROUP_COMMANDS_PER_MINUTE + 1


def test_a_group_is_answered_a_few_commands_a_minute(table: Table) -> None:
    table.open(5).pass_time(61)
    posts = len(table.group_views())
    for number in range(limits.PER_MINUTE + 4):
        table.tg.send(table.people[number % 5], table.group, "/status")
    table.harness.settle()
    table.wait(1)
    assert len(table.group_views()) == posts + limits.PER_MINUTE + 1
    assert table.group_text().startswith("🕐"), "the group hears so, once"
    before = table.item()
    table.tg.send(table.people[0], table.group, "/cancel")
    table.harness.settle()
    assert table.item() == before, "and nothing is written for them"
    table.nominate(1)
    assert table.match().game.table.chancellor == 1
    table.pass_time(61)
    table.cancel(table.people[0])
    assert table.match().cancelled
