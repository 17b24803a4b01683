"""In whole games, each private prompt comes with all that the group was told since the last one."""

import random
from typing import Any

import pytest

from bot.conversation.game.tidying import learned
from bot.rooms.rounds import Round, split_into_rounds, truth
from engine import Chance, Question, Seat, board_of, in_hitler_zone, ruleset
from engine.claim import colour
from engine.facts import Shuffled
from engine.setups import option_sets
from engine.table import NOT_HITLER
from engine.tiles import kind
from sandbox.harness import harness_in_memory
from sandbox.telegram.html import parse
from tests.engine.builders import open_question
from tests.system.table import Table, said

DANGER = "⚠️ The Fascists now win if Hitler becomes Chancellor."
CHAOS = "⚠️ If this election fails, the top policy is enacted."
VETO = "⚠️ With a veto, the top policy is enacted."
PARTIES: dict[Any, str] = {"liberal": "Liberal", "fascist": "Fascist", "communist": "Communist"}
SIGNS = {"liberal": "🔵", "fascist": "🟥", "communist": "🔶"}


def called(table: Table, seat: int) -> str:
    return f"#{seat + 1} {table.people[seat].first_name}"


def claim_all(table: Table, rng: random.Random) -> None:
    """Let everybody with something new to claim do so, at random."""
    match = table.match()
    for seat in range(len(table.people)):
        for view in table.seat(seat).views()[-3:]:
            data = [button.get("callback_data", "") for button in view.buttons()]
            claims = [text for text in data if text.startswith("claim|")]
            number = int(claims[0].split("|")[3]) if claims else 0
            if number >= match.round - 1 and number:
                table.pass_time()
                table.tap(table.people[seat], view, rng.choice(claims))


class Chat:
    """All that a person has read in their private chat, in the order in which it came."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard: dict[int, set[str]] = {}
        self._calls = 0

    def lines(self, seat: int) -> set[str]:
        """Return every line that a seat has been shown so far, edits included."""
        calls = self.table.tg.journal
        for call in calls[self._calls :]:
            text = parse(str(call.params.get("text", "")))[0]
            self.heard.setdefault(int(call.params.get("chat_id", 0)), set()).update(said(text).splitlines())
        self._calls = len(calls)
        return self.heard.get(self.table.people[seat].id, set())


def result_of(table: Table, round_: Round) -> list[str]:
    """Return what a line about a round's government must hold."""
    assert round_.chancellor is not None
    parts = [called(table, round_.president), called(table, round_.chancellor)]
    if round_.vetoed:
        return [*parts, "vetoed both policies"]
    parts.append(f"{round_.ja}–{round_.nein}")
    if not round_.elected:
        return [*parts, "voted down"]
    enacted = round_.enacted and not round_.chaos
    return [*parts, "enacted by", SIGNS.get(kind(round_.enacted[0]), "")] if enacted else parts


def told(lines: set[str] | list[str], parts: list[str]) -> bool:
    """Return whether one of the lines holds all of these."""
    return any(all(part in line for part in parts) for line in lines)


def check_prompt(table: Table, chat: Chat, seat: int) -> None:
    """Check that with this prompt a seat knows every government, its result, its claims, and the danger."""
    match, text = table.match(), said(table.seat(seat).prompt().text)
    question = open_question(match.game)
    lines, heard = text.splitlines(), chat.lines(seat)
    played = split_into_rounds(match.view(None).facts)
    rounds = [round_ for round_ in played if round_.chancellor is not None and round_.resolved]
    over = [round_ for round_ in rounds if round_.number < match.round]
    for round_ in over:
        assert told(heard, result_of(table, round_)), (round_, sorted(heard))
        if round_.chaos:
            assert told(heard, ["💥", *(SIGNS.get(kind(tile), "") for tile in round_.enacted)])
        for claim in match.claims:
            if claim.round == round_.number and claim.kind in ("president", "chancellor", "peek"):
                hand = "".join(SIGNS.get(each, "🚨") for each in claim.said)
                assert told(heard, [f"{called(table, claim.seat)} says ", hand]), (claim, sorted(heard))
    facts = [fact for round_ in over for fact in (*round_.before, *round_.facts)]
    for fact in facts:
        if isinstance(fact, Shuffled) and not fact.discards_kept:
            assert told(heard, [f"🔀 The discard pile is shuffled back in. Draw pile: {len(fact.pile)}"])
    if question.step in ("nominate", "ballot") and over:
        latest = over[-1]
        if latest.ballots[seat]:
            assert told(lines, result_of(table, latest)), text
    check_danger(table, question, lines)


