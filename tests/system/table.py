"""A group with short commands with which its people write, tap and read, as on their phones.

    table = Table(harness).open(players=7, roles="llllffh", deck="lff lff")
    table.nominate(1).vote("jjjjjjn").discard("f").enact("l")
    table.seat(3).prompt().tap("Ja")
    table.group_text()

People answer with the buttons of their private chats, never through the engine.
"""

import random
import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any
from unittest.mock import patch

from bot.display.buttons import data
from bot.rooms.codec import decode, encode
from bot.rooms.model import Ballots, FirstTap, Lobby, Match, Room
from bot.rooms.names import ChatId, RoomName, UserId
from engine import (
    Chance,
    Event,
    Game,
    Question,
    Reply,
    Seat,
    Setup,
    answer,
    board_of,
    dealt,
    proof,
    time_out,
    waiting_on,
)
from engine.facts import CandidacyPassed
from infra.store.items import Change, RoomItem
from sandbox.buttons import asks_for_second_tap
from sandbox.game import NAMES
from sandbox.harness import Harness
from sandbox.telegram import Chat, Message, Query, User
from tests.engine.builders import LETTERS, in_order, names

#: Virtual seconds that pass before each act.
PACE = 3.0


class Table:
    """A group with the bot in it, and the people who play there."""

    def __init__(
        self, harness: Harness, people: Sequence[User] = (), *, title: str = "The Reichstag", **group: Any
    ) -> None:
        self.harness = harness
        self.tg = harness.telegram
        self.people = list(people)
        self.topic: int | None = None
        self._decoded: tuple[tuple[bytes, int], Room] | None = None
        #: The owner of the group, who does not play.
        self.owner = self.tg.add_user("Otto", started=True)
        self.group: Chat = self.tg.add_group(title, [self.owner, *self.people], **group)

    # --- people -----------------------------------------------------------------------------------

    def person(self, name: str, *, started: bool = True, member: bool = True, **details: Any) -> User:
        """Add and return a person: by default a member of the group to whom the bot may write."""
        user = self.tg.add_user(name, started=started, **details)
        self.people.append(user)
        if member:
            self.tg.join(user, self.group)
            self.harness.settle()
        return user

    def add_people(self, *names: str) -> "Table":
        for name in names:
            self.person(name)
        return self

    def seat(self, number: int) -> "Seated":
        """Return the person in a seat. Before the game, return the person who will get that seat."""
        return Seated(self, self.people[number])

    # --- the group --------------------------------------------------------------------------------

    def say(self, user: User, text: str) -> "Table":
        self.pass_time()
        self.tg.send(user, self.group, text, self.topic)
        self.harness.settle()
        return self

    def leave(self, user: User, command: str = "/leave") -> "Table":
        """Ask to leave the game, wait for the bot's question, and tap its button."""
        match = self.match()
        meant = f"quit|{self.name.short}|{match.number}|{match.seat_of(UserId(user.id))}|1"
        self.say(user, command)
        for _ in range(60):
            try:
                message, data = self.button("quit")
            except LookupError:
                data = ""
            if data == meant:
                self.pass_time()
                self.tap(user, message, data)
                return self
            self.wait(1)
        raise LookupError(f"{user.first_name} was not asked")

    def tap(self, user: User, message: Message, data: str, *, forged: bool = False) -> Query:
        """Tap a button at once, and let the bot handle it."""
        query = self.tg.tap(user, message, data, forged=forged)
        self.harness.settle()
        return query

    def follow(self, user: User, link: str | Query) -> None:
        """Open a link, or the address in the answer to a tap, and press Start there."""
        self.tg.open_link(user, link_of(link) if isinstance(link, Query) else link)
        self.harness.settle()

    def block(self, user: User, *, blocked: bool = True) -> None:
        """Block the bot, or unblock it, as this person."""
        self.tg.block(user, blocked=blocked)
        self.harness.settle()

    def migrate(self) -> Chat:
        """Turn the group into a supergroup, and tell the bot."""
        new = self.tg.migrate(self.group)
        self.harness.settle()
        self.group = new
        return new

    def press(self, user: User, verb: str, *, settle: bool = True) -> Query:
        """Tap the newest button in the group with this verb, whether the user may or not."""
        message, data = self.button(verb)
        self.pass_time()
        query = self.tg.tap(user, message, data)
        if settle:
            self.harness.settle()
        return query

    def forge(self, user: User, data: str, message: Message | None = None) -> str:
        """Tap with any callback data; return the toast."""
        message = message or next(iter(self.group.messages.values()))
        self.pass_time()
        return answered(self.tap(user, message, data, forged=True))

    def press_gone(self, user: User, message: Message, verb: str) -> str:
        """Tap a button of a deleted message; return the toast."""
        found = [button["callback_data"] for button in message.buttons()]
        data = next(each for each in found if each.startswith(f"{verb}|"))
        return self.forge(user, data, message)

    def button(self, verb: str) -> tuple[Message, str]:
        """Return the group's newest message with a button of this verb, and the button's callback data."""
        return find_button([message for message in self.group.messages.values() if not message.deleted], verb)

    def button_gone(self, verb: str) -> bool:
        """Return True if no message of the group has a button of this verb."""
        try:
            self.button(verb)
        except LookupError:
            return True
        return False

    def group_views(self) -> list[Message]:
        """Return the bot's messages in the group as they are now, oldest first."""
        return [view for view in self.tg.chat_view(self.group) if view.mine and view.thread == self.topic]

    def group_texts(self) -> list[str]:
        return [view.text for view in self.group_views()]

    def group_text(self) -> str:
        return self.group_texts()[-1]

    def lobby_text(self) -> str:
        return next(text for text in reversed(self.group_texts()) if text.startswith("🏛"))

    def cancel(self, user: User) -> "Table":
        """Cancel the lobby or the game as ``user``, and confirm it."""
        self.say(user, "/cancel").press(user, "cancel")
        return self

    # --- a game -----------------------------------------------------------------------------------

    def gather(self, players: int = 7, setup: Setup | None = None) -> "Table":
        """Open a lobby as the first person, and let ``players`` people join."""
        while len(self.people) < players:
            self.person(NAMES[len(self.people)])
        self.say(self.people[0], "/newgame")
        if setup is not None:
            self.play_by(setup)
        for user in self.people[:players]:
            self.press(user, "join")
        return self

    def open(
        self,
        players: int = 7,
        *,
        roles: str | Sequence[str] | None = None,
        deck: str | Sequence[str] | None = None,
        decks: Sequence[str | Sequence[str]] = (),
        first: int = 0,
        ruleset: str = "classic@1",
        options: Mapping[str, str] | None = None,
        chance: Chance | None = None,
    ) -> "Table":
        """Open a lobby, let people join, and start a game. Seats are in the order of ``people``.

        ``roles`` default to the board's list (Liberals first, Hitler last). ``chance`` replaces the deal.
        """
        setup = Setup(ruleset, players, dict(options or {}))
        if chance is None:
            piles = [names(pile) for pile in (*([deck] if deck is not None else []), *decks)]
            listed = in_order(board_of(setup)) if roles is None else names(roles)
            chance = dealt(listed, Seat(first), piles)
        return self.gather(players, setup).start(chance)

    def computers(self, wanted: int) -> "Table":
        """Tap as the host until the open lobby has this many computers."""
        while (lobby := self.room().lobby) is not None and lobby.computer_count < wanted:
            self.press(self.people[0], "computers")
        return self

    def set_ballots(self, place: Ballots) -> "Table":
        """Store where people vote, as if it had been chosen by buttons."""
        self.rewrite(replace(self.room(), settings=replace(self.room().settings, ballots=place)))
        return self

    def play_by(self, setup: Setup) -> None:
        """Store this setup in the open lobby, as if it had been chosen by buttons."""
        lobby = self.lobby()
        if (lobby.setup.ruleset, lobby.setup.options) != (setup.ruleset, setup.options):
            self.rewrite(replace(self.room(), lobby=replace(lobby, setup=replace(setup, players=0))))

    def start(self, chance: Chance | None = None) -> "Table":
        """Tap Start as the host, or as an admin if the host left. ``chance`` replaces the sealed deal."""
        with deal(chance) if chance is not None else nullcontext():
            lobby = self.room().lobby
            leads = self.people[0] if lobby is not None and lobby.host == self.people[0].id else self.owner
            self.press(leads, "start")
            return self.wait_for_deal()

    def wait_for_deal(self) -> "Table":
        self.harness.wait_for_deal(lambda: self.room().sealed is not None)
        return self

    def start_dealt(self) -> "Table":
        """Start with the first seat as the first candidate."""
        return self.start(dealt((), Seat(0)))

    def vote(self, ballots: str) -> "Table":
        """Cast the ballots of the voting seats in seat order: ``j``, ``n``, or ``.`` for no ballot yet."""
        for seat, ballot in zip(self.waiting(), ballots, strict=True):
            if ballot != ".":
                self.seat(seat).prompt().tap({"j": "Ja", "n": "Nein"}[ballot])
        return self

    def nominate(self, seat: int) -> "Table":
        """Choose a seat, as the one seat that must answer."""
        self.asked().prompt().tap(self.people[seat].first_name)
        return self

    target = nominate

    def choose(self, place: int = 0) -> "Table":
        """Tap the button with this index, as the one seat that must answer."""
        prompt = self.asked().prompt()
        prompt.tap(prompt.labels()[place])
        return self

    def elect(self, chancellor: int) -> "Table":
        return self.nominate(chancellor).vote("j" * len(self.waiting()))

    def reject(self, chancellor: int) -> "Table":
        return self.nominate(chancellor).vote("n" * len(self.waiting()))

    def discard(self, letter: str) -> "Table":
        """Choose a tile by its letter, as the one seat that must answer."""
        self.asked().prompt().tap(LETTERS[letter].capitalize())
        return self

    enact = discard

    def govern(self, chancellor: int, tile: str) -> "Table":
        """Play a round up to its power: elect the pair, and enact this tile."""
        self.elect(chancellor)
        for _ in range(2):
            hand = self.asked().prompt().labels()
            wanted = [label for label in hand if LETTERS[tile].capitalize() in label]
            spare = [label for label in hand if label not in wanted]
            three = len(hand) > 2
            self.asked().prompt().tap((spare or wanted)[0] if three else wanted[0])
        return self

    def elect_hitler(self) -> "Table":
        """Open a game of five, enact three Fascist policies, and elect Hitler Chancellor, which ends it."""
        self.open(5, roles="lllfh", deck="lff fff fff")
        return self.govern(1, "f").govern(2, "f").govern(3, "f").elect(4)

    def step_on(self, rng: random.Random) -> None:
        """Tap at random for all seats that must answer. If they meet, let the meeting's time pass."""
        match, question = self.match(), self.question()
        for seat in question.seats if question.meeting else self.waiting():
            prompt = self.seat(seat).prompt()
            prompt.tap(rng.choice(prompt.labels()))
        if question.meeting:
            over = match.time_began_at + self.room().settings.meeting + 1
            self.pass_time(max(0.0, over - self.harness.clock()))
            self.harness.settle()

    def finish(self, seed: int = 0) -> "Table":
        rng = random.Random(seed)
        while not self.match().over:
            self.step_on(rng)
        return self

    def hurry(self, seed: int = 0) -> "Table":
        """End the game at random: the engine plays up to a person's last answer, and that person taps it."""
        match, rng = self.match(), random.Random(seed)
        game, log, last = before_the_end(lambda: (match.game, match.log), rng, match.in_person)
        began = max(at for at, event in enumerate(log) if isinstance(event.fact, CandidacyPassed))
        now = self.harness.clock()
        # If the last answer takes two taps, the first one is made already.
        first = FirstTap(last.choice, int(now * 1000))
        match = replace(match, game=game, log=log, post_start=began, time_began_at=int(now), first_tap=first)
        self.rewrite(replace(self.room(), match=match))
        tapped = data(self.name, "answer", match.number, last.question, last.choice)
        self.forge(self.tg.users[match.people[last.seat]], tapped)
        self.wait(61)  # messages that wait for the group's limit are sent
        return self

    # --- what is stored ---------------------------------------------------------------------------

    @property
    def name(self) -> RoomName:
        return RoomName(ChatId(self.group.id), self.topic)

    def item(self) -> RoomItem:
        counted = self.harness.requests.copy()
        item = self.harness.built.app.rooms.load_following(self.name.key)
        self.harness.requests = counted
        assert item is not None
        return item

    def room(self) -> Room:
        item = self.item()
        if self._decoded is None or self._decoded[0] != (item.body, item.schema):
            self._decoded = (item.body, item.schema), decode(item.body, item.schema)
        return self._decoded[1]

    def lobby(self) -> Lobby:
        lobby = self.room().lobby
        assert lobby is not None
        return lobby

    def players(self) -> list[str]:
        return [player.name for player in self.lobby().players]

    def question(self) -> Question:
        question = self.match().game.question
        assert question is not None, "nothing is asked"
        return question

    def match(self) -> Match:
        match = self.room().match
        assert match is not None
        return match

    def names(self, user: User) -> bool:
        """Return True if the stored room contains a person's id."""
        return re.search(rf"(?<![-\w]){user.id}(?!\w)", encode(self.room()).decode()) is not None

    def rewrite(self, room: Room) -> None:
        """Store a changed room, without the bot."""
        saved = self.harness.built.app.rooms.save(self.item(), Change(body=encode(room)))
        assert isinstance(saved, RoomItem)

    def waiting(self) -> tuple[int, ...]:
        return waiting_on(self.match().game)

    def asked(self) -> "Seated":
        (seat,) = self.waiting()
        return self.seat(seat)

    def pass_time(self, seconds: float = PACE) -> None:
        self.harness.clock.advance(seconds)  # type: ignore[attr-defined]

    def wait(self, seconds: float) -> None:
        """Let virtual seconds pass, and let the bot do what is due."""
        self.pass_time(seconds)
        self.harness.settle()

    def wait_until(self, moment: float) -> None:
        self.wait(max(0.0, moment - self.harness.clock()))


