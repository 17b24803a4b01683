"""Build the bundle of one Lambda function: our five packages, the locked libraries, and compiled bytecode.

Lambda mounts the code read-only, and ``sam build`` ships no bytecode. So without this script, every cold
start would compile everything again (about 0.7 s). The .pyc files are *unchecked*: the interpreter uses them
without comparing the source's time stamp, which zipping changes. They must be made by the runtime's minor
version, so this script refuses to run on another.

Usage: python3.13 scripts/bundle.py --arch arm64 --to FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = (3, 13)
PACKAGES = ("ai", "bot", "engine", "handlers", "infra")
# The folder in which Lambda mounts the code, so that tracebacks name the right file.
MOUNT = "/var/task"
# Amazon Linux 2023, which this runtime uses, has glibc 2.34; pip does not derive the older tags by itself.
MACHINES = {"arm64": "aarch64", "x86_64": "x86_64"}
GLIBC_TAGS = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")


def main() -> None:
    """Parse the command line and build one bundle."""
    parser = argparse.ArgumentParser(description="Build the bundle of one Lambda function.")
    parser.add_argument("--arch", choices=sorted(MACHINES), default="arm64")
    parser.add_argument("--to", type=Path, required=True, help="the folder to fill")
    options = parser.parse_args()
    if sys.version_info[:2] != RUNTIME:
        sys.exit("This needs Python {}.{}, as the Lambda runtime.".format(*RUNTIME))
    build(options.arch, options.to)


def build(arch: str, target: Path) -> None:
    """Fill ``target`` with the bundle for ``arch``, replacing its contents."""
    libraries = install_libraries(arch, ROOT / "requirements" / "runtime.txt")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(libraries, target)
    without_bytecode = shutil.ignore_patterns("__pycache__", "*.py[co]", "*.mo")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, target / package, ignore=without_bytecode)
    compile_catalogues(target / "bot" / "display" / "locales")
    for package in PACKAGES:
        compile_folder(target / package, target)


def install_libraries(arch: str, lock: Path) -> Path:
    """Return a folder with the locked libraries for ``arch``, compiled. It is built once for each lock.

    Only wheels are installed, since the processor that runs the bundle may differ from the one that builds
    it.
    """
    name = f"libraries-{arch}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
    home = ROOT / ".build"
    if (home / name).exists():
        return home / name
    home.mkdir(exist_ok=True)
    # Build in another folder and rename it, so that a second build never sees half a folder.
    scratch = Path(tempfile.mkdtemp(dir=home))
    platforms = [word for tag in GLIBC_TAGS for word in ("--platform", f"{tag}_{MACHINES[arch]}")]
    runtime = ("--implementation", "cp", "--python-version", "{}.{}".format(*RUNTIME))
    pip_install(lock, scratch, "--only-binary", ":all:", "--no-compile", *platforms, *runtime)
    compile_folder(scratch, scratch)
    try:
        scratch.rename(home / name)
    except OSError:  # another build has finished first
        shutil.rmtree(scratch)
    return home / name


def pip_install(lock: Path, target: Path, *options: str) -> None:
    """Install the libraries of a lock into a folder."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    locked = ("--no-deps", "--require-hashes", "--requirement", str(lock), "--target", str(target))
    subprocess.run([sys.executable, "-m", "pip", "install", *quiet, *locked, *options], check=True)


def compile_catalogues(locales: Path) -> None:
    """Compile the catalogues and remove their sources. Babel is needed only here, and does not ship."""
    lock = ROOT / "requirements" / "build.txt"
    home = ROOT / ".build" / f"tools-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
    if not home.exists():
        pip_install(lock, home)
    script = ROOT / "scripts" / "catalogues.py"
    environment = {**os.environ, "PYTHONPATH": str(home)}
    subprocess.run([sys.executable, str(script), str(locales)], env=environment, check=True)
    for source in locales.glob("*/LC_MESSAGES/*.po"):
        source.unlink()


def compile_folder(folder: Path, root: Path) -> None:
    """Compile all modules below ``folder`` to unchecked bytecode that names files as below MOUNT.

    This runs in another process with a fixed hash seed. The order of a set's constants depends on that seed,
    and the same sources must give the same bundle, or every deployment would look like a change.
    """
    subprocess.run(
        [
            sys.executable, "-m", "compileall", "-qq", "-r", "50", "-s", str(root), "-p", MOUNT,
            "--invalidation-mode", "unchecked-hash", str(folder),
        ],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        check=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
