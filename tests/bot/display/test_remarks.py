"""Lines that computers say with their claims: one at most, which fits the claim and tells nothing more."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from bot.display.history import claims_line
from bot.display.remarks import remark
from bot.display.telling import Telling
from bot.display.words import Words, languages, shown_length
from bot.rooms.model import Player
from bot.rooms.names import UserId
from bot.rooms.rounds import split_into_rounds
from engine import Seat
from engine.claim import Claim
from scripts.catalogues import compile_all
from tests.bot.conversation.texts import read
from tests.engine.builders import Play

compile_all()
#: Liberals 0 to 3, Fascists 4 and 5, Hitler 6; the first government lays the tile that the test wants.
ROLES, DECK = "llllffh", "lff fff lff fff lll fl"
NAMES = [f"Name {number}" for number in range(60)]
THREE = ("fascist",) * 3
ONE_GOOD = ("liberal", "fascist", "fascist")


def game(enacted: str, roles: str = ROLES) -> Play:
    """Return a game after its first government, of seats 0 and 1."""
    return Play(7, roles=roles, deck=DECK).elect(1).discard("f").enact(enacted)


def said(
    play: Play, claim: Claim, language: str = "en", *, computer: bool = True, claims: Sequence[Claim] = ()
) -> Iterator[str]:
    """Yield what computers of many names say with a claim; nothing for those that say nothing."""
    for name in NAMES:
        player = replace(Player(None if computer else UserId(5), name, language), computer=computer)
        players = tuple(
            player if seat == claim.seat else Player(UserId(seat), "Otto", "en") for seat in range(7)
        )
        telling = Telling(play.view(None), players, Words(language))
        line = remark(telling, split_into_rounds(play.view(None).facts)[claim.round - 1], claim, claims)
        if line is not None:
            yield read(line)


@pytest.mark.parametrize(("enacted", "kind", "claimed", "lines"), [
    ("f", "president", THREE, {"“I had no choice.”", "“Three bad ones. It happens.”"}),
    ("f", "president", ONE_GOOD,
     {"“Ask #2 Otto what happened to the good one.”", "“I gave #2 Otto a choice.”"}),
    ("f", "chancellor", THREE[1:], {"“Don't look at me. Ask #1 Otto.”", "“I played what I got.”"}),
    ("f", "chancellor", ("fascist", "liberal"), set()),
    ("l", "president", ONE_GOOD, {"“You're welcome.”", "“#2 Otto did the right thing.”"}),
    ("l", "chancellor", ("fascist", "liberal"), {"“That was an easy one.”", "“So far, so good.”"}),
])  # fmt: skip
def test_a_line_fits_the_claim(enacted: str, kind: str, claimed: tuple[str, ...], lines: set[str]) -> None:
    claim = Claim(Seat(0 if kind == "president" else 1), 1, kind, claimed, 0)
    assert set(said(game(enacted), claim)) == lines


def test_no_line_denies_what_the_chancellor_says() -> None:
    """A player read "I gave Cäcilie a choice" before "if both are true, Friedrich discarded 🔵"."""
    play = game("f")
    claims = (
        Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), 0),
        Claim(Seat(1), 1, "chancellor", ("fascist", "fascist"), 0),
    )
    assert set(said(play, claims[0]))
    assert not set(said(play, claims[0], claims=claims))


@pytest.mark.parametrize(("party", "line"), [("fascist", "Don't vote for"), ("liberal", "I trust")])
def test_an_inspector_speaks_of_the_target(party: str, line: str) -> None:
    play = Play(7, roles=ROLES).until_fascist(2)
    inspector = play.asked[0]
    target = 3 if inspector != 3 else 2
    play.target(target)
    claim = Claim(Seat(inspector), play.table.round - 1, "party", (party,), 0)
    assert f"“{line} #{target + 1} Otto.”" in set(said(play, claim))


def test_some_talk_more_than_others_and_people_never() -> None:
    claim = Claim(Seat(0), 1, "president", THREE, 0)
    assert 0.25 * len(NAMES) < len(list(said(game("f"), claim))) < 0.65 * len(NAMES)
    assert not list(said(game("f"), claim, computer=False))


def test_a_line_tells_nothing_of_roles() -> None:
    claim = Claim(Seat(0), 1, "president", THREE, 0)
    assert list(said(game("f"), claim)) == list(said(game("f", roles="fllllfh"), claim))


def test_lines_are_short_in_every_language() -> None:
    for language in languages():
        for claim in (
            Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), 0),
            Claim(Seat(1), 1, "chancellor", THREE[1:], 0),
        ):
            lines = list(said(game("f"), claim, language))
            assert lines
            assert max(map(shown_length, lines)) <= 70


def test_only_news_comes_with_a_line_unless_talk_is_off() -> None:
    play, claim = game("f"), Claim(Seat(0), 1, "president", THREE, 0)
    spoken = Claim(Seat(1), 1, "chancellor", ("fascist", "fascist"), 0)
    for name in NAMES:
        players = tuple(replace(Player(None, name, "en"), computer=True) for _ in range(7))
        telling = Telling(play.view(None), players, Words("en"))
        both = read(claims_line(telling, [claim, spoken], [claim, spoken], talk=True) or "")
        old = read(claims_line(telling, [spoken], [claim, spoken], talk=True) or "")
        off = read(claims_line(telling, [claim, spoken], [claim, spoken]) or "")
        for seat, line in ((0, "no choice"), (1, "what I got")):
            assert line not in off
            if line in both:
                assert (line in old) == (seat == 1)
                assert both.index(f"#{seat + 1} ") < both.index(line)
    assert "“" not in off
