"""The private chat: choosing a language, and /forget."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.records.leaderboard import decode_board
from bot.rooms.names import UserId
from infra.store.people import UserItem
from sandbox.harness import Harness
from sandbox.telegram import User
from tests.system.season import Season, archives_at, board_of, kept, recounted
from tests.system.store import Killed, Store
from tests.system.table import Seated, Table


@pytest.fixture
def table(at: Harness) -> Table:
    return Table(at).add_people("Anna", "Ben", "Clara", "David", "Emma")


def in_german(seat: Seated) -> Seated:
    seat.say("/language").press(label="Deutsch")
    return seat


# --- language -----------------------------------------------------------------------------------------


def test_a_person_chooses_a_language_by_a_button(table: Table) -> None:
    anna = table.seat(0).say("/language")
    assert "● As in Telegram" in anna.views()[-1].labels()
    anna.press(label="Deutsch")
    assert kept(table, anna.user).language == "de"
    assert {"● Deutsch", "○ English"} < set(anna.views()[-1].labels())
    assert "noch kein Spiel" in anna.say("/stats").text()
    assert anna.say("/start").text().startswith("Hallo!")


def test_the_chosen_language_comes_along_to_the_table(table: Table) -> None:
    anna = in_german(table.seat(0))
    table.open(5, first=0)
    assert [player.language for player in table.match().players] == ["de", "en", "en", "en", "en"]
    assert "Wen schlägst du als Kanzler vor?" in anna.prompt().text


def test_a_deep_link_seats_people_in_their_own_language(table: Table) -> None:
    felix = table.person("Felix", started=False)
    seat = Seated(table, felix)
    table.harness.built.app.users.save(felix.id, language="de")
    table.say(table.people[0], "/newgame").follow(felix, table.press(felix, "join"))
    assert "Du hast einen Platz in" in seat.text()
    _, player = (table.room().lobby or pytest.fail("no lobby")).players
    assert player.language == "de"


def test_a_language_holds_in_every_group_and_list(table: Table, at: Harness) -> None:
    other = Table(at, table.people)
    for group in (table, other):
        group.say(table.people[0], "/newgame").press(table.people[0], "join")
        group.say(table.people[0], "/nextgame")
    in_german(table.seat(0))
    for group in (table, other):
        people = (*group.lobby().players, *group.room().next_game)
        assert [player.language for player in people] == ["de", "de"]


def test_a_substitute_brings_their_language(table: Table) -> None:
    felix = table.open(5, first=0).person("Felix")
    in_german(Seated(table, felix))
    table.leave(table.people[0]).press(felix, "sit")
    assert table.match().players[0].language == "de"


def test_a_forged_button_edits_no_private_message(table: Table) -> None:
    ben = table.seat(1).say("/help")
    before = ben.texts()
    table.say(ben.user, "/newgame")
    for verb in ("language|1|0", "counted|1|1", "forget|1|0"):
        table.forge(ben.user, verb)
    assert ben.texts() == before


# --- being forgotten ----------------------------------------------------------------------------------


def played(table: Table, games: int = 4) -> Season:
    """Finish this many games, after which everyone is on the leaderboard."""
    season = Season(table, random.Random(11))
    for _ in range(games):
        season.play()
    return season


def nowhere(table: Table, user: User) -> None:
    """Check that nothing stored in group or archives names this person."""
    for archive in archives_at(table).latest(table.name.key, 100):
        assert user.id not in archive.people.values()
    document = archives_at(table).load_document(table.name.key, "leaderboard").body
    # Whole numbers only, because a long random alias may contain the id.
    assert not re.search(rb"(?<![-.\d])%d(?!\d)" % user.id, document)
    assert user.first_name.encode() not in document
    assert decode_board(document).leaving == {}


def test_forgetting_one_person_keeps_the_others_ratings(table: Table) -> None:
    played(table)
    anna, board = table.seat(0), board_of(table)
    in_german(anna).say("/forget").press("forget")
    assert kept(table, anna.user) == UserItem(anna.user.id)
    nowhere(table, anna.user)
    after = board_of(table)
    for user, entry in board.entries.items():
        if user != anna.user.id:
            assert after.entries[user] == entry
    (alias,) = (user for user in after.entries if user < 0)
    assert after.entries[alias] == board.entries[UserId(anna.user.id)]
    assert recounted(table).board == after
    assert "Anna" not in table.say(table.people[1], "/stats").group_text()
    assert table.match().seat_of(UserId(anna.user.id)) is None
    assert "Anna" not in "".join(player.name for player in table.match().players)


def test_a_forgotten_person_who_comes_back_begins_anew(table: Table) -> None:
    season = played(table)
    anna = table.seat(0).say("/forget")
    anna.press(label="Forget me")
    season.play().play()
    assert kept(table, anna.user).counts["games"] == 2
    assert board_of(table).entries[UserId(anna.user.id)].games == 2
    assert recounted(table).board == board_of(table)
    anna.say("/forget").press(label="Forget me")
    nowhere(table, anna.user)
    assert len([user for user in board_of(table).entries if user < 0]) == 2
    assert recounted(table).board == board_of(table)


def test_aliases_differ_from_group_to_group(table: Table, at: Harness) -> None:
    other = Table(at, table.people)
    played(table, 1)
    played(other, 1)
    table.seat(0).say("/forget").press(label="Forget me")
    aliases = {user for group in (table, other) for user in board_of(group).entries if user < 0}
    assert len(aliases) == 2
    nowhere(table, table.people[0])
    nowhere(other, table.people[0])


def test_a_running_game_keeps_the_seat(table: Table) -> None:
    anna = table.open(5, first=0).seat(0).say("/forget")
    anna.press(label="Forget me")
    assert table.match().players[0].id == anna.user.id
    assert kept(table, anna.user) == UserItem(anna.user.id, may_write=True, rooms=frozenset({table.name.key}))
    assert "Reichstag" in anna.say("/games").text()
    table.nominate(1)
    assert table.match().game.table.chancellor == 1


def test_an_unrecorded_game_is_recorded_before_forgetting(table: Table, store: Store) -> None:
    season = played(table, 1).deal()
    season.tap()
    store.kill("transact_write_items")
    with pytest.raises(Killed):
        table.harness.settle()
    table.tg.delivery.clear()
    table.seat(0).say("/forget").press(label="Forget me")
    assert table.match().archived
    assert recounted(table).games == 2
    nowhere(table, table.people[0])
    assert recounted(table).board == board_of(table)


@pytest.mark.thorough
def test_a_process_that_dies_while_forgetting_is_made_up_for(table: Table, store: Store) -> None:
    """The process dies before and after each single request."""
    season = played(table, 2)
    anna = table.seat(0)
    died = 0
    for done in (False, True):
        for request in range(60):
            season.play()
            anna.say("/forget")
            anna.press(label="Forget me", settle=False)
            faults = store.after if done else store.before
            faults.append(_at(request))
            try:
                table.harness.settle()
                break
            except Killed:
                died += 1
            finally:
                faults.clear()
            # Meanwhile another game may end.
            if request % 3 == 0:
                season.deal().end_aside()
            table.harness.settle()
            nowhere(table, anna.user)
            assert kept(table, anna.user) == UserItem(anna.user.id)
            assert recounted(table).board == board_of(table)
            table.pass_time(30)
        else:
            pytest.fail("it takes more requests than that")
    assert died > 10


@pytest.mark.thorough
def test_forgetting_finds_a_game_that_ends_meanwhile(table: Table, store: Store) -> None:
    """Another game ends between any two of its requests."""
    season = Season(table, random.Random(9))
    for request in range(1, 24):
        season.play().deal()
        anna = table.seat(0).say("/forget")
        anna.press(label="Forget me", settle=False)
        store.meanwhile(season.end_aside, "", number=request)
        table.harness.settle()
        store.before.clear()
        assert recounted(table).board == board_of(table)
        assert kept(table, anna.user).counts == recounted(table).counts.get(anna.user.id, {})
        if not table.match().archived:
            season.end()
    assert recounted(table).games == 2 * 23


def _at(number: int) -> Callable[[str, object], None]:
    """Return a fault that kills at the request of this number."""
    left = [number]

    def fault(operation: str, arguments: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    return fault


def test_a_waiter_is_forgotten_after_a_failed_note(table: Table, store: Store) -> None:
    ben = table.seat(1)
    store.kill(of="user#")
    with pytest.raises(Killed):
        table.say(ben.user, "/nextgame")
    table.wait(60)
    assert [player.id for player in table.room().next_game] == [ben.user.id]
    ben.say("/forget").press(label="Forget me")
    assert table.room().next_game == ()


def hosted(table: Table) -> Seated:
    """Return Otto's lobby, in which he does not play, with five others."""
    table.say(table.owner, "/newgame").press(table.owner, "leave")
    for user in table.people[:5]:
        table.press(user, "join")
    return Seated(table, table.owner)


