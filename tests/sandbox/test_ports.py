"""Programs that start but do not listen leave nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import dynoxide, lambda_runtime, ports
from sandbox.lambda_runtime import running_lambda


@pytest.fixture
def deaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a program that never listens. It writes its process id into a file next to it."""
    monkeypatch.setattr(ports, "_LOOKS", 20)
    program = tmp_path / "deaf"
    program.write_text(f'#!/bin/sh\necho $$ >"{tmp_path}/number"\nexec sleep 600\n')
    program.chmod(0o755)
    return program


def ended(deaf: Path) -> bool:
    try:
        os.kill(int((deaf.parent / "number").read_text()), 0)
    except (FileNotFoundError, ProcessLookupError):  # not even started, on a busy machine
        return True
    return False


def test_a_dynoxide_that_does_not_listen_is_ended(deaf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynoxide, "BINARY", deaf)
    with pytest.raises(TimeoutError, match="dynoxide"), dynoxide.running():
        pass
    assert ended(deaf)


def test_a_lambda_emulator_that_is_deaf_is_ended(deaf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there: Callable[[], Path] = lambda: deaf  # noqa: E731
    monkeypatch.setattr(lambda_runtime, "emulator", there)
    monkeypatch.setattr(lambda_runtime, "python", there)
    with pytest.raises(TimeoutError, match="emulator"), running_lambda(deaf.parent, "x", {}, client=deaf):
        pass
    assert ended(deaf)


def test_the_ci_installs_the_dynoxide_we_ask_for() -> None:
    assert dynoxide.PACKAGE in (Path(__file__).parents[2] / ".ci" / "run").read_text()


def test_ports_that_are_free_are_different_ones() -> None:
    assert len(set(ports.free_ports(3))) == 3
