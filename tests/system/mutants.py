"""The bot broken on purpose, one way at a time: what the fault simulator must notice.

Each mutant patches one thing that keeps one promise, as a careless change could.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import Game, Reply, answer
from handlers import webhook
from handlers.app import App
from handlers.conversation import announce, info, play, seats
from handlers.conversation.outcome import Post
from infra import courier, delivery, moving, store, telegram, writing
from infra.courier import Courier
from infra.delivery import Flushed
from infra.entries import Entry
from infra.items import Change, Conflict, RoomItem
from infra.queue import Wakeups
from infra.store import Rooms
from infra.table import StoreUnavailable
from infra.wire import RetryLater
from infra.writing import Expression

Mutant = Callable[[pytest.MonkeyPatch], None]
MUTANTS: dict[str, Mutant] = {}


def mutant(breaks: Mutant) -> Mutant:
    """Keep a mutant under its name."""
    MUTANTS[breaks.__name__] = breaks
    return breaks


@mutant
def skips_the_clearing(patch: pytest.MonkeyPatch) -> None:
    """What was sent stays in the outbox."""
    clear = Rooms.clear

    def nothing_done(self: Rooms, key: str, owner: str, done: Any, *rest: Any) -> Any:
        return clear(self, key, owner, (), *rest)

    patch.setattr(Rooms, "clear", nothing_done)


@mutant
def has_no_lease(patch: pytest.MonkeyPatch) -> None:
    """Everybody sends the outbox at once."""
    patch.setattr(RoomItem, "held_by", lambda self, owner: True)


@mutant
def forgets_update_ids(patch: pytest.MonkeyPatch) -> None:
    """A repeated update is dealt with once more."""
    patch.setattr(RoomItem, "knows", lambda self, update_id: False)


@mutant
def retries_what_is_refused_for_good(patch: pytest.MonkeyPatch) -> None:
    """A 400 or 403 is taken for something that passes."""
    patch.setattr(telegram, "refusal", lambda text, forbidden: RetryLater(2.0))


@mutant
def sends_before_it_saves(patch: pytest.MonkeyPatch) -> None:
    """Messages go out first; the state may never be stored."""
    save = Rooms.save

    def sent(self: Rooms, before: RoomItem, change: Change) -> RoomItem | Conflict:
        gateways[0].run(_send_all(gateways[0], change.entries))
        return save(self, before, replace(change, entries=()))

    gateways: list[Any] = []
    made = Courier.__init__

    def known(self: Courier, rooms: Any, gateway: Any, *rest: Any, **more: Any) -> None:
        gateways[:] = [gateway]
        made(self, rooms, gateway, *rest, **more)

    patch.setattr(Courier, "__init__", known)
    patch.setattr(Rooms, "save", sent)


async def _send_all(gateway: Any, entries: Any) -> None:
    for entry in entries:
        if entry.target is None:
            await gateway.call(entry.method, {"chat_id": entry.chat, **entry.params})


@mutant
def clears_before_it_sends(patch: pytest.MonkeyPatch) -> None:
    """A process that dies while it sends takes the messages with it."""
    once, clear = Courier._once, Rooms.clear

    def cleared(self: Courier, held: RoomItem, *rest: Any) -> Any:
        clear(self._rooms, held.key, held.lease.owner if held.lease else "", list(held.outbox))
        return once(self, held, *rest)

    patch.setattr(Courier, "_once", cleared)


@mutant
def ignores_the_version(patch: pytest.MonkeyPatch) -> None:
    """Of two who write at once, the later wins everything."""

    def unconditional(*given: Any) -> Expression:
        expression = writing.update_of(*given)
        expression._conditions.clear()
        return expression

    patch.setattr(store, "update_of", unconditional)


@mutant
def never_comes_back(patch: pytest.MonkeyPatch) -> None:
    """No wake-ups, and a watchdog that sees nothing."""
    patch.setattr(Wakeups, "send", lambda self, wakeup: None)
    patch.setattr(Rooms, "due", lambda self, *_: [])


@mutant
def applies_taps_to_whatever_is_open(patch: pytest.MonkeyPatch) -> None:
    """An old button answers the question of now."""

    def answered(game: Game, reply: Reply) -> Any:
        question = game.question
        return answer(game, reply if question is None else replace(reply, question=question.number))

    patch.setattr(play, "answer", answered)


@mutant
def sends_in_any_order(patch: pytest.MonkeyPatch) -> None:
    """A chat's messages go out last first."""
    serve = delivery._Run.serve

    async def backwards(self: Any, queue: list[tuple[str, Entry]]) -> None:
        await serve(self, queue[::-1])

    patch.setattr(delivery._Run, "serve", backwards)


@mutant
def takes_a_lost_race_for_won(patch: pytest.MonkeyPatch) -> None:
    """Who writes second is told that all is well."""
    save = App._save

    def won(self: App, item: RoomItem | None, *rest: Any) -> Any:
        saved = save(self, item, *rest)
        return saved.item if isinstance(saved, Conflict) else saved

    patch.setattr(App, "_save", won)