def led_by(table: Table, user: User) -> None:
    """Give the game a host without a seat, as in games that were started before."""
    room = table.room()
    assert room.match is not None
    table.rewrite(replace(room, match=replace(room.match, host=UserId(user.id))))


def unnamed(table: Table, user: User) -> bool:
    """Return True if neither the room knows the person any more, nor their item the room."""
    return not table.names(user) and kept(table, user) == UserItem(user.id)


@pytest.mark.parametrize(
    "moment", ["in the lobby", "in the game", "after it was called off", "after its end"]
)
def test_a_host_who_does_not_play_is_forgotten_too(table: Table, moment: str) -> None:
    otto = hosted(table)
    if moment != "in the lobby":
        table.press(table.people[0], "host")
        table.start()
        led_by(table, otto.user)
    if moment == "after it was called off":
        table.cancel(otto.user)
    if moment == "after its end":
        table.hurry()
    otto.say("/forget").press(label="Forget me")
    assert unnamed(table, otto.user)
    if moment == "in the lobby":
        assert "Anna👑" in table.lobby_text().replace("\u2069", "").replace("\u2068", "").replace(" ", "")
        table.start()
        assert table.room().playing is not None


def test_opening_a_lobby_does_not_allow_private_messages(table: Table) -> None:
    shy = table.person("Shy", started=False)
    table.say(shy, "/newgame")
    assert kept(table, shy).may_write is None
    assert kept(table, shy).rooms == {table.name.key}


# --- is the deal fair? ---------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["/help", "/start"])
def test_a_private_button_says_what_is_kept_of_people(table: Table, asked: str) -> None:
    anna = table.seat(0).say(asked)
    before = anna.text()
    anna.press(label="What do you keep about me?")
    assert "Not what you write" in anna.text()
    assert "whoever runs the bot could read them" in anna.text()
    assert "35 days" in anna.text()
    anna.press(label="Back")
    assert anna.text() in before, "the same message, as it was"


@pytest.mark.parametrize("number", [7, -1, 10**30])
def test_a_forged_language_changes_nothing(table: Table, number: int) -> None:
    anna = table.seat(0).say("/language")
    table.tg.tap(anna.user, anna.views()[-1], f"language|1|{number}", forged=True)
    table.harness.settle()
    assert kept(table, anna.user).language is None
