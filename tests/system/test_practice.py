"""Practice: one person against computers, in their own chat, through the entries.

PRACTICE=all pytest tests/system/test_practice.py       # the largest tables as well
"""

import os
import random
from typing import Any

import pytest
from markupsafe import Markup

import ai
from ai.reasons import CODES
from bot.display.advice import ALIKE, advice_line, hint_text
from bot.display.telling import Telling
from bot.display.words import Words, languages
from bot.rooms.names import ChatId, RoomName
from bot.rooms.player import Player
from engine import OFFERED, Chance, Seat, Setup, dealt, question_for, start, view
from engine.claim import Claim
from handlers.service.admission import PRIVATE_TAPS_PER_MINUTE
from infra.observability import clean
from infra.store.archives import Archives
from infra.store.orders import REMEMBERED_SECONDS, Orders
from infra.store.table import DynamoTable
from sandbox.harness import TABLE, Harness
from tests.engine.builders import open_question
from tests.system.alone import Alone
from tests.system.table import Table, link_of
from tests.worlds import World, pairs

#: The smallest table of each ruleset; with PRACTICE=all the largest as well.
TABLES = [
    (rules.name, players)
    for rules in OFFERED
    for players in (min(rules.players), max(rules.players))
    if players == min(rules.players) or os.environ.get("PRACTICE") == "all"
]


@pytest.fixture
def anna(at: Harness) -> Alone:
    return Alone(at)


def begun(anna: Alone, **deal: Any) -> Alone:
    """Start a game of five. Anna has the first seat and is the first candidate."""
    roles = ("liberal",) * 3 + ("fascist", "hitler")
    return anna.say("/practice").start(dealt(**{"roles": roles, "first": 0, **deal}))


def set_up(anna: Alone, ruleset: str, players: int) -> None:
    name = Words().plain(f"ruleset.{ruleset}")
    anna.tap("setup")
    anna.tap("setup")
    anna.tap("setup", [rules.name for rules in OFFERED].index(ruleset))
    anna.tap("setup", -1)
    assert name in anna.views()[-1].text
    while (lobby := anna.room().lobby) is not None and len(lobby.players) < players:
        anna.tap("computers", -1)


# --- a game -------------------------------------------------------------------------------------------


def test_one_tap_after_practice_starts_a_game_of_five(anna: Alone) -> None:
    anna.say("/practice")
    assert "You and 4 computers" in anna.text()
    assert anna.tap("start") == "Here we go!"
    match = anna.match()
    assert [player.computer for player in match.players] == [False, True, True, True, True]
    assert match.proof.unproven_reason is not None, "there is nobody to whom it had to be proven"
    assert anna.asked()
    assert {call.chat for call in anna.tg.journal if call.chat is not None} == {anna.user.id}


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_every_ruleset_and_size_is_practised_unrecorded(anna: Alone, ruleset: str, players: int) -> None:
    anna.say("/practice")
    set_up(anna, ruleset, players)
    anna.start()
    assert len(anna.match().players) == players
    anna.play()
    assert anna.match().won
    texts = "\n".join(view.text for view in anna.views())
    assert "Who was who" in texts
    assert "What really happened" in texts
    kept = anna.harness.built.app.users.load(anna.user.id)
    assert (kept.counts, kept.finished) == ({}, 0)
    archives = Archives(DynamoTable(anna.harness.client, TABLE))  # type: ignore[arg-type]
    assert not list(archives.latest(RoomName(ChatId(anna.user.id)).key))
    assert {call.chat for call in anna.tg.journal if call.chat is not None} == {anna.user.id}


def test_unfit_options_say_why_and_start_nothing(anna: Alone) -> None:
    anna.say("/practice")
    set_up(anna, "xl", 16)
    assert anna.room().lobby is not None
    refused = "Sixteen players need" in anna.text()
    anna.tap("setup")
    for value in ("5 slots", "6 slots"):
        if refused:
            break
        anna.tap("setup", label="Liberal track")
        assert "How many Liberal policies win the game." in anna.text()
        anna.tap("setup", label=value)
        refused = "Sixteen players need" in anna.text()
    assert refused
    assert "Sixteen players need" in anna.tap("start")
    assert anna.room().match is None


