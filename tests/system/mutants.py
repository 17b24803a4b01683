"""Break the bot on purpose, in one way at a time. The fault simulator must notice each mutant.

Each mutant breaks a promise by a small patch, as a careless change could.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.conversation import posting, routing
from bot.conversation.game import announce, answering, computers, info, seats
from bot.conversation.lobby import sealing
from bot.conversation.outcome import GROUP, Context, Effects, Outcome, Post, Private, ToSeat
from bot.rooms.model import Match, Room
from engine import Game, Reply, Seat, answer, question_for
from handlers import webhook
from handlers.service.app import App
from handlers.service.lookups import Lookups
from handlers.service.room_service import RoomService, seal_fixed_at
from infra.outbox import outbox_sender, plan
from infra.outbox import send as sending
from infra.outbox.outbox_sender import OutboxSender
from infra.outbox.send import SendResult
from infra.queue import WakeupQueue
from infra.store import rooms
from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import Expression, StoreUnavailable
from infra.telegram import gateway as wire
from infra.telegram.errors import RetryLater

Mutant = Callable[[pytest.MonkeyPatch], None]
MUTANTS: dict[str, Mutant] = {}


def mutant(breaks: Mutant) -> Mutant:
    """Register a mutant under its name."""
    MUTANTS[breaks.__name__] = breaks
    return breaks


@mutant
def skips_the_clearing(patch: pytest.MonkeyPatch) -> None:
    """Leave sent entries in the outbox."""
    clear = Rooms.finish_sending

    def nothing_done(self: Rooms, key: str, owner: str, done: Any, *rest: Any) -> Any:
        return clear(self, key, owner, (), *rest)

    patch.setattr(Rooms, "finish_sending", nothing_done)


@mutant
def has_no_lease(patch: pytest.MonkeyPatch) -> None:
    """Let several senders send the same outbox at once."""
    patch.setattr(RoomItem, "held_by", lambda self, owner: True)


@mutant
def forgets_update_ids(patch: pytest.MonkeyPatch) -> None:
    """Handle a repeated update again."""
    patch.setattr(RoomItem, "knows", lambda self, update_id: False)


@mutant
def retries_what_is_refused_for_good(patch: pytest.MonkeyPatch) -> None:
    """Take a 400 or 403 for a temporary failure."""
    patch.setattr(wire, "classify_refusal", lambda text, forbidden: RetryLater(2.0))


@mutant
def sends_before_it_saves(patch: pytest.MonkeyPatch) -> None:
    """Send messages before the state is stored, which may then fail."""
    save = Rooms.save

    def sent(self: Rooms, before: RoomItem, change: Change) -> RoomItem | Conflict:
        gateways[0].run(_send_all(gateways[0], change.entries))
        return save(self, before, change._replace(entries=()))

    gateways: list[Any] = []
    made = OutboxSender.__init__

    def known(self: OutboxSender, rooms: Any, gateway: Any, *rest: Any, **more: Any) -> None:
        gateways[:] = [gateway]
        made(self, rooms, gateway, *rest, **more)

    patch.setattr(OutboxSender, "__init__", known)
    patch.setattr(Rooms, "save", sent)


async def _send_all(gateway: Any, entries: Any) -> None:
    for entry in entries:
        if entry.target is None:
            await gateway.call(entry.method, {"chat_id": entry.chat, **entry.params})


@mutant
def clears_before_it_sends(patch: pytest.MonkeyPatch) -> None:
    """Remove entries before they are sent, so that a dying process loses them."""
    once, clear = OutboxSender._send_and_clear, Rooms.finish_sending

    def cleared(self: OutboxSender, held: RoomItem, *rest: Any) -> Any:
        clear(self._rooms, held.key, held.lease.owner if held.lease else "", list(held.outbox))
        return once(self, held, *rest)

    patch.setattr(OutboxSender, "_send_and_clear", cleared)


@mutant
def ignores_the_version(patch: pytest.MonkeyPatch) -> None:
    """Let the later of two simultaneous writes replace the earlier one."""

    update_of = rooms.update_of

    def unconditional(*given: Any) -> Expression:
        expression = update_of(*given)
        expression._conditions.clear()
        return expression

    patch.setattr(rooms, "update_of", unconditional)


@mutant
def never_comes_back(patch: pytest.MonkeyPatch) -> None:
    """Queue no wake-ups, and let the watchdog find no due rooms."""
    patch.setattr(WakeupQueue, "send", lambda self, wakeup: None)
    patch.setattr(Rooms, "due", lambda self, *_: [])


@mutant
def applies_taps_to_whatever_is_open(patch: pytest.MonkeyPatch) -> None:
    """Let an old button answer the open question."""

    def answered(game: Game, reply: Reply) -> Any:
        question = game.question
        return answer(game, reply if question is None else replace(reply, question=question.number))

    patch.setattr(answering, "answer", answered)


@mutant
def sends_in_any_order(patch: pytest.MonkeyPatch) -> None:
    """Send a chat's messages in reverse order."""
    serve = sending._Sending.serve

    async def backwards(self: Any, queue: list[plan.Send]) -> None:
        await serve(self, queue[::-1])

    patch.setattr(sending._Sending, "serve", backwards)


