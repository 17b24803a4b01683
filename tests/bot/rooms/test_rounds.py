"""Rounds as the facts tell them, and the truth behind a claim."""

from bot.rooms.names import ChatId, RoomName, read_lobby, sign_lobby
from bot.rooms.rounds import Round, split_into_rounds, truth
from bot.rooms.sealing import QUICKNET
from engine import Seat, seen
from engine.claim import Claim
from engine.facts import Shuffled
from tests.engine.builders import Play


def rounds(play: Play) -> list[Round]:
    return split_into_rounds([event.fact for event in play.events])


def test_a_round_has_its_government_hands_and_tile() -> None:
    first = rounds(Play(5, deck="lff lff", first=0).govern("l", 1))[0]
    assert (first.number, first.president, first.chancellor) == (1, 0, 1)
    assert (first.ja, first.nein, first.elected, first.resolved) == (5, 0, True, True)
    assert sorted(first.drawn) == ["fascist", "fascist", "liberal"]
    assert sorted(first.passed) == ["fascist", "liberal"]
    assert [tile for _, tile in first.discarded] == ["fascist", "fascist"]
    assert (first.enacted, first.chaos, first.special) == (["liberal"], False, False)
    assert not any(isinstance(fact, Shuffled) for fact in first.before), "the first shuffle is no news"


def test_chaos_is_noted_in_the_round_that_brought_it() -> None:
    play = Play(5, deck="lff lff", first=0).chaos()
    assert [one.chaos for one in rounds(play)[:3]] == [False, False, True]
    assert [one.resolved for one in rounds(play)[:3]] == [True] * 3
    assert not rounds(play)[2].elected


def test_a_claims_truth_is_its_hand() -> None:
    play = Play(5, deck="lff lff", first=0).govern("l", 1)
    first = rounds(play)[0]
    president = Claim(Seat(0), 1, "president", ("fascist",) * 3, 0)
    assert truth(first, president) == ("fascist", "fascist", "liberal")
    assert truth(first, Claim(Seat(1), 1, "chancellor", (), 0)) == ("fascist", "liberal")
    public = split_into_rounds(seen(play.events, None))[0]
    assert truth(public, president) is None, "the group does not know the tiles"
    assert truth(first, Claim(Seat(0), 1, "peek", (), 0)) is None


def test_a_party_that_was_seen_is_the_truth_of_its_claim() -> None:
    round_ = Round(1, Seat(0), looked=[(Seat(0), Seat(3), "fascist"), (Seat(2), Seat(4), None)])
    assert truth(round_, Claim(Seat(0), 1, "party", ("liberal",), 0)) == ("fascist",)
    assert truth(round_, Claim(Seat(2), 1, "party", ("liberal",), 0)) is None


def test_the_beacons_first_round_is_out_at_its_beginning() -> None:
    assert QUICKNET.time_of(1) == QUICKNET.genesis
    assert QUICKNET.round_after(QUICKNET.genesis) == 1


def test_a_group_without_topics_has_none_in_its_link() -> None:
    key = b"k" * 32
    for room in (RoomName(ChatId(-100)), RoomName(ChatId(-100), 7)):
        assert read_lobby(sign_lobby(room, 3, key), key) == (room, 3)