class Seated:
    def __init__(self, table: Table, user: User) -> None:
        self.table = table
        self.user = user

    def views(self) -> list[Message]:
        """Return the bot's messages in the private chat as they are now, oldest first."""
        return [view for view in self.table.tg.private_view(self.user) if view.mine]

    def texts(self) -> list[str]:
        return [view.text for view in self.views()]

    def text(self) -> str:
        return self.texts()[-1]

    def prompts(self) -> list["Prompt"]:
        """Return the messages with answers, oldest first."""
        found = [Prompt(self, view) for view in self.views()]
        return [prompt for prompt in found if prompt.data()]

    def prompt(self) -> "Prompt":
        return self.prompts()[-1]

    def say(self, text: str) -> "Seated":
        self.table.pass_time()
        self.table.tg.send(self.user, self.table.tg.private(self.user), text)
        self.table.harness.settle()
        return self

    def newest(self, verb: str) -> Message:
        """Return the newest message with a button of this verb."""
        return find_button(self.views(), verb)[0]

    def press(self, verb: str = "", label: str = "", *, settle: bool = True) -> Query:
        """Tap the newest button in the private chat with this verb and these words."""
        message, data = find_button(self.views(), verb, label)
        self.table.pass_time()
        query = self.table.tg.tap(self.user, message, data)
        if settle:
            self.table.harness.settle()
        return query

    def toast(self) -> str:
        return self.table.tg.toasts(self.user)[-1].text


