"""Claims: what people say that they saw, true or not, and when."""

import pytest

from bot.conversation.outcome import ClearButtons, Edit, Outcome, Private, ToSeat
from bot.display.buttons import Button, Row
from bot.display.buttons import read as carried
from engine import Seat, waiting_on
from engine.claim import Claim
from engine.facts import CandidacyPassed, Peeked
from tests.bot.conversation.acts import choose, elected, governed, press, says, tap, votes, wakes
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import buttons, edits, keys, posts, refuses, toast, unchanged
from tests.bot.conversation.rooms import game, playing, room
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play, open_question
from tests.engine.rulesets.games import board, planned, xl

LOOKS = {"liberal": "🔵", "fascist": "🟥"}
PRESIDENT, CHANCELLOR, PEEK, PARTY = range(4)
#: Claims of three tiles in two colours.
LLL, LLF, LFF, FFF = range(4)


def news(after: Outcome) -> str:
    """Return what the group reads once it has waited for other news."""
    told = wakes(after.room, 20)
    return (posts(told) or list(edits(told).values()))[-1]


def test_a_president_claims_and_the_next_post_says_so() -> None:
    after = tap(governed(game(), 1, "l"), "claim", person(0), 1, PRESIDENT, 0)
    (claim,) = playing(after.room).claims
    assert (claim.seat, claim.round, claim.kind) == (0, 1, "president")
    assert len(claim.said) == 3
    drawn = "".join(map(LOOKS.__getitem__, claim.said))
    assert edits(after) == {}
    (told,) = posts(choose(after.room, 2))
    assert f"💬 Round 1: #1 Ada says {drawn}" in read(told)
    assert toast(after) == plain("claim.made")


def test_a_later_claim_replaces_only_the_same_thing() -> None:
    room = governed(game(), 1, "l")
    room = tap(room, "claim", person(0), 1, PRESIDENT, 0).room
    room = tap(room, "claim", person(1), 1, CHANCELLOR, 1).room
    after = playing(tap(room, "claim", person(0), 1, PRESIDENT, 2).room)
    assert [(claim.seat, claim.kind) for claim in after.claims] == [(1, "chancellor"), (0, "president")]
    assert after.claims[-1].said != playing(room).claims[0].said


def test_discard_and_enactment_offer_claims_of_their_size() -> None:
    discarded = choose(elected(game(deck="lff"), 1), "f")
    assert {args[2] for args in buttons(discarded, "claim")} == {PRESIDENT}
    assert len(buttons(discarded, "claim")) == 4
    enacted = choose(discarded.room, "l")
    assert {args[2] for args in buttons(enacted, "claim")} == {CHANCELLOR}
    assert len(buttons(enacted, "claim")) == 2


def test_nobody_claims_a_hand_that_they_still_hold() -> None:
    room = elected(game(), 1)
    assert toast(tap(room, "claim", person(0), 1, PRESIDENT, 0)) == plain("claim.not-yet")
    room = choose(room, "f").room
    assert toast(tap(room, "claim", person(1), 1, CHANCELLOR, 0)) == plain("claim.not-yet")


@pytest.mark.parametrize("silence", ["off", "on"])
def test_an_early_claim_is_told_when_the_session_is_over(silence: str) -> None:
    """A claim pressed before the Chancellor had chosen was lost."""
    held = choose(elected(game(deck="lff", silence=silence), 1), "f").room
    early = tap(held, "claim", person(0), 1, PRESIDENT, LFF)
    assert toast(early) == plain("claim.early")
    assert "Your claim: 🔵🟥🟥" in read(record(early, 0))
    assert playing(early.room).claims == ()
    (told,) = posts(says(early.room, person(2), "/history"))
    assert "says" not in told, "nobody reads it while the session goes on"
    over = choose(tap(early.room, "claim", person(0), 1, PRESIDENT, LLF).room, "l")
    (claim,) = playing(over.room).claims
    assert (claim.seat, claim.said) == (0, ("liberal", "liberal", "fascist"))
    assert claim.at == len(playing(over.room).view(None).facts)
    assert "💬 #1 Ada says 🔵🔵🟥" in read(posts(over)[-1])
    assert playing(over.room).early == ()