def test_a_hand_and_its_claims_are_read_by_computers(anna: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[Claim, ...]] = []
    choose = ai.choose

    def noted(known: Any, question: Any, claims: Any, *rest: Any) -> int:
        heard.append(tuple(claims))
        return choose(known, question, claims, *rest) if question.step != "ballot" else 0

    monkeypatch.setattr(ai, "choose", noted)
    begun(anna)
    anna.tap("answer")  # nominates
    anna.tap("answer", label="Ja")
    question = open_question(anna.match().game, 0)
    assert question.step == "discard"
    anna.tap("answer")
    record = next(view.text for view in anna.views() if "You drew" in view.text)
    assert "You discarded" in record
    assert "Ja (5)" in record, "what had happened before stays above it"
    heard.clear()
    assert anna.tap("claim", label="✅") == Words("en").plain("claim.made.late")
    assert " says " in anna.text()
    assert anna.text().index("Anna\u2069 says") < anna.text().index("Round 2"), "it is of the first"
    anna.tap("answer", label="Ja")
    assert all(any(claim.seat == 0 for claim in claims) for claims in heard)
    assert heard


def test_practice_is_found_among_many_groups(anna: Alone) -> None:
    begun(anna)
    for chat in range(12):
        anna.harness.clock.advance(1)  # type: ignore[attr-defined]
        users = anna.harness.built.app.users
        users.save(anna.user.id, add_rooms=[RoomName(ChatId(-1000 - chat)).key])
    anna.say("/history")
    assert "Anna" in anna.text()
    assert "/history" not in anna.text(), "help would name the commands"


def _button(anna: Alone, verb: str) -> tuple[Any, str]:
    message, found = anna.buttons(verb)
    return message, found[0]["callback_data"]


# --- setting up ---------------------------------------------------------------------------------------


# --- the ways in --------------------------------------------------------------------------------------


def test_a_lobbys_button_leads_to_practice_by_its_rules(table: Table) -> None:
    link = link_of(table.gather(3, Setup("red-dawn@1", 0)).press(table.people[1], "learn"))
    assert "?start=practice_" in link
    table.follow(table.people[1], link)
    ben = Alone(table.harness, table.people[1])
    assert "Practice: Red Dawn" in ben.text()
    ben.start()
    assert ben.match().game.setup.ruleset == "red-dawn@1"


@pytest.mark.parametrize("way", ["/start", "/help", "/start practice"])
def test_start_and_help_are_one_tap_away_from_it(anna: Alone, way: str) -> None:
    anna.say(way)
    if "practice" not in way:
        anna.tap("practice")
    assert "You and 4 computers" in anna.text()


# --- advice -------------------------------------------------------------------------------------------


def test_group_players_are_not_advised_but_may_ask(table: Table) -> None:
    table.open(5).hurry()
    ben = Alone(table.harness, table.people[1]).say("/practice")
    lobby = ben.room().lobby
    assert lobby is not None
    assert lobby.practice is not None
    assert not lobby.practice.advice
    ben.tap("setup")
    assert ben.tap("setup", label="Advice") == "Advice: on"
    ben.start(dealt((), Seat(0)))
    assert "🧭" in ben.text()


def test_the_lamp_says_what_a_good_player_would_do(anna: Alone) -> None:
    begun(anna, roles=("fascist", "liberal", "liberal", "liberal", "hitler"))
    anna.tap("answer")
    anna.tap("advise")
    assert "A good player in your seat would choose" in anna.text()
    assert "•" in anna.text()
    assert "None of these has governed yet" not in anna.text(), "a hint is more than advice"
    with pytest.raises(LookupError):
        anna.tap("advise")
    assert anna.asked()


def test_a_lamp_of_an_earlier_question_or_game_says_so(anna: Alone) -> None:
    begun(anna)
    message, data = _button(anna, "advise")
    anna.tap("answer")
    assert anna.tap_on(message, data) == "That has been decided already."
    anna.play()
    assert anna.tap_on(message, data) == "That game is over."


