"""Register the bot with the stand-in, as a deployment registers with Telegram."""

from handlers.service.upkeep import all_registration_calls
from handlers.setup import StackSetup
from sandbox.harness import SECRET
from sandbox.page.recorder import RecordedHarness
from sandbox.telegram.transport import StandinRequest


def register(harness: RecordedHarness) -> None:
    """Register the webhook as a deployment does, and commands and profile as the watchdog does."""
    secrets = {"token": harness.telegram.token, "secret": SECRET}
    setup = StackSetup(
        {
            "BOT_TOKEN_PARAMETER": "token",
            "WEBHOOK_SECRET_PARAMETER": "secret",
            "TELEGRAM_API_URL": "http://telegram.invalid",
        },
        fetch=secrets.__getitem__,
        make_transport=lambda: StandinRequest(harness.telegram),
        put=lambda url, body: None,
    )
    wanted = {"Kind": "webhook", "Url": "https://desk.invalid/", "MaxConnections": "40"}
    event = {"RequestType": "Create", "ResponseURL": "", "ResourceProperties": wanted}
    setup.handle({**event, "StackId": "", "RequestId": "", "LogicalResourceId": ""}, 60.0)
    for method, params in all_registration_calls():
        harness.telegram.call(method, params)
