"""Conditions and updates in DynamoDB's expression language, compiled once and kept.

An item is what the low-level client has: attribute name -> {type: value}. Items are never changed in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from local.dynamodb.values import Invalid, Item, Value, added, compare, deleted, size


@dataclass(frozen=True, slots=True)
class Names:
    """The values of an expression's placeholders."""

    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)

    def path(self, parts: Sequence[str]) -> tuple[str, ...]:
        """Return a document path with its placeholders replaced."""
        try:
            return tuple([self.names[part] if part[0] == "#" else part for part in parts])
        except KeyError as missing:
            raise Invalid(f"undefined attribute name {missing}") from None

    def value(self, placeholder: str) -> Value:
        """Return the value of a placeholder."""
        try:
            return self.values[placeholder]
        except KeyError:
            raise Invalid(f"undefined value {placeholder}") from None


Operand = Callable[[Item, Names], "Value | None"]
Condition = Callable[[Item, Names], bool]

_TOKEN = re.compile(r"\s*(?:([#:]?\w+)|(<=|>=|<>|[=<>(),.]))")
_WORDS = {"AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"}


def get(item: Item, path: Sequence[str]) -> Value | None:
    """Return the value at a path of an item, or None."""
    value = item.get(path[0])
    for part in path[1:]:
        if value is None or "M" not in value:
            return None
        value = value["M"].get(part)
    return value


@lru_cache(maxsize=2048)
def condition(text: str) -> Condition:
    """Compile a condition expression. Raises Invalid for a malformed or unsupported one."""
    tokens = _Tokens(text)
    compiled = _either(tokens)
    tokens.end()
    return compiled


@dataclass(frozen=True, slots=True)
class Update:
    """A compiled update expression: paths, each with a function of its new value (None: remove it)."""

    changes: tuple[tuple[tuple[str, ...], Operand], ...]

    def apply(self, item: Item, names: Names) -> Item:
        """Return the item after the update; every operand is read from the item before. Raises Invalid."""
        changes = [(names.path(path), operand(item, names)) for path, operand in self.changes]
        _refuse_overlaps([at for at, _ in changes])
        out = dict(item)
        fresh: set[int] = set()
        for at, value in changes:
            _put(out, at, value, fresh)
        return out


@lru_cache(maxsize=2048)
def update(text: str) -> Update:
    """Compile an update expression. Raises Invalid."""
    tokens = _Tokens(text)
    changes: list[tuple[tuple[str, ...], Operand]] = []
    while tokens.peek():
        clause = tokens.take().upper()
        if clause not in ("SET", "REMOVE", "ADD", "DELETE"):
            raise Invalid(f"no clause begins with {clause}")
        while True:
            path = _path(tokens)
            changes.append((path, _new_value(tokens, clause, path)))
            if not tokens.skip(","):
                break
    return Update(tuple(changes))


def _new_value(tokens: _Tokens, clause: str, path: tuple[str, ...]) -> Operand:
    """Compile the rest of one part of a clause."""
    if clause == "SET":
        tokens.expect("=")
        operand = _operand(tokens)
        return lambda item, names: _existing(operand(item, names))
    if clause == "REMOVE":
        return lambda item, names: None
    placeholder, change = tokens.take(), added if clause == "ADD" else deleted
    return lambda item, names: change(get(item, names.path(path)), names.value(placeholder))


def _existing(value: Value | None) -> Value:
    if value is None:
        raise Invalid("the provided expression refers to an attribute that does not exist in the item")
    return value


# --- parsing ------------------------------------------------------------------------------------------


class _Tokens:
    def __init__(self, text: str) -> None:
        #: The tokens that are left, the next one last.
        self._left = list(_split(text))[::-1]

    def peek(self) -> str:
        return self._left[-1] if self._left else ""

    def take(self) -> str:
        if not self._left:
            raise Invalid("the expression ends too early")
        return self._left.pop()

    def skip(self, token: str) -> bool:
        found = self.peek().upper() == token
        if found:
            self.take()
        return found

    def expect(self, token: str) -> None:
        if not self.skip(token):
            raise Invalid(f"{token!r} expected, not {self.peek()!r}")

    def end(self) -> None:
        if self._left:
            raise Invalid(f"{self.peek()!r} is too much")


def _split(text: str) -> Iterator[str]:
    at, text = 0, text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Invalid(f"syntax error at {at}")
        yield found[1] or found[2]
        at = found.end()


