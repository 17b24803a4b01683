"""Starting: the seal, the deal once the beacon's round is out, a void attempt, and no beacon at all."""

from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.incoming import DeepLink, Gone
from bot.conversation.lobby.sealing import reopen_lobby
from bot.conversation.outcome import Edit, Lookup, Outcome, Post, Toast
from bot.display.buttons import Verb
from bot.rooms.model import Room
from bot.rooms.names import RoomName
from bot.rooms.sealing import QUICKNET, Proof, Sealed
from tests.bot.conversation.acts import hears, needs, press, says, sealed, tap, wakes
from tests.bot.conversation.people import BEACON, CHAT, NOW, SEED, person
from tests.bot.conversation.replies import (
    buttons,
    edits,
    posts,
    refuses,
    tells,
    toast,
    told,
    unchanged,
    writes,
)
from tests.bot.conversation.rooms import lobby, names, opened, playing
from tests.bot.conversation.texts import plain, words

OTHER_SEED = "0d" * 32
RANDOMNESS = "ab" * 32
LOOKED_UP = f"{BEACON.addresses[0]}/{BEACON.chain}"


def seal(room: Room) -> Sealed:
    assert room.sealed is not None
    return room.sealed


def try_deal(room: Room, after: int = 10, **facts: Any) -> Outcome:
    """Look at the beacon: the seal was posted in time and the round is out."""
    return wakes(room, after, **{"beacon": BEACON, "seal_fixed_at": NOW, "randomness": RANDOMNESS, **facts})


def test_a_seal_names_drand_or_another_beacon() -> None:
    relays = replace(QUICKNET, addresses=("https://relay.example",))
    for beacon, named in ((QUICKNET, "drand"), (relays, "drand"), (BEACON, "https://beacon.example/c0ffee")):
        begun = tap(lobby(5), "start", person(0), beacon=beacon)
        assert f" of {named}, out at " in posts(begun)[0]
        over = try_deal(begun.room, 60, beacon=beacon)
        assert over.room.match is not None
        ended = tap(over.room, "cancel", person(0), 1)
        where = f"{QUICKNET.addresses[0]}/{QUICKNET.chain}" if named == "drand" else named
        assert any(f"{where}/public/" in post for post in posts(ended))
        assert any(("--beacon" in post) == (named != "drand") for post in posts(ended))


def test_starting_seals_the_game_and_deals_nothing_yet() -> None:
    after = tap(lobby(5), "start", person(0), beacon=BEACON)
    assert after.room.lobby is None
    assert after.room.match is None
    assert names(after.room) == ["Ada", "Ben", "Cleo", "Dirk", "Edda"]
    round_ = seal(after.room).proof.round
    assert seal(after.room).proof == Proof(SEED, attempt=1, round=round_, beacon=LOOKED_UP)
    assert toast(after) == plain("toast.started")
    assert told(after) == set()


def test_the_round_is_at_least_nine_seconds_ahead() -> None:
    now = seal(sealed())
    assert now.proof.round is not None
    assert now.at == BEACON.time_of(now.proof.round)
    assert NOW + 9 <= now.at < NOW + 9 + BEACON.period
    assert now.next_try_at == now.at + 1


def test_the_posted_seal_shows_no_seed() -> None:
    after = tap(lobby(5), "start", person(0), beacon=BEACON)
    post = next(effect for effect in after.effects if isinstance(effect, Post) and effect.name == "seal")
    assert post.date_mark == "1.1"
    assert SEED not in post.text
    assert str(seal(after.room).proof.round) in post.text
    (last,) = [effect for effect in after.effects if isinstance(effect, Edit) and effect.name == "lobby"]
    assert last.keyboard == ()
    assert "Edda" in last.text, "an edit that showed who is in may have waited: this one takes its place"
    assert words("lobby.enough") not in last.text


def test_the_command_starts_as_the_button_does() -> None:
    assert seal(says(lobby(5), person(0), "/start", beacon=BEACON).room) == seal(sealed())


