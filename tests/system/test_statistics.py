"""A game's end is archived, counted and rated once, even if processes die or updates are repeated."""

import random
from dataclasses import replace
from unittest.mock import Mock

import pytest

from bot.records.archive import decode_archive
from bot.records.leaderboard import standings
from bot.records.own_record import OwnRecord
from bot.records.ratings import NEWCOMER
from bot.rooms.names import UserId
from engine import OFFERED, Seat, fold
from local.dynamodb.table import Failed
from sandbox.harness import Harness
from tests.system.season import Season, archives_at, board_of, kept, record_of, recounted
from tests.system.store import Killed, Store
from tests.system.table import Table, find_button
from tests.system.test_seats import forget

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo")


@pytest.fixture
def table(at: Harness) -> Table:
    return Table(at).add_people(*NAMES[:5])


@pytest.fixture
def season(table: Table) -> Season:
    return Season(table, random.Random(5))


def agrees(table: Table, *groups: Table) -> None:
    """Check that leaderboards and everybody's statistics equal those computed from the archives."""
    counts: dict[int, dict[str, int]] = {}
    for group in (table, *groups):
        again = recounted(group)
        assert board_of(group) == again.board
        for user, own in again.counts.items():
            for name, amount in own.items():
                counts.setdefault(user, {})[name] = counts.get(user, {}).get(name, 0) + amount
    for person in table.people:
        assert kept(table, person).counts == counts.get(person.id, {}), person.first_name
        if not groups:  # one group's archives do not show the order of several groups' games
            again_record = recounted(table).records.get(person.id, OwnRecord())
            assert record_of(table, person) == again_record, person.first_name


# --- one game -----------------------------------------------------------------------------------------


def test_a_games_end_writes_archive_and_statistics(season: Season, table: Table) -> None:
    season.play()
    (archive,) = archives_at(table).latest(table.name.key)
    result = decode_archive(archive.body).result
    assert archive.people == {str(seat): user.id for seat, user in enumerate(table.people)}
    assert archive.facts["winners"] == list(result.winners)
    for seat, user in enumerate(table.people):
        own, won = kept(table, user), result.won(Seat(seat))
        games = table.harness.built.app.users.finished_games(user.id)
        assert games == {f"{table.name.key}|{archive.game}"}
        assert own.counts["games"] == own.counts["games/ruleset/classic"] == 1
        assert own.counts[f"games/side/{result.sides[seat]}"] == 1
        assert own.counts[f"games/role/{result.roles[seat]}"] == 1
        assert own.counts.get("wins", 0) == own.counts.get(f"wins/side/{result.sides[seat]}", 0) == won
        entry = board_of(table).entries[UserId(user.id)]
        assert (entry.games, entry.wins, entry.name) == (1, int(won), user.first_name)
        assert (entry.rating.mu > NEWCOMER.mu) == won
    assert table.match().archived
    assert table.item().due is None
    agrees(table)


def test_an_archive_holds_the_game_without_names_or_ids(season: Season, table: Table) -> None:
    season.play()
    (archive,) = archives_at(table).latest(table.name.key)
    log = decode_archive(archive.body).log
    assert log == table.match().log
    assert fold(event.fact for event in log).winners == table.match().game.table.winners
    for user in table.people:
        assert user.first_name.encode() not in archive.body
        assert str(user.id).encode() not in archive.body


@pytest.mark.thorough
def test_a_game_of_every_ruleset_is_recorded(at: Harness) -> None:
    table = Table(at).add_people(*NAMES)
    season = Season(table, random.Random(1))
    for rules in OFFERED:
        season.play(ruleset=rules.id)
    assert recounted(table).games == len(OFFERED)
    agrees(table)
    table.seat(0).say("/stats")
    for rules in OFFERED:
        assert kept(table, table.people[0]).counts[f"games/ruleset/{rules.name}"] == 1
    assert "party." not in table.seat(0).text()
    assert "ruleset." not in table.seat(0).text()


def test_a_game_that_is_called_off_counts_for_nobody(table: Table) -> None:
    table.open(5).cancel(table.people[0])
    assert table.match().cancelled
    assert archives_at(table).latest(table.name.key) == []
    assert kept(table, table.people[0]).counts == {}
    assert table.item().due is None


def test_whoever_took_over_a_seat_has_no_part_in_the_result(season: Season, table: Table) -> None:
    season.deal()
    room = table.room()
    assert room.match is not None
    felix = table.person("Felix")
    assert season.last is not None
    seat = next(number for number in range(5) if table.people[number] is not season.last[0])
    players = list(room.match.players)
    players[seat] = replace(players[seat], id=UserId(felix.id), name="Felix")
    table.rewrite(replace(room, match=replace(room.match, players=tuple(players))))
    season.end()
    assert kept(table, felix).counts == {}
    assert kept(table, table.people[seat]).counts["games"] == 1
    agrees(table)


