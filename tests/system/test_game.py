"""A game as its players see it: private prompts, and few posts in the group."""

import random

from engine import Chance
from tests.system.table import Table

#: Names as they appear in texts: isolated, so that they keep their direction.
_NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta")
ANNA, BEN, CLARA, DAVID, EMMA, FELIX, GRETA = (
    f"⁨#{number} {name}⁩" for number, name in enumerate(_NAMES, start=1)
)


def test_every_seat_gets_its_envelope_hidden_and_protected(table: Table) -> None:
    table.open(5, roles="llfhl")
    for seat, role in enumerate(("Liberal", "Liberal", "Fascist", "Hitler", "Liberal")):
        assert table.seat(seat).views()[0].protected
        card = table.seat(seat).say("/role").views()[-1]
        assert f"Your role: {role}" in card.text
        assert card.protected
        spoilers = [e for e in card.entities if e["type"] == "spoiler"]
        hidden = card.text.encode("utf-16-le")[spoilers[0]["offset"] * 2 :].decode("utf-16-le")
        assert f"Your role: {role}" in hidden


def test_who_knows_whom_is_told_as_the_rules_say(table: Table) -> None:
    table.open(7, roles="llllffh")
    told = {seat: table.seat(seat).say("/role").text() for seat in (0, 4, 6)}
    assert f"{FELIX}: Fascist" in told[4]
    assert f"{GRETA}: Hitler" in told[4]
    assert EMMA not in told[6], "with seven, Hitler knows nobody"
    assert FELIX not in told[0]


def test_a_rejected_government_moves_tracker_and_candidacy(table: Table) -> None:
    text = table.open(5).reject(1).group_text()
    assert "The government is rejected" in text
    assert "Election tracker: 1 of 3" in text
    assert f"{BEN} nominates a Chancellor" in text


def test_hands_and_other_secrets_may_not_be_forwarded(table: Table) -> None:
    table.open(5, deck="lff").elect(1).discard("l")
    for seat in (0, 1):
        assert all(view.protected for view in table.seat(seat).views() if "sealed" not in view.text)


def test_an_enactment_names_who_governed(table: Table) -> None:
    table.open(5, deck="lff").govern(1, "l")
    assert f"{ANNA} and {BEN} enacted: 🔵 Liberal" in table.group_text()
    text = table.say(table.people[4], "/board").group_text()
    assert "Liberal: 🔵▫️▫️▫️🏁 1/5" in text
    assert "Draw pile 14 · discard pile 2" in text


def test_a_policy_peek_is_whispered_to_the_president_alone(table: Table) -> None:
    table.open(5, deck="fff fff fff lfl").govern(1, "f").govern(2, "f").govern(3, "f")
    peeks = [[text for text in table.seat(seat).texts() if "👁 The next" in text] for seat in range(5)]
    assert [len(found) for found in peeks] == [0, 0, 1, 0, 0]
    assert "🔵 Liberal · 🟥 Fascist · 🔵 Liberal" in peeks[2][0]
    assert f"{CLARA} looked at the top 3 policies" in "\n".join(table.group_texts())


def test_an_investigation_is_whispered(table: Table) -> None:
    table.open(7, roles="llllffh", deck="fff fff").govern(1, "f").govern(2, "f")
    prompt = table.seat(1).prompt()
    assert "Whose party membership" in prompt.text
    assert BEN not in prompt.labels()
    table.target(6)
    assert f"The party membership of {GRETA}: Fascist" in table.seat(1).texts()[-1]
    assert f"You investigated {GRETA}." in prompt.text
    assert f"{BEN} looked at the party membership of {GRETA}" in "\n".join(table.group_texts())
    assert not any("party membership of" in text for text in table.seat(6).texts())


def test_after_a_special_election_the_turn_goes_back(table: Table) -> None:
    table.open(7, deck="fff fff fff").govern(1, "f").govern(2, "f")
    table.target(0).govern(3, "f").target(6)
    assert f"👉 {GRETA} nominates" in table.group_text()
    table.reject(0)
    assert f"👉 Back in turn: {DAVID} nominates a Chancellor." in table.group_text()
    table.reject(0)
    assert f"👉 {EMMA} nominates" in table.group_text()


