"""The low-level client's attribute values, and what expressions do with them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

Value = dict[str, Any]
Item = dict[str, Value]


class Invalid(Exception):
    """DynamoDB's ValidationException."""


def compare(left: Value | None, sign: str, right: Value | None) -> bool:
    """Compare two attribute values. If their types differ or one is None, only ``<>`` is true."""
    if left is None or right is None:
        return sign == "<>"
    (left_type, a), (right_type, b) = next(iter(left.items())), next(iter(right.items()))
    if left_type != right_type:
        return sign == "<>"
    if left_type == "N":
        a, b = Decimal(a), Decimal(b)
    elif left_type == "S":
        a, b = a.encode(), b.encode()
    elif left_type in ("SS", "NS", "BS"):
        a, b = set(a), set(b)
    if sign in ("=", "<>"):
        return bool((a == b) == (sign == "="))
    if left_type not in ("N", "S", "B"):
        raise Invalid("only numbers, texts and bytes have an order")
    return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign])


def size(value: Value | None) -> Value | None:
    """Return the number of elements or bytes in an attribute, as an attribute; a number has no size."""
    if value is None or "N" in value or "BOOL" in value or "NULL" in value:
        return None
    kind, inside = next(iter(value.items()))
    return {"N": str(len(inside.encode() if kind == "S" else inside))}


def added(before: Value | None, value: Value) -> Value:
    """Return the result of ADD to a number or a set."""
    if "N" in value:
        if before is not None and "N" not in before:
            raise Invalid("a number can only be added to a number")
        return {"N": _plain(Decimal(before["N"] if before else 0) + Decimal(value["N"]))}
    ((kind, members),) = value.items()
    if kind not in ("SS", "NS", "BS") or (before is not None and kind not in before):
        raise Invalid("only sets can be added to sets")
    old = before[kind] if before else []
    return {kind: [*old, *(member for member in members if member not in old)]}


def deleted(before: Value | None, value: Value) -> Value | None:
    """Return the rest of a set after DELETE, or None if nothing is left."""
    ((kind, members),) = value.items()
    if before is None:
        return None
    if kind not in ("SS", "NS", "BS") or kind not in before:
        raise Invalid("only members of sets can be deleted")
    left = [member for member in before[kind] if member not in members]
    return {kind: left} if left else None


def _plain(number: Decimal) -> str:
    return format(number.normalize(), "f")