@pytest.mark.thorough
def test_a_hint_never_makes_a_caption_too_long(anna: Alone) -> None:
    """Every prompt of a game with the most players, with its hint: Telegram documents 1024."""
    anna.say("/practice")
    set_up(anna, "classic", 10)
    anna.start()
    for _ in range(25):
        if anna.match().over:
            break
        anna.tap("advise")
        assert "💡" in anna.text() or "•" in anna.text()
        anna.tap("answer")


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_advice_is_the_same_in_two_like_worlds(rules: Any) -> None:
    rng, compared, different = random.Random(rules.id), 0, 0
    for size in sorted(rules.players)[:3]:
        for pair in pairs(Setup(rules.id, size), rng, [Seat(rng.randrange(size))]):
            pair.play()
            different += pair.left.chance != pair.right.chance
            left, right = (_advised(pair, side) for side in (0, 1))
            assert left == right, f"seat {pair.viewer} of {pair.setup}"
            compared += len(left)
    assert different
    assert compared > 5


def _advised(pair: Any, side: int) -> list[tuple[Markup, Markup]]:
    """Return advice and hint for the viewer in one of two worlds, for each of their questions."""
    world = World(*start(pair.setup, (pair.left, pair.right)[side].chance))
    events, said = list(world.told), []
    people = tuple(Player(None, f"P{seat}", "en", computer=True) for seat in range(pair.setup.players))
    for step in pair.script:
        question = question_for(world.game, pair.viewer)
        if question is not None:
            known = view(events, pair.viewer)
            telling = Telling(known, people, Words())
            hint = hint_text(telling, question, *ai.advise(known, (), question))
            said.append((advice_line(telling, question), hint))
        world.do(step[side])
        events += world.told
    return said


def test_every_question_has_advice_and_every_reason_words() -> None:
    for language in languages():
        for theme in ("weimar", "cold-war"):
            words = Words(language, theme)
            assert all(words.has(f"reason.{code}") for code in CODES)
            for step in ALIKE.values():
                said = words.has(f"advice.{step}") or words.has(f"advice.{step}.open")
                assert said, step


# --- leaving, and what stays --------------------------------------------------------------------------


def test_forgetting_deletes_the_room_whose_key_is_the_persons_id(anna: Alone) -> None:
    begun(anna).say("/forget").tap("forget")
    assert anna.item() is None
    assert anna.harness.built.app.users.load(anna.user.id).rooms == frozenset()
    anna.say("/practice")
    assert anna.room().lobby_count == 1, "everything begins again"


def test_a_year_of_silence_deletes_what_nobody_looked_after(anna: Alone) -> None:
    begun(anna)
    anna.harness.clock.advance(400 * 86400)  # type: ignore[attr-defined]
    anna.harness.built.cleanup.run(anna.harness.clock() + 60)
    assert anna.item() is None


# --- beside other things ------------------------------------------------------------------------------


def test_a_practice_and_a_groups_game_at_once_are_told_apart(table: Table) -> None:
    table.open(5, first=0)
    ben = Alone(table.harness, table.people[1]).say("/practice").start(dealt((), Seat(0)))
    assert ben.text().startswith("🎓 Practice\n")
    table.nominate(1)
    assert "The Reichstag" in ben.text().partition("\n")[0]
    asked = table.match().game.asked
    practised = ben.match().game.asked
    message = next(v for v in ben.views() if v.text.startswith("🎓") and "answer|" in str(v.keyboard))
    ben.tap_on(message, message.buttons()[0]["callback_data"])
    assert ben.match().game.asked > practised
    assert table.match().game.asked == asked
    games = ben.say("/games").text()
    assert "Practice" in games
    assert "The Reichstag" in games
    assert ben.say("/role").text().count("🎭") == 2


def test_another_language_holds_for_the_next_message(anna: Alone) -> None:
    begun(anna).say("/language").tap("language", label="Deutsch")
    anna.tap("answer")
    assert anna.text().startswith("🎓 Übung\n")
    assert "Wie stimmst du?" in anna.text()


def test_nobody_taps_in_anothers_chat(anna: Alone, at: Harness) -> None:
    begun(anna)
    before = anna.room()
    ben = Alone(at, name="Ben").say("/start")
    message = ben.views()[-1]
    for verb in ("answer", "advise"):
        data = _button(anna, verb)[1]
        assert ben.tap_on(message, data) == ""
    assert anna.room() == before
    for data in ("sit|{}|1|0", "erase|{}|1|1", "set|{}|0|0", "cancel|{}|1|1|1", "rules|{}|0|0|0"):
        anna.tap_on(anna.views()[-1], data.format(RoomName(ChatId(anna.user.id)).short))
    assert anna.room() == before, "nor does one's own chat have what only groups have"


