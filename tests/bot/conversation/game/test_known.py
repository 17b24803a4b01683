"""Prompts mark candidates with what their seat may know of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.conversation.game.announce import prompt_post
from bot.display.buttons import LONGEST, MOST_ENTITIES, entity_count
from bot.display.prompts import known_lines
from bot.display.telling import Telling
from bot.display.words import shown_length
from bot.rooms.model import Player, Room
from bot.rooms.names import UserId
from bot.rooms.rounds import split_into_rounds
from bot.rooms.stored import EventLog
from engine import Event, Question, Seat, waiting_on
from engine.claim import Claim
from engine.facts import CandidacyPassed, Elected, Enacted, Fact, Investigated, Nominated, RoundEnded, Vetoed
from tests.bot.conversation.acts import choose, prompt_of, tap
from tests.bot.conversation.people import person
from tests.bot.conversation.rooms import game, playing
from tests.bot.conversation.texts import read, telling
from tests.engine.builders import Play, open_question
from tests.engine.rulesets.games import board, xl

#: The number of claims about a party, and of one choice, in buttons.
PARTY, LIBERAL, FASCIST = 3, 0, 1


def prompt(room: Room, seat: int | None = None) -> str:
    """Return what a seat, else the first one that is asked, reads above its buttons."""
    return read(prompt_of(room, seat).text)


def line(room: Room, name: str, seat: int | None = None) -> str:
    """Return the line of that prompt that begins with this name, or an empty text."""
    return next((line for line in prompt(room, seat).splitlines() if line.startswith(name)), "")


def looked() -> tuple[Room, int]:
    """Return a game of seven in which a President has seen the party of #5 Edda, and the President's seat."""
    room = game(play=Play(7, roles="llllffh").until_fascist(2))
    (president,) = waiting_on(playing(room).game)
    return choose(room, 4).room, president


def test_nothing_is_said_of_those_of_whom_nothing_is_known() -> None:
    assert [line(game(7), f"{number} ") for number in range(1, 8)] == [""] * 7


def test_a_seen_party_stands_beside_the_name() -> None:
    room, looker = looked()
    (president,) = waiting_on(playing(room).game)
    assert line(room, "#5 Edda") == f"#5 Edda 🔎 seen by #{looker + 1} {person(looker).name}"
    nominated = choose(room, 4).room
    assert line(nominated, "#5 Edda", looker) == "#5 Edda 🔎 you saw: Fascist"
    assert line(nominated, "#5 Edda", president).endswith(person(looker).name)
    assert line(nominated, "#5 Edda", 4) == "", "nobody is told of themselves"


def test_a_claimed_party_is_shown_to_all_others() -> None:
    room, looker = looked()
    number = playing(room).round
    room = tap(room, "claim", person(looker), number - 1, PARTY, LIBERAL).room
    assert line(room, "#5 Edda") == f"#5 Edda 💬 Liberal, says #{looker + 1} {person(looker).name}"
    nominated = choose(room, 4).room
    mine = line(nominated, "#5 Edda", looker)
    assert mine == "#5 Edda 🔎 you saw: Fascist · 💬 you said: Liberal", "one's own lie is not forgotten"


def test_a_ballot_is_about_the_government_alone() -> None:
    room, _ = looked()
    other = next(seat for seat in (0, 1, 2, 3, 5) if seat in _options(room))
    assert line(choose(room, other).room, "#5 Edda", 6) == ""


def test_a_true_claim_is_not_repeated_beside_what_was_seen() -> None:
    room, looker = looked()
    room = tap(room, "claim", person(looker), playing(room).round - 1, PARTY, FASCIST).room
    assert line(choose(room, 4).room, "#5 Edda", looker) == "#5 Edda 🔎 you saw: Fascist"


@pytest.mark.parametrize(("step", "play"), [
    ("nominate", Play(10).ready(3)), ("investigate", Play(10).until_fascist(2)),
    ("special", Play(10).until_fascist(3)), ("kill", Play(10).until_fascist(4)),
])  # fmt: skip
def test_whoever_chooses_a_seat_reads_its_governments(step: str, play: Play) -> None:
    """A nomination asked for a seat without a word about what it had been part of."""
    room = game(play=play)
    options = _options(room)
    assert _question(room).step == step
    (asked,) = _question(room).seats
    known = 0
    for round_ in split_into_rounds(playing(room).view(None).facts):
        if round_.chancellor is None or not round_.enacted:
            continue
        for seat, other in ((round_.president, round_.chancellor), (round_.chancellor, round_.president)):
            if seat in options:
                named = "you" if other == asked else f"#{other + 1}"
                assert f"🟥 with {named}" in line(room, f"#{seat + 1} ")
                known += 1
    assert known
    assert any(not line(room, f"#{seat + 1} ") for seat in range(10) if seat in options)


def session(president: int, chancellor: int, *results: Fact) -> tuple[Fact, ...]:
    """Return the facts of a round in which this government had a session with these results."""
    pair = Seat(president), Seat(chancellor)
    return (CandidacyPassed(pair[0]), Nominated(*pair), Elected(*pair), *results, RoundEnded())


def told_of(facts: Sequence[Fact]) -> Telling:
    """Return the telling of a game of seven for seat 6, which knows these facts."""
    shown = telling(Play(7), seat=Seat(6))
    return replace(shown, view=replace(shown.view, facts=tuple(facts)))