def test_stats_off_in_mid_game_dodges_no_loss(season: Season, table: Table) -> None:
    season.deal()
    table.seat(1).say("/stats off")
    table.tap(table.people[2], *find_button(table.seat(2).say("/forget").views(), "forget"))
    season.end()
    assert kept(table, table.people[1]).counts["games"] == 1
    assert kept(table, table.people[2]).counts == {}, "who is forgotten is forgotten in this game as well"
    agrees(table)


# --- repetitions and crashes --------------------------------------------------------------------------


def test_an_end_that_comes_again_counts_once(season: Season, table: Table) -> None:
    season.deal().tap()
    (pending,) = table.tg.delivery.heads()
    again = table.tg.delivery.copy(pending)
    table.harness.settle()
    assert again not in table.tg.delivery.pending()
    table.tg.delivery.push("callback_query", pending.update["callback_query"], pending.queue)
    table.harness.settle()
    table.harness.watch()
    assert recounted(table).games == 1
    assert kept(table, table.people[0]).counts["games"] == 1
    agrees(table)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("by", ["redelivery", "watchdog", "tap"])
@pytest.mark.quick("redelivery-after", "watchdog-before", "tap-before")
def test_a_dead_process_is_continued(season: Season, table: Table, store: Store, done: bool, by: str) -> None:
    season.deal().tap()
    store.kill("transact_write_items", done=done)
    with pytest.raises(Killed):
        table.harness.settle()
    assert table.match().needs_archiving
    assert recounted(table).games == int(done)
    if by != "redelivery":
        table.tg.delivery.clear()
    if by == "tap":
        table.say(table.people[1], "/newgame")
    table.pass_time(100)
    if by == "watchdog":
        table.harness.watch()
    table.harness.settle()
    assert table.match().archived
    assert recounted(table).games == 1
    agrees(table)
    table.harness.watch()
    assert (table.item().due is None) == (table.room().lobby is None)


def test_a_throttled_end_is_sent_again_by_telegram(season: Season, table: Table, store: Store) -> None:
    season.deal().tap()
    throttled = Failed("ProvisionedThroughputExceededException")
    for _ in range(3):
        store.meanwhile(Mock(side_effect=throttled), "transact_write_items")
    table.harness.settle()
    assert table.tg.delivery.pending() != [] or table.match().archived
    table.wait(60)
    assert table.tg.delivery.pending() == []
    assert table.match().archived
    agrees(table)


def test_a_changed_leaderboard_is_read_again(season: Season, table: Table, store: Store, at: Harness) -> None:
    season.play().deal()
    stale = archives_at(table).load_document(table.name.key, "leaderboard")
    rewritten: list[bool] = []
    write_stale = archives_at(table).save_document
    store.meanwhile(lambda: rewritten.append(write_stale(stale)), "transact_write_items")
    season.end()
    assert rewritten == [True]
    assert recounted(table).games == 2
    agrees(table)


def test_a_watchdog_lets_a_recorded_room_rest(season: Season, table: Table) -> None:
    season.play()
    table.pass_time(3600)
    assert list(table.harness.built.app.rooms.due(table.harness.clock())) == []


def test_a_room_that_stays_due_for_nothing_is_let_rest(season: Season, table: Table) -> None:
    season.play()
    table.harness.built.app.rooms.wake_by(table.name.key, table.harness.clock() - 5)
    table.harness.watch()
    assert list(table.harness.built.app.rooms.due(table.harness.clock())) == []


# --- groups and people --------------------------------------------------------------------------------


def test_two_groups_of_one_person_have_own_ratings(season: Season, table: Table, at: Harness) -> None:
    other = Table(at, table.people, title="The Bundestag")
    elsewhere = Season(other, random.Random(8))
    for _ in range(3):
        season.play()
    elsewhere.play()
    anna = table.people[0]
    assert kept(table, anna).counts["games"] == 4
    assert board_of(table).entries[UserId(anna.id)].games == 3
    assert board_of(other).entries[UserId(anna.id)].games == 1
    agrees(table, other)


def test_a_group_that_becomes_a_supergroup_keeps_its_leaderboard(at: Harness) -> None:
    table = Table(at, type="group").add_people(*NAMES[:5])
    season = Season(table, random.Random(3)).play()
    before = table.name.key
    table.migrate()
    assert table.name.key != before
    table.tg.send(table.owner, table.group, "here we are")
    table.harness.settle()
    season.play()
    assert recounted(table, before).games == 2
    assert recounted(table).games == 0
    table.say(table.people[0], "/stats")
    assert "/2" in table.group_text()