def test_a_game_is_dealt_once_the_round_is_out() -> None:
    after = try_deal(sealed())
    assert after.room.sealed is None
    round_ = seal(sealed()).proof.round
    assert playing(after.room).proof == Proof(SEED, round=round_, randomness=RANDOMNESS, beacon=LOOKED_UP)
    assert told(after) == {0, 1, 2, 3, 4}
    assert (playing(after.room).time_began_at, playing(after.room).opened_at) == (NOW + 10, NOW + 10)


def test_every_seat_knows_its_role_before_the_nomination() -> None:
    after = try_deal(sealed())
    cards = [e for e in after.effects if isinstance(e, Post) and words("role-dealt") in e.text]
    assert len(cards) == 5
    assert all(card.protect for card in cards)
    assert [len(tells(after, seat)) for seat in range(5)].count(2) == 1  # the candidate's prompt


def test_the_deal_follows_from_the_beacon() -> None:
    games = [playing(try_deal(sealed(), randomness=f"{n:064x}").room).game for n in range(6)]
    roles = {tuple(each.table.roles) for each in games}
    assert len(roles) > 1
    assert playing(try_deal(sealed()).room).game == playing(try_deal(sealed()).room).game


def test_it_is_not_looked_before_the_time() -> None:
    before = sealed()
    assert try_deal(before, seal(before).next_try_at - NOW - 1) == Outcome(before)


def test_the_beacon_is_asked_once_the_seal_is_in_time() -> None:
    needs(Lookup.RANDOMNESS, try_deal, sealed())
    later = try_deal(sealed(), seal_fixed_at=None, randomness=None)
    assert later.room.match is None
    assert seal(later.room).next_try_at > NOW + 10


def test_the_longer_a_seal_is_not_posted_the_rarer_are_the_looks() -> None:
    looked = [(after, try_deal(sealed(), after, seal_fixed_at=None).room) for after in (10, 40, 100, 900)]
    waits = [seal(room).next_try_at - NOW - after for after, room in looked]
    assert waits == sorted(waits)
    assert waits[0] == 1
    assert waits[-1] == 60


def test_a_late_seal_is_void_and_the_next_shows_its_seed() -> None:
    before = sealed()
    after = try_deal(before, seal_fixed_at=seal(before).at, entropy=OTHER_SEED)
    now = seal(after.room)
    assert (now.proof.seed, now.proof.attempt, now.given_up) == (OTHER_SEED, 2, (SEED,))
    assert SEED in posts(after)[0]
    assert OTHER_SEED not in posts(after)[0]
    assert now.at - (NOW + 10) >= 18
    assert now.mark == "1.2"


def test_a_date_just_before_the_round_is_in_time() -> None:
    before = sealed()
    assert try_deal(before, seal_fixed_at=seal(before).at - 1).room.match is not None


def test_an_unposted_seal_opens_the_lobby_and_counts() -> None:
    after = reopen_lobby(sealed())
    assert names(after.room) == ["Ada", "Ben", "Cleo", "Dirk", "Edda"]
    assert opened(after.room).given_up == (SEED,)
    assert after.room.last_seal == "", "nobody could find the seal that was not posted"
    again = tap(after.room, "start", person(0), beacon=BEACON, entropy=OTHER_SEED)
    assert seal(again.room).proof.attempt == 2
    assert SEED in posts(again)[0]
    assert reopen_lobby(lobby()) == Outcome(lobby())


def test_without_a_beacon_a_game_starts_at_once_and_says_so() -> None:
    after = tap(lobby(5), "start", person(0), beacon=None)
    assert playing(after.room).proof == Proof(SEED, unproven_reason="off", fixed=False)
    assert words("proof.off") in posts(after)[1]
    end = next(text for text in posts(tap(after.room, "cancel", person(0), 1)) if "engine.proof" in text)
    assert words("proof.off") in end