def test_a_claim_just_before_the_end_is_told_with_the_last_act() -> None:
    """A late claim was said to be noted, but the next ballots ended the game and nobody read it."""
    short = board("classic@1", 5, tracks={"liberal": (None, None)}, chaos=1)
    play = Play(5, board=short, deck="lff l", first=0).govern("l")
    late = tap(choose(game(play=play), play.choices[0]).room, "claim", person(0), 1, PRESIDENT, LFF)
    assert toast(late) == plain("claim.made.late")
    over = votes(late.room, "nnnnn")
    assert playing(over.room).over
    assert [text.count("#1 Ada says 🔵🟥🟥") for text in map(read, posts(over))].count(1) == 1


def test_a_claims_message_recalls_the_hand_of_its_own_round() -> None:
    """A Chancellor who had been handed the same tiles before read what became of those."""
    play = Play(5, roles="lllfh", deck="lff llf lff", first=0).nominate(1)
    play.vote("jjjjj").discard("liberal").enact("fascist")
    play.reject(play.choices[0]).reject(play.choices[0]).govern("liberal").reject(play.choices[0])
    assert play.table.president == 0
    play.nominate(play.choices[0]).vote("jjjjj").discard("fascist")
    early = tap(game(play=play), "claim", person(0), 6, PRESIDENT, LFF)
    assert toast(early) == plain("claim.early")
    assert "🗑 You discarded 🟥." in read(record(early, 0))


def test_an_early_claim_that_the_tile_disproves_is_asked_again() -> None:
    held = choose(elected(game(deck="lff"), 1), "f").room
    over = choose(tap(held, "claim", person(0), 1, PRESIDENT, FFF).room, "l")
    assert playing(over.room).claims == ()
    assert plain("claim.impossible") in record(over, 0)
    assert offers(over, 0) == [LLL, LLF, LFF]


def test_no_lie_that_everybody_would_see_is_offered() -> None:
    """Buttons offered hands without the tile that the group had just seen enacted."""
    discarded = choose(elected(game(deck="lff"), 1), "l")
    assert offers(discarded, 0) == [LLF, LFF, FFF], "two Fascist policies were passed on"
    discarded = choose(elected(game(deck="lff"), 1), "f")
    assert offers(discarded, 0) == [LLL, LLF, LFF, FFF]
    enacted = choose(discarded.room, "f")
    assert offers(enacted, 1) == [1, 2], "of two policies"
    refuses(tap(enacted.room, "claim", person(0), 1, PRESIDENT, LLL), enacted.room, "claim.impossible")


def test_after_a_veto_anything_can_be_claimed() -> None:
    play = Play(5, roles="lllfh").ready(5)
    before = elected(game(play=play), play.harmless)
    question, table = playing(before).game.question, playing(before).game.table
    president, chancellor = table.president, table.chancellor
    assert question is not None
    assert president is not None
    assert chancellor is not None
    held = choose(before, question.options[0][0])
    assert offers(held, president) == [LLL, LLF, LFF, FFF]
    vetoed = choose(choose(held.room, "veto").room, "ja").room
    for seat, kind in ((chancellor, CHANCELLOR), (president, PRESIDENT)):
        for choice in (0, 2):
            said = tap(vetoed, "claim", person(seat), playing(held.room).round, kind, choice)
            assert toast(said) == plain("claim.made")


def record(after: Outcome, seat: int) -> str:
    """Return the new text of a seat's record of its session."""
    (text,) = [e.text for e in after.effects if isinstance(e, Edit) and e.to == ToSeat(Seat(seat))]
    return text


def offers(after: Outcome, seat: int) -> list[int]:
    """Return the claims about a session that a seat's message has now, by their numbers."""
    rows: list[Row] = []
    for effect in after.effects:
        if isinstance(effect, Edit) and effect.to == ToSeat(Seat(seat)):
            rows += effect.keyboard
    return [args[3] for row in rows for button in row if (args := numbers(button))]


