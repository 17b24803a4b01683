"""Pictures: their size read from the first bytes, and the file ids that stand for them."""

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
    """The stored photo for ``data`` (PNG or JPEG); raises ``Refusal`` 400 for what cannot be processed."""
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
    elif data.startswith(b"\xff\xd8"):
        size = _jpeg(data)
    if not min(size):
        raise bad_request("IMAGE_PROCESS_FAILED")
    return size


def _jpeg(data: bytes) -> tuple[int, int]:
    position = 2
    while position + 9 <= len(data) and data[position] == 0xFF:
        marker, length = data[position + 1], int.from_bytes(data[position + 2 : position + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return width, height
        position += 2 + length
    return 0, 0