@mutant
def takes_a_lost_race_for_won(patch: pytest.MonkeyPatch) -> None:
    """Take the save that came second for successful."""
    save = RoomService.save

    def won(self: RoomService, item: RoomItem | None, *rest: Any) -> Any:
        saved = save(self, item, *rest)
        return saved.item if isinstance(saved, Conflict) else saved

    patch.setattr(RoomService, "save", won)


@mutant
def acknowledges_what_it_could_not_store(patch: pytest.MonkeyPatch) -> None:
    """Answer 200 instead of 503, so that Telegram does not send the update again."""
    respond = webhook.respond

    def fine(*given: Any) -> dict[str, Any]:
        reply = respond(*given)
        return {"statusCode": 200} if reply["statusCode"] == 503 else reply

    patch.setattr(webhook, "respond", fine)


@mutant
def does_not_wait_as_telegram_asks(patch: pytest.MonkeyPatch) -> None:
    """Send the next message at once after a 429."""
    sort = plan.sort_entries

    def regardless(entries: Any, remembered: Any, now: float) -> Any:
        return sort(entries, replace(remembered, pauses={}), now)

    patch.setattr(outbox_sender, "sort_entries", regardless)
    patch.setattr(outbox_sender, "note_limited", lambda state, *_, **__: state)


@mutant
def leaves_messages_behind_when_a_group_moves(patch: pytest.MonkeyPatch) -> None:
    """Lose the unsent messages of a group that becomes a supergroup."""
    moved = rooms._move_item
    patch.setattr(rooms, "_move_item", lambda *given: replace(moved(*given), outbox={}))


@mutant
def asks_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    """Send a prompt to the next seat's player."""
    prompt = announce.prompt_post

    def next_door(room: Any, match: Any, seat: int, question: Any, *rest: Any, **more: Any) -> Post:
        post = prompt(room, match, Seat(seat), question, *rest, **more)
        return replace(post, to=ToSeat(Seat((seat + 1) % len(match.players))))

    patch.setattr(announce, "prompt_post", next_door)


@mutant
def leaves_out_an_option(patch: pytest.MonkeyPatch) -> None:
    """Drop a prompt's last button."""
    prompt = announce.prompt_post

    def shorter(*given: Any, **more: Any) -> Post:
        post = prompt(*given, **more)
        return replace(post, keyboard=(*post.keyboard[:-1], post.keyboard[-1][:-1]))

    for module in (announce, seats):
        patch.setattr(module, "prompt_post", shorter)


@mutant
def deals_the_neighbours_card(patch: pytest.MonkeyPatch) -> None:
    """Send a seat the next seat's role at the start."""

    def next_door(room: Any, match: Any, seat: int) -> Post:
        card = announce.role_card(room, match, Seat((seat + 1) % len(match.players)))
        return replace(card, to=ToSeat(Seat(seat)))

    patch.setattr(announce, "role_offer", next_door)


@mutant
def tells_whoever_sat_there_before(patch: pytest.MonkeyPatch) -> None:
    """Send a seat's secrets to the seat's first player."""
    whispered = announce._whispered
    first: dict[str, Any] = {}

    def told(room: Any, match: Any, seat: int, *rest: Any) -> Effects:
        effects = whispered(room, match, Seat(seat), *rest)
        players = first.setdefault(match.proof.seed, match.players)
        return tuple(replace(effect, to=Private(players[seat].id)) for effect in effects)

    patch.setattr(announce, "_whispered", told)


@mutant
def whispers_aloud(patch: pytest.MonkeyPatch) -> None:
    """Post a seat's secrets in the group: an investigated party, the top of the pile."""
    whispered = announce._whispered

    def aloud(room: Any, *rest: Any) -> Effects:
        posts = (effect for effect in whispered(room, *rest) if isinstance(effect, Post))
        return tuple(replace(post, to=GROUP, protect=False) for post in posts)

    patch.setattr(announce, "_whispered", aloud)


@mutant
def lays_a_hand_on_the_table(patch: pytest.MonkeyPatch) -> None:
    """Ask for the President's hand in the group."""
    prompt = announce.prompt_post

    def open_hand(room: Any, match: Any, seat: int, question: Any, *rest: Any, **more: Any) -> Post:
        post = prompt(room, match, Seat(seat), question, *rest, **more)
        return replace(post, to=GROUP, protect=False) if question.step == "discard" else post

    patch.setattr(announce, "prompt_post", open_hand)


@mutant
def shows_the_role_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    """Show another seat's role in a player's pop-up."""
    telling = posting.telling_for_seat

    def next_door(room: Any, match: Any, seat: int) -> Any:
        return telling(room, match, Seat((seat + 1) % len(match.players)))

    patch.setattr(info, "telling_for_seat", next_door)


@mutant
def shrugs_when_the_store_is_down(patch: pytest.MonkeyPatch) -> None:
    """Acknowledge an update although the store did not answer, and log nothing."""
    on_update = App.on_update

    def shrug(*given: Any) -> Any:
        try:
            return on_update(*given)
        except StoreUnavailable:
            return None

    patch.setattr(App, "on_update", shrug)