def check_known(table: Table, seat: int, lines: list[str]) -> int:
    """Check that each seat to choose from comes with its latest government and the reader's own lie of it.

    Returns how many lies were recalled.
    """
    match, lies = table.match(), 0
    question = open_question(match.game, seat)
    options = [option for option in question.options[question.seats.index(seat)] if isinstance(option, int)]
    latest: dict[int, tuple[int, str]] = {}
    seen: dict[int, tuple[str, str]] = {}
    claims = {(one.seat, one.round): one.said[0] for one in match.claims if one.kind == "party"}
    for round_ in split_into_rounds(match.view(Seat(seat)).facts):
        if round_.chancellor is not None and round_.enacted and not round_.chaos:
            sign = "".join(SIGNS.get(colour(tile), "🚨") for tile in round_.enacted)
            latest[round_.president] = (round_.chancellor, sign)
            latest[round_.chancellor] = (round_.president, sign)
        for looker, target, party in round_.looked:
            claimed = claims.get((Seat(seat), round_.number), party)
            if looker == seat and party is not None and claimed is not None and claimed != party:
                seen[target] = PARTIES[party], PARTIES[claimed]
    for option in [option for option in options if option != seat]:
        about = [line for line in lines if line.startswith(f"{called(table, option)} ")]
        if option in latest:
            other, sign = latest[option]
            named = "you" if other == seat else f"#{other + 1}"
            assert told(about, [sign, f"with {named}"]), (option, lines)
        if option in seen:
            saw, said_then = seen[option]
            assert told(about, [f"you saw: {saw} · 💬 you said: {said_then}"]), lines
            lies += 1
    return lies


def check_card(table: Table, seat: int) -> int:
    """Check that /role tells each of a seat's lies beside what it saw; return how many there are."""
    match, lies = table.match(), 0
    card = "\n".join(said(post.text) for post in learned(table.room(), match, Seat(seat)))
    rounds = split_into_rounds(match.view(Seat(seat)).facts)
    for claim in match.claims:
        real = truth(rounds[claim.round - 1], claim) if claim.seat == seat else None
        if real is not None and real != tuple(sorted(claim.said)):
            shown = "".join(SIGNS.get(each, "🚨") for each in claim.said)
            shown = PARTIES[claim.said[0]] if claim.kind == "party" else shown
            assert f"Your claim: {shown}." in card, (claim, card)
            lies += 1
    return lies


def check_danger(table: Table, question: Question, lines: list[str]) -> None:
    """Check that a prompt says all that may end the game or enact a policy unseen, and nothing else."""
    view = table.match().view(None)
    now, board = view.table, board_of(view.setup)
    elects = question.step in ("nominate", "ballot")
    cleared = question.step == "ballot" and now.chancellor in now.tagged(NOT_HITLER)
    vetoes = "veto" in question.step or "veto" in question.options[0]
    last = now.tracker + 1 >= board.chaos
    warned = elects or question.step == "special"
    assert lines.count(DANGER) == (warned and in_hitler_zone(now, board) and not cleared)
    assert lines.count(CHAOS) == (elects and last)
    assert lines.count(VETO) == (vetoes and last)
    for track, party in PARTIES.items():
        short = len(board.tracks.get(track, ())) - len(now.tracks.get(track, ()))
        assert lines.count(f"⚠️ One more {party} policy and the {party}s win.") == (short == 1)
    signs, number = [SIGNS[track] for track in board.tracks], len(split_into_rounds(view.facts))
    (board_line,) = [line for line in lines if line.startswith(f"Round {number} · ")]
    assert all(sign in board_line for sign in signs)
    assert ("⏳ Election tracker: " in board_line) == (now.tracker > 0)


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("rules", "players", "seeds"), [("classic@1", 7, (1, 2, 3)), ("xl@1", 14, (6,))])
@pytest.mark.quick("classic@1-7-seeds0")
def test_every_prompt_tells_all_without_the_group(rules: str, players: int, seeds: tuple[int, ...]) -> None:
    read, steps, warned, claims = 0, set(), set(), 0
    recalled, lies = 0, 0
    for seed in seeds:
        with harness_in_memory(seed=seed) as harness:
            table, rng = Table(harness), random.Random(seed)
            options = option_sets(ruleset(rules), players).get("all", {}) if players > 10 else {}
            table.open(players, ruleset=rules, options=options, chance=Chance(f"{seed:064x}"))
            chat = Chat(table)
            while not table.match().over:
                claim_all(table, rng)
                table.wait(25)  # by then the players who are asked have read them
                question = table.match().game.question
                if question is not None:
                    for seat in question.seats:
                        check_prompt(table, chat, seat)
                        lines = said(table.seat(seat).prompt().text).splitlines()
                        recalled += check_known(table, seat, lines)
                        lies += check_card(table, seat)
                        warned |= {line for line in lines if line.startswith("⚠️")}
                        claims += sum(" says " in line for line in lines)
                        read += 1
                    steps.add(question.step)
                table.step_on(rng)
    assert read > 100
    assert {"nominate", "ballot", "discard", "enact"} < steps
    assert {DANGER, CHAOS} < warned
    assert any("One more" in line for line in warned)
    assert claims > 30
    assert recalled > 0
    assert lies > 30
