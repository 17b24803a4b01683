"""Do a whole proof by hand, from only the group's messages and the public command."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from bot.display.words import Words
from engine import OFFERED, Ruleset, Setup, ruleset
from tests.system.table import Table
from tests.system.test_reveal import read_proof
from tests.system.test_seats import forget

ROOT = Path(__file__).parents[2]
ENGLISH = Words()


def read_before(texts: list[str]) -> dict[str, str]:
    """Return the last seal's data, and the address of its round."""
    sealed = next(text for text in reversed(texts) if "Sealed: " in text)
    line = next(line for line in sealed.splitlines() if line.startswith("{"))
    beacon = re.search(r"number \d+ of (\S+), out at", sealed)
    assert beacon is not None
    return {**{name: str(value) for name, value in json.loads(line).items()}, "beacon": beacon.group(1)}


def read_after(texts: list[str]) -> dict[str, str]:
    """Return the opened seal from the bot's message: seed, beacon's value, terms and the command."""
    opened = next(text for text in reversed(texts) if "The seal, opened: " in text)
    found = {}
    for name, pattern in {
        "seed": r"The seal, opened: ([0-9a-f]{64})",
        "randomness": r"of the beacon was ([0-9a-f]{64})",
        "terms": r"The terms of the deal: (\{.*\})",
        "command": r"(python -m engine\.proof .*)",
    }.items():
        match = re.search(pattern, opened)
        assert match is not None, name
        found[name] = match.group(1)
    return found


def recomputed(after: Mapping[str, str], *more: str) -> list[str]:
    """Return the public command's output, in a separate process. Later arguments win."""
    command = [sys.executable, *shlex.split(after["command"])[1:], *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def roles_shown(texts: list[str]) -> list[str]:
    """Return the roles of the reveal by seat, without later conversions."""
    shown = next(text for text in reversed(texts) if "Who was who" in text)
    lines = [line for line in shown.splitlines() if re.match(r"\u2068#\d+\s", line)]
    return [re.sub(r" \(.*|\s*🏆", "", line.rpartition(": ")[2]) for line in lines]


def proven(table: Table, texts: list[str] | None = None) -> list[str]:
    """Do the whole proof; return the command's output."""
    texts = table.group_texts() if texts is None else texts
    if not any("The seal, opened: " in text for text in texts):
        texts = [*texts, read_proof(table, table.people[0])]
    before, after = read_before(texts), read_after(texts)
    lines = recomputed(after)
    assert lines[0] == f"the seal's seed: {before['seed']}", "the opened seed is the sealed one"
    assert lines[1] == f"the seal's terms: {before['terms']}"
    assert lines[2] == f"the terms: {after['terms']}", "and what was played is what was sealed"
    roles = [line.split()[2] for line in lines if line.startswith("seat ")]
    assert [ENGLISH.plain(f"role.{role}") for role in roles] == roles_shown(texts)
    # The address as the group and the command give it, and the value of the stand-in beacon there.
    url = f"{before['beacon']}/public/{before['round']}"
    assert f"look it up: {url}" in lines
    assert any(url in text for text in texts if "The seal, opened: " in text)
    status, shown = table.harness.beacon.answer(httpx.URL(url).path)
    assert (status, json.loads(shown)["randomness"]) == (200, after["randomness"])
    first = next(line for line in lines if line.startswith("first candidate")).rpartition(" ")[2]
    candidate = next(text for text in texts if "nominates a Chancellor" in text)
    assert table.people[int(first) - 1].first_name in candidate
    return lines


def with_every_option(ruleset_id: str, players: int) -> dict[str, str]:
    """Return the last value of every option that this many can play with."""
    options = ruleset(ruleset_id).options.items()
    return {
        name: next(value for value in reversed(choice.values) if choice.refuses(value, players) is None)
        for name, choice in options
    }


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.id)
@pytest.mark.quick("classic@1")
def test_a_games_proof_is_done_by_hand_from_what_the_group_read(table: Table, rules: Ruleset) -> None:
    players = min(max(rules.players), 11)
    table.gather(players, Setup(rules.id, players, with_every_option(rules.id, players))).start().finish(1)
    proven(table)


def test_it_holds_on_a_board_of_the_groups_own(table: Table) -> None:
    text = '{"ruleset":"classic@1","chaos":2,"zone":2,"deck":{"liberal":9,"fascist":9}}'
    room = table.say(table.owner, f"/settings board Odd {text}").gather(7).room()
    assert room.lobby is not None
    table.rewrite(replace(room, lobby=replace(room.lobby, own=room.boards[0])))
    table.start().hurry(4)
    lines = proven(table)
    assert next(line for line in lines if line.startswith("deck 1")).split()[4:].count("liberal") == 9


@pytest.mark.thorough
def test_it_holds_when_every_player_has_been_forgotten(table: Table) -> None:
    table.gather(5).start().hurry(3)
    for seat in range(5):
        table.pass_time(60)
        forget(table, table.people[seat])
    assert not any(table.names(user) for user in table.people[:5])
    proven(table)


def test_it_holds_for_a_game_that_was_called_off(table: Table) -> None:
    table.gather(5).start().pass_time(60)
    call_off(table)
    proven(table)


def call_off(table: Table) -> None:
    """Cancel the game as the host, and confirm it each time."""
    table.say(table.people[0], "/cancel")
    for _ in range(2):
        if not table.match().over:
            table.tap(table.people[0], *table.button("cancel"))


def test_an_altered_seed_round_or_seat_count_is_found_out(table: Table) -> None:
    table.gather(5).start().hurry(5)
    texts = [*table.group_texts(), read_proof(table, table.people[0])]
    before, after = read_before(texts), read_after(texts)
    right = recomputed(after)
    for other in (("--round", str(int(before["round"]) + 1)), ("--game", "9"), ("--attempt", "2")):
        wrong = recomputed(after, *other)
        assert wrong[1] != right[1], "they are not the sealed terms"
        decks = [[line for line in told if line.startswith("deck")] for told in (wrong, right)]
        assert decks[0] != decks[1]
    assert recomputed(after, "--seed", "00" * 32)[0] != right[0]