@mutant
def counts_what_got_lost_as_sent(patch: pytest.MonkeyPatch) -> None:
    """Take a call without an answer for sent."""
    send = sending.send

    async def optimistic(sends: Any, *rest: Any, **more: Any) -> SendResult:
        sent = await send(sends, *rest, **more)
        if sent.answers_lost:
            lost = [each.id for each in sends if each.entry.chat in sent.paused]
            sent.done += [each for each in lost if each not in sent.done]
        return sent

    patch.setattr(outbox_sender, "send", optimistic)


@mutant
def deals_whenever_the_round_is_out(patch: pytest.MonkeyPatch) -> None:
    """Treat every seal as posted in time, even if it was not posted."""

    def in_time(item: Any, sealed: Any) -> int:
        return int(sealed.at) - 1

    patch.setattr("handlers.service.room_service.seal_fixed_at", in_time)


@mutant
def seals_again_what_was_sealed_in_time(patch: pytest.MonkeyPatch) -> None:
    """Treat every first seal as too late, and seal another seed."""

    def late(item: Any, sealed: Any) -> int | None:
        date = seal_fixed_at(item, sealed)
        return int(sealed.at) if date is not None and sealed.proof.attempt == 1 else date

    patch.setattr("handlers.service.room_service.seal_fixed_at", late)


@mutant
def makes_up_what_the_beacon_says(patch: pytest.MonkeyPatch) -> None:
    """Deal from a value that the bot makes up."""

    async def chosen(*given: Any) -> str:
        return "11" * 32

    patch.setattr(Lookups, "_randomness", chosen)


@mutant
def does_not_wait_for_the_beacon(patch: pytest.MonkeyPatch) -> None:
    """Deal without a slow beacon, and do not ask the host."""

    def at_once(room: Any, sealed: Any, known: Any) -> Any:
        return sealing._unproven(room, sealed, "gone", known)

    patch.setattr(sealing, "_without_beacon", at_once)


@mutant
def lets_people_leave_a_sealed_game(patch: pytest.MonkeyPatch) -> None:
    """Let people who write /leave leave a sealed game."""
    answered = routing._answer

    def leaving(room: Any, said: Any, known: Any) -> Any:
        outcome = answered(room, said, known)
        if room.sealed is None or getattr(said, "name", "") != "leave":
            return outcome
        left = tuple(player for player in room.sealed.players if player.id != said.person.id)
        return replace(outcome, room=replace(room, sealed=replace(room.sealed, players=left)))

    patch.setattr(routing, "_answer", leaving)


@mutant
def calls_a_sealed_game_off(patch: pytest.MonkeyPatch) -> None:
    """Let /cancel drop a sealed game."""
    answered = routing._answer

    def gone(room: Any, said: Any, known: Any) -> Any:
        outcome = answered(room, said, known)
        if room.sealed is None or getattr(said, "name", "") != "cancel":
            return outcome
        return replace(outcome, room=replace(room, sealed=None))

    patch.setattr(routing, "_answer", gone)


@mutant
def lets_computers_decide_again(patch: pytest.MonkeyPatch) -> None:
    """Let a computer that has decided decide again, with another result."""
    honest, undecided = computers.think, computers.undecided
    asked_again: set[tuple[str, int, int]] = set()
    thinking = False

    def once_more(match: Match) -> dict[int, tuple[str, int, int]]:
        keys = {seat: (str(match.log[:2]), match.game.asked, seat) for seat in computers._asked(match)}
        return {s: key for s, key in keys.items() if s in match.computer_choices and key not in asked_again}

    def or_decided(match: Match) -> tuple[int, ...]:
        return undecided(match) if thinking else (*undecided(match), *once_more(match))

    def think(room: Room, known: Context) -> Outcome:
        nonlocal thinking
        match, thinking = room.match, True
        assert match is not None
        others: dict[Seat, int] = {}
        for seat, key in once_more(match).items():
            asked_again.add(key)
            options = question_for(match.game, Seat(seat)).options  # type: ignore[union-attr]
            others[Seat(seat)] = (match.computer_choices[Seat(seat)] + 1) % len(options[0])
        try:
            choices = {**match.computer_choices, **others}
            return honest(replace(room, match=replace(match, computer_choices=choices)), known)
        finally:
            thinking = False

    patch.setattr(computers, "undecided", or_decided)
    patch.setattr(computers, "think", think)


@mutant
def forgets_what_computers_did_at_practice(patch: pytest.MonkeyPatch) -> None:
    """Drop the last event of computers' steps in practice."""
    honest = computers.think

    def think(room: Room, known: Context) -> Outcome:
        outcome = honest(room, known)
        match = outcome.room.match
        assert match is not None
        if not room.private or room.match is None or match.log == room.match.log:
            return outcome
        return replace(outcome, room=replace(outcome.room, match=replace(match, log=match.log[:-1])))

    patch.setattr(computers, "think", think)
