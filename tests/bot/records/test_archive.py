"""Archives of every schema number that there ever was can be read."""

import random

import pytest
from pydantic_core import from_json, to_json

from bot.records.archive import SCHEMA, decode_archive
from bot.records.result import result_of
from bot.rooms.class_names import IDS
from bot.rooms.stored import NewerSchema, write_log
from engine import Setup
from sandbox.random_play import random_game

NAMES = {kind: name for name, kind in IDS.items()}


@pytest.mark.parametrize("ruleset", ["classic@1", "online@1", "red-dawn@1", "xl@1"])
@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_an_archive_is_read_whether_its_facts_go_by_class_names_or_by_ids(ruleset: str, schema: int) -> None:
    _, log, _ = random_game(Setup(ruleset, 8), random.Random(3))
    rows = from_json(to_json(write_log(log)))
    if schema == 1:
        rows = [[NAMES[kind], to, fact] for kind, to, fact in rows]
    archived = decode_archive(to_json({"schema": schema, "log": rows, "claims": [], "result": {}}))
    assert archived.log == tuple(log)
    assert archived.result == result_of(log)


def test_an_archive_with_a_fact_of_newer_code_is_left_alone() -> None:
    with pytest.raises(NewerSchema):
        decode_archive(to_json({"schema": SCHEMA, "log": [["moon/landed", None, {}]]}))
