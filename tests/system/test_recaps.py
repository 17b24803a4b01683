"""In whole games, each private prompt says what happened since the last one."""

import random

import pytest

from bot.rooms.governments import governments
from engine import Chance, board_of, in_hitler_zone, ruleset
from engine.table import NOT_HITLER
from engine.tiles import kind
from sandbox.desk import desk_in_memory
from sandbox.setups import option_sets
from tests.system.table import Table

DANGER = "⚠️ The Fascists now win if Hitler becomes Chancellor."
SIGNS = {"liberal": "🔵", "fascist": "🟥", "communist": "🔶"}


def said(text: str) -> str:
    """Return a text without the marks that keep names in their direction, and with ordinary spaces."""
    return text.replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")


def called(table: Table, seat: int) -> str:
    """Return what a seat is called."""
    return f"#{seat + 1} {table.people[seat].first_name}"


def claim_all(table: Table, rng: random.Random) -> None:
    """Let everybody with something new to claim do so, at random."""
    match = table.match()
    for seat in range(len(table.people)):
        for view in table.seat(seat).views()[-3:]:
            data = [button.get("callback_data", "") for button in view.source.buttons()]
            claims = [text for text in data if text.startswith("claim|")]
            number = int(claims[0].split("|")[3]) if claims else 0
            if number >= match.round - 1 and number:
                table.pass_time()
                table.tg.tap(table.people[seat], view.source, rng.choice(claims))
    table.desk.settle()


def check_prompt(table: Table, seat: int, text: str) -> None:
    """Check that a prompt tells of the round before, its claims, and the danger."""
    match = table.match()
    table_now = match.view(None).table
    rounds = governments(match.view(None).facts)
    board = board_of(match.game.setup)
    step = match.game.question.step if match.game.question else ""
    if step not in ("nominate", "ballot"):
        return
    before = rounds[-2] if len(rounds) > 1 else None
    if before is not None and before.chancellor is not None and before.ballots[seat : seat + 1] != (None,):
        lines = text.splitlines()
        names = (called(table, before.president), called(table, before.chancellor))
        found = [line for line in lines if all(name in line for name in names)]
        assert found, (names, before.ballots, text)
        line = found[0]
        assert f"{before.ja}–{before.nein}" in line or before.vetoed
        if before.elected and before.enacted and not before.chaos:
            sign = SIGNS.get(kind(before.enacted[0]))
            assert sign is None or line.startswith(sign), line
        elif not before.elected:
            assert "voted down" in line
        for claim in match.claims:
            if claim.round == before.round and claim.kind in ("president", "chancellor"):
                hand = "".join(SIGNS.get(colour, "🚨") for colour in claim.said)
                assert f"{called(table, claim.seat)} says {hand}" in text
    cleared = step == "ballot" and table_now.chancellor in table_now.tagged(NOT_HITLER)
    assert (DANGER in text) == (in_hitler_zone(table_now, board) and not cleared)


@pytest.mark.parametrize(("rules", "players", "seeds"), [("classic@1", 7, (1, 2, 3)), ("xl@1", 14, (4,))])
def test_prompts_tell_who_governed_and_what_is_dangerous(
    rules: str, players: int, seeds: tuple[int, ...]
) -> None:
    read = dangers = claims = 0
    for seed in seeds:
        with desk_in_memory(seed=seed) as desk:
            table, rng = Table(desk), random.Random(seed)
            options = option_sets(ruleset(rules), players).get("all", {}) if players > 10 else {}
            options = dict(options, oktoberfest="off") if options else {}
            table.open(players, ruleset=rules, options=options, chance=Chance(f"{seed:064x}"))
            while not table.match().over:
                claim_all(table, rng)
                table.pass_time(25)  # by then the players who are asked have read them
                table.desk.settle()
                for seat in table.waiting():
                    question = table.match().game.question
                    if question is None or question.meeting:
                        continue
                    text = said(table.seat(seat).prompt().text)
                    check_prompt(table, seat, text)
                    read, dangers = read + 1, dangers + (DANGER in text)
                    claims += " says " in text
                table.step_on(rng)
    assert read > 100
    assert dangers > 10
    assert claims > 30