def test_a_pause_or_ban_begins_no_new_practice(anna: Alone) -> None:
    orders = anna.harness.built.app.admission.orders
    assert isinstance(orders, Orders)
    anna.say("/practice")
    orders.pause(True)
    anna.harness.clock.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    assert "no new games" in anna.tap("start")
    assert "no new games" in anna.say("/practice").text()
    orders.pause(False)
    orders.ban(anna.user.id)
    anna.harness.clock.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    anna.tap("start")
    before = len(anna.views())
    anna.say("/practice")
    assert anna.room().match is None
    assert len(anna.views()) == before


def test_a_bot_for_some_groups_lets_only_their_people_practise(at: Harness, table: Table) -> None:
    keeper = at.built.app.admission
    table.gather(3)
    stranger = Alone(at, name="Zoe")
    object.__setattr__(keeper, "allowed_chats", frozenset({table.group.id}))
    stranger.say("/practice")
    assert stranger.item() is None
    assert "/newgame" in stranger.text(), "what helps instead"
    assert "You and 4 computers" in Alone(at, table.people[0]).say("/practice").text()


def test_too_many_taps_are_answered_no_more_and_said_once(anna: Alone) -> None:
    begun(anna)
    message = anna.views()[-1]
    data = f"advise|{RoomName(ChatId(anna.user.id)).short}|1|1"
    query = [anna.tg.tap(anna.user, message, data, forged=True) for _ in range(PRIVATE_TAPS_PER_MINUTE + 5)]
    anna.harness.settle()
    said = [one.answer.text for one in query if one.answer is not None]
    slow = [text for text in map(str.lower, said) if "too" in text or "slow" in text or "minute" in text]
    assert len(slow) == 1


def test_a_blocker_is_asked_again_on_return(anna: Alone) -> None:
    begun(anna)
    message, data = _button(anna, "answer")
    anna.user.blocked = True
    anna.tap_on(message, data)
    item = anna.item()
    assert item is not None
    assert item.outbox == {}, "nothing is tried for ever"
    assert not anna.match().over
    anna.user.blocked = False
    anna.say("/practice").tap("practice", label="Play on")
    assert anna.asked()


# --- what ten games read as a newcomer showed ---------------------------------------------------------


def test_history_votes_and_board_work_in_practice(anna: Alone) -> None:
    begun(anna)
    anna.tap("answer")
    anna.tap("answer")
    assert "📚 So far" in anna.say("/history").text()
    assert "\n1. " in anna.text()
    assert "🗳" in anna.say("/votes").text()
    assert anna.say("/board").views()[-1].photo is not None
    assert "Detlef" in anna.say("/players").text()
    assert anna.say("/status").text().startswith("🎓 Practice\n")
    anna.tap("answer")
    anna.say("/leave").tap("practice", label="End")
    assert anna.room().match is None
    assert "I run games" in anna.say("/history").text(), "there is none"


@pytest.mark.parametrize("seed", [8, 27, 42])
@pytest.mark.quick("8")
def test_nothing_that_happened_is_cut_for_the_sake_of_a_picture(anna: Alone, seed: int) -> None:
    """At the largest table, whose ballots alone fill half a caption; in meetings, too."""
    anna.say("/practice")
    set_up(anna, "xl", 16)
    if "Sixteen players need" in anna.text():
        anna.tap("setup")
        anna.tap("setup", label="Liberal track")
    anna.start(Chance(f"{seed:064x}"))
    for _ in range(25):
        if anna.match().over:
            break
        assert "…" not in anna.text()
        anna.tap("answer", -1 if "how do you vote" in anna.text() else 0)


def test_no_log_line_has_the_key_of_a_persons_room() -> None:
    assert clean({"room": RoomName(ChatId(77)).key}) == {"room": "…"}
    assert clean({"room": RoomName(ChatId(-77)).key}) == {"room": "room#-77"}