def to_the_execution(table: Table) -> Table:
    """Play with seven up to the fourth Fascist policy: seat 6, called by special election, may execute."""
    table.open(7, roles="lllhffl", deck="lff lff lff lff lff")
    table.govern(1, "f").govern(2, "f").target(0).govern(3, "f")
    return table.target(6).govern(0, "f")


def test_the_dead_are_asked_nothing_more_and_can_do_nothing(table: Table) -> None:
    to_the_execution(table)
    assert f"{GRETA} executed" not in table.group_text()
    table.target(1)
    assert f"{GRETA} executed {BEN}. {BEN} was not Hitler." in table.group_text()
    dead = table.seat(1)
    asked = len(dead.prompts())
    table.nominate(5)
    assert len(dead.prompts()) == asked
    living = table.seat(4).prompt()
    assert table.forge(dead.user, living.data()[0], living.message) == "That question is not for you."
    assert 1 not in table.waiting()


def test_killing_hitler_ends_the_game(table: Table) -> None:
    to_the_execution(table).target(3)
    text = "\n".join(table.group_texts())
    assert f"{DAVID} was Hitler" in text
    assert "Hitler is dead." in text
    assert table.match().game.table.winners == ("liberal",)
    assert table.match().over


def test_a_chancellor_elected_in_the_zone_is_confirmed(table: Table) -> None:
    table.open(5, roles="lllfh", deck="fff fff fff")
    table.govern(1, "f").govern(2, "f").govern(3, "f").elect(0)
    assert f"☑️ {ANNA} is not Hitler" in table.group_text()


def to_the_veto(table: Table) -> Table:
    """Play with five until five Fascist policies are enacted, so that a government may veto."""
    table.open(5, roles="lllhf", deck="lff lff lff lff lff")
    table.govern(1, "f").govern(2, "f").govern(4, "f")  # the third one: a peek
    table.elect(2)
    _enact(table).target(0)  # seat 3 kills
    table.elect(1)
    return _enact(table).target(2)  # seat 4 kills


def _enact(table: Table) -> Table:
    return table.discard("l").enact("f")


def test_a_veto_is_asked_by_one_and_decided_by_the_other(table: Table) -> None:
    to_the_veto(table)
    assert "From now on a government may veto" in "\n".join(table.group_texts())
    table.nominate(4).vote("jjj").discard("f")
    assert table.asked().prompt().labels()[-1] == "✋ Ask for a veto"
    asking = table.asked()
    asking.prompt().tap("veto")
    assert f"{asking.user.first_name}⁩ asks to veto this agenda" in table.group_text()
    decision = table.asked().prompt()
    assert "asks to veto" in decision.text
    decision.tap("Nein")
    table.wait(60)  # the edit waits for room in the group's limit
    assert "refuses the veto" in table.group_text()
    assert table.asked().user is asking.user
    assert not any("veto" in label for label in table.asked().prompt().labels()), "once a session"


def test_an_agreed_veto_discards_the_agenda(table: Table) -> None:
    to_the_veto(table)
    table.nominate(4).vote("jjj").discard("f").asked().prompt().tap("veto")
    table.asked().prompt().tap("Ja")
    assert "vetoed its agenda" in table.group_text()
    assert "Election tracker: 1 of 3" in table.group_text()


def test_blind_presidents_choose_among_many_hidden_players(table: Table) -> None:
    table.open(11, ruleset="xl@1", options={"oktoberfest": "on"}, chance=Chance("04"))
    rng = random.Random(0)
    while (question := table.match().game.question) is not None and question.blind <= 8:
        table.step_on(rng)
    assert question is not None, "the game ended before anybody chose blindly: another seed is needed"
    prompt = table.asked().prompt()
    assert prompt.labels()[0] == "Hidden player 1"
    assert len(prompt.labels()) == question.blind
    assert max(len(row) for row in prompt.seat.views()[-1].rows) <= 8
    prompt.tap("Hidden player 3")
    assert "Hidden player 3" in prompt.text
