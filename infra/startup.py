"""Speed up a cold start: turn the garbage collector off until the first answer. Handlers import this first.

Imports make many objects and no garbage. Collections during the imports took a sixth of a cold start. After
the first answer all objects are frozen, which also keeps later collections short. pydantic's plugins are
turned off: to find them, it would read the metadata of every installed package. Outside Lambda this module
does nothing.
"""

from __future__ import annotations

import gc
import os

_IN_LAMBDA = "AWS_LAMBDA_FUNCTION_NAME" in os.environ

if _IN_LAMBDA:
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def note_answer() -> None:
    """Note that an answer was sent. The first time, freeze all objects and turn garbage collection on."""
    if _IN_LAMBDA and not gc.isenabled():
        gc.freeze()
        gc.enable()
