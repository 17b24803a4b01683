"""From an outbox entry to the parameters of one call, and from its result to what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.entries import Entry
from infra.wire import Kind, Refused

PhotoHook = Callable[[Mapping[str, Any]], bytes]
"""From an entry's `photo` to the picture's bytes."""

PICTURE = "picture/"
"""Prefix of the names under which a room remembers the last picture of each slot."""


@dataclass(frozen=True, slots=True)
class Post:
    """One call, ready to be made, and where its result is remembered."""

    method: str
    params: Mapping[str, Any]
    files: Mapping[str, bytes]
    name: str | None
    target: str | None
    picture: Mapping[str, Any] | None


def call_of(entry: Entry, message_id: Any, known: Callable[[str], Any], photo: PhotoHook | None) -> Post:
    """The call that carries out an entry.

    Args:
        message_id: the id of the entry's target, if it has one.
        known: what the room remembers under a name; for pictures sent before.
        photo: comes up with the entry's picture when it was not sent before.
    """
    params: dict[str, Any] = {"chat_id": entry.chat, **entry.params}
    if message_id is not None:
        params["message_id"] = message_id
    elif entry.topic is not None:
        params["message_thread_id"] = entry.topic
    files: dict[str, bytes] = {}
    if entry.photo is not None:
        if file_id := _sent_before(entry.photo, known):
            params["photo"] = file_id
        else:
            files["photo"] = _made(entry.photo, photo)
    return Post(entry.method, params, files, entry.name, entry.target, entry.photo)


def _made(spec: Mapping[str, Any], photo: PhotoHook | None) -> bytes:
    if photo is None:
        raise Refused(Kind.BAD_FILE, "no hook")
    try:
        return photo(spec)
    except Exception as error:
        # A picture that cannot be drawn must not hold up the words: the caller is told, and can do
        # without it.
        raise Refused(Kind.BAD_FILE, type(error).__name__) from error


def _sent_before(photo: Mapping[str, Any], known: Callable[[str], Any]) -> str | None:
    slot = photo.get("slot")
    last = known(PICTURE + slot) if slot else None
    if last and last["name"] == photo.get("name"):
        file_id: str = last["id"]
        return file_id
    return None


def results_of(post: Post, result: Any) -> dict[str, Any]:
    """What to remember (value) or forget (None) of a call's result: message ids, pictures' file ids."""
    out: dict[str, Any] = {}
    if post.method == "deleteMessage" and post.target is not None:
        out[post.target] = None
    if not isinstance(result, Mapping):
        return out
    if post.name is not None and "message_id" in result:
        out[post.name] = result["message_id"]
    if post.files and post.picture is not None and post.picture.get("slot") and result.get("photo"):
        largest = result["photo"][-1]["file_id"]
        out[PICTURE + post.picture["slot"]] = {"name": post.picture.get("name"), "id": largest}
    return out
