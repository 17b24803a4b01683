"""From Start to the deal: the seal, the beacon's round, and the acts that must wait between them."""

import json
from hashlib import sha256
from typing import Any

import pytest

from bot.conversation.limits import PER_MINUTE
from bot.conversation.lobby.sealing import AHEAD
from bot.rooms.sealing import Sealed
from engine.proof import chance, commitment, terms
from sandbox.beacon import STANDIN_CHAIN, RelayBehaviour
from sandbox.harness import Harness, harness_in_memory
from sandbox.telegram import Call, Message
from sandbox.telegram.calls import Refusal, too_many
from tests.system.table import Table, answered
from tests.system.test_seats import forget

FROZEN = "🔏 The game is sealed. Nothing can be changed until the roles are dealt, in a few seconds."


@pytest.fixture
def sealed(table: Table) -> Table:
    table.gather(5).press(table.people[0], "start")
    assert table.room().sealed is not None
    return table


def seal_of(table: Table) -> Sealed:
    sealed = table.room().sealed
    assert sealed is not None
    return sealed


def seal(table: Table) -> Sealed:
    """Start the lobby's game as the host; return the sealed game."""
    table.press(table.people[0], "start")
    return seal_of(table)


def seals(table: Table) -> list[str]:
    """Return the seeds' hashes in the seals that were posted, oldest first, without their forwards."""
    return [line["seed"] for line in lines_of(seal_views(table))]


def seal_views(table: Table, *, forwards: bool = False) -> list[Message]:
    """Return the messages with a seal, or the forwards of them, oldest first."""
    views = [view for view in table.group_views() if "Sealed: " in view.text]
    return [view for view in views if (view.forwarded is not None) == forwards]


def lines_of(views: list[Message]) -> list[dict[str, Any]]:
    return [json.loads(view.text.splitlines()[-1]) for view in views]


def dealt_by_the_round(table: Table, before: Sealed) -> bool:
    """Return True if the game follows from the sealed seed and the beacon's value of the sealed round."""
    match, beacon = table.match(), table.harness.beacon
    assert before.proof.round is not None
    drawn = chance(
        bytes.fromhex(before.proof.seed), before.setup, game=before.number, attempt=before.proof.attempt,
        round=before.proof.round, randomness=beacon.randomness(before.proof.round),
    )  # fmt: skip
    return match.game.chance == drawn and match.proof.unproven_reason is None


class Trouble:
    """Other answers of Telegram to the message with the seal, or to its forward."""

    def __init__(self, table: Table, how: Refusal | None = None, method: str = "sendMessage") -> None:
        self.method = method
        self.how = how
        self.seen = 0
        table.tg.before_call.append(self._answer)

    def _answer(self, call: Call) -> dict[str, Any] | None:
        told = "Sealed: " in str(call.params.get("text"))
        if call.method != self.method or (call.method == "sendMessage" and not told):
            return None
        self.seen += 1
        return self.how.envelope() if self.how else None


# --- the seal -----------------------------------------------------------------------------------------


def test_start_posts_the_seal_and_deals_nothing_yet(sealed: Table) -> None:
    before = seal_of(sealed)
    assert sealed.room().match is None
    assert sealed.room().lobby is None
    (seal,), (forward,) = seal_views(sealed), seal_views(sealed, forwards=True)
    assert forward.text == seal.text
    own = f"{STANDIN_CHAIN.addresses[0]}/{STANDIN_CHAIN.chain}"
    assert f"number {before.proof.round} of {own}, out at" in seal.text
    assert "drand" not in seal.text, "the stand-in's rounds are not drand's"
    assert before.at >= forward.date + AHEAD - 1, "nobody knows what the beacon will say"
    agreed = terms(before.setup, game=1, attempt=1, round=before.proof.round)
    assert lines_of([seal]) == [
        {
            "game": 1, "attempt": 1, "round": before.proof.round, "previous": None,
            "seed": commitment(bytes.fromhex(before.proof.seed)), "terms": commitment(agreed.encode()),
            "chain": STANDIN_CHAIN.chain,
        }
    ]  # fmt: skip
    post = sealed.group_views()[-1]
    assert "🕐 The roles come about 12 seconds after this message." in post.text, "true whenever it is read"
    for number, user in enumerate(sealed.people[:5], start=1):
        assert f"⁨#{number} {user.first_name}⁩" in post.text
    assert "Roles" in post.text
    assert "Hitler knows the Fascists" in post.text
    assert all(not seat.prompts() for seat in map(sealed.seat, range(5)))