class Prompt:
    def __init__(self, seat: Seated, message: Message) -> None:
        self.seat = seat
        self.message = message

    @property
    def text(self) -> str:
        return self.message.text

    def labels(self) -> list[str]:
        return [button["text"] for button in self.message.buttons()]

    def data(self) -> list[str]:
        found = [button.get("callback_data", "") for button in self.message.buttons()]
        return [data for data in found if data.startswith("answer|")]

    def tap(self, label: str, *, settle: bool = True) -> Query:
        """Tap the first button whose label contains ``label``, and a second time if the bot asks for it."""
        table = self.seat.table
        for button in self.message.buttons():
            if label in button["text"]:
                table.pass_time()
                query = table.tg.tap(self.seat.user, self.message, button["callback_data"])
                if settle:
                    table.harness.settle()
                return self.tap(label) if asks_for_second_tap(query) else query
        raise LookupError(f"no button {label!r} among {self.labels()}")


def find_button(messages: Sequence[Message], verb: str = "", label: str = "") -> tuple[Message, str]:
    """Return the newest message that has a button of this verb with these words, and the button's data."""
    for message in reversed(messages):
        for button in message.buttons():
            data = button.get("callback_data", "")
            if data and verb in ("", data.partition("|")[0]) and label in button["text"]:
                return message, data
    raise LookupError(f"no button {verb or label!r}")


