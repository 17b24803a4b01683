"""What every test needs: the words, compiled."""

from scripts.catalogues import compile_all


def pytest_configure() -> None:
    """Compile the catalogues that changed; those who test side by side may all do it."""
    compile_all()
