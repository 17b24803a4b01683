"""The text under a board stays short."""

from statistics import median

from sandbox.bench import captions


def test_few_lines_stand_under_a_board() -> None:
    found = [lines for seed in (1, 2) for lines in captions.caption_lines(7, seed)]
    assert found
    assert median(found) <= captions.REACH
