"""The person who practises: computers play on until they are asked, and leak nothing to them."""

from dataclasses import replace
from typing import Any

import pytest

import ai
from bot.conversation.game import practising as practising_messages
from bot.conversation.outcome import ClearButtons, Edit, Outcome, Post, ToSeat
from bot.rooms.model import Room
from engine import Seat, question_for, waiting_on
from tests.bot.conversation.acts import choose, press
from tests.bot.conversation.alone import ANNA, Scripted, practising, reads, thinks
from tests.bot.conversation.replies import buttons, posts, refuses, toast
from tests.bot.conversation.rooms import playing
from tests.bot.conversation.texts import plain, words
from tests.engine.builders import Play, open_question
from tests.engine.rulesets.games import red_dawn


def asked(room: Room) -> str:
    return open_question(playing(room).game, 0).step


# --- computers play on --------------------------------------------------------------------------------------


def test_computers_wait_for_who_practises_to_decide_first() -> None:
    for before in (practising(), choose(practising(), 1).room):
        mind = Scripted()
        assert thinks(before, mind) == Outcome(before)
        assert mind.asked == []


def test_computers_vote_and_one_message_asks_the_next() -> None:
    voted = choose(choose(practising(deck="lff"), 1).room, "ja", 0)
    (trace,) = reads(voted)
    assert trace.endswith("You voted <b>👍 Ja</b>."), "nothing else while computers have the next word"
    mind = Scripted(ballot="ja")
    after = thinks(voted.room, mind)
    assert mind.asked == [1, 2, 3, 4]
    assert asked(after.room) == "discard"
    (told,) = reads(after)
    assert "Ja (5)" in told
    assert posts(after) == []
    assert len(buttons(after, "answer")) == 3
    assert playing(after.room).computer_choices == {}, "nothing is kept for a later second"


def test_computers_act_one_by_one_until_the_person_is_asked() -> None:
    before = choose(choose(practising(), 1).room, "nein", 0).room
    mind = Scripted(ballot="nein", nominate=4)
    after = thinks(before, mind)
    assert mind.asked == [1, 2, 3, 4, 1], "the ballots, and then the next candidate"
    assert asked(after.room) == "ballot"
    (told,) = reads(after)
    assert told.index("Nein (5)") < told.index("nominates")


def test_an_interrupted_mind_tells_nothing_twice() -> None:
    before = choose(choose(practising(), 1).room, "ja", 0).room
    first = thinks(before, Scripted(most=3, ballot="ja"))
    assert waiting_on(playing(first.room).game) == (4,)
    assert reads(first) == []
    assert len(reads(thinks(first.room, Scripted(ballot="ja")))) == 1


def test_a_practice_meeting_ends_once_all_have_picked() -> None:
    play = red_dawn(12).govern("c")
    first, option = play.asked[0], play.choices[0]
    assert play.question.meeting
    computers = thinks(practising(seat=first, play=play), Scripted()).room
    assert playing(computers).game.asked == play.question.number
    picked = choose(computers, option, first).room
    assert playing(thinks(picked, None).room).game.asked == play.question.number
    after = thinks(picked, Scripted())
    assert playing(after.room).game.asked > play.question.number, "nobody waits for a minute to pass"
    assert reads(after, first)
    assert "Round 1<" not in "".join(reads(after, first)), "what was read is not read again"


def test_the_shot_are_told_once_and_computers_go_on() -> None:
    play = Play(5).until_fascist(4)
    victim = play.harmless
    after = thinks(practising(seat=victim, play=play), Scripted(kill=victim, ballot="ja"))
    assert playing(after.room).won
    told = reads(after, victim)
    assert sum(words("practice.dead") in text for text in told) == 1
    assert words("practice.dead") in told[0]
    assert words("reveal.roles") in told[1]
    assert ["Round 4<" in text for text in told[:2]] == [True, False], "what was read is not read again"
    assert buttons(after, "rematch") == [(1,)]


# --- what is read -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "players"), [("classic@1", 5), ("red-dawn@1", 7), ("xl@1", 8)])
def test_a_practice_question_cannot_be_forwarded(ruleset: str, players: int) -> None:
    before = choose(practising(players, ruleset=ruleset), 1).room
    after = thinks(choose(before, "ja", 0).room, Scripted(ballot="ja"))
    asked = [effect for effect in after.effects if isinstance(effect, Post)]
    assert [(effect.to, effect.protect) for effect in asked] == [(ToSeat(Seat(0)), True)]


def test_a_liberal_reads_the_same_in_two_like_worlds() -> None:
    """Hidden facts: which computer is Hitler, the pile, and the others' hands."""
    deals = (("lllfh", "lff lff lff"), ("lllhf", "lff flf fll"))
    left, right = (story(practising(advice=True, roles=roles, deck=deck)) for roles, deck in deals)
    assert left == right
    assert any("Ja (5)" in text for text in left)
    assert len(left) > 8


def story(room: Room) -> list[str]:
    """Return all that Anna reads as President, after a failed government, and as Chancellor; with hints."""
    said = []
    steps: list[tuple[str | int, Scripted]] = [
        (1, Scripted()),
        ("ja", Scripted(ballot="ja")),
        ("fascist", Scripted(enact="fascist", nominate=2)),
        ("nein", Scripted(ballot="nein", nominate=0)),
        ("ja", Scripted(ballot="ja", discard="fascist")),
        ("liberal", Scripted(nominate=2)),
    ]
    for option, mind in steps:
        said += reads(hint(room))
        chosen = choose(room, option, 0)
        after = thinks(chosen.room, mind)
        said += [*reads(chosen), *reads(after), toast(chosen)]
        room = after.room
    return said


