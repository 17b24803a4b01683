"""Values compare, hash and print by their fields."""

from dataclasses import field, replace
from functools import cached_property

import pytest

from engine.frozen import frozen


@frozen
class Card:
    name: str
    power: str | None = None
    worn: int = field(default=0, compare=False, repr=False)


@frozen
class Coin:
    name: str
    power: str | None = None
    worn: int = 0


@frozen
class Deck:
    tiles: dict[str, int]


@frozen
class Covered:
    name: str

    def __repr__(self) -> str:
        return "Covered()"


@frozen
class Nothing:
    pass


@frozen
class Hand:
    cards: tuple[Card, ...]

    @cached_property
    def names(self) -> list[str]:
        return [card.name for card in self.cards]


def test_values_are_equal_if_all_compared_fields_are() -> None:
    assert Card("kill") == Card("kill", worn=3)
    assert len({Card("kill"), Card("kill", worn=3), Card("peek")}) == 2
    assert Card("kill") != Card("kill", "free")
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())


@pytest.mark.parametrize("other", [Coin("kill"), "kill", None])
def test_values_of_different_classes_are_never_equal(other: object) -> None:
    assert other != Card("kill")


def test_a_value_prints_its_fields_unless_one_is_hidden() -> None:
    assert repr(Hand((Card("kill", worn=3),))) == "Hand(cards=(Card(name='kill', power=None),))"
    assert repr(Nothing()) == "Nothing()"
    assert repr(Covered("kill")) == "Covered()"


def test_only_classes_that_cache_a_property_lack_slots() -> None:
    hand = Hand((Card("kill"),))
    assert hand.names is hand.names
    assert not hasattr(Card("kill"), "__dict__")
    assert replace(hand, cards=()).names == []


def test_a_value_with_a_dictionary_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Deck({"liberal": 6}))
