"""`sam build` ships everything that runs, compiled for the runtime, and nothing else."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.lambda_runtime import ToolMissing, python
from tests.cloud.conftest import ROOT, Missing

pytestmark = [pytest.mark.cloud]

FUNCTIONS = ("WebhookFunction", "WakeupFunction", "SetupFunction", "AlarmFunction")
OURS = ("ai", "bot", "engine", "handlers", "infra")
UNCHECKED = 0b01
"""The flags of a .pyc that is hash-based and never compared with its source (PEP 552)."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, missing: Missing) -> Path:
    """Return the folder into which `sam build` built the template."""
    sam = ROOT / ".venv-sam/bin/sam"
    if not sam.exists():
        missing("aws-sam-cli (make sam-install)")
    if sys.version_info[:2] != (3, 13):
        missing("this test under Python 3.13 (make test-cloud)")
    try:
        python()
    except ToolMissing as tool:
        missing(str(tool))
    target = tmp_path_factory.mktemp("sam") / "build"
    environment = {**os.environ, "SAM_CLI_TELEMETRY": "0"}
    subprocess.run(
        [sam, "build", "--build-dir", target], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    return target


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_module_ships_with_trusted_bytecode(built: Path, function: str) -> None:
    sources = [path for package in OURS for path in (built / function / package).rglob("*.py")]
    sources += [built / function / "telegram/_bot.py", built / function / "botocore/session.py"]
    assert len(sources) > 50
    for source in sources:
        header = Path(importlib.util.cache_from_source(str(source))).read_bytes()[:16]
        assert header[:4] == importlib.util.MAGIC_NUMBER, source
        assert int.from_bytes(header[4:8], "little") == UNCHECKED, source


def test_python_runs_the_bytecode_without_a_look_at_the_source(built: Path, tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    shutil.copytree(built / "WebhookFunction/engine", engine)
    for source in engine.rglob("*.py"):
        source.write_text("raise AssertionError('this source was read')")
    command = [sys.executable, "-B", "-I", "-c", "import sys; sys.path.insert(0, '.'); import engine.game"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_tracebacks_name_files_as_lambda_mounts_them(built: Path) -> None:
    compiled = importlib.util.cache_from_source(str(built / "WebhookFunction/handlers/webhook.py"))
    assert b"/var/task/handlers/webhook.py" in Path(compiled).read_bytes()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_bundle_is_at_most_80_mb(built: Path, function: str) -> None:
    size = sum(path.stat().st_size for path in (built / function).rglob("*") if path.is_file())
    assert size <= 80_000_000


def test_only_our_packages_and_the_locked_runtime_ship(built: Path) -> None:
    shipped = built / "WebhookFunction"
    locked = re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements" / "runtime.txt").read_text(), re.MULTILINE)
    installed = {path.name.split("-")[0].lower().replace("_", "-") for path in shipped.glob("*.dist-info")}
    assert installed == set(locked)
    assert all((shipped / package).is_dir() for package in OURS)
    for stranger in ("sandbox", "tests", "scripts", "pytest", "moto", "aiogram"):
        assert not (shipped / stranger).exists()


def test_what_is_not_code_ships_too(built: Path) -> None:
    for package in OURS:
        data = {
            path.relative_to(ROOT)
            for path in (ROOT / package).rglob("*")
            if path.is_file() and path.suffix not in (".py", ".pyc", ".po")  # words ship compiled
        }
        assert all((built / "WebhookFunction" / path).is_file() for path in data)


def test_machine_code_is_for_the_templates_processor(built: Path) -> None:
    libraries = [path.name for path in (built / "WebhookFunction").rglob("*.so")]
    assert libraries
    assert all("aarch64" in name or "abi3" in name for name in libraries)
    for path in (built / "WebhookFunction").rglob("*.so"):
        assert path.read_bytes()[18:20] == (183).to_bytes(2, "little"), "not for AArch64 (ELF e_machine 183)"
