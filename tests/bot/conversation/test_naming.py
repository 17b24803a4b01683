"""Names of people and groups, once they have been cleaned."""

from typing import Any

import pytest

from bot.conversation.incoming import Command, cleaned, read_update, update_of

#: Every character that changes the direction of text, or is not drawn at all.
UNSEEN = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff\u00ad"
#: Characters that break lines, or move the cursor.
BREAKS = "\u2028\u2029\x85\x00\x1b"


@pytest.mark.parametrize("control", UNSEEN + BREAKS, ids=lambda letter: f"{ord(letter):x}")
def test_control_characters_are_taken_out_of_a_name(control: str) -> None:
    drawn = "Hans" if control in UNSEEN else "Ha ns"
    odd = f"{control}Ha{control}ns{control}"
    assert cleaned(odd) == drawn
    said = commanded(odd, last=f"{control}Meier", title=odd)
    assert (said.person.name, said.title) == (f"{drawn} Meier", drawn)


def commanded(name: str, *, last: str, title: str) -> Command:
    """Read a command of somebody with this name in a group with this title."""
    message: dict[str, Any] = {
        "message_id": 1,
        "date": 1_800_000_000,
        "chat": {"id": -100, "type": "supergroup", "title": title},
        "from": {"id": 5, "is_bot": False, "first_name": name, "last_name": last},
        "text": "/newgame",
    }
    said = read_update(update_of({"update_id": 7, "message": message}), "bot")
    assert isinstance(said, Command)
    return said


@pytest.mark.parametrize(
    "name", ["👩‍🚀", "👨‍👩‍👧‍👦 Family", "❤️‍🔥", "علی‌رضا", "क्‍ष", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Harry", "Zoë", "李雷", "Ann-Marie O’Neil"]
)
def test_what_emoji_and_scripts_need_stays_in_a_name(name: str) -> None:
    assert cleaned(name) == name


@pytest.mark.parametrize(("name", "called"), [
    ("a\u200d\u200db", "a\u200db"), ("\u200dab\u200c", "ab"), ("a\u200d b", "a b"),
    ("a\U000e0061b", "ab"), ("two\r\n\tlines", "two lines"), ("\ud83d lonely", "lonely"),
    ("\u202e\u2066", ""),
])  # fmt: skip
def test_joiners_and_tags_that_join_nothing_go(name: str, called: str) -> None:
    assert cleaned(name) == called
