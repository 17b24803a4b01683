"""The examples in the engine's docstrings are played, and every public function has one."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import engine

EXAMPLES = [
    example
    for module in [
        engine,
        *(importlib.import_module(found.name) for found in pkgutil.walk_packages(engine.__path__, "engine.")),
    ]
    for example in doctest.DocTestFinder(exclude_empty=True).find(module)
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_is_as_it_is_written(example: doctest.DocTest) -> None:
    said: list[str] = []
    doctest.DocTestRunner().run(example, out=said.append)
    assert said == []


@pytest.mark.parametrize(
    "name", [name for name in engine.__all__ if inspect.isfunction(getattr(engine, name))]
)
def test_every_public_function_shows_itself_by_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(engine, name)) or "")


def test_the_engine_shows_a_game_a_view_and_a_forgery() -> None:
    assert "engine" in {example.name for example in EXAMPLES}
