"""`make play` and `make bot` need only requirements/play.txt, and no packages of the tests."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: A program without the packages beyond the given lock: it serves the page, opens a lobby, and imports every
#: module of the bot on one machine.
SCRIPT = """
import asyncio, importlib.metadata, json, re, sys, urllib.request

installed = set(json.loads(sys.argv[1]))
owners = importlib.metadata.packages_distributions()

def needless(name):
    dists = {re.sub("[-_.]+", "-", dist).lower() for dist in owners.get(name, ())}
    return bool(dists) and not dists & installed

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if needless(name.partition(".")[0]):
            raise ModuleNotFoundError(f"{name} is not among what is installed", name=name)

sys.meta_path.insert(0, Lacking())
for name in ("pytest", "moto", "aiogram"):
    assert needless(name), name

import local.__main__
import sandbox.play
from sandbox.page.session import PageSettings
from sandbox.page.server import Page

async def main():
    async with Page(PageSettings(5, True)) as page:
        shown = await asyncio.to_thread(lambda: urllib.request.urlopen(page.url, timeout=30).read())
        assert b"<html" in shown
        job = page.ask(lambda session: session.open_lobby(session.people[0]))
        await asyncio.wrap_future(job)
        items = await asyncio.wrap_future(page.ask(lambda session: session.stored()))
        assert any(item["sort"] == "room" for item in items), items

asyncio.run(main())
print("played")
"""


def test_page_and_bot_need_only_the_playing_lock() -> None:
    lock = (ROOT / "requirements/play.txt").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"^([a-z0-9][\w.-]*)==", lock, re.MULTILINE)))
    assert len(names) > 20
    listed = "[" + ", ".join(f'"{name}"' for name in names) + "]"
    command = [sys.executable, "-c", SCRIPT, listed]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.stdout.strip(), ran.returncode) == ("played", 0), ran.stderr