def test_a_bot_that_lost_its_beacon_deals_what_it_had_sealed() -> None:
    after = try_deal(sealed(), beacon=None)
    assert playing(after.room).proof == seal(sealed()).proof.without_beacon("off")
    assert posts(after)[0] == words("proof.off")


# --- the beacon cannot be reached ---------------------------------------------------------------------------


def stranded() -> Room:
    """Return a room in which the host was asked what to do without the beacon."""
    return try_deal(sealed(), 120, randomness="").room


def test_for_a_minute_nobody_is_asked() -> None:
    after = try_deal(sealed(), 30, randomness="")
    assert not seal(after.room).asked
    assert posts(after) == []


def test_after_a_minute_the_host_is_asked_once() -> None:
    after = try_deal(sealed(), 120, randomness="")
    assert seal(after.room).asked
    assert buttons(after, "beacon") == [(1, 0), (1, 1)]
    assert posts(after) == [words("beacon.away", round=seal(sealed()).proof.round)]
    assert seal(after.room).proof == seal(sealed()).proof, "nothing is dealt meanwhile"
    assert posts(try_deal(after.room, 300, randomness="")) == []


def test_a_late_beacon_deals_and_settles_the_question() -> None:
    after = try_deal(stranded(), 300)
    assert playing(after.room).proof.randomness == RANDOMNESS
    assert edits(after)["beacon"] == words("beacon.back")
    assert "beacon" not in edits(try_deal(sealed()))


def test_a_deal_without_the_beacon_is_marked_in_the_group() -> None:
    after = tap(stranded(), "beacon", person(0), 1)
    assert playing(after.room).proof == seal(sealed()).proof.without_beacon("gone")
    assert edits(after)["beacon"] == words("proof.gone")
    end = next(text for text in posts(tap(after.room, "cancel", person(0), 1)) if "engine.proof" in text)
    assert words("proof.gone") in end
    assert "--randomness" not in end


def test_the_host_waits_on() -> None:
    before = stranded()
    refuses(tap(before, "beacon", person(0), 0), before, "beacon.waiting")


def test_only_host_or_admin_deals_without_the_beacon() -> None:
    before = stranded()
    assert toast(tap(before, "beacon", person(1), 1)) == plain("only-host")
    assert tap(before, "beacon", person(1), 1, is_admin=True).room.match is not None
    needs(Lookup.IS_ADMIN, tap, before, "beacon", person(1), 1)


def test_nobody_deals_without_the_beacon_unasked() -> None:
    for before in (sealed(), lobby()):
        refuses(tap(before, "beacon", person(0), 1), before, "illegal.closed")
    assert toast(press(stranded(), "beacon", person(0), 7, 1)) == plain("illegal.closed")


# --- nothing changes between seal and deal ------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "args"), [
    ("join", (1,)), ("leave", (1,)), ("start", (1,)), ("setup", (1, 1, 1)), ("host", (1, 101)),
    ("remove", (1, 101)), ("rematch", (1,)), ("set", (1, 1)), ("board", (0, 0, 0, 0)), ("role", (1,)),
])  # fmt: skip
def test_between_seal_and_deal_no_tap_changes_anything(verb: Verb, args: tuple[int, ...]) -> None:
    before = sealed()
    after = press(before, verb, person(0), *args, is_admin=True)
    assert unchanged(after, before)
    # A button of another game would lead to no role.
    why = "start.frozen.role" if verb == "role" and args[0] == seal(before).number else "start.frozen"
    assert after.toast == Toast(plain(why), alert=True)


@pytest.mark.parametrize(
    "command", ["newgame", "join", "leave", "start", "cancel", "status", "sub", "settings"]
)
def test_between_seal_and_deal_no_command_changes_anything(command: str) -> None:
    before = sealed()
    after = says(before, person(0), command, is_admin=True)
    assert after.room.sealed == before.sealed
    assert posts(after) == [words("start.frozen")]


def test_between_seal_and_deal_no_link_seats_anybody() -> None:
    before = sealed()
    after = hears(before, DeepLink(person(9), RoomName(CHAT), 1))
    assert after.room == before
    assert names(after.room) == names(lobby(5))
    assert writes(after, person(9)) == [words("start.frozen")]


