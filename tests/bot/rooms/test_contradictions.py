"""Which claims cannot all be true, as far as the group can know."""

import re

import pytest

from bot.display.history import claim_line, claims_line, history_texts
from bot.display.prompts import known_lines
from bot.rooms.rounds import contradictions, split_into_rounds
from engine import Seat
from engine.claim import Claim
from engine.facts import Investigated
from tests.bot.conversation.texts import read, telling
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, xl

LFF, LLF, FFF = ("fascist", "fascist", "liberal"), ("fascist", "liberal", "liberal"), ("fascist",) * 3


def marked(play: Play, *claims: tuple[int, int, str, tuple[str, ...]]) -> set[int]:
    """Return the rounds marked for these claims: (seat, round, subject, words)."""
    made = [Claim(Seat(seat), number, kind, said, 0) for seat, number, kind, said in claims]
    return set(contradictions(split_into_rounds(play.view(None).facts), made))


def peeked() -> Play:
    """President 2 of five has looked at the top of the pile, in the third round."""
    return Play(5, deck="fff fff fff lff lll").until_fascist(3)


def test_claims_are_held_against_each_other_and_the_tile() -> None:
    play = Play(5, deck="lff lff").govern("l", 1)
    assert marked(play, (0, 1, "president", LFF), (1, 1, "chancellor", ("fascist", "liberal"))) == set()
    assert marked(play, (0, 1, "president", FFF)) == {1}
    assert marked(play, (1, 1, "chancellor", ("fascist", "fascist"))) == {1}
    assert marked(play, (0, 1, "president", LFF), (1, 1, "chancellor", ("liberal", "liberal"))) == {1}


@pytest.mark.parametrize(("president", "chancellor", "told"), [
    (LFF, ("fascist",) * 2, True), (LLF, ("fascist", "liberal"), True),
    (FFF, ("fascist",) * 2, False), (LFF, ("liberal", "fascist"), False),
    (("liberal",) * 3, ("liberal",) * 2, False),
])  # fmt: skip
def test_who_discarded_a_liberal(president: tuple[str, ...], chancellor: tuple[str, ...], told: bool) -> None:
    play = Play(5, deck="lff").govern("f")
    first = Claim(Seat(0), 1, "president", president, 0)
    second = Claim(play.table.chancellor or Seat(1), 1, "chancellor", chancellor, 0)
    t = telling(play)
    for text in (claims_line(t, [second], [first, second]), *history_texts(t, [first, second])):
        assert ("→ if both are true, #1 P0 discarded 🔵" in read(text or "")) == told


def test_a_peek_is_held_against_the_hand_that_is_drawn_next() -> None:
    play = peeked().govern("f")
    assert marked(play, (2, 3, "peek", LFF), (3, 4, "president", LFF)) == set()
    assert marked(play, (2, 3, "peek", LLF), (3, 4, "president", LFF)) == {4}
    chancellor = play.table.last_elected[1]
    assert marked(play, (2, 3, "peek", FFF), (chancellor, 4, "chancellor", ("fascist", "liberal"))) == {4}


def test_a_contradiction_comes_with_the_earlier_claim() -> None:
    rounds = split_into_rounds(peeked().govern("f").view(None).facts)
    peek = Claim(Seat(2), 3, "peek", LLF, 0)
    hand = Claim(Seat(3), 4, "president", LFF, 0)
    assert contradictions(rounds, [peek, hand]) == {4: ((peek, hand),)}


def test_the_mark_follows_the_two_claims_that_clash() -> None:
    """The mark stood at the end of a line with more claims, so nobody saw which two clashed."""
    play = Play(7, deck="lff lff lff").until_fascist(2).target(0)
    number = len(split_into_rounds(play.view(None).facts)) - 1
    president, chancellor = play.table.last_elected
    claims = [
        Claim(president, number, "president", ("liberal", "liberal", "fascist"), 0),
        Claim(chancellor, number, "chancellor", ("fascist", "fascist"), 0),
        Claim(president, number, "party", ("liberal",), 0),
    ]
    clash = f"P{president} says 🔵🔵🟥 · P{chancellor} says 🟥🟥 ⚡ they can't both be true"
    for told in (claims_line(telling(play), claims, claims), *history_texts(telling(play), claims)):
        lines = [re.sub(r"#\d+.|[\u2068\u2069\u3000]", "", line) for line in str(told).splitlines()]
        assert f"💬 {clash}" in lines
        assert sum("⚡" in line for line in lines) == 1
        assert f"💬 P{president} says of P0: Liberal" in lines
    # The history tells claims about a session before the power that its tile brought.
    (history,) = history_texts(telling(play), claims)
    assert str(history).index("⚡") < str(history).index("🔎") < str(history).index("says of")


