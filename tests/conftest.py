"""Fixtures for every test: the words, compiled; and no test fails because the machine is busy."""

from hypothesis import settings

from scripts.catalogues import compile_all


def pytest_configure() -> None:
    """Compile the catalogues that changed; those who test side by side may all do it."""
    compile_all()
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")
