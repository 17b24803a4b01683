"""Imported before all else by Lambda's entries: a cold start without the garbage collector.

Importing makes many objects and no garbage; looking through them again and again took a sixth of a cold
start. After the first answer they are set aside for good, which keeps later collections short, too.
pydantic is told that it has no plugins here: it would read what every installed package says of itself.
Elsewhere than in Lambda nothing happens: that process is not ours.
"""

from __future__ import annotations

import gc
import os

_IN_LAMBDA = "AWS_LAMBDA_FUNCTION_NAME" in os.environ

if _IN_LAMBDA:
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def answered() -> None:
    """An answer is out. At the first one, what is there now stays for good, and collecting begins."""
    if _IN_LAMBDA and not gc.isenabled():
        gc.freeze()
        gc.enable()
