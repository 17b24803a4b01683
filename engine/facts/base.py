"""The base of all facts. The common ones are in this package; expansions define theirs with their steps.

A fact knows what it does to a table (``fold``), and how it looks to those who may not see it whole
(``scrub``): without its secrets, or not at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform

from engine import tiles
from engine.table import Table

T = TypeVar("T")
F = TypeVar("F", bound="Fact")


class Fact:
    """Something that happened. Subclasses are made with ``fact``; their fields are plain data."""

    __slots__ = ()
    #: The name under which such facts are stored, such as ``"xl/marked"``. It outlives any renaming of the
    #: class.
    id: ClassVar[str]
    #: Every kind of fact by its id and by its former ids, for readers of stored facts.
    kinds: ClassVar[dict[str, type["Fact"]]] = {}

    def fold(self, table: Table) -> None:
        """Do to the table what this fact means."""

    def scrub(self) -> "Fact | None":
        """Return the fact as seats see it that may not know it: by default not at all."""
        return None


@dataclass_transform(frozen_default=True)
def fact(name: str, *former: str) -> Callable[[type[F]], type[F]]:
    """Make a class a kind of fact: a frozen dataclass that is stored under this id.

    An expansion's ids begin with its name: ``"xl/marked"``. ``former``: ids under which games may have been
    stored before. Raises ValueError when another kind has one of them: stored games would be misread.
    """

    def made(shape: type[F]) -> type[F]:
        kind = dataclass(frozen=True, slots=True)(shape)
        for each in (name, *former):
            if other := Fact.kinds.get(each):
                raise ValueError(f"two kinds of fact are called {each!r}: {_place(other)} and {_place(kind)}")
        kind.id = name
        Fact.kinds.update(dict.fromkeys((name, *former), kind))
        return kind

    return made


def _place(kind: type[Fact]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def unknown(seen: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many unknown tiles as there are in ``seen``."""
    return (tiles.UNKNOWN,) * len(seen)


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
