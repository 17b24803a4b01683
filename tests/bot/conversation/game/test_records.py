"""The records of prompts keep all that a seat has seen, in every ruleset.

Their claims mark the true one.
"""

import pytest

from bot.conversation.outcome import GROUP, Edit, Outcome, Post, ToSeat
from bot.rooms.model import Room
from engine import Seat, tiles
from tests.bot.conversation.acts import choose, elected, wakes
from tests.bot.conversation.replies import buttons, keys
from tests.bot.conversation.rooms import game, playing
from tests.bot.conversation.texts import read
from tests.engine.builders import Play, open_question, with_veto
from tests.engine.rulesets.games import red_dawn, xl
from tests.engine.rulesets.test_oktoberfest import game as october

RULESETS = {
    "classic": Play(5, deck="lff"),
    "online": Play(5, deck="lff", ruleset="online@1"),
    "red-dawn": red_dawn(6, "lff"),
    "xl": xl(6, "lff"),
}


def record(after: Outcome, seat: int) -> str:
    (edit,) = [e for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(seat))]
    assert edit.name == f"seat{seat}"
    return read(edit.text)


def marked(after: Outcome) -> list[str]:
    """Return the claims that are marked as the truth."""
    return [button.text for button in keys(after) if button.text.startswith("✅")]


@pytest.mark.parametrize("play", RULESETS.values(), ids=RULESETS)
def test_a_president_keeps_the_three_tiles_in_the_record(play: Play) -> None:
    after = choose(elected(game(play=play), 1), "l")
    told = record(after, 0)
    assert "You drew 🔵🟥🟥." in told
    assert "You discarded 🔵 Liberal." in told
    assert marked(after) == ["✅ 🔵🟥🟥"]


@pytest.mark.parametrize("play", RULESETS.values(), ids=RULESETS)
def test_a_chancellor_keeps_both_tiles_and_which_was_enacted(play: Play) -> None:
    after = choose(choose(elected(game(play=play), 1), "f").room, "l")
    told = record(after, 1)
    assert "You were handed 🔵🟥." in told
    assert "You chose 🔵 Liberal." in told
    assert marked(after) == ["✅ 🔵🟥"]


def test_a_tile_that_is_more_than_its_colour_is_kept_by_its_name() -> None:
    play = xl(11, "article-48:mark lf", options={"emergency-powers": "more"})
    after = choose(elected(game(play=play), 1), "f")
    assert "You drew 🔵 🟥 🚨 Article 48 (🎯 Marked for execution)." in record(after, 0)
    assert marked(after) == ["✅ 🔵🟥🚨"]


def test_a_veto_askers_record_keeps_both_tiles() -> None:
    room = _in_session(game(play=with_veto()))
    chancellor = playing(room).game.table.chancellor
    assert chancellor is not None
    hand = playing(room).game.table.hand
    asked = choose(room, "veto")
    assert record(asked, chancellor).count("You were handed") == 1
    assert "You were handed" in record(choose(choose(asked.room, "nein").room, hand[0]), chancellor)


def _in_session(room: Room) -> Room:
    """Play on until a Chancellor holds two tiles."""
    room = elected(room, int(open_question(playing(room).game).options[0][0]))
    return choose(room, playing(room).game.table.hand[0]).room


def test_a_sealed_vetos_selection_is_kept() -> None:
    room = _in_session(game(play=with_veto(options={"veto": "sealed"})))
    table = playing(room).game.table
    assert table.chancellor is not None
    told = record(choose(room, table.hand[0]), table.chancellor)
    assert "You were handed" in told
    assert "You selected" in told


def test_in_october_only_the_chosen_card_is_kept() -> None:
    room = choose(game(play=october()), 1).room
    for seat in range(8):
        room = choose(room, _card(room, seat, "ja"), seat).room
    after = choose(room, "card/0")
    assert record(after, 0) == "The Reichstag\n🗑 You discarded Card 1."
    assert marked(after) == []


def _card(room: Room, seat: int, ballot: str) -> str:
    question = open_question(playing(room).game)
    return f"card/{question.options[seat].index(ballot)}"


# --- where the clock answered -------------------------------------------------------------------------------


def test_a_president_can_claim_a_hand_the_clock_discarded() -> None:
    after = wakes(elected(game(deck="lff", clock="fast"), 1), 3600)
    (gone,) = playing(after.room).game.table.discards
    sign = {"liberal": "🔵", "fascist": "🟥"}[tiles.kind(gone)]
    told = record(after, 0)
    assert "You drew 🔵🟥🟥." in told
    assert "The clock decided for #1 Ada." in told
    assert f"#1 Ada discarded {sign}" in told
    assert marked(after) == ["✅ 🔵🟥🟥"]


def test_a_chancellor_for_whom_the_clock_enacts_keeps_both_tiles() -> None:
    told = record(wakes(choose(elected(game(deck="lff", clock="fast"), 1), "f").room, 3600), 1)
    assert "You were handed 🔵🟥." in told
    assert "#2 Ben discarded" in told


def test_who_missed_something_else_keeps_the_prompt_as_it_was() -> None:
    after = wakes(game(clock="fast"), 3600)
    assert not [e for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(0))]


def test_a_hand_nobody_saw_is_not_kept() -> None:
    room = choose(game(play=october(), clock="fast"), 1).room
    for seat in range(8):
        room = choose(room, _card(room, seat, "ja"), seat).room
    after = wakes(room, 3600)
    assert playing(after.room).game.question != playing(room).game.question
    assert not [e for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(0))]


def _looked(target: int) -> Outcome:
    return choose(game(play=Play(7, roles="llllffh").until_fascist(2)), target)


def _peeked() -> Outcome:
    """Return what follows once a President has seen the top of the pile."""
    return choose(game(play=Play(5, deck="fff fff fff lfl").until_fascist(2).elect().discard("f")), "f")


@pytest.mark.parametrize(("target", "truth"), [(0, "✅ Liberal"), (4, "✅ Fascist"), (6, "✅ Fascist")])
def test_the_claim_that_would_be_true_of_a_party_is_marked(target: int, truth: str) -> None:
    after = _looked(target)
    assert marked(after) == [truth]
    assert len(buttons(after, "claim")) == 2, "the lie is there too"


def test_the_claim_that_would_be_true_of_the_pile_is_marked() -> None:
    assert marked(_peeked()) == ["✅ 🟥🟥", "✅ 🔵🔵🟥"], "the Chancellor's hand, and the President's peek"


def test_secret_prompts_cannot_be_forwarded() -> None:
    private = [effect for effect in _peeked().effects if isinstance(effect, Post) and effect.to != GROUP]
    assert any(button.text.startswith("✅") for post in private for row in post.keyboard for button in row)
    assert all(post.protect for post in private)
