"""The texts of the group's posts: no number reads as a count, and nothing is said twice."""

import re

from tests.system.table import Table

#: A number without its sign in front of a name.
BARE = re.compile(r"(?<![#\d])\d+[\u00a0 ]\w+\u2069")


def test_a_seat_never_reads_as_a_count_in_a_whole_game(table: Table) -> None:
    table.open(7).finish()
    for word in ("/history", "/votes", "/board", "/players"):
        table.say(table.people[0], word)
    told = [*table.group_texts(), *(text for number in range(7) for text in table.seat(number).texts())]
    assert [found for text in told for found in BARE.findall(text)] == []


def test_the_group_reads_once_who_nominates(table: Table) -> None:
    table.open(5).finish()
    posts = [text for text in table.group_texts() if "nominates a Chancellor" in text]
    assert posts
    assert not any("presidential candidate" in text for text in posts)
