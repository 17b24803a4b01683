"""A sealed seed and a beacon's round: what is mixed into a deal, and the command that recomputes it."""

import hashlib
import hmac
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from engine import Board, Chance, Illegal, Setup, board_of
from engine.custom import changed
from engine.facts import Shuffled
from engine.proof import ADDRESSES, CHAIN, SCHEME, chance, commitment, seal, terms
from engine.proof.command import main
from engine.rulesets import OFFERED
from engine.setups import option_sets
from tests.engine.builders import Play

SEED = bytes.fromhex("5eed" * 16)
#: Round 1000 of drand's quicknet: the real values at every one of its addresses.
ROUND = 1000
RANDOMNESS = bytes.fromhex("fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd")
FIVE = Setup("classic@1", 5)


def drawn(setup: Setup = FIVE, seed: bytes = SEED, **other: Any) -> Chance:
    """Return the chance of a room's third game, with other values if given."""
    dealt = {"game": 3, "attempt": 1, "round": ROUND, "randomness": RANDOMNESS}
    return chance(seed, setup, **{**dealt, **other})


def played(setup: Setup) -> Play:
    return Play(setup.players, setup.ruleset, options=setup.options, board=setup.board, chance=drawn(setup))


def command(
    ruleset: str = "classic@1", players: int = 5, board: Mapping[str, Any] | None = None, **options: str
) -> list[str]:
    words = f"--seed {SEED.hex()} --round {ROUND} --randomness {RANDOMNESS.hex()} --game 3"
    given = [*words.split(), "--ruleset", ruleset, "--players", str(players)]
    given += [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
    return given if board is None else [*given, "--board", json.dumps(board)]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(arguments)
    return capsys.readouterr().out.splitlines()


def deal_in(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(("seat ", "first candidate", "deck "))]


def test_the_seal_is_the_seeds_hash() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_terms_of_a_deal_are_written_in_one_way_only() -> None:
    # Pinned, as is the key below: a change here would break every proof of games already played.
    assert terms(FIVE, game=3, attempt=1, round=ROUND) == (
        '{"attempt":1,"board":null,"game":3,"options":{"veto":"open"},"players":5,'
        '"round":1000,"ruleset":"classic@1","scheme":1}'
    )
    own = changed(board_of(FIVE), {"zone": 2, "deck": {"fascist": 9, "liberal": 9}})
    setup = Setup("classic@1", 5, {"veto": "sealed"}, own)
    agreed = json.loads(terms(setup, game=1, attempt=2, round=None))
    assert agreed.pop("board").keys() == set(Board.__dataclass_fields__), "every field, changed or not"
    assert agreed == {
        "attempt": 2, "game": 1, "options": {"veto": "sealed"}, "players": 5, "round": None,
        "ruleset": "classic@1", "scheme": 1,
    }  # fmt: skip
    assert SCHEME == 1


def test_a_seal_names_seed_terms_round_and_predecessor() -> None:
    agreed = terms(FIVE, game=3, attempt=1, round=ROUND)
    line = seal(SEED, agreed, game=3, attempt=1, chain=CHAIN, round=ROUND, previous=None)
    assert line == (
        f'{{"attempt":1,"chain":"{CHAIN}","game":3,"previous":null,"round":1000,'
        f'"seed":"{commitment(SEED)}","terms":"{commitment(agreed.encode())}"}}'
    )
    after = seal(SEED, agreed, game=3, attempt=1, chain=CHAIN, round=ROUND, previous=commitment(b"x"))
    assert after != line


def boards(rules: Any, players: int) -> Iterator[Board]:
    """Yield the printed board, and one for each field with another value there."""
    printed = board_of(Setup(rules.id, players))
    yield printed
    for field in fields(Board):
        value = getattr(printed, field.name)
        other: Any = dict(list(value.items())[:-1]) if isinstance(value, Mapping) else None
        if isinstance(value, tuple):
            other = (*value, "*:other")
        elif other is None:
            other = not value if isinstance(value, bool) else value + 1
        yield replace(printed, **{field.name: other})


def test_two_different_terms_never_give_the_same_text() -> None:
    # Once a board's field was among the terms but not in the sealed text, which left the operator a free
    # bit.
    texts: dict[str, Setup] = {}
    count = 0
    for rules in OFFERED:
        for players in rules.players:
            for options in option_sets(rules, players).values():
                for board in boards(rules, players):
                    setup = Setup(rules.id, players, rules.chosen(Setup(rules.id, players, options)), board)
                    agreed = terms(setup, game=1, attempt=1, round=ROUND)
                    sealed = seal(SEED, agreed, game=1, attempt=1, chain=CHAIN, round=ROUND, previous=None)
                    same = texts.setdefault(sealed, setup)
                    count += same == setup
                    assert same == setup or board_of(same) == board_of(setup)
    assert len(texts) == count > 1000


def test_the_chance_is_terms_and_randomness_keyed_with_the_seed() -> None:
    mixed = terms(FIVE, game=3, attempt=1, round=ROUND) + RANDOMNESS.hex()
    assert drawn() == Chance(hmac.new(SEED, mixed.encode(), "sha256").hexdigest())
    assert drawn().key == "a5078573764d694785f5d7e4a6655686f172a2b0b08b1941fa7399df12792851"


def test_every_sealed_term_changes_the_deal() -> None:
    own = changed(board_of(FIVE), {"zone": 2})
    keys = [
        drawn(), drawn(seed=bytes(32)), drawn(Setup("online@1", 5)), drawn(Setup("classic@1", 6)),
        drawn(Setup("classic@1", 5, {"veto": "sealed"})), drawn(Setup("classic@1", 5, {}, own)),
        drawn(game=4), drawn(attempt=2), drawn(round=ROUND + 1), drawn(randomness=bytes(32)),
        drawn(randomness=None), drawn(round=None, randomness=None),
    ]  # fmt: skip
    assert len({drawn.key for drawn in keys}) == len(keys)


def test_a_chosen_default_is_the_same_deal() -> None:
    for rules in OFFERED:
        for players in rules.players:
            plain = Setup(rules.id, players)
            assert drawn(Setup(rules.id, players, rules.chosen(plain))) == drawn(plain)


def test_an_own_board_that_is_as_printed_is_none() -> None:
    assert drawn(replace(FIVE, board=board_of(FIVE))) == drawn()


def test_the_order_of_a_boards_roles_moves_nobody() -> None:
    one = {"roles": {"hitler": 1, "fascist": 2, "liberal": 2}, "deck": {"fascist": 10, "liberal": 7}}
    other = {"deck": {"liberal": 7, "fascist": 10}, "roles": {"liberal": 2, "fascist": 2, "hitler": 1}}
    setups = [replace(FIVE, board=changed(board_of(FIVE), board)) for board in (one, other)]
    assert drawn(setups[0]) == drawn(setups[1])
    plays = [played(setup) for setup in setups]
    assert plays[0].table == plays[1].table


def test_randomness_without_its_round_deals_nothing() -> None:
    with pytest.raises(ValueError, match="needs its round"):
        drawn(round=None)
    with pytest.raises(Illegal, match="unknown-ruleset"):
        drawn(Setup("chess@1", 2))


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_the_command_prints_the_deal_that_was_played(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for players in (min(rules.players), max(rules.players)):
        for options in ({}, {name: choice.values[-1] for name, choice in rules.options.items()}):
            fitting = {n: v for n, v in options.items() if rules.options[n].refuses(v, players) is None}
            table = played(Setup(rules.id, players, fitting)).table
            lines = printed(capsys, *command(rules.id, players, **fitting))
            dealt = [f"seat {seat + 1}: {role}" for seat, role in enumerate(table.roles)]
            parties = zip(dealt, table.roles, table.parties, strict=True)
            assert deal_in(lines) == [
                *(line if role == party else f"{line} ({party})" for line, role, party in parties),
                f"first candidate: seat {table.president + 1}",
                f"deck 1, top first: {' '.join(table.pile)}",
            ]


def test_the_command_says_what_was_sealed_and_where_the_round_is(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, *command())
    agreed = terms(FIVE, game=3, attempt=1, round=ROUND)
    assert lines[0] == f"the seal's seed: {commitment(SEED)}"
    assert lines[1] == f"the seal's terms: {commitment(agreed.encode())}"
    assert lines[2] == f"the terms: {agreed}"
    assert lines[3] == "round 1000 of drand's quicknet, published at 2023-08-23 15:59:24 UTC"
    assert lines[4:8] == [f"look it up: {address}/public/1000" for address in ADDRESSES]
    assert lines[8] == f"randomness: {RANDOMNESS.hex()}"
    assert "This command is offline" in lines[9]


def test_another_beacon_is_looked_up_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, *command(), "--beacon", "http://127.0.0.1:8081/abcd/")
    assert lines[3] == "look it up: http://127.0.0.1:8081/abcd/public/1000"
    assert not any("drand" in line for line in lines)


def test_a_deal_without_beacon_is_recomputed_and_not_proven(capsys: pytest.CaptureFixture[str]) -> None:
    words = command()
    for given, round in (([*words[:2], *words[6:]], None), ([*words[:4], *words[6:]], ROUND)):
        lines = printed(capsys, *given)
        assert lines[3].startswith("not proven: ")
        table = Play(5, chance=drawn(round=round, randomness=None)).table
        assert deal_in(lines)[-1] == f"deck 1, top first: {' '.join(table.pile)}"


def test_a_later_deck_is_recomputed_from_shuffled_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    play = Play(5, chance=drawn())
    while len(play.all(Shuffled)) < 2:
        if play.step == "ballot":
            play.vote("j" * play.voters)
        else:
            play.send(play.asked[0], 0)
    pile = play.all(Shuffled)[1].pile
    lines = printed(capsys, *command(), "--deck", "2", ",".join(reversed(pile)))
    assert lines[-1] == f"deck 2, top first: {' '.join(pile)}"


def test_a_board_of_ones_own_is_part_of_the_deal(capsys: pytest.CaptureFixture[str]) -> None:
    lines = deal_in(printed(capsys, *command(board={"deck": {"liberal": 4, "fascist": 9}})))
    assert (lines[-1].count("liberal"), lines[-1].count("fascist")) == (4, 9)
    own = deal_in(printed(capsys, *command(board={"zone": 2})))
    assert own != deal_in(printed(capsys, *command()))
    shared = {"ruleset": "classic@1", "players": 5, "zone": 2}
    assert own == deal_in(printed(capsys, *command(board=shared))), "as the bot shares it"


@pytest.mark.parametrize(("changed_words", "complaint"), [
    ({"--seed": "xyz"}, "--seed"), ({"--seed": ""}, "--seed"), ({"--seed": None}, "--seed"),
    ({"--round": "0"}, "--round"), ({"--round": "soon"}, "--round"), ({"--round": "²"}, "--round"),
    ({"--round": "1" + 10 * "0"}, "--round"), ({"--round": None}, "--randomness needs its --round"),
    ({"--randomness": "fe29"}, "--randomness"), ({"--randomness": "not hexadecimal"}, "--randomness"),
    ({"--players": "4"}, "too-few-players"), ({"--players": "-5"}, "--players"),
    ({"--players": None}, "--players"), ({"--ruleset": "chess@1"}, "unknown-ruleset"),
    ({"--ruleset": None}, "--ruleset"), ({"--game": None}, "--game"),
    ({"--attempt": "0"}, "--attempt"), ({"--option": "aces=wild"}, "unknown-option"),
    ({"--option": "veto"}, "NAME=VALUE"), ({"--board": '{"aces": 4}'}, "malformed-board"),
    ({"--board": "[4]"}, "a JSON object"), ({"--board": "{" * 100_000}, "a JSON object"),
    ({"--board": '{"deck": {"liberal": 1}}'}, "too-few-tiles"), ({"--deck": "two liberal"}, "--deck"),
    ({"--deck": "2 gold"}, "no tile of classic@1"),
])  # fmt: skip
def test_what_is_no_game_is_refused_with_a_message(
    changed_words: Mapping[str, str | None], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = command()
    words: dict[str, str | None] = {**dict(zip(given[::2], given[1::2], strict=True)), **changed_words}
    arguments = [
        part
        for name, value in words.items()
        if value is not None
        for part in (name, *(value.split(" ") if name == "--deck" else [value]))
    ]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.out == ""


def test_the_module_runs_as_a_command() -> None:
    words = [sys.executable, "-m", "engine.proof", *command()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"the seal's seed: {commitment(SEED)}\n")
    assert done.stderr == ""
    assert board_of(FIVE).roles["hitler"] == done.stdout.count("hitler")


def test_the_worked_check_in_the_docs_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```console\n\$ python -m engine\.proof ([^\n]*)\n(.*?)```", page, re.DOTALL)
    main(shlex.split(block[0]))
    assert capsys.readouterr().out == block[1]
    key = drawn().key
    assert f"= {key}\n" in page
    for label in ("roles#0", "first#0"):
        digest = hmac.new(bytes.fromhex(key), label.encode(), "sha256").hexdigest()
        by_hand = f"printf '{label}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key"
        assert f"{by_hand}\nSHA2-256(stdin)= {digest}\n" in page
