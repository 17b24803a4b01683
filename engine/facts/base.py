"""The base of all facts. The common ones are in this package; expansions define theirs with their steps.

A fact changes a table (``fold``). To seats that may not see all of it, it is shown without its secrets or not
at all (``scrub``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform

from engine import tiles
from engine.question import Seat
from engine.table import Table

T = TypeVar("T")
F = TypeVar("F", bound="Fact")


class Fact:
    """Something that happened. Subclasses are made with ``fact``, and their fields are plain data."""

    __slots__ = ()
    #: The name under which such facts are stored, such as ``"xl/marked"``. It never changes, even if the
    #: class is renamed.
    id: ClassVar[str]
    #: Every kind of fact, by its id and its former ids, to read stored facts.
    kinds: ClassVar[dict[str, type["Fact"]]] = {}

    def fold(self, table: Table) -> None:
        """Apply this fact to a table."""

    def scrub(self) -> "Fact | None":
        """Return what others see of this fact, or None if they see nothing (the default)."""
        return None


@dataclass_transform(frozen_default=True)
def fact(name: str, *former: str) -> Callable[[type[F]], type[F]]:
    """Turn a class into a kind of fact: a frozen dataclass that is stored under this id.

    An expansion's ids begin with its name: ``"xl/marked"``. ``former``: ids under which such facts may have
    been stored before. Raises ValueError if another kind has one of these ids, because stored games would be
    misread.
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


def put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