def test_a_forward_of_the_seal_cannot_be_edited(sealed: Table) -> None:
    # The attack: after the round the operator puts another seed's seal into the message.
    (seal,), (forward,) = seal_views(sealed), seal_views(sealed, forwards=True)
    for view, done in ((seal, True), (forward, False)):
        at = {"chat_id": sealed.group.id, "message_id": view.id, "text": "Sealed: another"}
        assert sealed.tg.call("editMessageText", at)["ok"] is done
    assert [view.text for view in seal_views(sealed, forwards=True)] == [forward.text]


def test_each_seal_names_the_one_before_it(table: Table) -> None:
    for _ in range(2):
        table.gather(5).start().cancel(table.people[0]).pass_time(120)
    first, second = (view.text.splitlines()[-1] for view in seal_views(table))
    assert json.loads(first)["previous"] is None
    assert json.loads(second)["previous"] == commitment(first.encode())


def test_the_chain_of_seals_survives_forgetting_the_group(table: Table) -> None:
    table.gather(5).start().cancel(table.people[0]).pass_time(120)
    last = table.room().last_seal
    assert last
    table.say(table.owner, "/forget").press(table.owner, "erase")
    bare = table.room()
    assert (bare.match, bare.last_seal, bare.lobby_count) == (None, last, 1)


def test_a_group_that_protects_content_is_told_once(table: Table) -> None:
    table.group.protected = True
    before = seal(table.gather(5))
    assert not before.fixed
    table.wait_for_deal()
    assert dealt_by_the_round(table, before)
    assert not table.match().proof.fixed
    told = [text for text in table.group_texts() if "I can't forward the seal here" in text]
    assert len(told) == 1
    table.cancel(table.people[0])
    opened = next(text for text in reversed(table.group_texts()) if "engine.proof" in text)
    assert "Not fixed" in opened


def test_a_forward_that_comes_late_makes_the_attempt_void(table: Table) -> None:
    trouble = Trouble(table.gather(5), too_many(20), "forwardMessage")
    first = seal(table)
    assert seal_views(table)[0].date < first.at, "the seal itself came in time"
    trouble.how = None
    table.wait_for_deal()
    assert table.match().proof.attempt == 2
    late, _ = seal_views(table, forwards=True)
    assert late.date >= first.at


def test_a_group_that_moves_before_the_forward_is_told_to_copy(at: Harness) -> None:
    table = Table(at, type="group")
    trouble = Trouble(table.gather(5), Refusal(502, "Bad Gateway"), "forwardMessage")
    before = seal(table)
    table.migrate()
    trouble.how = None
    table.wait_for_deal()
    assert dealt_by_the_round(table, before)
    assert not table.match().proof.fixed
    assert any("I can't forward the seal here" in text for text in table.group_texts())


def test_from_start_to_the_roles_fifteen_seconds_pass_at_most(table: Table) -> None:
    for start in (0, 3, 5):
        table.gather(5).pass_time(start * 0.5)
        began = table.harness.clock() + 3
        table.start()
        assert table.room().playing is not None
        assert table.seat(4).views()[-1].date - began <= 15
        table.cancel(table.people[0]).pass_time(120)


@pytest.mark.parametrize("seconds", [0, 1, 2, 60, 3600])
def test_whenever_the_host_starts_the_round_is_still_to_come(table: Table, seconds: int) -> None:
    # An operator who waits for a suitable round finds that another one counts.
    table.gather(5).pass_time(seconds)
    said = table.harness.beacon.beacon.round_after(table.harness.clock())
    number = seal(table).proof.round
    assert number is not None
    assert number > said + 1
    assert table.harness.beacon.answer(f"/{table.harness.beacon.beacon.chain}/public/{number}")[0] == 404


