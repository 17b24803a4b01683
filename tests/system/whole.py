"""Check what must be true of every finished game."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from sandbox.buttons import ANSWER
from sandbox.game import GroupGame
from sandbox.harness import Harness
from sandbox.telegram import Call, VirtualClock
from sandbox.telegram.html import parse

WEIMAR = re.compile(
    r"\b(Liberals?|Fascists?|Hitler|President|presidential|Chancellor|Ja|Nein|Election tracker|Chaos"
    r"|Execution|execut\w+|party membership|loyalty|KGB|Five-Year)\b"
)
COLD_WAR = re.compile(
    r"\b(Democrats?|Democratic|Stalin|Security Council|Secretary General|DEFCON|nuclear|Nuclear"
    r"|assassinat\w+|allegiance|Allegiance|Informer|Saboteur|General strike|Secret Struggle|Against)\b"
)
#: Texts that have such a word in every theme: a tile of XL, the themes' names, and the proof's command.
SAME = re.compile(r"Social Democratic|Weimar, 1932|The Cold War|python -m engine\.proof.*")

#: The games that are played in the Cold War theme. test_whole_games.py plays all other sizes.
COLD_WAR_GAMES = {
    ("classic", 7): "none", ("online", 5): "none", ("red-dawn", 6): "none", ("red-dawn", 12): "all",
    ("xl", 8): "none", ("xl", 16): "all",
}  # fmt: skip


def sound(top: GroupGame) -> None:
    """Check a finished game: its calls, its answers, and its room at rest."""
    telegram = top.harness.telegram
    assert top.match().game.table.winners
    assert telegram.violations == [], "a call that Telegram does not document"
    refused = [(call.method, call.answer) for call in telegram.journal if not call.ok]
    assert refused == []
    assert telegram.flood.worst_minute(top.group.id) <= 20
    assert max(map(set_off, telegram.journal)) <= 100, "Telegram leaves the rest of a text plain"
    unanswered = [query for query in telegram.queries.values() if query.answer is None]
    assert unanswered == [], "a button that spins"
    item = top.harness.built.app.rooms.load(f"room#{top.group.id}")
    assert item is not None
    if item.outbox:  # the rest of a large table's last messages waits for its slots in the queue
        assert isinstance(top.harness.clock, VirtualClock)
        top.harness.clock.advance(5)
        top.harness.settle()
        top.harness.built.app.gateway.close()
        item = top.harness.built.app.rooms.load(f"room#{top.group.id}")
        assert item is not None
    assert (item.outbox, item.lease) == ({}, None)
    assert once(top) == {}


def set_off(call: Call) -> int:
    return len(parse(str(call.params.get("text") or call.params.get("caption") or ""))[1])


def once(top: GroupGame) -> dict[str, int]:
    """Return questions that a seat was asked more than once, with how often."""
    asked: Counter[str] = Counter()
    for user in top.people:
        for call in top.harness.telegram.journal.of("sendMessage", chat=user.id):
            rows = (call.params.get("reply_markup") or {}).get("inline_keyboard", [])
            data = [button.get("callback_data", "") for row in rows for button in row]
            if data and data[0].startswith(ANSWER):
                asked[f"{user.first_name} {data[0].rpartition('|')[0]}"] += 1
    return {what: times for what, times in asked.items() if times > 1}


# --- what is said -------------------------------------------------------------------------------------------


def said(harness: Harness, since: int = 0) -> Iterator[str]:
    """Yield everything that people could read from call ``since`` on: texts, captions, toasts and buttons."""
    for call in harness.telegram.journal[since:]:
        for field in ("text", "caption"):
            if isinstance(words := call.params.get(field), str):
                yield words
        markup = call.params.get("reply_markup") or {}
        markup = json.loads(markup) if isinstance(markup, str) else markup
        for row in markup.get("inline_keyboard", ()):
            yield from (button["text"] for button in row)


def strange(words: re.Pattern[str], texts: Iterable[str]) -> set[str]:
    """Return the texts that contain a word of the other theme."""
    return {text for text in texts if words.search(SAME.sub("", text))}
