"""Tools that some tests need and no package brings."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sandbox.dynoxide import BINARY, Dynoxide, running


def needs_dynoxide() -> None:
    """Skip the test where dynoxide is not installed; in CI, fail."""
    if not BINARY.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("dynoxide is not installed")
        pytest.skip("dynoxide is not installed (.ci/run does it)")


@contextmanager
def dynoxide_running() -> Iterator[Dynoxide]:
    """Run a server for as long as it is needed."""
    needs_dynoxide()
    with running() as server:
        yield server
