"""The kinds of tiles and the boards that a ruleset brings along."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine import Board, ruleset
from engine.gaps import printed_gaps
from engine.tiles import KINDS, TileKind, learn


def test_two_kinds_of_tiles_cannot_have_one_name() -> None:
    learn(KINDS["liberal"])
    with pytest.raises(ValueError, match="two kinds of tiles are called 'liberal'"):
        learn(TileKind("liberal", "fascist"))
    assert KINDS["liberal"].track == "liberal"


def test_a_board_may_read_all_options_when_checked() -> None:
    classic = ruleset("classic@1")
    seen: set[tuple[int, str]] = set()

    def board(players: int, options: Mapping[str, str]) -> Board:
        seen.add((len(options), dict(options)["veto"]))
        return classic.board(players, options)

    assert list(printed_gaps(replace(classic, id="curious@1", board=board))) == []
    assert seen == {(1, "open"), (1, "sealed")}
