"""Values: dataclasses whose fields never change."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(shape: type[T]) -> type[T]:
    """Turn a class into a dataclass whose fields never change: mypy refuses to set one.

    Nothing checks it at run time. ``dataclass(frozen=True)`` would, and then each class takes twice as long
    to define, which slows every cold start, and each object three times as long to make.

    A class has slots unless it caches a property.
    """
    slots = not any(isinstance(each, cached_property) for each in vars(shape).values())
    return dataclass(slots=slots, unsafe_hash=True)(shape)
