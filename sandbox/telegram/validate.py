"""Check calls against aiogram's models of the Bot API, as a check that does not depend on our code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any


class InvalidCall(AssertionError):
    """A call that does not fit the documentation of the Bot API."""


@lru_cache(maxsize=1)
def _models() -> dict[str, Any]:
    # Imported late, because building the models takes a second.
    import aiogram.methods

    models = (getattr(aiogram.methods, name) for name in aiogram.methods.__all__)
    return {
        model.__api_method__: model
        for model in models
        if isinstance(getattr(model, "__api_method__", None), str)
    }


def validate(method: str, params: Mapping[str, Any]) -> None:
    """Raise ``InvalidCall`` unless ``params`` fit the method's model.

    ``params`` are JSON values, with uploads as ``attach://…``. Unknown and deprecated parameters are wrong at
    any depth, although Telegram silently ignores them.
    """
    model = _models().get(method)
    if model is None:
        raise InvalidCall(f"the Bot API has no method {method}")
    from pydantic import ValidationError

    try:
        read = model.model_validate(dict(params))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise InvalidCall(f"{method}: {wrong}") from None
    strange = [*_undocumented(read, "")]
    if strange:
        raise InvalidCall(f"{method}: not documented: {', '.join(strange)}")


def _undocumented(value: Any, where: str) -> Iterator[str]:
    """Yield the paths of fields that the models do not know, or that are deprecated."""
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _undocumented(item, f"{where}[{index}]")
        return
    fields = getattr(type(value), "model_fields", None)
    if fields is None:
        return
    for name in value.model_extra or ():
        yield f"{where}.{name}".lstrip(".")
    for name in value.model_fields_set & fields.keys():
        extra = fields[name].json_schema_extra
        if isinstance(extra, dict) and extra.get("deprecated"):
            yield f"{where}.{name} (deprecated)".lstrip(".")
        yield from _undocumented(getattr(value, name), f"{where}.{name}")
