"""The size of a table's item."""

from collections.abc import Mapping
from typing import Any


def item_size(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Return an item's size in bytes as DynamoDB bills it: names and values in UTF-8, two digits per byte."""
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(attribute: Mapping[str, Any]) -> int:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return (len(value.strip("-").replace(".", "").strip("0")) + 1) // 2 + 1 + value.startswith("-")
        case "B":
            return len(value) if isinstance(value, bytes) else len(value) * 3 // 4 - value[-2:].count("=")
        case "M":
            return 3 + sum(1 + len(name.encode()) + _value_size(inner) for name, inner in value.items())
        case "L":
            return 3 + sum(1 + _value_size(inner) for inner in value)
        case "S":
            return len(value.encode())
        case "SS":
            return sum(len(each.encode()) for each in value)
        case "NS" | "BS":
            return sum(_value_size({kind[0]: each}) for each in value)
    return 1
