"""From an outbox entry to the parameters of one call, and from its result to what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.store.entries import OutboxEntry
from infra.telegram.errors import Kind, Refused

#: From an entry's ``photo`` to the picture's bytes.
PhotoHook = Callable[[Mapping[str, Any]], bytes]

#: Prefix of the names under which a room remembers Telegram's date of a dated post: [its mark, the date in
#: seconds since 1970]. A message that is posted once more, as an answer was lost, has its last known date.
DATE = "date/"

#: Prefix of the names under which a room remembers the last picture of each kind (an entry's ``kept_as``).
PICTURE = "picture/"


@dataclass(frozen=True, slots=True)
class MethodCall:
    """One call, ready to be made, and where its result is remembered."""

    method: str
    params: Mapping[str, Any]
    files: Mapping[str, bytes]
    name: str | None
    target: str | None
    picture: Mapping[str, Any] | None
    dated: str | None = None


def call_of(
    entry: OutboxEntry, message_id: Any, remembered: Callable[[str], Any], photo: PhotoHook | None
) -> MethodCall:
    """The call that carries out an entry.

    Args:
        message_id: the id of the entry's target, or of the message that it forwards.
        remembered: what the room remembers under a name; for pictures sent before.
        photo: comes up with the entry's picture when it was not sent before.
    """
    params: dict[str, Any] = {"chat_id": entry.chat, **entry.params}
    if message_id is not None:
        params["message_id"] = message_id
    if entry.forwards is not None:
        params["from_chat_id"] = entry.chat
    if entry.topic is not None and entry.target is None:
        params["message_thread_id"] = entry.topic
    files: dict[str, bytes] = {}
    if entry.photo is not None:
        if file_id := _sent_before(entry.photo, remembered):
            params["photo"] = file_id
        else:
            files["photo"] = _made(entry.photo, photo)
    return MethodCall(entry.method, params, files, entry.name, entry.target, entry.photo, entry.dated)


def _made(spec: Mapping[str, Any], photo: PhotoHook | None) -> bytes:
    if photo is None:
        raise Refused(Kind.BAD_FILE, "no hook")
    try:
        return photo(spec)
    except Exception as error:
        # A picture that cannot be drawn must not hold up the words: the caller is told, and can do
        # without it.
        raise Refused(Kind.BAD_FILE, type(error).__name__) from error


def _sent_before(photo: Mapping[str, Any], remembered: Callable[[str], Any]) -> str | None:
    kept_as = photo.get("kept_as")
    last = remembered(PICTURE + kept_as) if kept_as else None
    if last and last["name"] == photo.get("name"):
        file_id: str = last["id"]
        return file_id
    return None


def results_of(call: MethodCall, result: Any) -> dict[str, Any]:
    """What to remember (value) or forget (None) of a call's result: message ids, dates, file ids."""
    out: dict[str, Any] = {}
    if call.method == "deleteMessage" and call.target is not None:
        out[call.target] = None
    if call.name is not None and call.target is not None and "message_id" in call.params:
        # An edit that was done before, and is not modified, has no message for a result.
        out[call.name] = call.params["message_id"]
    if not isinstance(result, Mapping):
        return out
    if call.name is not None and "message_id" in result:
        out[call.name] = result["message_id"]
        if call.dated is not None:
            out[DATE + call.name] = [call.dated, result["date"]]
    if call.files and call.picture is not None and call.picture.get("kept_as") and result.get("photo"):
        largest = result["photo"][-1]["file_id"]
        out[PICTURE + call.picture["kept_as"]] = {"name": call.picture.get("name"), "id": largest}
    return out