def _path(tokens: _Tokens) -> tuple[str, ...]:
    parts = [tokens.take()]
    while tokens.skip("."):
        parts.append(tokens.take())
    if any(part[0] in ":(),=<>" or part.upper() in _WORDS for part in parts):
        raise Invalid(f"{'.'.join(parts)} is no path")
    return tuple(parts)


def _either(tokens: _Tokens) -> Condition:
    parts = [_both(tokens)]
    while tokens.skip("OR"):
        parts.append(_both(tokens))
    return parts[0] if len(parts) == 1 else lambda item, names: any(part(item, names) for part in parts)


def _both(tokens: _Tokens) -> Condition:
    parts = [_single(tokens)]
    while tokens.skip("AND"):
        parts.append(_single(tokens))
    return parts[0] if len(parts) == 1 else lambda item, names: all(part(item, names) for part in parts)


def _call(tokens: _Tokens, *parsers: Callable[[_Tokens], Any]) -> list[Any]:
    """Take a function's name, and return its arguments, each read by its parser."""
    tokens.take()
    arguments = []
    for sign, parse in zip("(,", parsers, strict=False):
        tokens.expect(sign)
        arguments.append(parse(tokens))
    tokens.expect(")")
    return arguments


def _single(tokens: _Tokens) -> Condition:
    if tokens.skip("NOT"):
        inner = _single(tokens)
        return lambda item, names: not inner(item, names)
    if tokens.skip("("):
        inner = _either(tokens)
        tokens.expect(")")
        return inner
    word = tokens.peek()
    if word in ("attribute_exists", "attribute_not_exists"):
        (path,) = _call(tokens, _path)
        wanted = word == "attribute_exists"
        return lambda item, names: (get(item, names.path(path)) is not None) == wanted
    if word in ("contains", "begins_with"):
        return _within(tokens)
    return _comparison(tokens)


def _within(tokens: _Tokens) -> Condition:
    word = tokens.peek()
    whole, part = _call(tokens, _operand, _operand)

    def holds(item: Item, names: Names) -> bool:
        inside, searched = part(item, names), whole(item, names)
        if inside is None or searched is None:
            return False
        (kind, value), (of, text) = next(iter(inside.items())), next(iter(searched.items()))
        if word == "begins_with":
            return bool(kind == of and text.startswith(value))
        return value in text if of in (kind, kind + "S") and kind in ("S", "B", "N") else False

    return holds


def _comparison(tokens: _Tokens) -> Condition:
    left = _operand(tokens)
    if tokens.skip("BETWEEN"):
        low = _operand(tokens)
        tokens.expect("AND")
        high = _operand(tokens)
        return lambda item, names: (
            compare(low(item, names), "<=", value := left(item, names))
            and compare(value, "<=", high(item, names))
        )
    sign = tokens.take()
    if sign not in ("=", "<>", "<", "<=", ">", ">="):
        raise Invalid(f"{sign!r} compares nothing")
    right = _operand(tokens)
    return lambda item, names: compare(left(item, names), sign, right(item, names))


def _operand(tokens: _Tokens) -> Operand:
    if tokens.peek().startswith(":"):
        placeholder = tokens.take()
        return lambda item, names: names.value(placeholder)
    if tokens.peek() == "if_not_exists":
        path, otherwise = _call(tokens, _path, _operand)
        return lambda item, names: get(item, names.path(path)) or otherwise(item, names)
    if tokens.peek() == "size":
        (path,) = _call(tokens, _path)
        return lambda item, names: size(get(item, names.path(path)))
    path = _path(tokens)
    return lambda item, names: get(item, names.path(path))


# --- changing -----------------------------------------------------------------------------------------


def _refuse_overlaps(paths: Sequence[tuple[str, ...]]) -> None:
    seen = set(paths)
    if len(seen) < len(paths) or any(path[:n] in seen for path in paths for n in range(1, len(path))):
        raise Invalid("two document paths overlap with each other")


def _put(item: Item, path: tuple[str, ...], value: Value | None, fresh: set[int]) -> None:
    """Put a value at a path (None: remove it).

    A map is copied before its first change. ``fresh`` holds the ids of the copies, which may be changed.
    """
    inside: dict[str, Any] = item
    for part in path[:-1]:
        parent = inside.get(part)
        if parent is None or "M" not in parent:
            raise Invalid("the document path provided in the update expression is invalid for update")
        if id(parent) not in fresh:
            parent = inside[part] = {"M": dict(parent["M"])}
            fresh.add(id(parent))
        inside = parent["M"]
    if value is None:
        inside.pop(path[-1], None)
    else:
        inside[path[-1]] = value