def numbers(button: Button) -> tuple[int, ...]:
    """Return the numbers that a button for a claim carries; none for other buttons."""
    found = carried(button.data or "")
    return found[2] if found and found[1] == "claim" else ()


@pytest.mark.parametrize(("seat", "now", "kind", "choice", "why"), [
    (1, 1, PRESIDENT, 0, "claim.not-yet"), (2, 1, CHANCELLOR, 0, "claim.not-yet"),
    (0, 1, PEEK, 0, "claim.not-yet"), (0, 1, PARTY, 0, "claim.not-yet"),
    (0, 0, PRESIDENT, 0, "claim.not-yet"), (0, 9, PRESIDENT, 0, "claim.not-yet"),
    (0, 1, 17, 0, "claim.not-yet"), (0, 1, -1, 0, "claim.not-yet"),
    (0, 1, PRESIDENT, 99, "illegal.no-option"), (0, 1, PRESIDENT, -1, "illegal.no-option"),
])  # fmt: skip
def test_nobody_claims_what_they_never_saw(seat: int, now: int, kind: int, choice: int, why: str) -> None:
    before = governed(game(), 1, "l")
    refuses(tap(before, "claim", person(seat), now, kind, choice), before, why)


def test_who_has_no_seat_claims_nothing() -> None:
    before = governed(game(), 1, "l")
    assert toast(tap(before, "claim", person(9), 1, 0, 0)) == plain("toast.watching")
    assert toast(press(before, "claim", person(0), 7, 1, 0, 0)) == plain("toast.not-your-game")
    assert toast(press(room(), "claim", person(0), 1, 1, 0, 0)) == plain("toast.not-your-game")


def test_nothing_is_claimed_once_the_game_is_over() -> None:
    over = game(play=Play(5).govern("l"), cancelled=True)
    assert toast(tap(over, "claim", person(0), 1, PRESIDENT, 0)) == plain("illegal.over")


def test_an_inspector_claims_a_party_by_buttons() -> None:
    before = game(play=Play(7).until_fascist(2))
    match = playing(before)
    (president,) = waiting_on(match.game)
    after = choose(before, open_question(match.game, president).options[0][0])
    carried = buttons(after, "claim")
    assert {args[2] for args in carried} == {PARTY}
    claimed = press(after.room, "claim", person(president), *carried[0])
    (claim,) = playing(claimed.room).claims
    assert (claim.kind, claim.said) == ("party", ("liberal",))
    assert read(news(claimed)).endswith("says of #1 Ada: Liberal")
    stranger = press(after.room, "claim", person((president + 1) % 7), *carried[0])
    assert toast(stranger) == plain("claim.not-yet")


@pytest.mark.parametrize(("wanted", "lie"), [("Fascist", False), ("Liberal", True)])
def test_the_replay_tells_whether_a_claim_is_true(wanted: str, lie: bool) -> None:
    play = Play(9, roles="lllllfffh", decks=("fff lff lff lff llf lf", "l"))
    after = choose(game(play=play.govern("f", 1)), 5)
    claims = (press(after.room, "claim", person(0), *args) for args in buttons(after, "claim"))
    (room,) = [claim.room for claim in claims if f"of #6 Fynn: {wanted}" in read(news(claim))]
    for chancellor in (2, 3, 4, 5):
        room = governed(room, chancellor, "l")
    ended = says(choose(choose(elected(room, 6), "f").room, "l").room, person(0), "/history")
    replay = next(read(text) for text in posts(ended) if words("replay.title") in text)
    (line,) = [line for line in replay.splitlines() if "says of #6 Fynn" in line]
    assert line.partition("says of #6 Fynn: ")[2].startswith(wanted)
    assert ("not true" in line) is lie