def data_of(message: Message, label: str) -> str:
    """Return the data of the message's first button with these words."""
    return find_button([message], label=label)[1]


def before_the_end(
    begun: Callable[[], tuple[Game, Sequence[Event]]], rng: random.Random, seats: Container[int] = range(99)
) -> tuple[Game, tuple[Event, ...], Reply]:
    """Return a random game before its last answer, its events, and that answer, given by one of the seats."""
    while True:
        game, before = begun()
        log = list(before)
        while (question := game.question) is not None:
            for seat, options in zip(question.seats, question.options, strict=True):
                last = Reply(seat, question.number, rng.randrange(len(options)))
                after, told = answer(game, last)
                if after.question is None and seat in seats:
                    return game, tuple(log), last
                game = after
                log += told
            if question.meeting:
                game, told = time_out(game)
                log += told


@cache
def drawing() -> tuple[ModuleType, ...]:
    """Return the bot's modules that draw a game's chance."""
    bots = [module for name, module in sys.modules.items() if name.startswith("bot.")]
    found = tuple(module for module in bots if getattr(module, "chance", None) is proof.chance)
    assert found, "no module draws a game's chance"
    return found


@contextmanager
def deal(chance: Chance) -> Iterator[None]:
    """Start games with this chance within the ``with`` block, instead of their seeds and the beacon."""
    with ExitStack() as stack:
        for module in drawing():
            stack.enter_context(patch.object(module, "chance", lambda *given, **more: chance))
        yield


def answered(query: Query) -> str:
    """Return a tap's toast. Fail without an answer, since the button would then spin on the phone."""
    assert query.answer is not None, "the tap was not answered"
    return query.answer.text


def link_of(query: Query) -> str:
    """Return the address that a tap's answer opens."""
    assert query.answer is not None
    assert query.answer.url, "the tap opened nothing"
    return query.answer.url


def said(text: str) -> str:
    """Return a text without the marks that keep names in their direction, and with ordinary spaces."""
    return text.replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")
