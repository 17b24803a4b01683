"""Run our bundle under the real Lambda runtime without a container, with AWS and Telegram on loopback ports.

The runtime consists of AWS's runtime interface emulator and AWS's Python client. aws-sam-cli ships the
emulator as a plain binary. It starts the runtime at the first invocation and kills it at a time-out, as
Lambda does. It takes one invocation at a time, and crashes if it gets a second one.
"""

import json
import logging
import os
import platform
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import boto3
from moto.server import ThreadedMotoServer

from local.invocation import webhook_event
from sandbox.dynoxide import create_table
from sandbox.harness import CREDENTIALS
from sandbox.telegram import Response, Telegram
from sandbox.telegram.calls import validate
from sandbox.telegram.transport import serving

from .ports import children, free_ports, listening
from .telegram.delivery import SECRET_HEADER

ROOT = Path(__file__).resolve().parent.parent
MACHINE = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}.get(
    platform.machine(), ""
)
_CLIENT = ("awslambdaric", "simplejson", "snapshot-restore-py")
#: Seconds after which the runtime is killed.
TIMEOUT = 20


class ToolMissing(Exception):
    """A tool is not installed. The text names it."""


def emulator() -> Path:
    """Return the interface emulator for this machine.

    Raises ToolMissing if aws-sam-cli is not installed in .venv-sam (``make sam-install``).
    """
    pattern = f".venv-sam/lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-{MACHINE}"
    for found in ROOT.glob(pattern):
        return found
    raise ToolMissing("aws-sam-cli (make sam-install)")