def test_seeds_tried_beforehand_are_worth_nothing(table: Table) -> None:
    # The first scheme's deal followed from values known before anybody joined.
    before = seal(table.gather(5))
    seed, number = bytes.fromhex(before.proof.seed), before.proof.round
    values = (sha256(bytes([n])).digest() for n in range(50))
    guesses = {
        chance(seed, before.setup, game=1, attempt=1, round=number, randomness=value).key for value in values
    }
    table.wait_for_deal()
    assert len(guesses) == 50, "each value of the beacon deals otherwise"
    assert table.match().game.chance.key not in guesses


# --- between the seal and the deal ---------------------------------------------------------------------


def test_commands_to_a_sealed_game_do_not_delay_the_seal(sealed: Table) -> None:
    for number in range(3 * PER_MINUTE):
        sealed.tg.send(sealed.people[number % 5], sealed.group, "/status")
    sealed.harness.settle()
    assert 0 < sealed.group_texts().count(FROZEN) <= PER_MINUTE


def test_forgetting_keeps_the_seat_and_the_deal(sealed: Table) -> None:
    before = seal_of(sealed)
    forget(sealed, sealed.people[2])
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)
    assert len(sealed.match().players) == 5


def test_my_role_says_that_the_roles_are_not_dealt(sealed: Table) -> None:
    soon = "🔏 Your role comes in a few seconds."
    assert answered(sealed.press(sealed.people[3], "role")) == soon
    message, data = sealed.wait_for_deal().button("role")
    assert sealed.forge(sealed.people[3], data, message) != soon


# --- a seal that comes late ------------------------------------------------------------------------------


def test_a_seal_posted_after_its_round_is_void(table: Table) -> None:
    trouble = Trouble(table.gather(5), too_many(20))
    first = seal(table)
    trouble.how = None
    match = table.wait_for_deal().match()
    assert match.proof.attempt == 2
    assert match.proof.seed != first.proof.seed
    assert match.proof.unproven_reason is None
    text = next(text for text in table.group_texts() if "attempt 2" in text)
    assert f"Attempt 1 is void: no cards were dealt from it. Its seed was {first.proof.seed}." in text
    assert seal_views(table)[0].date >= first.at
    assert seals(table)[-1] == commitment(bytes.fromhex(match.proof.seed))


def test_a_seal_that_is_not_known_to_be_posted_is_not_dealt_from(table: Table) -> None:
    Trouble(table.gather(5), Refusal(502, "Bad Gateway"))
    before = seal(table)
    for _ in range(8):
        table.wait(5)
        table.harness.watch()
    assert seal_of(table).proof == before.proof, "neither dealt nor thrown away"
    assert table.room().match is None


def test_after_a_lost_answer_the_last_date_counts(table: Table) -> None:
    trouble = Trouble(table.gather(5))
    lost: list[Call] = []

    def lose(call: Call, answer: dict[str, Any]) -> None:
        if call.method == "sendMessage" and "Sealed: " in str(call.params.get("text")) and not lost:
            lost.append(call)
            answer.clear()
            answer.update({"ok": False, "error_code": 502, "description": "Bad Gateway"})

    table.tg.after_call.append(lose)
    before = seal(table)
    table.wait_for_deal()
    assert trouble.seen == 2
    assert len(seals(table)) == 2, "posted twice, in time both times"
    assert dealt_by_the_round(table, before)


def test_a_refused_seal_opens_the_lobby_and_counts(table: Table) -> None:
    trouble = Trouble(table.gather(5), Refusal(400, "Bad Request: something"))
    table.press(table.people[0], "start")
    lobby = table.lobby()
    assert table.room().sealed is None
    assert [player.id for player in lobby.players] == [user.id for user in table.people[:5]]
    (seed,) = lobby.given_up
    trouble.how = None
    table.start()
    assert table.match().proof.attempt == 2
    assert any(f"Its seed was {seed}." in text for text in table.group_texts())


# --- the beacon ------------------------------------------------------------------------------------------


def test_a_round_that_comes_late_is_waited_for(sealed: Table) -> None:
    before = seal_of(sealed)
    sealed.harness.beacon.set_behaviour(RelayBehaviour(late=20))
    sealed.wait_for_deal()
    assert sealed.harness.clock() >= before.at + 20
    assert dealt_by_the_round(sealed, before)