def test_the_leaderboard_shows_ratings_games_and_wins_best_first(season: Season, table: Table) -> None:
    for _ in range(6):
        season.play()
    table.say(table.people[0], "/stats")
    entries = sorted(board_of(table).entries.values(), key=lambda entry: -entry.rating.shown)
    lines = table.group_text().splitlines()
    for place, entry in enumerate(entries, start=1):
        assert lines[place].startswith(f"{place}. ")
        assert entry.name in lines[place]
        assert lines[place].endswith(f"· {entry.rating.shown}? · {entry.wins}/{entry.games}")
    assert "A rating with ? is provisional until 10 games." in table.group_text()
    assert "season" not in table.group_text(), "it would say the same again"


def test_a_season_ends_and_its_best_three_stay(season: Season, table: Table) -> None:
    season.play().play()
    ended = board_of(table).season
    best = [entry.name for _, entry in standings(board_of(table).current)[:3]]
    table.pass_time(92 * 86400)
    table.say(table.people[0], "/stats")
    assert f"Best of last season ({ended})" in table.group_text()
    assert "This season" not in table.group_text()
    season.play()
    board = board_of(table)
    assert board.before == ended
    assert [entry.games for entry in board.current.values()] == [1] * 5
    text = table.say(table.people[0], "/stats").group_text()
    assert f"This season ({board.season})" in text
    last = text[text.index("Best of last season") :].splitlines()
    assert [best[at] in last[at + 1] for at in range(3)] == [True] * 3
    agrees(table)


def test_ones_own_figures_are_told_in_private(season: Season, table: Table) -> None:
    table.seat(0).say("/stats")
    assert "None of your games" in table.seat(0).text()
    for _ in range(4):
        season.play()
    table.seat(0).say("/stats")
    counts = kept(table, table.people[0]).counts
    text = table.seat(0).text()
    assert f"{counts.get('wins', 0)} won of 4" in text
    assert f"Secret Hitler: {counts.get('wins', 0)}/4" in text
    for side in ("liberal", "fascist"):
        if games := counts.get(f"games/side/{side}", 0):
            assert f"{side.capitalize()}: {counts.get(f'wins/side/{side}', 0)}/{games}" in text


def test_ones_own_record_says_how_well_one_plays(season: Season, table: Table) -> None:
    for _ in range(10):
        season.play()
    anna = table.seat(0).say("/stats")
    record, text = record_of(table, anna.user), anna.text()
    assert f"Rating: {record.rating('').shown}\n" in text
    assert "An average player would have won 5.0 of these games." in text
    right = record.counts.get("votes/right", 0)
    assert f"Right votes as a Liberal: {right} of {record.counts['votes']}" in text
    assert f" · {record.rating('ruleset/classic').shown}" in text
    shown = [button["text"] for button in anna.views()[-1].buttons()]
    assert shown == ["📈 My rating", "🚫 Don't count my games"]


def test_a_rating_is_provisional_until_ten_games(season: Season, table: Table) -> None:
    season.play()
    anna = table.seat(0).say("/stats")
    assert f"{record_of(table, anna.user).rating('').shown}? (provisional until 10 games)" in anna.text()
    assert len(anna.views()[-1].buttons()) == 1, "one point is no curve"


def test_a_button_sends_the_ratings_curve(season: Season, table: Table) -> None:
    season.play().play()
    anna = table.seat(0).say("/stats")
    message = anna.views()[-1]
    before = len(anna.views())
    table.tap(anna.user, message, message.buttons()[0]["callback_data"])
    assert len(anna.views()) == before + 1
    assert anna.views()[-1].photo
    nobody = table.person("Nobody")
    table.tap(nobody, message, message.buttons()[0]["callback_data"], forged=True)
    assert not any(view.photo for view in table.tg.private_view(nobody))


def test_a_forgotten_record_is_gone(season: Season, table: Table) -> None:
    season.play()
    anna = table.seat(0)
    assert record_of(table, anna.user) != OwnRecord()
    forget(table, anna.user)
    assert record_of(table, anna.user) == OwnRecord()
    agrees(table)
    season.play()
    assert len(record_of(table, anna.user).curve) == 1


@pytest.mark.parametrize("by", ["command", "button"])
def test_who_does_not_want_to_be_counted_is_nowhere(season: Season, table: Table, by: str) -> None:
    season.play()
    ben = table.seat(1)
    if by == "command":
        ben.say("/stats off")
    else:
        ben.say("/stats").press("counted")
    assert "not counted" in ben.text()
    season.play()
    assert kept(table, ben.user).counts["games"] == 1
    (newest, _) = archives_at(table).latest(table.name.key)
    assert ben.user.id not in newest.people.values()
    assert len(newest.people) == 4
    table.say(table.people[0], "/stats")
    assert "Ben" not in table.group_text()
    assert "Anna" in table.group_text()
    agrees(table)
    ben.say("/stats on")
    assert "not counted" not in ben.text()
    season.play()
    assert kept(table, ben.user).counts["games"] == 2
    assert "Ben" in table.say(table.people[0], "/stats").group_text()
    agrees(table)
