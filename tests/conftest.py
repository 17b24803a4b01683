"""Set up all tests: compile the catalogues, and switch off hypothesis's deadlines."""

import pytest
from hypothesis import settings

from scripts.catalogues import compile_all


def pytest_configure() -> None:
    """Compile changed catalogues, and let hypothesis run without deadlines."""
    compile_all()
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as thorough all parameters of a test that its mark ``quick`` does not name."""
    for item in items:
        quick = item.get_closest_marker("quick")
        if quick is not None and isinstance(item, pytest.Function) and item.callspec.id not in quick.args:
            item.add_marker(pytest.mark.thorough)