def test_a_claim_that_was_shown_to_be_false_is_marked_alone() -> None:
    play = Play(5, deck="lff lff").govern("l", 1)
    passed = ("fascist", "liberal")
    claims = [Claim(Seat(0), 1, "president", FFF, 0), Claim(Seat(1), 1, "chancellor", passed, 0)]
    told = str(claims_line(telling(play), claims, claims))
    assert "🟥🟥🟥 ⚡ that can't be true" in told
    assert "both" in told.splitlines()[-1], "and the two hands do not fit each other"


def test_claims_line_tells_the_earlier_claim_and_a_late_round() -> None:
    play = peeked().govern("f")
    peek, hand = Claim(Seat(2), 3, "peek", LLF, 0), Claim(Seat(3), 4, "president", LFF, 0)
    told = str(claims_line(telling(play), [hand], [peek, hand]))
    assert told.index("P2") < told.index("P3") < told.index("⚡")
    assert "Round" not in told
    assert str(claims_line(telling(play), [peek], [peek])).startswith("💬 Round 3: ")


def test_a_prompt_marks_only_clashes_of_claims_that_it_shows() -> None:
    """A player read that two claims that fit clashed. One of them clashed with a peek told elsewhere."""
    play = peeked().govern("f")
    president, chancellor = play.table.last_elected
    peek, hand = Claim(Seat(2), 3, "peek", LLF, 0), Claim(president, 4, "president", LFF, 0)
    for passed, clash in ((("fascist", "liberal"), False), (("liberal", "liberal"), True)):
        claims = [peek, hand, Claim(chancellor, 4, "chancellor", passed, 0)]
        lines = known_lines(telling(play), (president, chancellor), claims, listed=True)
        assert any("⚡" in line for line in lines[:2]) is clash, lines


def test_a_peek_is_held_against_what_is_enacted_from_those_tiles() -> None:
    play = peeked().govern("l")
    assert marked(play, (2, 3, "peek", FFF)) == {4}
    assert marked(play, (2, 3, "peek", LFF)) == set()


def test_a_peek_says_nothing_of_later_hands() -> None:
    later = peeked().chaos().govern("f")
    number = len(split_into_rounds(later.view(None).facts))
    president = later.table.last_elected[0]
    assert marked(later, (2, 3, "peek", LLF), (president, number, "president", FFF)) == set()


def test_a_party_is_held_against_what_was_shown_to_all() -> None:
    tracks = {"communist": ("confession", None), "fascist": ("investigate", *[None] * 5)}
    play = xl(8, board=board("xl@1", 8, tracks=tracks)).govern("c").govern("f").target(0)
    (looked,) = [fact for fact in play.view(None).facts if isinstance(fact, Investigated)]
    assert marked(play, (looked.seat, 2, "party", ("fascist",))) == {2}
    assert marked(play, (looked.seat, 2, "party", ("liberal",))) == set()
    assert marked(play, (looked.seat, 2, "party", ("communist",))) == set(), "recruited since, perhaps"


def test_a_claim_that_is_the_first_again_recalls_nothing() -> None:
    play = Play(7, deck="lff").govern("f")
    president, _ = play.table.last_elected
    hand = ("liberal", "fascist", "fascist")
    changed = claim_line(telling(play), Claim(president, 1, "president", hand, 0, ("fascist",) * 3))
    assert "(at first" in changed
    assert "at first" not in claim_line(telling(play), Claim(president, 1, "president", hand, 0, hand))
