"""Chance: the same everywhere, every draw for itself, every order as likely as any other."""

from collections import Counter
from itertools import permutations

import pytest

from engine import Chance, Seat, dealt
from engine.chance import _below


def test_the_same_key_gives_the_same_draws_on_every_machine() -> None:
    # Pinned: a change here would break every recorded seed and every proof.
    chance = Chance("00" * 32)
    assert chance.shuffle("roles", range(10)) == PINNED_SHUFFLE
    assert [chance.pick(f"first/{n}", range(100)) for n in range(8)] == PINNED_PICKS


PINNED_SHUFFLE = (3, 0, 4, 8, 7, 1, 5, 9, 2, 6)
PINNED_PICKS = [24, 66, 50, 41, 76, 49, 61, 88]


def test_a_draw_does_not_depend_on_the_draws_before_it() -> None:
    chance = Chance("ab")
    first = chance.shuffle("deck/2", range(17))
    chance.shuffle("deck/1", range(17))
    chance.pick("first", range(7))
    assert chance.shuffle("deck/2", range(17)) == first


def test_labels_and_keys_have_streams_of_their_own() -> None:
    draws = {Chance(key).shuffle(label, range(17)) for key in ("00", "01") for label in ("deck/1", "deck/2")}
    assert len(draws) == 4


def test_a_shuffle_keeps_every_item() -> None:
    assert Counter(Chance("07").shuffle("deck/1", ["l"] * 6 + ["f"] * 11)) == {"l": 6, "f": 11}


def test_every_order_is_equally_likely() -> None:
    rounds = 24_000
    seen = Counter(Chance("5e").shuffle(f"x/{n}", range(4)) for n in range(rounds))
    assert set(seen) == set(permutations(range(4)))
    # 24 orders of 1,000 each; the standard deviation is about 31.
    assert max(abs(count - rounds / 24) for count in seen.values()) < 160


def test_every_pick_is_equally_likely() -> None:
    seen = Counter(Chance("5e").pick(f"x/{n}", range(7)) for n in range(14_000))
    assert max(abs(seen[n] - 2_000) for n in range(7)) < 220


def test_numbers_past_the_last_full_span_are_drawn_again() -> None:
    top = (1 << 32) - 1
    # 2^32 leaves a rest of 4 when divided by 7: the four highest numbers would favour 0 to 3.
    assert _below(7, iter([top, top - 3, top - 4])) == (top - 4) % 7 == 6
    assert _below(8, iter([top])) == 7
    with pytest.raises(AssertionError):
        _below(7, iter([top]))


def test_a_long_shuffle_goes_on_in_the_next_block_of_numbers() -> None:
    assert sorted(Chance("01").shuffle("long", range(100))) == list(range(100))


def test_recorded_draws_come_first_and_the_rest_is_drawn() -> None:
    chance = Chance("00", {"deck/1": ("f", "f"), "first": (3,)})
    order = chance.shuffle("deck/1", ["l", "f", "l", "f", "f"])
    assert order[:2] == ("f", "f")
    assert Counter(order) == {"l": 2, "f": 3}
    assert chance.pick("first", range(7)) == 3


def test_a_record_that_does_not_fit_is_refused() -> None:
    chance = Chance("00", {"deck/1": ("f", "f"), "first": (7,)})
    with pytest.raises(ValueError, match="deck/1"):
        chance.shuffle("deck/1", ["l", "f", "l"])
    with pytest.raises(ValueError, match="first"):
        chance.pick("first", range(7))


def test_nothing_can_be_drawn_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Chance("00").pick("first", [])
    assert Chance("00").shuffle("deck/1", []) == ()


def test_a_deal_says_only_what_it_is_given() -> None:
    assert dealt() == Chance("00")
    assert dealt(["liberal"], Seat(2), [["fascist"], []], "aa") == Chance(
        "aa", {"roles": ("liberal",), "first": (2,), "deck/1": ("fascist",), "deck/2": ()}
    )


def test_a_deal_says_secret_roles_and_powers_by_its_cards() -> None:
    deck = ["communist:convert", "liberal", "communist:convert"]
    assert dealt(["liberal", "fascist:monarchist"], None, [deck]).recorded == {
        "roles": ("liberal", "fascist:monarchist"),
        "secret/monarchist": ("fascist",),
        "powers/communist": ("convert",),
        "deck/1": ("communist:convert", "liberal", "communist:convert"),
    }
