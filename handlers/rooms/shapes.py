"""What a dataclass's fields may hold, as validators of pydantic's core.

pydantic itself would build the same validators, and more, from the same type hints; importing it and
building them took a fifth of a cold start. Known are the types that rooms and games are made of.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from pydantic_core import SchemaValidator

Schema = dict[str, Any]

#: Types that are read by a function of their own.
OWN: dict[Any, Callable[[Any], Any]] = {}

_PLAIN = {int: "int", str: "str", bool: "bool", float: "float", NoneType: "none", Any: "any"}


@cache
def reader(shape: Any) -> Callable[[Any], Any]:
    """What turns data as read from JSON into this type; it raises ValueError for what does not fit."""
    return SchemaValidator(cast(Any, schema(shape))).validate_python


def schema(shape: Any) -> Schema:
    """The core's schema for a type. Raises TypeError for one that is not known here."""
    if shape in OWN:
        return {"type": "function-plain", "function": {"type": "no-info", "function": OWN[shape]}}
    if shape in _PLAIN:
        return {"type": _PLAIN[shape]}
    if is_dataclass(shape):
        return _dataclass(cast(Any, shape))
    origin, arguments = get_origin(shape), get_args(shape)
    if origin in (Union, UnionType):
        return {"type": "union", "choices": [schema(choice) for choice in arguments]}
    if origin is tuple:
        return _tuple(arguments)
    if origin in (Mapping, dict):
        keys, values = arguments
        return {"type": "dict", "keys_schema": schema(keys), "values_schema": schema(values)}
    raise TypeError(f"nobody said how to read {shape!r}")


def _tuple(arguments: tuple[Any, ...]) -> Schema:
    if arguments[-1] is ...:
        return {"type": "tuple", "items_schema": [schema(arguments[0])], "variadic_item_index": 0}
    return {"type": "tuple", "items_schema": [schema(item) for item in arguments]}


@cache
def _dataclass(shape: Any) -> Schema:
    hints = get_type_hints(shape)
    return {
        "type": "dataclass",
        "cls": shape,
        "slots": True,
        "fields": [field.name for field in fields(shape)],
        "schema": {
            "type": "dataclass-args",
            "dataclass_name": shape.__name__,
            "fields": [_field(field, hints[field.name]) for field in fields(shape)],
        },
    }


def _field(field: Field[Any], hint: Any) -> Schema:
    inner = schema(hint)
    if field.default is not MISSING:
        inner = {"type": "default", "schema": inner, "default": field.default}
    elif field.default_factory is not MISSING:
        inner = {"type": "default", "schema": inner, "default_factory": field.default_factory}
    return {"type": "dataclass-field", "name": field.name, "schema": inner}
