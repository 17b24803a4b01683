"""A group of people at a desk, as the page plays with it: what they do, and what browsers must be told."""

import math
import random
import time
from typing import Any

import ai
from bot.rooms.codec import decode
from bot.rooms.model import Room
from bot.rooms.names import RoomName
from engine import question_for, view, waiting_on
from infra.store.items import RoomItem
from sandbox.computer_games import SEASONED, seat_chance
from sandbox.page import as_json
from sandbox.page.auto_players import PACES, AutoPlayers
from sandbox.page.clock import PageClock
from sandbox.page.lobby import LobbyHost, group_state
from sandbox.page.proof import proof_steps
from sandbox.page.recorder import RecordedHarness
from sandbox.page.registration import register
from sandbox.page.settings import PageSettings
from sandbox.telegram import Call, Chat, User
from sandbox.telegram.journal import COUNTED

#: Seconds between the rounds of the watchdog; in the cloud they are minutes apart.
ROUND = 60.0
#: Seconds between two looks at a table that is paused.
HELD = 1.0
#: The most seconds to wait for a sealed deal: long enough to read what is happening.
SEALED = 2.0
#: The index of a person who never pressed Start in the bot's private chat, and comes in by the deep link.
STRANGER = 2

Json = dict[str, Any]


class PageSession:
    """A desk with one group. Everything here belongs into the one thread that owns the desk."""

    def __init__(self, desk: RecordedHarness, settings: PageSettings, clock: PageClock) -> None:
        """``clock`` is the desk's own."""
        self.desk = desk
        self.clock = clock
        telegram = self.telegram = desk.telegram
        self.settings = settings
        self.people = [telegram.add_user(n, started=i != STRANGER) for i, n in enumerate(settings.people)]
        self.group = telegram.add_group("The Reichstag", self.people, admin=True)
        self.auto_players = AutoPlayers(
            telegram, self.group, self.people, time.time, random.Random(), self._asked, self._advised
        )
        if settings.others:
            self.auto_players.on = {user.id for user in self.people[1:]}
        self.seen = as_json.SentMessages(telegram)
        self._toasts: list[Json] = []
        self._told: list[Json] = []
        self._staged: Json = {}
        self._watched = clock()
        self._wrote = 0
        #: When time leaps to the next wake-up, by the real clock.
        self._leaps_at: float | None = None
        self.lobby_host = LobbyHost(telegram, self.group, self.room, self._settle, self._wait)
        register(desk)
        telegram.after_call.append(self._heard)

    def open_first_lobby(self) -> None:
        """Open the lobby that exists from the beginning, if there is one."""
        host, settings = self.people[0], self.settings
        if settings.computers or settings.ruleset is not None:
            self.lobby_host.open_lobby(host, settings.ruleset)
        if settings.computers:
            self.lobby_host.add_computers(host, settings.players)

    # --- what people do ------------------------------------------------------------------------------------

    def act(self, wish: Json) -> None:
        """Do what a browser asks for.

        Raises LookupError, PermissionError, ValueError where that is not possible, as Telegram's own clients
        would not offer it.
        """
        ways = {
            "say": self._say,
            "tap": self._tap,
            "start": self._start,
            "seat": lambda wish: self.lobby_host.seat_and_start(self._user(wish), self.settings.players),
            "block": self._block,
            "itself": self._itself,
            "pace": self._pace,
        }
        way = ways.get(str(wish.get("do")))
        if way is None:
            raise ValueError("nothing that anybody can do")
        way(wish)
        self._settle()

    def _say(self, wish: Json) -> None:
        text = str(wish["text"]).strip()
        if not 0 < len(text) <= 4096:
            raise ValueError("a message has 1 to 4096 characters")
        self.telegram.send(self._user(wish), self._chat(wish), text)

    def _tap(self, wish: Json) -> None:
        user, data = self._user(wish), str(wish["data"])
        chat, key = self._chat(wish), str(wish["message"])
        message = chat.ephemeral[int(key[1:])] if key.startswith("e") else chat.messages[int(key)]
        self.auto_players.note(self.telegram.tap(user, message, data))

    def _start(self, wish: Json) -> None:
        self.telegram.start_private(self._user(wish), wish.get("payload") or None)

    def _block(self, wish: Json) -> None:
        if wish["on"]:
            self.telegram.block(self._user(wish))
        else:
            self.telegram.unblock(self._user(wish))

    def _itself(self, wish: Json) -> None:
        """Let one person, or all but one (``others`` than ``user``), play by themselves or stop doing so."""
        user = self._user(wish)
        if wish.get("others"):
            others = {person.id for person in self.people if person is not user}
            self.auto_players.on = others if wish["on"] else set()
        elif wish["on"]:
            self.auto_players.on.add(user.id)
        else:
            self.auto_players.on.discard(user.id)

    def _pace(self, wish: Json) -> None:
        if wish["pace"] not in PACES:
            raise ValueError("no such pace")
        self.auto_players.pace = wish["pace"]
        self.auto_players.hurry()

    # --- time ----------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Deliver what is due, let one person act who plays by themselves, look after the clock."""
        if self._held():
            return
        if self.clock() - self._watched >= ROUND:
            self._watched = self.clock()
            self.desk.watch()
        self._settle()
        if self.auto_players.act() or self.auto_players.follow():
            self._settle()
            self.auto_players.follow()
            self._settle()
            self.auto_players.plan()
        self._leap()

    @property
    def next_at(self) -> float:
        """When there is something to do again, in seconds since 1970 by the real clock."""
        if self._held():
            return time.time() + HELD
        moments = [self._watched + ROUND, self.desk.queue.next_at, self.telegram.delivery.next_at()]
        real = [self.clock.real(moment) for moment in moments if moment is not None]
        return min(
            [*real, *(moment for moment in (self.auto_players.next_at, self._leaps_at) if moment is not None)]
        )

    def _leap(self) -> None:
        """Time leaps after a while in a game that waits for the clock alone, as meetings do."""
        patience, now = self.auto_players.patience, time.time()
        then = self._waited_for()
        if then is not None and self._leaps_at is not None and self._leaps_at <= now:
            self._leaps_at = None
            self.clock.leap_to(then)
            self._settle()
            then = self._waited_for()
        if then is None or patience is None:
            self._leaps_at = None
        elif self._leaps_at is None:
            self._leaps_at = now + (min(patience, SEALED) if self._at() == "sealed" else patience)

    def _waited_for(self) -> float | None:
        """Return the moment for which alone a game waits, in the desk's time."""
        return self.desk.queue.next_at if self._only_waits() else None

    def _held(self) -> bool:
        """Return True if computers must wait for the pace to change."""
        return self.settings.computers and self.auto_players.patience is None and self._only_waits()

    def _wait(self) -> None:
        """Let time leap to what the bot does next."""
        if (then := self.desk.queue.next_at) is not None:
            self.clock.leap_to(then)
        self._settle()

    def _only_waits(self) -> bool:
        """Return whether a game is going on, or sealed, in which every person has answered."""
        if self.auto_players.next_at is not None or any(self.auto_players.owes(user) for user in self.people):
            return False
        # The game does not wait for people who cannot be reached.
        if self._asked() & {user.id for user in self.people if not user.blocked}:
            return False
        return self._at() in ("sealed", "playing")

    def _settle(self) -> None:
        self.desk.settle()
        # This comes only now, because the bot believes that a flush takes no time. Time does not leap over a
        # sealed deal or over decisions of computers, or all of these would come at once until a person is
        # asked.
        watched = ("sealed", "playing") if self.settings.computers else ("sealed",)
        if not (self._at() in watched and self._only_waits()):
            self.clock.wrote(self._wrote)
        self._wrote = 0

    # --- what browsers are told ----------------------------------------------------------------------------

    def snapshot(self) -> Json:
        """Return everything that the page shows."""
        names = self._names()
        return {
            "bot": self.telegram.bot.username,
            "now": self.clock(),
            "group": {"id": self.group.id, "title": self.group.title, "members": len(self.people)},
            "people": self._people(),
            "pace": self.auto_players.pace,
            "computers": self.settings.computers,
            "seats": self.settings.players,
            "stage": self._stage(),
            "chats": self.seen.everything([self.group, *map(self.telegram.private, self.people)]),
            "turns": [as_json.turn_json(turn, names) for turn in self.desk.recorder.turns],
            "commands": self._commands(),
        }

    def news(self) -> Json:
        """Return what changed since the last call; empty if nothing did."""
        names = self._names()
        toasts, self._toasts = self._toasts, []
        turns, self.desk.recorder.fresh = self.desk.recorder.fresh, []
        people, now = self._people(), self._stage()
        news: Json = {
            "chats": self.seen.changes(),
            "toasts": toasts,
            "turns": [as_json.turn_json(turn, names) for turn in turns],
            "people": people if people != self._told else [],
            "stage": now if now != self._staged else None,
        }
        self._told, self._staged = people, now
        news = {name: value for name, value in news.items() if value}
        return {"now": self.clock(), **news} if news else {}

    def turn(self, number: int) -> Json | None:
        """Return one turn in full."""
        found = self.desk.recorder.find(number)
        return None if found is None else as_json.turn_in_full_json(found)

    def stored(self) -> list[Json]:
        """Return all items of the table."""
        items = self.desk.table.items.values()
        return sorted(
            (as_json.item_json(item) for item in items), key=lambda item: (item["key"], item["sort"])
        )

    def proof(self) -> list[Json]:
        """Return the proof of the game that is sealed, running or over, step by step."""
        return proof_steps(self.room(), self.desk.beacon.beacon, self.clock())

    def room(self) -> Room | None:
        """Return the group's room as stored, if it exists."""
        item = self._item()
        return None if item is None else decode(item.body, item.schema)

    def _item(self) -> RoomItem | None:
        return self.desk.built.app.rooms.load(RoomName(self.group.id).key)

    def _at(self) -> str:
        item = self._item()
        return group_state(self.room(), unsent=item is not None and bool(item.outbox))

    def _asked(self) -> set[int]:
        """Return who is asked something now, by user id."""
        room = self.room()
        match = None if room is None else room.playing
        asked = () if match is None else waiting_on(match.game)
        people = {} if match is None else match.in_person
        return {people[seat] for seat in asked if seat in people}

    def _advised(self, user: User, offered: tuple[str, ...]) -> str | None:
        """Return the offered answer that a computer would give in a person's seat, or None if not asked."""
        room = self.room()
        match = None if room is None else room.playing
        seat = None if match is None else match.seat_of(user.id)
        question = None if match is None or seat is None else question_for(match.game, seat)
        if match is None or seat is None or question is None:
            return None
        chance = seat_chance(f"desk/{match.number}", seat, question.number)
        choice = ai.choose(view(match.log, seat), question, match.claims, chance, SEASONED)
        return next((data for data in offered if data.endswith(f"|{question.number}|{choice}")), None)

    def _heard(self, call: Call, _: Json) -> None:
        if call.ok and call.chat == self.group.id and call.method in COUNTED:
            self._wrote += 1
        if call.method == "answerCallbackQuery" and call.ok:
            query = self.telegram.queries[str(call.params["callback_query_id"])]
            answer = query.answer
            if answer is not None:
                toast = {"user": query.user.id, "text": answer.text, "alert": answer.alert, "url": answer.url}
                self._toasts.append(toast)

    def _stage(self) -> Json:
        """Return the state of the group, who is asked, and until when.

        In real time, the only thing to wait for is time.
        """
        then = self._waited_for()
        until = None if then is None else min(self.clock.real(then), self._leaps_at or math.inf)
        return {"at": self._at(), "asked": sorted(self._asked()), "until": until}

    def _people(self) -> list[Json]:
        return [
            as_json.person_json(
                user, itself=user.id in self.auto_players.on, owes=self.auto_players.owes(user)
            )
            for user in self.people
        ]

    def _commands(self) -> Json:
        kinds = {"group": "all_group_chats", "private": "all_private_chats"}
        registered = self.telegram.commands
        return {kind: registered.get((f'{{"type": "{scope}"}}', ""), []) for kind, scope in kinds.items()}

    def _names(self) -> dict[int, str]:
        return {self.group.id: self.group.title, **{user.id: user.first_name for user in self.people}}

    def _user(self, wish: Json) -> User:
        for user in self.people:
            if user.id == wish["user"]:
                return user
        raise LookupError("nobody of this group")

    def _chat(self, wish: Json) -> Chat:
        return self.telegram.chats[int(wish["chat"])]