@pytest.mark.rule("R5.28")
def test_the_viewer_of_an_impeachment_claims_the_party() -> None:
    """Only an investigator could claim by buttons which party they had seen."""
    play = xl(11, "article-48:impeachment ll", options={"emergency-powers": "more"})
    shown = choose(game(play=play.govern("article-48:impeachment", 1)), 7)
    assert [args[2] for args in buttons(shown, "claim")] == [PARTY] * 3
    assert [button.text for button in keys(shown) if "✅" in button.text] == ["✅ Liberal"]
    liar = next(args for args in buttons(shown, "claim") if args[3] == 1)
    assert toast(tap(shown.room, "claim", person(2), *liar[1:])) == plain("claim.not-yet"), "who saw nothing"
    made = tap(shown.room, "claim", person(7), *liar[1:])
    (claim,) = playing(made.room).claims
    assert (claim.seat, claim.kind, claim.said) == (7, "party", ("fascist",))
    assert "💬 Your claim: Fascist" in record(made, 7)
    assert "#8 Hans says of #2 Ben: Fascist" in read(news(made))


def test_who_looked_at_the_pile_claims_a_hand_of_it() -> None:
    before = game(play=Play(5).until_fascist(3))
    seen = next(event for event in playing(before).log if isinstance(event.fact, Peeked))
    (peeker,) = seen.to or ()
    after = tap(before, "claim", person(peeker), 3, PEEK, 0)
    (claim,) = playing(after.room).claims
    assert claim == Claim(peeker, 3, "peek", claim.said, claim.at)
    assert len(claim.said) == 3
    assert "the top three are" in news(after)
    assert toast(tap(before, "claim", person((peeker + 1) % 5), 3, PEEK, 0)) == plain("claim.not-yet")


def test_the_buttons_to_claim_a_look_lie_under_what_was_seen() -> None:
    play = Play(5).ready(2)
    after = choose(choose(elected(game(play=play), play.harmless), "l").room, "f")
    assert {args[2] for args in buttons(after, "claim")} >= {PEEK}


def test_a_tile_of_a_five_year_plan_can_be_claimed() -> None:
    discarded = choose(elected(game(7, ruleset="red-dawn@1", board=planned()), 1), "f")
    assert len(buttons(discarded, "claim")) == 9, "hands of three in three colours, but not three plans"


@pytest.mark.rule("R2.7")
@pytest.mark.parametrize("silence", ["on", "off"])
def test_the_dead_make_no_claims(silence: str) -> None:
    play = Play(5, roles="lllfh").ready(3).until_fascist(4)
    before = game(play=play, silence=silence)
    victim = next(seat for seat in (play.choices) if play.table.roles[seat] == "liberal")
    government = {play.table.president, play.table.chancellor}
    killed = choose(before, victim)
    gone = [one.to for one in killed.effects if isinstance(one, ClearButtons)]
    assert Private(100 + victim) in gone, "a claim that was not made cannot be made any more"
    spoken = killed.room
    rounds = [fact.seat for fact in play.all(CandidacyPassed)]
    number = next(n for n, seat in enumerate(rounds, start=1) if seat == victim)
    assert victim not in government or victim == play.table.chancellor
    refuses(tap(spoken, "claim", person(victim), number, PRESIDENT, FFF), spoken, "claim.silenced")


@pytest.mark.rule("R2.7")
@pytest.mark.parametrize(("silence", "why"), [("on", "claim.silenced"), ("off", "claim.made.late")])
def test_a_government_makes_no_claims_while_it_legislates(silence: str, why: str) -> None:
    governing = elected(governed(game(silence=silence), 1, "l"), 2)
    after = tap(governing, "claim", person(1), 1, CHANCELLOR, 1)
    assert toast(after) == plain(why)
    assert unchanged(after, governing) is (why == "claim.silenced")
    assert toast(tap(governing, "claim", person(0), 1, PRESIDENT, 1)) == plain("claim.made.late")


def test_a_claim_stands_once_somebody_else_is_nominated() -> None:
    claimed = tap(governed(game(), 1, "l"), "claim", person(0), 1, PRESIDENT, 0).room
    assert toast(tap(claimed, "claim", person(0), 1, PRESIDENT, 1)) == plain("claim.made")
    nominated = choose(claimed, 2).room
    refuses(tap(nominated, "claim", person(0), 1, PRESIDENT, 1), nominated, "claim.final")
