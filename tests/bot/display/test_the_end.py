"""The end of a game shows every role with its party, and everything that happened in secret."""

import re

import pytest

from bot.display.buttons import LONGEST
from bot.display.expansions import SHOWN
from bot.display.history import replay_texts
from bot.display.reveal import roles_text
from bot.display.words import shown_length
from bot.records.ratings import result_of
from bot.rooms.model import Match
from bot.rooms.names import UserId
from bot.rooms.sealing import Proof
from engine import Seat
from engine.facts import GameOver
from engine.question import JA, NEIN
from sandbox.game import NAMES
from scripts.catalogues import compile_all
from tests.bot.conversation.texts import read, telling
from tests.engine.builders import Play, with_veto
from tests.engine.rulesets.games import board, drawn, red_dawn, xl

compile_all()


def roles(play: Play) -> list[str]:
    shown = telling(play, NAMES)
    match = Match(1, UserId(0), Proof("00"), shown.players, play.game, tuple(play.events))
    return [line.partition(": ")[2] for line in read(roles_text(shown, match)).splitlines()[1:]]


def replay(play: Play) -> str:
    return read("\n".join(replay_texts(telling(play, NAMES), ())))


@pytest.mark.rule("R1.45", "R4.31")
def test_at_the_end_a_secret_role_is_shown_with_its_party() -> None:
    play = red_dawn(6, roles="fascist:monarchist l l l h c", options={"secret-roles": "on"})
    assert roles(play.clock_out())[0].startswith("Monarchist (Fascist)")


@pytest.mark.rule("R1.45", "R4.20")
def test_at_the_end_recruits_are_shown_with_their_party() -> None:
    play = red_dawn(6, "cll cll").govern("c").clock().govern("c").say(0, 5).clock()
    shown = roles(play.clock_out())
    assert shown[0].startswith("Liberal, now Communist")
    assert shown[1] in ("Liberal", "Liberal 🏆")
    assert "✊ The Communists → #1 Anna" in replay(play)
    assert "✊ #1 Anna was made Communist." in replay(play)


@pytest.mark.rule("R1.45", "R4.21")
def test_at_the_end_a_recruitment_that_failed_is_told() -> None:
    play = red_dawn(6, "cll cll").govern("c").clock().govern("c").say(4, 5).clock().clock_out()
    assert play.table.roles[4] == "hitler"
    assert "✊ The Communists → #5 Emma" in replay(play)
    assert "#5 Emma was made" not in replay(play)


@pytest.mark.rule("R1.45", "R4.43")
def test_at_the_end_whom_the_chancellor_tried_to_convert_is_told() -> None:
    play = red_dawn(7, "communist:convert ll", options={"article-48": "on"}).govern("communist:convert", 1)
    play.clock().say(5)
    assert "✊ #2 Ben → #6 Felix" in replay(play.clock_out())


@pytest.mark.rule("R1.45", "R2.4")
@pytest.mark.parametrize("vetoed", [True, False])
def test_at_the_end_sealed_ballots_are_told(vetoed: bool) -> None:
    play = with_veto(options={"veto": "sealed"}).elect()
    president, chancellor = play.table.president, play.table.chancellor
    play.discard("fascist").say("liberal")
    play.say(JA, president).say(JA if vetoed else NEIN, chancellor)
    names = f"#{president + 1} {NAMES[president]}", f"#{chancellor + 1} {NAMES[chancellor]}"
    answer = "👍 Ja" if vetoed else "👎 Nein"
    told = replay(play.clock_out())
    assert f"✉️ {names[1]} → 🔵\n" in told
    assert f"({names[0]} → 👍 Ja · {names[1]} → {answer})" in told


@pytest.mark.rule("R1.45", "R5.28")
def test_at_the_end_what_an_impeachment_showed_is_told() -> None:
    play = xl(11, "article-48:impeachment ll", options={"emergency-powers": "more"})
    play.govern("article-48:impeachment", 1).say(7)
    party = {"liberal": "Liberal", "fascist": "Fascist"}[play.table.parties[1]]
    assert f"🔎 #8 Hugo saw #2 Ben: {party}" in replay(play.clock_out())


@pytest.mark.rule("R1.45")
def test_a_long_replay_takes_as_many_messages_as_it_needs() -> None:
    play = drawn("xl@1", 16, 11)
    rounds = 0
    while play.step is not None:
        if play.step == "ballot":
            rounds += 1
            play.vote(("n" if rounds % 3 else "j") * play.voters)
        else:
            play.clock()
    texts = replay_texts(telling(play, [name + "🦄" * 20 for name in NAMES]), ())
    assert len(texts) > 1
    assert all(shown_length(text) <= LONGEST for text in texts), "as Telegram counts, emoji are two each"
    numbers = re.findall(r"^(?:📯 )?(\d+)\. ", read("\n".join(texts)), re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, play.table.round + 1))
    assert "…" not in "".join(texts)


@pytest.mark.rule("R5.41")
def test_a_role_that_wins_apart_is_named_and_its_seat_is_marked() -> None:
    options = dict.fromkeys(("xl-capitalist", "xl-anarchist", "xl-monarchist"), "on")
    dealt = "lll liberal:xl-capitalist f fascist:xl-monarchist h c communist:xl-anarchist"
    kills = board("xl@1", 9, options, tracks={"fascist": ("kill", *[None] * 5)})
    play = xl(9, "fll", dealt, board=kills, options=options).govern("f", 1).target(6)
    lines = roles(play)
    marked = [seat for seat, line in enumerate(lines) if line.endswith("🏆")]
    assert marked == [0, 1, 2, 3, 7, 8]
    assert lines[3].endswith("Capitalist (Liberal) 🏆")
    over = read(str(SHOWN.lines[GameOver](telling(play), play.told(GameOver)[0])))
    assert "The Liberals + The Communists + The Capitalist + The Anarchist win!" in over
    assert result_of(play.events).sides[3] == "xl-capitalist"
    assert [result_of(play.events).won(Seat(seat)) for seat in (3, 5, 8)] == [True, False, True]
