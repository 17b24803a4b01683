"""The page on what decided a game, as players read it after games of computers."""

import random
import re
from dataclasses import replace
from functools import cache

import pytest

from ai.lookback import LIBERAL, Lookback, SeatSummary, look_back
from bot.display.lookback import decided_text
from bot.display.telling import Telling, seat_mark
from bot.display.words import Words
from bot.rooms.model import Player
from bot.rooms.names import UserId
from bot.rooms.rounds import OF_SESSION, split_into_rounds
from engine import Chance, Seat, Setup, view
from engine.claim import Claim
from engine.steps.communists import PartyChanged
from sandbox.computer_games import SEASONED, play_computer_game
from sandbox.game import NAMES
from sandbox.random_games import random_key
from tests.bot.conversation.texts import read
from tests.engine.builders import Play

SIZES = {"classic@1": 7, "red-dawn@1": 9, "xl@1": 11}


@cache
def games() -> list[tuple[Telling, list[Claim], Lookback]]:
    """Return finished games of computers, each as it is told after its end."""
    played = []
    for seed in range(9):
        rules = list(SIZES)[seed % 3]
        setup = Setup(rules, SIZES[rules], {})
        chance = Chance(random_key(random.Random(f"decided/{seed}")))
        game = play_computer_game(setup, chance, [SEASONED] * setup.players)
        players = tuple(Player(UserId(100 + seat), NAMES[seat], "en") for seat in range(setup.players))
        telling = Telling(view(game.events, None), players, Words())
        played.append((telling, list(game.claims), look_back(game.events, game.claims)))
    return played


@pytest.mark.thorough
def test_sides_that_changed_are_named_only_where_one_did() -> None:
    told = set()
    for telling, claims, found in games():
        changes = any(isinstance(fact, PartyChanged) for fact in telling.view.facts)
        changes = changes and bool(found.acts)
        assert ("who changed sides" in decided_text(telling, claims, found, Seat(0))) is changes
        told.add(changes)
    assert told == {True, False}


@pytest.mark.thorough
def test_the_best_voters_are_named_if_there_are_any() -> None:
    named = set()
    for telling, claims, found in games():
        text = decided_text(telling, claims, found, Seat(0))
        assert ("🏅" in text) is bool(found.best)
        assert not found.best or f"{telling.compact.seats(found.best)}." in text
        named.add(bool(found.best))
    assert named == {True, False}


@pytest.mark.thorough
def test_whoever_was_accused_and_never_suspected_reads_both() -> None:
    accused = 0
    for telling, claims, found in games():
        rounds = split_into_rounds(telling.view.facts)
        for claim in (one for one in claims if one.kind == "party" and one.said[0] != LIBERAL):
            looked = next((target for who, target, _ in rounds[claim.round - 1].looked if who == claim.seat))
            hidden = [SeatSummary("hidden")] * len(found.summaries)
            text = decided_text(telling, claims, replace(found, summaries=tuple(hidden)), looked)
            assert "accused you, and yet suspicion of you was never above" in text
            accused += 1
    assert accused


@pytest.mark.thorough
def test_a_claim_that_raised_suspicion_says_why() -> None:
    """A player could not tell why a claim that nobody contradicted made its author more suspect."""
    said = set()
    for telling, claims, found in games():
        text = decided_text(telling, claims, found, None)
        for act in found.acts:
            raised = act.claim is not None and act.after > act.before and act.seat == act.claim.seat
            if raised and act.claim is not None and act.claim.kind in OF_SESSION:
                why = re.compile("⚡|→ if both are true|Whoever had hidden 🔵 would have said this, too")
                reasons = why.findall(text)
                assert reasons
                said.update(reasons)
    assert said


def test_a_winning_policy_that_was_thrown_away_is_named() -> None:
    """A player found only in the replay that a Chancellor had thrown away the fifth Liberal policy."""
    play = Play(7, roles="flllfhl", deck="lff lff lff lff llf").rounds(4, "l")
    play.nominate(play.choices[0]).vote("j" * play.voters).discard("l").enact("f").clock_out()
    players = tuple(Player(UserId(100 + seat), NAMES[seat], "en") for seat in range(7))
    telling = Telling(play.view(None), players, Words())
    text = read(decided_text(telling, [], look_back(play.events, []), None))
    chancellor = seat_mark(split_into_rounds(telling.view.facts)[4].chancellor or Seat(0))
    assert "threw away 🔵 Liberal, the last one that its track needed." in text
    assert text.count("🗑") == 1
    assert f"🗑 Round 5: {chancellor} " in text, "the President passed another one on"
