"""Run our bundle under the real Lambda runtime without a container.

The runtime consists of AWS's runtime interface emulator and AWS's Python client. aws-sam-cli ships the
emulator as a plain binary. It starts the runtime at the first invocation and kills it at a time-out, as
Lambda does. It takes one invocation at a time, and crashes if it gets a second one.
"""

import contextlib
import json
import os
import platform
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from local.invocation import webhook_event

from .ports import children, free_ports, listening
from .telegram.delivery import SECRET_HEADER

ROOT = Path(__file__).resolve().parent.parent
MACHINE = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}.get(
    platform.machine(), ""
)
_CLIENT = ("awslambdaric", "simplejson", "snapshot-restore-py")


class ToolMissing(Exception):
    """A tool is not installed. The text names it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """A runtime process's usage since its start: processor time (ms) and peak memory (MB)."""

    cpu_ms: float
    peak_mb: float


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
    #: Seconds until an invocation has failed.
    patience: float
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def invoke(self, event: Mapping[str, Any]) -> Any:
        """Invoke the function and return its result, decoded. Only one call at a time."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/2015-03-31/functions/function/invocations",
            data=json.dumps(event).encode(),
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=self.patience) as response:
            return json.loads(response.read() or b"null")

    def log(self) -> str:
        """Return the output of the emulator and the function so far."""
        self.output.flush()
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def usage(self) -> Usage:
        """Return the usage of the runtime's process, which must have been invoked before (Linux only)."""
        (pid,) = children(self.process.pid)
        status = Path(f"/proc/{pid}/status").read_text()
        peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
        # The id of another process's CPU clock on Linux. /proc is only accurate to hundredths of a second.
        clock = ~pid << 3 | 2
        return Usage(time.clock_gettime(clock) * 1000, int(peak) / 1024)


@contextlib.contextmanager
def running_lambda(
    code: Path,
    handler: str,
    environment: Mapping[str, str],
    *,
    client: Path,
    path: tuple[Path, ...] = (),
    timeout: int = 20,
) -> Iterator[LambdaRuntime]:
    """Run a function.

    Args:
        code: the folder that Lambda would mount.
        handler: such as ``handlers.webhook.handler``.
        environment: the function's variables. It gets none of this process's other variables.
        client: a folder filled by ``install_client``.
        path: further folders to import from, after ``code``.
        timeout: seconds after which the runtime is killed.
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
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout),
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
        yield LambdaRuntime(port, timeout + 20, process, output)
