"""The benchmark of hops counts only our packages' functions, calls and jumps between files."""

import sys

import pytest

from bot.display.buttons import read
from sandbox.bench import hops


def test_calls_of_ours_are_counted_and_others_are_not() -> None:
    tracer = hops.Tracer()
    sys.setprofile(tracer)
    sorted([3, 1, 2])
    read("join|1|2")
    sys.setprofile(None)
    files, functions, calls, jumps = tracer.figures
    assert files >= 1
    assert calls >= functions >= 1
    assert jumps <= calls


def test_a_call_into_another_file_is_a_jump_its_return_is_not() -> None:
    tracer = hops.Tracer()
    from bot.rooms.names import RoomName, from_key

    sys.setprofile(tracer)
    from_key(RoomName(-1).key)
    sys.setprofile(None)
    assert (tracer.figures[0], tracer.figures[3]) == (1, 0)


@pytest.mark.thorough
def test_the_section_names_both_kinds_of_taps() -> None:
    section = hops.run(seeds=1)
    assert section.title == "Hops of a tap"
    assert [line.split(" | ")[0] for line in section.lines[2:]] == [f"| {kind}" for kind in hops.REACH]
