"""What a fact is. Those of every ruleset stand beside this file; expansions define theirs with their steps.

A fact knows what it does to a table (``fold``) and what those see of it who may not see it whole
(``scrub``: a fact with its secrets taken out, or nothing).
"""

from typing import ClassVar, TypeVar

from engine import tiles
from engine.table import Table

T = TypeVar("T")


class Fact:
    """Something that happened. Subclasses are frozen dataclasses whose fields are plain data."""

    __slots__ = ()
    #: Every kind of fact by its class name, for whoever stores facts.
    kinds: ClassVar[dict[str, type["Fact"]]] = {}

    def __init_subclass__(cls) -> None:
        # A dataclass with slots makes its class a second time: the later one is the one in use.
        Fact.kinds[cls.__name__] = cls

    def fold(self, table: Table) -> None:
        """Do to the table what this fact means."""

    def scrub(self) -> "Fact | None":
        """What those see who may not know it: by default nothing."""
        return None


def unknown(seen: tuple[str, ...]) -> tuple[str, ...]:
    """As many unknown tiles."""
    return (tiles.UNKNOWN,) * len(seen)


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
