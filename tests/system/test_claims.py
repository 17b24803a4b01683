"""Claims after sessions, peeks and investigations, /history, and the replay, which shows lies."""

import pytest

from bot.conversation.game.claim_buttons import whisper_rows
from bot.display.words import Words
from engine import Chance, Seat
from engine.facts import Peeked
from tests.system.table import Prompt, Table, answered, said


def claim(table: Table, seat: int, label: str) -> str:
    """Tap a claim under a seat's newest message that offers it; return the toast."""
    for view in reversed(table.seat(seat).views()):
        if any(label in text for text in view.labels()):
            return answered(Prompt(table.seat(seat), view).tap(label))
    raise LookupError(f"no such claim: {label}")


def session(table: Table) -> Table:
    """Play one round in which a Fascist tile is enacted: Anna drew L F F and passed on F F."""
    table.open(7, deck="lff lff lll lff")
    return table.elect(1).discard("l").enact("f")


def test_claims_ride_as_news_in_the_next_post_alone(table: Table) -> None:
    session(table)
    before = len(table.group_views())
    claim(table, 0, "🔵🔵🟥")
    claim(table, 1, "🟥🟥")
    assert len(table.group_views()) == before
    assert "says" not in table.group_text()
    table.nominate(2)
    told = "💬 Round 1: #1 Anna says 🔵🔵🟥 · #2 Ben says 🟥🟥 ⚡ they can't both be true"
    assert told in said(table.group_text())
    table.vote("jjjjjjj")
    assert len([text for text in table.group_texts() if " says " in said(text)]) == 1


def test_claims_have_a_post_of_their_own_if_none_follows(table: Table) -> None:
    session(table)
    claim(table, 0, "🟥🟥🟥")
    posts = len(table.group_views())
    table.wait(10)
    assert len(table.group_views()) == posts
    table.wait(15)
    assert said(table.group_text()) == "💬 #1 Anna says 🟥🟥🟥"
    claim(table, 1, "🟥🟥")
    table.wait(30)
    assert len(table.group_views()) == posts + 1, "one a round"
    assert any("#2 Ben says 🟥🟥" in said(text) for text in table.group_texts())


def test_a_claim_is_shown_and_can_be_changed_until_a_nomination(table: Table) -> None:
    session(table)
    assert claim(table, 0, "🔵🔵🟥") == Words("en").plain("claim.made")
    lies = said(table.seat(0).text())
    assert "You drew 🔵🟥🟥" in lies
    assert "You discarded 🔵" in lies
    assert "Your claim: 🔵🔵🟥." in lies
    claim(table, 0, "🔵🟥🟥")
    assert "Your claim: 🔵🟥🟥." in said(table.seat(0).text())
    held = table.seat(0).views()[-1]
    data = [button["callback_data"] for button in held.buttons()]
    assert len(data) == 3, "nobody would believe three Liberal policies"
    table.nominate(2)
    assert held.buttons() == []
    assert table.forge(table.people[0], data[0], held).startswith("Too late")
    (made,) = table.match().claims
    assert sorted(made.said) == ["fascist", "fascist", "liberal"]


def test_a_lie_stands_beside_the_truth_in_ones_own_card(table: Table) -> None:
    """After a few rounds a liar no longer knew what they had said."""
    session(table)
    claim(table, 0, "🔵🔵🟥")
    claim(table, 1, "🟥🟥")
    table.pass_time(60)
    for seat, lies in ((0, True), (1, False)):
        table.seat(seat).say("/role")
        card = said(table.seat(seat).text())
        assert "🟥🟥" in card
        assert ("Your claim: 🔵🔵🟥." in card) is lies


def test_a_claim_shows_the_hand_of_its_own_session(table: Table) -> None:
    """The hand of a later session showed under an older claim while its holder still had to discard."""
    session(table)
    table.elect(3)
    held = next(view for view in table.seat(1).views() if "You were handed" in view.text)
    data = next(b["callback_data"] for b in held.buttons() if "🔵" not in b["text"])
    table.tap(table.people[1], held, data)
    shown = next(said(text) for text in table.seat(1).texts() if "Your claim:" in text)
    assert "You were handed 🟥🟥" in shown


def test_a_claim_notes_only_what_the_group_has_seen(table: Table) -> None:
    session(table)
    claim(table, 0, "🟥🟥🟥")
    (made,) = table.match().claims
    seen = table.match().view(None).facts
    assert made.at == len(seen) < len(table.match().log), "nobody but its holder saw a role"
    table.nominate(2)
    assert table.match().view(None).facts[: made.at] == seen


def test_history_shows_governments_votes_and_claims(table: Table) -> None:
    session(table)
    claim(table, 0, "🔵🔵🟥")
    claim(table, 1, "🟥🟥")
    table.say(table.people[4], "/history")
    history = said(table.group_text())
    assert "1. #1 Anna → #2 Ben ✅ 7–0" in history
    assert "#2 Ben says 🟥🟥" in history
    assert history.endswith("2. #2 Ben → – …"), "the round that goes on has neither failed nor any ballots"
    assert "💬 #1 Anna says 🔵🔵🟥 · #2 Ben says 🟥🟥 ⚡ they can't both be true" in history


def truth_in(texts: list[str]) -> str:
    """Return the replay from its title on, joined from its messages."""
    together = "\n".join(texts)
    return together[together.index("What really happened") :]


def test_after_the_game_history_tells_hands_and_lies(table: Table) -> None:
    session(table)
    claim(table, 0, "🟥🟥🟥")
    table.hurry()
    posts = len(table.group_texts())
    table.say(table.people[4], "/history")
    history = said(truth_in(table.group_texts()[posts:]))
    assert "So far" not in history
    assert "#1 Anna drew 🔵🟥🟥 🗑 🔵" in history
    assert "#2 Ben was handed 🟥🟥 🗑 🟥" in history
    assert "not true" in history


def claims_offered(table: Table, seat: int) -> bool:
    buttons = [button for view in table.seat(seat).views() for button in view.buttons()]
    return any(button.get("callback_data", "").startswith("claim|") for button in buttons)


@pytest.mark.rule("R5.35")
@pytest.mark.parametrize("month", [10, 9])
def test_in_october_no_claim_is_offered_to_the_blind(table: Table, month: int) -> None:
    deal = Chance("00", {"month": (month,), "first": (0,), "deck/1": ("liberal",) * 3})
    table.open(6, ruleset="xl@1", options={"oktoberfest": "on"}, chance=deal).nominate(1)
    for seat in table.waiting():
        ja = table.question().options[seat].index("ja")
        table.seat(seat).prompt().tap(f"Card {ja + 1}" if month == 10 else "Ja")
    table.choose().choose()
    assert table.match().game.table.tracks["liberal"] == ("liberal",)
    assert [claims_offered(table, seat) for seat in (0, 1)] == [month != 10] * 2


@pytest.mark.rule("R5.32")
def test_a_peek_of_fewer_than_three_cannot_be_claimed(table: Table) -> None:
    table.open(5)
    room, match = table.room(), table.match()
    assert whisper_rows(room, match, Seat(0), Peeked(Seat(0), ("fascist",) * 3), 20)
    assert whisper_rows(room, match, Seat(0), Peeked(Seat(0), ("fascist",) * 2), 20) == ()


def test_history_never_shows_what_the_group_may_not_know(table: Table) -> None:
    table.open(9, roles="lllllfffh", deck="lff lff lff lff lff f").govern(1, "f").target(2)
    table.say(table.people[4], "/history")
    assert "drew" not in table.group_text()
    assert "discarded" not in table.group_text()
    assert "saw" not in table.group_text()
