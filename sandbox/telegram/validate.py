"""An independent opinion on every call: aiogram's models of the Bot API methods, written by others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any


class InvalidCall(AssertionError):
    """The bot called a method in a way that the Bot API does not document."""


@lru_cache(maxsize=1)
def _models() -> dict[str, Any]:
    # Imported late: building the models takes a second that a plain game on the desk need not spend.
    import aiogram.methods

    models = (getattr(aiogram.methods, name) for name in aiogram.methods.__all__)
    return {
        model.__api_method__: model
        for model in models
        if isinstance(getattr(model, "__api_method__", None), str)
    }


def validate(method: str, params: Mapping[str, Any]) -> None:
    """Raise ``InvalidCall`` unless ``params`` fit the method's model.

    They are JSON values, uploads as ``attach://…``. Unknown and deprecated parameters are wrong too, at any
    depth, although Telegram would silently ignore them.
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
    strange = [*_strange(read, "")]
    if strange:
        raise InvalidCall(f"{method}: not documented: {', '.join(strange)}")


def _strange(value: Any, where: str) -> Iterator[str]:
    """Yield paths of fields that the models do not know, or that Telegram has deprecated."""
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _strange(item, f"{where}[{index}]")
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
        yield from _strange(getattr(value, name), f"{where}.{name}")
