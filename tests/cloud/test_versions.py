"""A deploy that changes a function publishes a version of it, because the alias runs only versions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from scripts.expanded import expanded as expand
from tests.cloud.conftest import Resources

FUNCTIONS = ("WebhookFunction", "WakeupFunction")
#: Properties of a function that belong to no version.
UNVERSIONED = {"Tags", "ReservedConcurrentExecutions", "Code", "RecursiveLoop", "LoggingConfig"}
#: A non-default value for each parameter, as long as allowed if the length matters.
OTHER = {
    "BotToken": "12345:" + "x" * 35, "Stage": "a-stage-of-20-letter",
    "AllowedChats": "-1001234567890,-1001234567891,-1001234567892", "Drain": "true",
    "Beacon": "https://one.example/" + "x" * 90, "SetupRevision": "2026-11-25 02:30 UTC",
    "MaxConnections": "40", "ReservedConcurrency": "50", "Deployment": "Canary10Percent5Minutes",
    "DeletionProtection": "false", "LogRetentionDays": "90", "AlarmEmail": "olga@example.org",
    "AlarmChat": "5", "SnapStart": "PublishedVersions",
}  # fmt: skip


def filled(value: Any, parameters: Mapping[str, str]) -> Any:
    """Return a part of the template with the parameters' values in it, as CloudFormation compares it."""
    if isinstance(value, dict):
        match value:
            case {"Ref": str(name)} if name in parameters:
                return parameters[name]
            case {"Fn::Sub": str(text)}:
                return re.sub(r"\$\{(\w+)\}", lambda found: parameters.get(found[1], found[0]), text)
        return {name: filled(inner, parameters) for name, inner in value.items()}
    return [filled(inner, parameters) for inner in value] if isinstance(value, list) else value


def deployed(template: Mapping[str, Any], **changed: str) -> tuple[Resources, dict[str, str]]:
    """Return the resources of a deploy with these parameters, and all parameters' values."""
    values = {name: str(given.get("Default", "")) for name, given in template["Parameters"].items()} | changed
    return expand(parameters=changed)["Resources"], values


def configuration(resources: Resources, values: Mapping[str, str], function: str) -> Any:
    """Return all that a version of a function keeps but its code."""
    properties = resources[function]["Properties"]
    kept = {name: value for name, value in properties.items() if name not in UNVERSIONED}
    return filled(kept, values)


def version(resources: Resources, values: Mapping[str, str], function: str) -> tuple[str, str]:
    """Name and description of a version: CloudFormation replaces one in which either changed."""
    alias = resources[f"{function}Aliaspublished"]["Properties"]
    name = alias["FunctionVersion"]["Fn::GetAtt"][0]
    return name, filled(resources[name]["Properties"].get("Description", ""), values)


@pytest.mark.parametrize("parameter", OTHER)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_changed_parameter_publishes_a_version_if_it_counts(
    template: dict[str, Any], function: str, parameter: str
) -> None:
    before, after = deployed(template), deployed(template, **{parameter: OTHER[parameter]})
    changes = configuration(*before, function) != configuration(*after, function)
    # An unchanged one must publish none: AWS refuses a second version of the same.
    assert (version(*before, function) != version(*after, function)) == changes


@pytest.mark.parametrize(
    "parameter", ["Drain", "AllowedChats", "Beacon", "Stage", "SetupRevision", "SnapStart"]
)
def test_the_webhook_depends_on_these(template: dict[str, Any], parameter: str) -> None:
    before, after = deployed(template), deployed(template, **{parameter: OTHER[parameter]})
    assert version(*before, "WebhookFunction") != version(*after, "WebhookFunction")


def test_every_parameter_is_tried(template: dict[str, Any]) -> None:
    assert set(OTHER) == set(template["Parameters"])
    for name, value in OTHER.items():
        given = template["Parameters"][name]
        assert re.fullmatch(given.get("AllowedPattern", ".*"), value), name
        assert len(value) <= given.get("MaxLength", 1000), name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_description_fits_however_long_its_parameters(template: dict[str, Any], function: str) -> None:
    resources, values = deployed(template, **OTHER)
    name, description = version(resources, values, function)
    assert len(description) <= 256
    named = re.findall(r"\$\{(\w+)\}", str(resources[name]["Properties"]["Description"]))
    bounded = {name for name, given in template["Parameters"].items() if "MaxLength" in given}
    assert set(named) <= bounded | {"Stage", "Drain", "SnapStart"}, "these have a bound of their own"


def test_other_code_publishes_a_version(template: dict[str, Any]) -> None:
    values = deployed(template)[1]
    before, after = (expand(code=f"s3://bucket/{name}")["Resources"] for name in ("one", "other"))
    assert version(before, values, "WebhookFunction") != version(after, values, "WebhookFunction")


def test_a_version_that_was_replaced_is_deleted(template: dict[str, Any]) -> None:
    versions = {
        name: one for name, one in deployed(template)[0].items() if one["Type"] == "AWS::Lambda::Version"
    }
    assert len(versions) == 3
    for name, one in versions.items():
        assert (one["DeletionPolicy"], one["UpdateReplacePolicy"]) == ("Delete", "Delete"), name
