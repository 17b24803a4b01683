"""template.yaml as CloudFormation will see it, as JSON on the standard output: for what cannot read SAM's.

Usage: python -m scripts.expanded
"""

import json
import sys
from pathlib import Path
from typing import Any

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

TEMPLATE = Path(__file__).parent.parent / "template.yaml"


def expanded(template: Path = TEMPLATE) -> dict[str, Any]:
    """The template after SAM's expansion, offline, with every parameter's default.

    Functions' code is a placeholder in S3.
    """
    parsed = yaml_parse(template.read_text(encoding="utf-8"))
    parsed["Globals"]["Function"]["CodeUri"] = "s3://bucket/bundle"
    defaults = {name: str(given.get("Default", "")) for name, given in parsed["Parameters"].items()}
    session = boto3.session.Session(region_name="eu-central-1")
    translated: dict[str, Any] = Translator({}, Parser(), boto_session=session).translate(parsed, defaults)
    return translated


if __name__ == "__main__":
    json.dump(expanded(), sys.stdout, indent=1)