def test_between_seal_and_deal_the_rules_can_be_read() -> None:
    assert posts(says(sealed(), person(0), "/rules")) != [words("start.frozen")]


# --- why a game does not start ------------------------------------------------------------------------------


def test_too_few_players_start_nothing() -> None:
    before = lobby(3)
    after = tap(before, "start", person(0))
    assert unchanged(after, before)
    assert after.toast == Toast("2 more players are needed.", alert=True)
    assert posts(says(before, person(0), "/start")) == ["2 more players are needed."]
    assert toast(tap(lobby(4), "start", person(0))) == "One more player is needed."


def test_nobody_but_the_host_or_an_admin_starts() -> None:
    before = lobby(5)
    assert toast(tap(before, "start", person(1))) == plain("only-host")
    assert posts(says(before, person(1), "/start")) == [words("only-host")]
    assert tap(before, "start", person(1), is_admin=True).room.match is not None
    assert says(before, person(1), "/start", is_admin=True).room.match is not None
    needs(Lookup.IS_ADMIN, tap, before, "start", person(1))


def test_options_that_so_many_cannot_play_start_nothing() -> None:
    before = lobby(5, "red-dawn@1", options={"secret-roles": "on"})
    assert toast(tap(before, "start", person(0))) == plain("illegal.secret-roles-need-6-players")


def test_leaving_the_group_loses_the_seat() -> None:
    for after in (
        tap(lobby(6), "start", person(0), gone=frozenset({102, 104})),
        says(lobby(6), person(0), "/start", gone=frozenset({102, 104})),
    ):
        assert names(after.room) == ["Ada", "Ben", "Dirk", "Fynn"]
        assert after.room.sealed is None
        assert "Cleo" in posts(after)[0]
        assert "Edda" in posts(after)[0]
    needs(Lookup.GONE, tap, lobby(6), "start", person(0))


def is_gone(room: Room, who: int, *, by_admin: bool = False) -> Room:
    """Let one of the room's people leave the group, or be removed."""
    return hears(room, Gone(person(who), RoomName(CHAT), by_admin)).room


def test_who_leaves_between_seal_and_deal_does_not_play() -> None:
    room = is_gone(is_gone(sealed(), 3, by_admin=True), 1)
    assert seal(room).seal == seal(sealed()).seal
    after = try_deal(room, counted=frozenset({101, 103}))
    assert playing(after.room).away == (3, 1)
    assert [player.computer for player in playing(after.room).players] == [False, True, False, True, False]
    assert list(playing(after.room).rated) == [1], "the game counts for who left, and not for who was removed"
    assert sum("no longer in the group" in post for post in posts(after)) == 2


def test_when_all_leave_between_seal_and_deal_the_game_ends() -> None:
    room = sealed()
    for who in range(5):
        room = is_gone(room, who)
    assert playing(try_deal(room).room).cancelled


def test_a_lobby_that_opens_again_leaves_out_who_left() -> None:
    reopened = reopen_lobby(is_gone(sealed(), 0)).room.lobby
    assert reopened is not None
    assert [player.id for player in reopened.players] == [101, 102, 103, 104]
    assert reopened.host == 101


def test_who_left_and_had_no_seat_keeps_nobody_from_starting() -> None:
    assert tap(lobby(5), "start", person(0), gone=frozenset({999})).room.match is not None


def test_in_a_silent_game_the_start_says_what_the_bot_may_not_do() -> None:
    quiet = lobby(5, silence="on")
    assert words("silence.by-yourselves") in posts(tap(quiet, "start", person(0), may_delete=False))[1]
    assert words("silence.by-yourselves") not in posts(tap(quiet, "start", person(0)))[0]
    needs(Lookup.MAY_DELETE, tap, quiet, "start", person(0))
    assert tap(lobby(5), "start", person(0), unknown=Lookup.MAY_DELETE).room.match is not None
