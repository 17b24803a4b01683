"""Expectations for each ruleset, one file each. Files are found automatically. A new ruleset needs one."""

from importlib import import_module
from pkgutil import iter_modules

from tests.expected.expectation import Expected


def _found() -> dict[str, Expected]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    every = [module.EXPECTED for module in modules if hasattr(module, "EXPECTED")]
    return {expected.name: expected for expected in every}


#: By the name of the ruleset.
EXPECTED = _found()
