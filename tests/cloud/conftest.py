"""Fixtures: the expanded template, and how a test reports a missing tool."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from samtranslator.yaml_helper import yaml_parse

from scripts.expanded import expanded as expand

ROOT = Path(__file__).resolve().parent.parent.parent

Resources = dict[str, dict[str, Any]]
Missing = Callable[[str], NoReturn]


@pytest.fixture(scope="session")
def template() -> dict[str, Any]:
    """Return template.yaml as written, with intrinsic functions in their long form."""
    parsed: dict[str, Any] = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
    return parsed


@pytest.fixture(scope="session")
def expanded() -> dict[str, Any]:
    """Return the template after SAM's expansion, with a placeholder for the functions' code."""
    return expand()


@pytest.fixture(scope="session")
def resources(expanded: dict[str, Any]) -> Resources:
    found: Resources = expanded["Resources"]
    return found


@pytest.fixture(scope="session")
def missing() -> Missing:
    """Return a function that names a missing tool: it skips the test, or fails it in CI."""

    def tell(what: str) -> NoReturn:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{what} is missing, and this is CI")
        pytest.skip(f"{what} is missing")

    return tell