@pytest.mark.parametrize(
    "mood", [RelayBehaviour(gone=True), RelayBehaviour(forged=True), RelayBehaviour(lying=True)]
)
def test_one_bad_mirror_of_three_changes_nothing(
    sealed: Table, mood: RelayBehaviour, capfd: pytest.CaptureFixture[str]
) -> None:
    before, beacon = seal_of(sealed), sealed.harness.beacon
    beacon.behaviours[beacon.beacon.addresses[0]] = mood
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)
    assert ('"event": "beacon_disagrees"' in capfd.readouterr().err) is mood.lying


@pytest.mark.parametrize("mood", [RelayBehaviour(gone=True), RelayBehaviour(lying=True)])
def test_one_good_mirror_alone_is_a_beacon_that_is_away(
    sealed: Table, mood: RelayBehaviour, capfd: pytest.CaptureFixture[str]
) -> None:
    before, beacon = seal_of(sealed), sealed.harness.beacon
    beacon.behaviours[beacon.beacon.addresses[0]] = mood
    beacon.behaviours[beacon.beacon.addresses[1]] = RelayBehaviour(gone=True)
    until_asked(sealed)
    assert "can't reach" in sealed.group_text()
    assert ('"event": "beacon_disagrees"' in capfd.readouterr().err) is mood.lying
    beacon.set_behaviour(RelayBehaviour())
    sealed.wait_for_deal()
    assert dealt_by_the_round(sealed, before)


def test_a_bot_without_a_beacon_deals_at_once_and_says_so() -> None:
    with harness_in_memory(environment={"BEACON": "off"}) as at:
        table = Table(at).gather(5)
        table.press(table.people[0], "start")
        assert table.match().proof.unproven_reason == "off"
        text = next(text for text in table.group_texts() if "begins." in text)
        assert "⚠️ Not proven: this bot deals without a public beacon." in text
        assert at.beacon.asked == []


# --- called off, crashed, moved ---------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [True, False])
def test_a_lost_wakeup_still_brings_the_deal(sealed: Table, lost: bool) -> None:
    before = seal_of(sealed)
    sealed.harness.queue._waiting.clear()
    sealed.pass_time(30)
    if lost:
        sealed.harness.watch()
    else:
        sealed.say(sealed.people[1], "/help")
    assert dealt_by_the_round(sealed, before)


def test_a_wake_up_that_comes_twice_deals_once(sealed: Table) -> None:
    sealed.wait_for_deal()
    cards = [len(sealed.seat(seat).views()) for seat in range(5)]
    for _ in range(3):
        sealed.harness.built.app.on_wake(sealed.name.key, sealed.harness.clock() + 30)
    assert [len(sealed.seat(seat).views()) for seat in range(5)] == cards


def test_a_group_that_migrates_meanwhile_is_dealt_its_seal(at: Harness) -> None:
    table = Table(at, type="group")
    before = seal(table.gather(5))
    table.migrate()
    table.wait_for_deal()
    assert dealt_by_the_round(table, before)


def test_a_seed_never_reaches_a_log(table: Table, capfd: pytest.CaptureFixture[str]) -> None:
    seed = seal(table.gather(5)).proof.seed
    table.harness.beacon.set_behaviour(RelayBehaviour(forged=True))
    until_asked(table)
    assert seed not in capfd.readouterr().err


def until_asked(table: Table) -> None:
    """Let time pass until the host is asked about a deal without the beacon."""
    table.harness.wait_for_deal(lambda: not seal_of(table).asked)


def test_a_deleted_seal_is_missed_in_the_chain(table: Table) -> None:
    # An operator withdraws a seal and seals again: two seals have one predecessor, or one is missing.
    table.gather(5).start().cancel(table.people[0]).pass_time(120)
    (kept,) = seal_views(table)
    for view in (kept, *seal_views(table, forwards=True)):
        table.tg.call("deleteMessage", {"chat_id": table.group.id, "message_id": view.id})
    table.gather(5).start()
    (after,) = lines_of(seal_views(table))
    assert after["previous"] == commitment(kept.text.splitlines()[-1].encode())
