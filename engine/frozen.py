"""Values: dataclasses whose fields never change."""

from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(shape: type[T]) -> type[T]:
    """Turn a class into a dataclass whose fields never change: mypy refuses to set one.

    Nothing checks it at run time. ``dataclass(frozen=True)`` would, and then each object takes three times as
    long to make. Values are equal if all fields are. A class has slots unless it caches a property.

    All values share the methods below. ``dataclass`` would compile others for each class, which took a sixth
    of the time that our code needs for a cold start.
    """
    slots = not any(isinstance(each, cached_property) for each in vars(shape).values())
    kind: Any = dataclass(slots=slots, eq=False, repr=False)(shape)
    compared = [each.name for each in fields(kind) if each.compare]
    kind._compared = attrgetter(*compared) if compared else type
    kind.__eq__, kind.__hash__ = _equal, _hash
    if "__repr__" not in vars(shape):
        kind.__repr__ = _show
    made: type[T] = kind
    return made


def _equal(self: Any, other: Any) -> object:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _show(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"