def test_a_list_recalls_all_governments_of_a_seat() -> None:
    facts = [fact for other in (1, 2, 3) for fact in session(0, other, Enacted("fascist", "fascist"))]
    t = told_of(facts)
    listed, key = known_lines(t, [Seat(0)], (), listed=True)
    assert read(key) == "🎩 President"
    assert read(listed) == "#1 P0 🎩 🟥 with #2 · 🎩 🟥 with #3 · 🎩 🟥 with #4"
    claim = Claim(Seat(0), 2, "president", ("liberal", "fascist", "fascist"), 0)
    listed, _ = known_lines(t, [Seat(0)], (claim,), listed=True)
    assert read(listed) == "#1 P0 🎩 🟥 with #2 · 🎩 🟥 💬🔵🟥🟥 with #3 · 🎩 🟥 with #4"
    theirs = Claim(Seat(2), 2, "chancellor", ("fascist", "fascist"), 0)
    listed, _ = known_lines(t, [Seat(0)], (claim, theirs), listed=True)
    assert "🎩 🟥 💬🔵🟥🟥 with #3 💬🟥🟥 ·" in read(listed)


def test_a_list_recalls_a_veto_with_what_was_claimed() -> None:
    vetoed, chaos = Vetoed(("liberal", "fascist")), Enacted("fascist", "fascist", chaos=True)
    claim = Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), 0)
    # A veto may be the third failure, so that the top policy is enacted.
    for results in ([vetoed], [vetoed, chaos]):
        listed, _ = known_lines(told_of(session(0, 1, *results)), [Seat(0)], (claim,), listed=True)
        assert read(listed) == "#1 P0 🎩 ✋ 💬🔵🟥🟥 with #2"


def test_who_was_investigated_before_is_named() -> None:
    room = game(play=Play(9).until_fascist(1).target(4).until_fascist(2))
    assert _question(room).step == "investigate"
    assert "Already investigated: #5 Edda" in prompt(room)


def test_who_is_confirmed_not_to_be_hitler_is_named_so() -> None:
    room = game(play=Play(7).until_fascist(4))
    confirmed = set(playing(room).game.table.tagged("not-hitler")) & set(_options(room))
    assert confirmed, "whom to execute is chosen by that"
    assert {seat for seat in range(7) if "☑️ not Hitler" in line(room, f"#{seat + 1} ")} == confirmed


def test_what_everybody_was_shown_stands_there() -> None:
    play = xl(8, board=board("xl@1", 8, tracks={"communist": ("confession", None)})).govern("c")
    play.govern("l")
    assert line(game(play=play), "#1 Ada") == "#1 Ada 🔎 shown to all: Liberal · 🎩 🔶 with #2"


def test_who_saw_a_party_by_an_impeachment_reads_it_later() -> None:
    options = {"emergency-powers": "more"}
    play = xl(11, "article-48:impeachment ll fcl fcl", options=options).govern("article-48:impeachment", 2)
    play.target(1).govern("l").nominate(0)
    assert line(game(play=play), "#3 Cleo", 1) == "#3 Cleo 🔎 you saw: Liberal · 📜 🚨 with #1 Ada"


def test_what_runs_out_stands_there_with_how_much_is_left() -> None:
    options = {"emergency-powers": "more"}
    play = xl(11, "article-48:mark ll fcl fcl", options=options).govern("article-48:mark", 2).target(5)
    assert line(game(play=play), "#6 Fynn") == "#6 Fynn 🎯 marked, dies after 3 more 🟥"


def test_sixteen_long_names_fit_into_a_full_prompt() -> None:
    seated = tuple(Player(UserId(100 + seat), f"{seat}" + "🦄" * 62, "en") for seat in range(16))
    play = xl(16)
    # Each is investigated once at most, and six cards may impeach.
    seen = tuple(Investigated(Seat(seat % 5), Seat(seat % 16), "fascist") for seat in range(16 + 6))
    room = game(play=play, seated=seated)
    match = playing(room)
    told = EventLog((*match.log, *(Event(fact, ()) for fact in seen)))
    claims = tuple(Claim(Seat(seat), 1, "party", ("fascist",), 0) for seat in range(5))
    text = prompt_post(room, replace(match, log=told, claims=claims), Seat(0), _question(room)).text
    assert text.count("💬") > 15
    assert shown_length(text) <= LONGEST
    assert entity_count(text) <= MOST_ENTITIES


def test_a_long_prompt_leaves_out_old_governments() -> None:
    seated = tuple(Player(UserId(100 + seat), f"{seat}" + "🦄" * 62, "en") for seat in range(16))
    room = game(play=xl(16), seated=seated)
    match, facts, claims = playing(room), list[Fact](), list[Claim]()
    for number in range(2, 60):
        president, chancellor = number % 16, (number + 5) % 16
        facts += session(president, chancellor, Enacted("fascist", "fascist"))
        claims.append(Claim(Seat(president), number, "president", ("liberal", "fascist", "fascist"), 0))
        claims.append(Claim(Seat(chancellor), number, "chancellor", ("liberal", "liberal"), 0))
    told = EventLog((*match.log, *map(Event, facts)))
    text = prompt_post(room, replace(match, log=told, claims=tuple(claims)), Seat(0), _question(room)).text
    assert shown_length(text) <= LONGEST
    assert text.count("🎩") > 16, "the latest governments are still there"


def _question(room: Room) -> Question:
    return open_question(playing(room).game)


def _options(room: Room) -> tuple[object, ...]:
    return _question(room).options[0]
