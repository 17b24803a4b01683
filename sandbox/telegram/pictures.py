"""Store pictures: read their size and compute their file ids."""

from __future__ import annotations

import base64
import hashlib
import struct

from .errors import bad_request
from .model import Photo

MAX_BYTES = 10 * 1024 * 1024
MAX_SIDES = 10_000
MAX_RATIO = 20


def upload(data: bytes) -> Photo:
    """Return the photo for ``data`` (a PNG). Raises ``Refusal`` 400 if Telegram would not accept it."""
    if not data:
        raise bad_request("file must be non-empty")
    if len(data) > MAX_BYTES:
        raise bad_request(f"too big for a photo: {len(data)} bytes")
    width, height = _dimensions(data)
    if width + height > MAX_SIDES or max(width, height) > MAX_RATIO * min(width, height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return Photo("AgACAgIAAxkD" + digest, "AQAD" + digest[:11], width, height, data)


def _dimensions(data: bytes) -> tuple[int, int]:
    size = (0, 0)
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 24:
        size = struct.unpack(">II", data[16:24])
    if not min(size):
        raise bad_request("IMAGE_PROCESS_FAILED")
    return size
