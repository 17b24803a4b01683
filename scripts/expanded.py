"""Print template.yaml after SAM's expansion, as JSON, for tools that cannot read SAM templates.

Usage: python -m scripts.expanded
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

TEMPLATE = Path(__file__).parent.parent / "template.yaml"


def expanded(
    template: Path = TEMPLATE, parameters: Mapping[str, str] | None = None, code: str = "s3://bucket/bundle"
) -> dict[str, Any]:
    """Return the template after SAM's expansion, offline.

    Args:
        parameters: values of the template's parameters; others have their default value.
        code: the address of the functions' code in S3, which is not read.
    """
    parsed = yaml_parse(template.read_text(encoding="utf-8"))
    parsed["Globals"]["Function"]["CodeUri"] = code
    values = {name: str(given.get("Default", "")) for name, given in parsed["Parameters"].items()}
    values |= parameters or {}
    session = boto3.session.Session(region_name="eu-central-1")
    translated: dict[str, Any] = Translator({}, Parser(), boto_session=session).translate(parsed, values)
    return translated


if __name__ == "__main__":
    json.dump(expanded(), sys.stdout, indent=1)
