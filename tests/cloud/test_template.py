"""template.yaml after expansion: what is created, who may do what, and where secrets are."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

from infra.configuration import Configuration
from infra.observability import SECONDS, SERVICE, Watched, metric_name
from operate.bot import OUTPUTS
from tests.cloud.conftest import ROOT, Resources

FUNCTIONS = ("WebhookFunction", "WakeupFunction", "SetupFunction", "AlarmFunction")
BOT_FUNCTIONS = ("WebhookFunction", "WakeupFunction")


def of_type(resources: Resources, kind: str) -> Resources:
    return {name: resource for name, resource in resources.items() if resource["Type"] == kind}


def statements(resources: Resources, function: str) -> list[dict[str, Any]]:
    """Return the statements of the function's role; it must have exactly one policy, and no managed one."""
    (role_name, attribute) = resources[function]["Properties"]["Role"]["Fn::GetAtt"]
    assert attribute == "Arn"
    role = resources[role_name]["Properties"]
    assert "ManagedPolicyArns" not in role
    (policy,) = role["Policies"]
    found: list[dict[str, Any]] = policy["PolicyDocument"]["Statement"]
    return found


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def actions(resources: Resources, function: str, service: str) -> set[str]:
    """Return the actions of one service that a function is granted, without the service's prefix."""
    granted = {
        action for statement in statements(resources, function) for action in as_list(statement["Action"])
    }
    return {action.partition(":")[2] for action in granted if action.startswith(f"{service}:")}


# --- who may do what ----------------------------------------------------------------------------------------


def test_every_function_has_a_role_of_its_own(resources: Resources) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    assert set(functions) == set(FUNCTIONS)
    roles = {json.dumps(function["Properties"]["Role"]) for function in functions.values()}
    assert len(roles) == len(FUNCTIONS)
    assert set(of_type(resources, "AWS::IAM::Role")) == {
        *(f"{name.removesuffix('Function')}Role" for name in FUNCTIONS),
        "CodeDeployServiceRole",
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_policy_uses_a_wildcard_or_another_stack(resources: Resources, function: str) -> None:
    for statement in statements(resources, function):
        assert statement["Effect"] == ("Deny" if statement["Sid"] == "NotTheOperatorsItems" else "Allow")
        for action in as_list(statement["Action"]):
            assert re.fullmatch(r"[a-z]+:[A-Za-z]+", action)
        for resource in as_list(statement["Resource"]):
            assert isinstance(resource, dict), "a literal address"
            assert "*" not in json.dumps(resource)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_writes_to_its_own_log_only(resources: Resources, function: str) -> None:
    logging = resources[function]["Properties"]["LoggingConfig"]
    (statement,) = (found for found in statements(resources, function) if found["Sid"] == "Log")
    assert statement["Resource"] == {"Fn::GetAtt": [logging["LogGroup"]["Ref"], "Arn"]}
    group = resources[logging["LogGroup"]["Ref"]]["Properties"]
    assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}


@pytest.mark.parametrize("function", ["WebhookFunction", "WakeupFunction"])
def test_no_function_writes_the_operators_items(resources: Resources, function: str) -> None:
    (denied,) = (found for found in statements(resources, function) if found["Effect"] == "Deny")
    assert set(denied["Action"]) == {f"dynamodb:{name}Item" for name in ("Put", "Update", "Delete")}
    keys = denied["Condition"]["ForAnyValue:StringEquals"]["dynamodb:LeadingKeys"]
    assert keys == ["audit", "operator"]


def test_wakeups_do_not_read_the_webhooks_secret(resources: Resources) -> None:
    (secrets,) = (found for found in statements(resources, "WakeupFunction") if found["Sid"] == "Secrets")
    assert secrets["Resource"] == {"Ref": "BotTokenSecret"}


def test_setup_reads_secrets_and_nothing_else(resources: Resources) -> None:
    granted = {
        action
        for statement in statements(resources, "SetupFunction")
        for action in as_list(statement["Action"])
    }
    assert granted == {"logs:CreateLogStream", "logs:PutLogEvents", "secretsmanager:GetSecretValue"}