def python() -> Path:
    """Return an interpreter of the Lambda runtime's Python version, without installed packages.

    Raises ToolMissing if this machine has none.
    """
    found = subprocess.run(
        [ROOT / "scripts/find-python", "3.13"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise ToolMissing("Python 3.13")
    return Path(found.stdout.strip())


def build_bundle(target: Path, arch: str = MACHINE) -> Path:
    """Build the bundle that ``sam build`` ships into ``target``; by default for this machine's processor."""
    command = [str(python()), str(ROOT / "scripts/bundle.py"), "--arch", arch, "--to", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def install_client(target: Path) -> Path:
    """Copy AWS's runtime client into the folder ``target``, and compile it.

    It is separate from other packages, so that the function can import only the bundle and the client. Raises
    ToolMissing if no environment of the runtime's version has it (``make test-cloud`` makes one).
    """
    libraries = [str(path) for path in ROOT.glob(".venv*/lib/python3.13/site-packages")]
    for name in _CLIENT:
        found = next(iter(metadata.distributions(name=name, path=libraries)), None)
        if found is None:
            raise ToolMissing(f"{name} for Python 3.13 (make test-cloud)")
        for file in found.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (target / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target / file)
    compile_all = [str(python()), "-m", "compileall", "-qq", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([*compile_all, str(target)], check=True)
    return target


def update_event(update: Mapping[str, Any], secret: str | None) -> dict[str, Any]:
    """Return the event for an update from Telegram, with the secret header unless ``secret`` is None.

    Header names are in lower case, as Lambda makes them.
    """
    headers = {"content-type": "application/json"}
    return webhook_event(update, headers | ({SECRET_HEADER.lower(): secret} if secret is not None else {}))


@dataclass(frozen=True, slots=True)
class LambdaRuntime:
    """One function under the real runtime."""

    port: int
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def invoke(self, event: Mapping[str, Any]) -> Any:
        """Invoke the function and return its result, decoded. Only one call at a time."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/2015-03-31/functions/function/invocations",
            data=json.dumps(event).encode(),
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=2 * TIMEOUT) as response:
            return json.loads(response.read() or b"null")

    def log(self) -> str:
        """Return the output of the emulator and the function so far."""
        self.output.flush()
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def usage(self) -> tuple[float, float]:
        """Return the processor time (ms) and the peak memory (MB) of the runtime's process (Linux only).

        The function must have been invoked before.
        """
        (pid,) = children(self.process.pid)
        status = Path(f"/proc/{pid}/status").read_text()
        peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
        # The id of another process's CPU clock on Linux. /proc is only accurate to hundredths of a second.
        clock = ~pid << 3 | 2
        return time.clock_gettime(clock) * 1000, int(peak) / 1024


@contextmanager
def running_lambda(
    code: Path,
    handler: str,
    environment: Mapping[str, str],
    *,
    client: Path,
    path: tuple[Path, ...] = (),
) -> Iterator[LambdaRuntime]:
    """Run a function.

    Args:
        code: the folder that Lambda would mount.
        handler: such as ``handlers.webhook.handler``.
        environment: the function's variables. It gets none of this process's other variables.
        client: a folder filled by ``install_client``.
        path: further folders to import from, after ``code``.
    """
    port, api_port = free_ports(2)
    address, api = f"127.0.0.1:{port}", f"127.0.0.1:{api_port}"
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, (*path, client))),
        "PYTHONNOUSERSITE": "1",
        "AWS_REGION": "eu-central-1",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_LAMBDA_FUNCTION_NAME": "desk",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(TIMEOUT),
        **environment,
    }
    options = ["--runtime-interface-emulator-address", address, "--runtime-api-address", api]
    command = [emulator(), *options, "--log-level", "error", python(), "-m", "awslambdaric", handler]
    with (
        tempfile.TemporaryFile() as output,
        listening(
            command,
            port,
            "the interface emulator",
            cwd=code,
            env=variables,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        yield LambdaRuntime(port, process, output)


SECRET = "a-secret-of-the-webhook"


@dataclass
class LocalCloud:
    """The local services, and the environment variables of a function that uses them."""

    aws: str
    telegram: Telegram
    environment: dict[str, str] = field(default_factory=dict)

    def service(self, name: str) -> Any:
        """Return a boto3 client of one of the local AWS services."""
        make: Any = boto3.client
        return make(name, endpoint_url=self.aws, **CREDENTIALS)

    def items(self) -> list[dict[str, Any]]:
        """Return all items in the table."""
        found: list[dict[str, Any]] = self.service("dynamodb").scan(TableName="rooms")["Items"]
        return found

    def deliver(self, runtime: LambdaRuntime) -> list[int]:
        """Deliver all pending updates to the function, as Telegram would; return the HTTP statuses."""
        statuses = []

        def carry(update: dict[str, Any], headers: dict[str, str]) -> Response:
            response = Response.of(runtime.invoke(update_event(update, SECRET)))
            statuses.append(response.status)
            return response

        self.telegram.delivery.run_until_idle(carry)
        return statuses


@contextmanager
def local_cloud() -> Iterator[LocalCloud]:
    """Start a cloud with a table ``rooms``, a queue ``wakeups`` and the secrets ``token`` and ``secret``."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    aws = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    aws.start()
    host, port = aws.get_host_and_port()
    # moto keeps its state in the process, so an earlier server may have left some.
    reset = urllib.request.Request(f"http://{host}:{port}/moto-api/reset", method="POST")
    urllib.request.urlopen(reset, timeout=10).close()
    telegram = Telegram(time.time)
    # Load aiogram's models now. This can take seconds, too long for the first answer.
    validate("getMe", {})
    try:
        with serving(telegram) as server:
            cloud = LocalCloud(f"http://{host}:{port}", telegram)
            create_table(cloud.service("dynamodb"), "rooms")
            queue = cloud.service("sqs").create_queue(QueueName="wakeups")["QueueUrl"]
            for name, value in (("token", telegram.token), ("secret", SECRET)):
                cloud.service("secretsmanager").create_secret(Name=name, SecretString=value)
            cloud.environment = {
                "AWS_ENDPOINT_URL": cloud.aws,
                "TELEGRAM_API_URL": server.url,
                "TABLE_NAME": "rooms",
                "QUEUE_URL": queue,
                "BEACON": "off",
                "BOT_USERNAME": telegram.bot.username or "",
                "BOT_TOKEN_PARAMETER": "token",
                "WEBHOOK_SECRET_PARAMETER": "secret",
                "POWERTOOLS_SERVICE_NAME": "chancellery",
                "POWERTOOLS_METRICS_NAMESPACE": "chancellery/test",
                "PYDANTIC_DISABLE_PLUGINS": "true",
            }
            yield cloud
    finally:
        aws.stop()