def test_computers_hands_are_secret_until_the_end() -> None:
    room = practising(play=Play(5, deck="lll fff").reject().nominate(2))
    after = thinks(choose(room, "ja", 0).room, Scripted(ballot="ja", nominate=3))
    told = [line for text in reads(after) for line in text.split("\n") if "claims" not in line]
    assert any("Liberal" in line for line in told), "it was enacted"
    assert not any("drew" in line or "discarded" in line or "🗑" in line for line in told)


def test_a_claim_is_noted_with_its_round_and_shown_in_prompts() -> None:
    enacted = elected_and_discarded()
    claim = buttons(enacted, "claim")[-1]
    after = press(thinks(enacted.room, Scripted(enact="fascist")).room, "claim", ANNA, *claim)
    assert [(c.seat, c.round) for c in playing(after.room).claims if c.seat == 0] == [(0, 1)]
    edit, bare = after.effects
    assert isinstance(edit, Edit)
    assert edit.to == ToSeat(Seat(0))
    assert bare == ClearButtons(ToSeat(Seat(0)), "claim0"), "somebody is nominated, so it cannot be changed"
    assert "Ada\u2069</b> says" in edit.text
    assert len(buttons(after, "answer")) == 2


def test_an_early_claim_in_practice_is_told_or_asked_again() -> None:
    passed = elected_and_discarded()
    lie = press(passed.room, "claim", ANNA, *buttons(passed, "claim")[-1])
    assert toast(lie) == plain("claim.early")
    told = thinks(lie.room, Scripted(enact="fascist"))
    assert [c.said for c in playing(told.room).claims if c.seat == 0] == [("fascist",) * 3]
    shown = thinks(lie.room, Scripted(enact="liberal"))
    assert [c for c in playing(shown.room).claims if c.seat == 0] == []
    again = [one for one in shown.effects if isinstance(one, Post) and plain("claim.impossible") in one.text]
    assert len(again) == 1
    assert len([row for row in again[0].keyboard for _ in row]) == 3


def elected_and_discarded(**more: Any) -> Outcome:
    """Let Anna, as President, pass two policies on."""
    voted = choose(choose(practising(deck="lff", **more), 1).room, "ja", 0)
    return choose(thinks(voted.room, Scripted(ballot="ja")).room, "fascist", 0)


@pytest.mark.parametrize("language", ["en", "de"])
def test_claims_under_a_picture_cut_no_news(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A smaller limit than the real one, since this table's messages are short, whatever the names.
    monkeypatch.setattr(practising_messages, "CAPTION", 850)
    enacted = elected_and_discarded(players=7, advice=True)
    claim = buttons(enacted, "claim")[-1]
    room = thinks(enacted.room, Scripted(enact="fascist")).room
    pictures = 0
    for length in range(1, 65):
        seated = playing(room).players
        named = tuple(replace(p, language=language, name=(p.name * 64)[:length]) for p in seated)
        asked_now = replace(room, match=replace(playing(room), players=named))
        question = open_question(playing(asked_now).game, 0)
        post = practising_messages.message(asked_now, playing(asked_now), Seat(0), question)
        if post.picture is not None:
            pictured = replace(asked_now, match=replace(playing(asked_now), pictured=True))
            edit, _ = press(pictured, "claim", ANNA, *claim).effects
            assert isinstance(edit, Edit)
            assert "\n…\n" not in edit.text
            pictures += 1
    assert 0 < pictures < 64, "where it would not fit, words say it alone"


# --- hints and advice ---------------------------------------------------------------------------------------


def hint(room: Room) -> Outcome:
    return press(room, "advise", ANNA, playing(room).number, playing(room).game.asked)


def test_a_hint_changes_nothing_and_keeps_the_buttons() -> None:
    before = choose(practising(advice=True), 1).room
    after = hint(before)
    assert after.room == before
    (edit,) = after.effects
    assert isinstance(edit, Edit)
    assert (edit.to, edit.name) == (ToSeat(Seat(0)), "seat0")
    assert "would choose" in edit.text
    assert len(buttons(after, "answer")) == 2
    assert buttons(after, "advise") == [], "there is one hint for a question"


def test_a_hint_knows_claims_and_the_seats_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[object, ...]] = []

    def advise(*known: object) -> tuple[int, tuple[()]]:
        heard.append(known)
        return 0, ()

    monkeypatch.setattr(ai, "advise", advise)
    enacted = elected_and_discarded()
    claim = next(args for args in buttons(enacted, "claim"))
    room = thinks(enacted.room, Scripted(enact="fascist")).room
    room = press(room, "claim", ANNA, *claim).room
    hint(room)
    match = playing(room)
    assert match.claims
    assert heard == [(match.view(Seat(0)), match.claims, question_for(match.game, Seat(0)))]


def test_an_answered_question_gets_no_hint() -> None:
    before = choose(practising(), 1).room
    for number, question, why in ((1, 1, "illegal.closed"), (7, 2, "illegal.over")):
        refuses(press(before, "advise", ANNA, number, question), before, why)


def test_newcomers_are_advised_and_others_only_if_they_ask() -> None:
    new, old = (choose(practising(advice=advice), 1) for advice in (True, False))
    said = words("advice.ballot.first", ja="👍 Ja", nein="👎 Nein")
    assert said in reads(new)[-1]
    assert said not in reads(old)[-1]
    assert buttons(old, "advise") == [(1, 2)]