@mutant
def acknowledges_what_it_could_not_store(patch: pytest.MonkeyPatch) -> None:
    """200 instead of 503: Telegram does not send it again."""
    respond = webhook.respond

    def fine(*given: Any) -> dict[str, Any]:
        reply = respond(*given)
        return {"statusCode": 200} if reply["statusCode"] == 503 else reply

    patch.setattr(webhook, "respond", fine)


@mutant
def does_not_wait_as_telegram_asks(patch: pytest.MonkeyPatch) -> None:
    """After a 429, the next one tries at once."""
    pause = delivery._Run._pause

    def no_pause(self: Any, chat: int, seconds: float) -> None:
        pause(self, chat, seconds)
        self._stored = {}

    serve = delivery._Run.serve

    async def regardless(self: Any, queue: list[tuple[str, Entry]]) -> None:
        self._stored = {name: at for name, at in self._stored.items() if not name.startswith(delivery.PAUSE)}
        await serve(self, queue)

    patch.setattr(delivery._Run, "_pause", no_pause)
    patch.setattr(delivery._Run, "serve", regardless)


@mutant
def leaves_messages_behind_when_a_group_moves(patch: pytest.MonkeyPatch) -> None:
    """A group becomes a supergroup, and what waited is gone."""
    moved = moving._moved
    patch.setattr(moving, "_moved", lambda *given: replace(moved(*given), outbox={}))


@mutant
def asks_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    """A prompt goes to the next seat's player."""
    prompt = announce.prompt_post

    def next_door(room: Any, match: Any, seat: int, question: Any) -> Post:
        post = prompt(room, match, seat, question)
        return replace(post, chat=match.players[(seat + 1) % len(match.players)].id)

    patch.setattr(announce, "prompt_post", next_door)


@mutant
def leaves_out_an_option(patch: pytest.MonkeyPatch) -> None:
    """A prompt lacks its last button."""
    prompt = announce.prompt_post

    def shorter(*given: Any) -> Post:
        post = prompt(*given)
        return replace(post, keyboard=(*post.keyboard[:-1], post.keyboard[-1][:-1]))

    for module in (announce, seats):
        patch.setattr(module, "prompt_post", shorter)


@mutant
def deals_the_neighbours_card(patch: pytest.MonkeyPatch) -> None:
    """A role card goes to the next seat's player."""
    card = announce.role_card

    def next_door(room: Any, match: Any, seat: int) -> Post:
        return replace(card(room, match, seat), chat=match.players[(seat + 1) % len(match.players)].id)

    patch.setattr(announce, "role_card", next_door)


@mutant
def tells_whoever_sat_there_before(patch: pytest.MonkeyPatch) -> None:
    """What a seat learns goes to the player that it had first."""
    whispered = announce._whispered
    first: dict[str, Any] = {}

    def told(room: Any, match: Any, seat: int, *rest: Any) -> Post | None:
        post = whispered(room, match, seat, *rest)
        players = first.setdefault(match.seed, match.players)
        return None if post is None else replace(post, chat=players[seat].id)

    patch.setattr(announce, "_whispered", told)


@mutant
def whispers_aloud(patch: pytest.MonkeyPatch) -> None:
    """The group reads what a seat alone learns: an investigated party, the top of the pile."""
    whispered = announce._whispered

    def aloud(room: Any, *rest: Any) -> Post | None:
        post = whispered(room, *rest)
        return None if post is None else replace(post, chat=room.chat, protect=False)

    patch.setattr(announce, "_whispered", aloud)


@mutant
def lays_a_hand_on_the_table(patch: pytest.MonkeyPatch) -> None:
    """The President's hand is asked for in the group."""
    prompt = announce.prompt_post

    def open_hand(room: Any, match: Any, seat: int, question: Any) -> Post:
        post = prompt(room, match, seat, question)
        return replace(post, chat=room.chat, protect=False) if question.step == "discard" else post

    patch.setattr(announce, "prompt_post", open_hand)


@mutant
def shows_the_role_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    """The pop-up of a player's own role is another seat's."""
    telling = announce.telling_seat

    def next_door(room: Any, match: Any, seat: int) -> Any:
        return telling(room, match, (seat + 1) % len(match.players))

    patch.setattr(info, "telling_seat", next_door)


@mutant
def shrugs_when_the_store_is_down(patch: pytest.MonkeyPatch) -> None:
    """An update that nothing could be read or written for is dealt with, and not a word of it logged."""
    on_update = App.on_update

    def shrug(*given: Any) -> Any:
        try:
            return on_update(*given)
        except StoreUnavailable:
            return None

    patch.setattr(App, "on_update", shrug)


@mutant
def counts_what_got_lost_as_sent(patch: pytest.MonkeyPatch) -> None:
    """An answer that did not come is taken for a good one."""
    flush = delivery.flush

    async def optimistic(outbox: Any, *rest: Any, **more: Any) -> Flushed:
        flushed = await flush(outbox, *rest, **more)
        if flushed.unknown:
            flushed.done += [i for i in outbox if outbox[i].chat in flushed.paused and i not in flushed.done]
        return flushed

    patch.setattr(courier, "flush", optimistic)
