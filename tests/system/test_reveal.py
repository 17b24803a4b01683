"""The end: who was who, what really happened, and the proof that the deal was fair."""

import re

import pytest

from bot.display.pictures import board_svg
from engine.proof import commitment
from sandbox.telegram import User
from tests.system.table import Seated, Table


def proof_of(table: Table) -> tuple[str, str]:
    """Return the seal and the command in the proof: in private or, for a cancelled game, in the group."""
    told = (text for text in reversed(table.group_texts()) if "engine.proof" in text)
    text = next(told, None) or read_proof(table, table.people[0])
    sealed = re.search(r"\b[0-9a-f]{64}\b", text)
    assert sealed is not None
    command = next(line for line in text.splitlines() if "engine.proof" in line)
    return sealed.group(), command[command.index("python") :]


def seal_of(table: Table) -> str:
    sealed = re.search(r'"seed":"([0-9a-f]{64})"', "\n".join(reversed(table.group_texts())))
    assert sealed is not None
    return sealed.group(1)


def test_the_seed_is_nowhere_to_be_seen_before_the_end(table: Table) -> None:
    table.gather(5).press(table.people[0], "start")
    sealed = table.room().sealed
    assert sealed is not None
    table.wait_for_deal().nominate(next(n for n in range(5) if n not in table.waiting()))
    said = repr([(call.params, call.answer) for call in table.tg.journal])
    assert sealed.proof.seed not in said
    assert table.match().game.chance.key not in said
    assert commitment(bytes.fromhex(sealed.proof.seed)) in said


def test_the_roles_stand_below_each_other_and_winners_are_marked(table: Table) -> None:
    table.open(5, roles="lllfh", deck="fff fff fff")
    table.govern(1, "f").govern(2, "f").govern(3, "f").elect(4)
    text = next(text for text in table.group_texts() if "Who was who" in text)
    lines = [line for line in text.splitlines() if re.match(r"⁨#\d\s", line)]
    assert [line.partition(": ")[2] for line in lines] == [
        "Liberal", "Liberal", "Liberal", "Fascist 🏆", "Hitler 🏆",
    ]  # fmt: skip


def test_hidden_hands_are_not_told_before_the_end(table: Table) -> None:
    table.open(5, roles="lllfh", deck="lff fff fff").govern(1, "f").govern(2, "f")
    before = [*table.group_texts(), *(text for seat in range(5) for text in table.seat(seat).texts())]
    theirs = [text for seat in (3, 4) for text in (*table.group_texts(), *table.seat(seat).texts())]
    table.govern(3, "f").elect(4).say(table.people[0], "/history")
    replay = next(text for text in table.group_texts() if "What really happened" in text)
    told = [line.strip() for line in replay.splitlines() if "🗑" in line][:4]
    assert len(told) == 4, "two hands of three and of two"
    assert not any(line in text for line in told for text in before)
    assert not any(mark in text for mark in ("🗑", "You drew", "You were handed") for text in theirs)


# --- how it ended, for everybody --------------------------------------------------------------------------


def test_the_picture_of_the_table_with_all_roles_ends_every_game(table: Table) -> None:
    table.elect_hitler()
    (*_, last) = [view for view in table.group_views() if view.photo]
    assert "Hitler was elected Chancellor" in last.text
    assert len(drawn_roles(table)) == 5


def drawn_roles(table: Table) -> list[str]:
    """Return the envelopes, by role, in the last picture that the group got."""
    match, (*_, last) = table.match(), table.tg.journal.of("sendPhoto", chat=table.group.id)
    assert last.ok
    shown = match.open_view() if match.cancelled else match.view(None)
    return re.findall(r'class="envelope (\w+)"', board_svg(shown, table.room().settings.theme))


def test_each_player_reads_in_private_how_it_ended_for_them(table: Table) -> None:
    table.elect_hitler()
    for seat, (won, role) in enumerate([(False, "Liberal")] * 3 + [(True, "Fascist"), (True, "Hitler")]):
        text = table.seat(seat).text()
        assert ("You won." in text, "You lost." in text) == (won, not won)
        assert f"Your role: {role}" in text
        assert "The Fascists win! Hitler was elected Chancellor." in text
        assert "The Reichstag" in text


def test_a_called_off_game_shows_the_table_with_roles(table: Table) -> None:
    table.open(5, roles="lllfh").elect(1).cancel(table.people[0])
    (*_, last) = [view for view in table.group_views() if view.photo]
    assert "The game was called off." in last.text
    assert "Who was who" in last.text
    assert drawn_roles(table) == ["liberal", "liberal", "liberal", "fascist", "hitler"]
    assert proof_of(table)[0] == seal_of(table)
    assert not any("You won" in text or "You lost" in text for text in table.seat(0).texts())


def test_a_called_off_games_picture_is_a_new_one(table: Table) -> None:
    table.open(5, roles="lllfh").say(table.people[0], "/board").cancel(table.people[0])
    first, *_, last = table.tg.journal.of("sendPhoto", chat=table.group.id)
    assert last.files, "it was uploaded"
    assert list(last.files.values()) != list(first.files.values())


# --- the proof as a page -----------------------------------------------------------------------------------


def read_proof(table: Table, user: User) -> str:
    """Tap the proof's button, press Start, and return the message."""
    table.follow(user, table.press(user, "proof"))
    return Seated(table, user).text()


def test_the_proof_is_a_page_in_private_a_tap_away(table: Table) -> None:
    table.elect_hitler()
    before = table.group_texts()
    page = read_proof(table, table.people[2])
    assert "Is the deal fair?" in page
    assert proof_of(table)[1] in page
    assert table.group_texts() == before, "a tap that concerns its sender alone posts nothing"


@pytest.mark.parametrize("number", [0, 2, 2**31, 10**14])
def test_a_forged_proof_tap_for_an_unknown_game_is_told_so(table: Table, number: int) -> None:
    table.elect_hitler()
    message, data = table.button("proof")
    query = table.tap(table.people[0], message, data.replace("|1", f"|{number}"), forged=True)
    assert query.answer is not None
    assert (query.answer.url, query.answer.text) == (None, "That game is over.")


def test_a_running_game_has_no_proof_yet(table: Table) -> None:
    table.elect_hitler()
    message, data = table.button("proof")
    table.press(table.people[0], "rematch")
    query = table.start().tap(table.people[0], message, data.replace("|1", "|2"), forged=True)
    table.follow(table.people[0], query)
    assert "no longer have that game" in table.seat(0).text()