def words_in(package: str) -> set[str]:
    """Return every attribute name and every string in the modules of a package."""
    nodes = [
        node
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


#: By a word in our code, the action that it needs: operations, and the parts of a transaction.
_ITEMS = ("get", "put", "update", "delete", "batch_get", "batch_write")
DYNAMODB_CALLS = {
    **{f"{word}_item": f"{word.title().replace('_', '')}Item" for word in _ITEMS},
    **{word: f"{word}Item" for word in ("Get", "Put", "Update", "Delete", "ConditionCheck")},
    "query": "Query",
    "scan": "Scan",
}


@pytest.mark.parametrize("function", BOT_FUNCTIONS)
def test_the_store_allows_exactly_what_the_code_uses(resources: Resources, function: str) -> None:
    used = {DYNAMODB_CALLS[word] for word in words_in("infra") & set(DYNAMODB_CALLS)}
    # Only the daily look for untouched rooms reads the whole table.
    unused = {"Scan"} if function == "WebhookFunction" else set()
    assert actions(resources, function, "dynamodb") == used - unused


def test_only_the_wakeup_function_takes_wakeups(resources: Resources) -> None:
    assert actions(resources, "WebhookFunction", "sqs") == {"SendMessage"}
    taking = {"SendMessage", "ReceiveMessage", "DeleteMessage", "GetQueueAttributes"}
    assert actions(resources, "WakeupFunction", "sqs") == taking


# --- secrets ------------------------------------------------------------------------------------------------


def test_the_token_is_asked_for_hidden(template: dict[str, Any]) -> None:
    assert template["Parameters"]["BotToken"]["NoEcho"] is True
    assert "Default" not in template["Parameters"]["BotToken"]
    users = [
        name
        for name, resource in template["Resources"].items()
        if '{"Ref": "BotToken"}' in json.dumps(resource)
    ]
    assert users == ["BotTokenSecret"]
    assert "BotToken}" not in json.dumps(template["Outputs"])


def test_it_is_the_only_parameter_without_a_default(template: dict[str, Any]) -> None:
    asked = {name for name, parameter in template["Parameters"].items() if "Default" not in parameter}
    assert asked == {"BotToken"}


def test_the_webhooks_secret_uses_telegrams_characters(resources: Resources) -> None:
    generated = resources["WebhookSecret"]["Properties"]["GenerateSecretString"]
    assert generated == {"PasswordLength": 64, "ExcludePunctuation": True}


def test_environment_variables_carry_names_of_secrets_only(expanded: dict[str, Any]) -> None:
    for name in FUNCTIONS:
        variables = expanded["Resources"][name]["Properties"]["Environment"]["Variables"]
        assert variables["BOT_TOKEN_PARAMETER"] == {"Ref": "BotTokenSecret"}
        assert variables["WEBHOOK_SECRET_PARAMETER"] == {"Ref": "WebhookSecret"}
        assert {"BOT_TOKEN", "WEBHOOK_SECRET"}.isdisjoint(variables)
        assert "{{resolve" not in json.dumps(variables)


# --- functions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", BOT_FUNCTIONS)
def test_the_environment_is_one_that_the_settings_accept(resources: Resources, function: str) -> None:
    variables = resources[function]["Properties"]["Environment"]["Variables"]
    known = {field.alias for field in Configuration.model_fields.values()}
    ours = {name for name in variables if not name.startswith(("POWERTOOLS_", "PYDANTIC_"))}
    assert ours <= known
    deployed = {
        "TABLE_NAME": "bot-Table-1ABC", "QUEUE_URL": "https://sqs.eu-central-1.amazonaws.com/1/queue",
        "BOT_USERNAME": "some_bot",
        "BOT_TOKEN_PARAMETER": "arn:aws:secretsmanager:eu-central-1:1:secret:a",
        "WEBHOOK_SECRET_PARAMETER": "arn:aws:secretsmanager:eu-central-1:1:secret:b", "ALLOWED_CHATS": "",
        "DRAIN": "false", "BEACON": "https://api.drand.sh,https://drand.cloudflare.com",
        "WEBHOOK_URL": "https://abc.lambda-url.eu-central-1.on.aws/",
    }  # fmt: skip
    Configuration.from_environment({name: deployed.get(name, "set") for name in ours})


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_run_on_the_bundles_python_and_processor(resources: Resources, function: str) -> None:
    properties = resources[function]["Properties"]
    assert properties["Runtime"] == "python3.13"
    assert properties["Architectures"] == ["arm64"]
    assert properties.get("TracingConfig") is None, "costs a third of the cold start"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_entry_that_the_template_names_exists(resources: Resources, function: str) -> None:
    module, _, name = resources[function]["Properties"]["Handler"].rpartition(".")
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_world_may_call_the_function_url_and_nothing_else(resources: Resources) -> None:
    (url,) = of_type(resources, "AWS::Lambda::Url").values()
    assert url["Properties"]["AuthType"] == "NONE"
    open_to_all = [
        permission["Properties"]
        for permission in of_type(resources, "AWS::Lambda::Permission").values()
        if permission["Properties"]["Principal"] == "*"
    ]
    assert {permission["Action"] for permission in open_to_all} == {
        "lambda:InvokeFunctionUrl",
        "lambda:InvokeFunction",
    }
    for permission in open_to_all:
        assert permission["FunctionName"] == url["Properties"]["TargetFunctionArn"]
        assert permission.get("FunctionUrlAuthType") == "NONE" or permission["InvokedViaFunctionUrl"] is True


def test_snapshots_are_off_unless_asked_for(template: dict[str, Any], resources: Resources) -> None:
    parameter = template["Parameters"]["SnapStart"]
    assert (parameter["Default"], parameter["AllowedValues"]) == ("None", ["None", "PublishedVersions"])
    assert resources["WebhookFunction"]["Properties"]["SnapStart"] == {"ApplyOn": {"Ref": "SnapStart"}}


def alias_of(resources: Resources, function: str) -> dict[str, Any]:
    alias = resources[f"{function}Aliaspublished"]
    version, attribute = alias["Properties"]["FunctionVersion"]["Fn::GetAtt"]
    assert attribute == "Version"
    assert resources[version]["Properties"]["FunctionName"] == {"Ref": function}
    return alias


def test_updates_reach_a_version_by_its_alias(resources: Resources) -> None:
    alias_of(resources, "WebhookFunction")
    url = resources["WebhookFunctionUrl"]["Properties"]
    assert url["TargetFunctionArn"] == {"Ref": "WebhookFunctionAliaspublished"}
    (mapping,) = of_type(resources, "AWS::Lambda::EventSourceMapping").values()
    assert mapping["Properties"]["FunctionName"] == {"Ref": "WakeupFunctionAliaspublished"}
    rules = of_type(resources, "AWS::Events::Rule").values()
    targets = [rule["Properties"]["Targets"][0]["Arn"] for rule in rules]
    assert targets == [{"Ref": "WakeupFunctionAliaspublished"}]


@pytest.mark.parametrize(("function", "alarms"), [
    ("WebhookFunction", {"WebhookErrorsAlarm", "UpdateFailedAlarm", "UpdatesNotStoredAlarm"}),
    ("WakeupFunction", {"WakeupErrorsAlarm", "WakeupsFailingAlarm"}),
])  # fmt: skip
def test_new_code_rolls_back_on_alarms(
    template: dict[str, Any], resources: Resources, function: str, alarms: set[str]
) -> None:
    parameter = template["Parameters"]["Deployment"]
    assert parameter["Default"] == "AllAtOnce"
    assert "Canary10Percent5Minutes" in parameter["AllowedValues"]
    preference = template["Resources"][function]["Properties"]["DeploymentPreference"]
    assert preference["Type"] == {"Ref": "Deployment"}
    group = resources[f"{function}DeploymentGroup"]["Properties"]
    watched = group["AlarmConfiguration"]
    assert watched["Enabled"] is True
    assert {alarm["Name"]["Ref"] for alarm in watched["Alarms"]} == alarms
    rollback = group["AutoRollbackConfiguration"]
    assert (rollback["Enabled"], "DEPLOYMENT_STOP_ON_ALARM" in rollback["Events"]) == (True, True)
    assert "CodeDeployLambdaAliasUpdate" in alias_of(resources, function)["UpdatePolicy"]


def test_concurrency_fits_a_new_account(template: dict[str, Any], resources: Resources) -> None:
    parameters = template["Parameters"]
    (mapping,) = of_type(resources, "AWS::Lambda::EventSourceMapping").values()
    workers = mapping["Properties"]["ScalingConfig"]["MaximumConcurrency"]
    assert parameters["MaxConnections"]["Default"] + workers + 1 <= 10
    assert parameters["ReservedConcurrency"]["Default"] == 0
    kept = resources["WebhookFunction"]["Properties"]["ReservedConcurrentExecutions"]
    assert kept == {"Fn::If": ["HasReserved", {"Ref": "ReservedConcurrency"}, {"Ref": "AWS::NoValue"}]}


def test_the_command_line_finds_the_outputs(template: dict[str, Any]) -> None:
    assert set(OUTPUTS.values()) <= set(template["Outputs"])


def test_every_alarm_and_its_end_go_to_an_encrypted_topic(resources: Resources) -> None:
    for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values():
        wanted = {"Fn::If": ["HasAlarms", [{"Ref": "AlarmTopic"}], []]}
        assert alarm["Properties"]["AlarmActions"] == alarm["Properties"]["OKActions"] == wanted
    assert resources["AlarmTopic"]["Properties"]["KmsMasterKeyId"] == {"Ref": "AlarmKey"}
    statements = resources["AlarmKey"]["Properties"]["KeyPolicy"]["Statement"]
    assert any(
        "cloudwatch.amazonaws.com" in as_list(one["Principal"].get("Service", [])) for one in statements
    )
    (wire,) = (
        one
        for one in of_type(resources, "AWS::SNS::Subscription").values()
        if one["Properties"]["Protocol"] == "lambda"
    )
    assert wire["Condition"] == "HasAlarmChat"


def test_refused_webhooks_and_a_storm_raise_alarms(resources: Resources) -> None:
    assert resources["WebhookRefusedAlarm"]["Properties"]["MetricName"] == "Url4xxCount"
    expressions = [one.get("Expression", "") for one in resources["StormAlarm"]["Properties"]["Metrics"]]
    assert "paused" in expressions[0]


def test_only_the_awaited_function_uses_snapshots(resources: Resources) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    assert [name for name, function in functions.items() if "SnapStart" in function["Properties"]] == [
        "WebhookFunction"
    ]


def test_wakeups_come_from_queue_and_schedule(resources: Resources) -> None:
    (mapping,) = of_type(resources, "AWS::Lambda::EventSourceMapping").values()
    assert mapping["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["Properties"]["EventSourceArn"] == {"Fn::GetAtt": ["WakeupQueue", "Arn"]}
    (watchdog,) = of_type(resources, "AWS::Events::Rule").values()
    assert watchdog["Properties"]["ScheduleExpression"] == "rate(3 minutes)"
    assert "Input" not in watchdog["Properties"]["Targets"][0]


def test_the_watchdog_knows_where_updates_are_to_arrive(resources: Resources) -> None:
    variables = resources["WakeupFunction"]["Properties"]["Environment"]["Variables"]
    assert variables["WEBHOOK_URL"] == {"Fn::GetAtt": ["WebhookFunctionUrl", "FunctionUrl"]}
    assert variables["SETUP_REVISION"] == {"Ref": "SetupRevision"}


def test_only_the_daily_look_may_read_the_whole_table(resources: Resources) -> None:
    roles = of_type(resources, "AWS::IAM::Role")
    assert [name for name, role in roles.items() if "dynamodb:Scan" in json.dumps(role)] == ["WakeupRole"]


def test_lambda_does_not_end_our_chains_of_wake_ups(resources: Resources) -> None:
    looping = {
        name: function["Properties"].get("RecursiveLoop")
        for name, function in of_type(resources, "AWS::Lambda::Function").items()
    }
    assert looping == {name: "Allow" if name == "WakeupFunction" else None for name in FUNCTIONS}


def test_a_wake_up_in_work_is_not_given_out_twice(resources: Resources) -> None:
    queue = resources["WakeupQueue"]["Properties"]
    assert queue["VisibilityTimeout"] >= resources["WakeupFunction"]["Properties"]["Timeout"]
    assert queue["RedrivePolicy"]["deadLetterTargetArn"] == {"Fn::GetAtt": ["DeadLetterQueue", "Arn"]}


# --- table --------------------------------------------------------------------------------------------------


def test_the_table_costs_by_use_is_encrypted_and_restorable(resources: Resources) -> None:
    table = resources["Table"]["Properties"]
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["PointInTimeRecoverySpecification"] == {
        "PointInTimeRecoveryEnabled": True,
        "RecoveryPeriodInDays": 35,
    }


def test_nothing_deletes_the_table_unless_told_before(template: dict[str, Any], resources: Resources) -> None:
    assert template["Parameters"]["DeletionProtection"]["Default"] == "true"
    assert resources["Table"]["Properties"]["DeletionProtectionEnabled"] == {"Ref": "DeletionProtection"}
    assert resources["Table"]["UpdateReplacePolicy"] == "Retain"


# --- setup and watching -------------------------------------------------------------------------------------


def refers_to(resource: Any) -> set[str]:
    """Logical ids that a resource needs to exist before it."""
    text = json.dumps(resource)
    names = set(re.findall(r'"Ref": "(\w+)"', text)) | set(re.findall(r'"Fn::GetAtt": \["(\w+)"', text))
    return names | set(re.findall(r"\$\{(\w+)", text)) | set(as_list(resource.get("DependsOn", [])))


def test_the_bots_name_is_asked_for_first(resources: Resources) -> None:
    for function in BOT_FUNCTIONS:
        assert "BotIdentity" in refers_to(resources[function])
    assert refers_to(resources["BotIdentity"]).isdisjoint(BOT_FUNCTIONS)


def test_the_webhook_is_set_last(resources: Resources) -> None:
    assert {"WebhookFunctionUrl", "WakeupFunction"} <= refers_to(resources["Webhook"])


def test_new_code_registers_commands_anew(resources: Resources) -> None:
    version = resources[resources["Webhook"]["Properties"]["Code"]["Ref"]]
    assert version["Type"] == "AWS::Lambda::Version"
    assert version["Properties"]["FunctionName"] == {"Ref": "SetupFunction"}


def needed_by(resources: Resources, name: str) -> set[str]:
    """Return everything that exists before a resource is made."""
    found: set[str] = set()
    waiting = {name}
    while waiting:
        waiting = {need for one in waiting for need in refers_to(resources[one])} & set(resources) - found
        found |= waiting
    return found


def test_a_protected_table_is_made_when_nothing_else_can_fail(resources: Resources) -> None:
    later = set(resources) - needed_by(resources, "Table") - {"Table"}
    # Nothing may wait for a resource that is made on a condition.
    assert {resources[name].get("Condition") for name in later} == {"HasAlarmChat", "HasAlarmEmail"}


def test_the_table_is_known_by_its_name_everywhere(resources: Resources) -> None:
    name = resources["Table"]["Properties"]["TableName"]["Fn::Sub"]
    for function in BOT_FUNCTIONS:
        variables = resources[function]["Properties"]["Environment"]["Variables"]
        assert variables["TABLE_NAME"] == {"Fn::Sub": name}
    tables = set(re.findall(r"table/([^/\"]+)", json.dumps(of_type(resources, "AWS::IAM::Role"))))
    assert tables == {name}
    assert json.dumps(resources["TableThrottlesAlarm"]).count(name) == 2


def test_there_is_no_circle(resources: Resources) -> None:
    done: set[str] = set()
    waiting = {name: refers_to(resource) & set(resources) - {name} for name, resource in resources.items()}
    while ready := {name for name, needs in waiting.items() if needs <= done}:
        done |= ready
        waiting = {name: needs for name, needs in waiting.items() if name not in done}
    assert waiting == {}


def test_errors_throttles_dead_letters_and_slowness_raise_alarms(resources: Resources) -> None:
    alarms = [alarm["Properties"] for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()]
    watched = {
        (alarm["MetricName"], json.dumps(alarm["Dimensions"][0]["Value"]))
        for alarm in alarms
        if "Dimensions" in alarm
    }
    for function in BOT_FUNCTIONS:
        assert ("Errors", json.dumps({"Ref": function})) in watched
        assert ("Throttles", json.dumps({"Ref": function})) in watched
    dead_letters = json.dumps({"Fn::GetAtt": ["DeadLetterQueue", "QueueName"]})
    assert ("ApproximateNumberOfMessagesVisible", dead_letters) in watched
    for ours in (
        "OutboxAgeSeconds", "UpdateFailed", "WakeupFailed", "WatchdogRound", "UpdatesStopped",
        "BeaconDisagrees",
    ):  # fmt: skip
        assert (ours, json.dumps(SERVICE)) in watched
    assert any(alarm.get("ExtendedStatistic") == "p99" for alarm in alarms)
    assert any("ReadThrottleEvents" in json.dumps(alarm.get("Metrics", "")) for alarm in alarms)


def own_metrics(resources: Resources) -> set[str]:
    """Return the metrics of our own that alarms and dashboard watch."""
    alarms = [alarm["Properties"] for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()]
    ours = [alarm for alarm in alarms if alarm.get("Namespace") == {"Fn::Sub": "chancellery/${Stage}"}]
    assert all(alarm["Dimensions"] == [{"Name": "service", "Value": SERVICE}] for alarm in ours)
    found = {alarm["MetricName"] for alarm in ours}
    body = json.loads(resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])
    for widget in body["widgets"]:
        namespace = ""
        for row in widget["properties"].get("metrics", ()):
            namespace = namespace if row[0] in (".", "...") else row[0]
            if namespace == "chancellery/${Stage}":
                found.add(row[1])
    return found


def test_alarms_watch_what_the_code_counts(resources: Resources) -> None:
    functions = [resources[name]["Properties"] for name in BOT_FUNCTIONS]
    assert {f["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"] for f in functions} == {SERVICE}
    times = {Watched.OUTBOX_AGE, Watched.BOT_PAUSED}
    counts = {metric_name(event) for event in set(Watched) - times}
    assert own_metrics(resources) == counts | {metric_name(event, SECONDS) for event in times}


def test_every_event_that_is_watched_is_told_by_the_code() -> None:
    code = [
        path.read_text(encoding="utf-8")
        for top in ("bot", "handlers", "infra")
        for path in (ROOT / top).rglob("*.py")
    ]
    told = {name for text in code for name in re.findall(r"\bWatched\.([A-Z_]+)\b", text)}
    assert told == set(Watched.__members__)


def test_the_dashboard_is_json_and_names_only_what_exists(resources: Resources) -> None:
    body = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    filled = re.sub(r"\$\{([\w:]+)[.\w]*\}", r"\1", body)
    assert json.loads(filled)["widgets"]
    named = set(re.findall(r"\$\{(\w+)(?:\.\w+)?\}", body))
    assert named <= {*resources, "Stage"}
