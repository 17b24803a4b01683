"""Set up all tests: compile the catalogues, and switch off hypothesis's deadlines."""

from hypothesis import settings

from scripts.catalogues import compile_all


def pytest_configure() -> None:
    """Compile changed catalogues, and let hypothesis run without deadlines."""
    compile_all()
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")
