"""Tools that some tests need and that are not Python packages."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sandbox.dynoxide import BINARY, running


def needs_dynoxide() -> None:
    """Skip the test if dynoxide is not installed. In CI, fail it."""
    if not BINARY.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("dynoxide is not installed")
        pytest.skip("dynoxide is not installed (.ci/run does it)")


@contextmanager
def dynoxide_running() -> Iterator[dict[str, Any]]:
    """Start a server, yield it, and stop it at the end."""
    needs_dynoxide()
    with running() as server:
        yield server
