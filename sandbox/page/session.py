"""One session of the page: a group with the bot, what its people do, and what browsers must be told."""

import json
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import ai
from bot.display import buttons
from bot.rooms.codec import decode
from bot.rooms.model import Lobby, Match, Room
from bot.rooms.names import ChatId, RoomName, UserId
from engine import question_for, view, waiting_on
from handlers.service.upkeep import all_registration_calls
from infra.store.items import OutboxEntry, RoomItem, room_from_attributes
from sandbox.buttons import data_with_verb, newest_with_button
from sandbox.clocks import PageClock
from sandbox.computer_games import SEASONED, seat_chance
from sandbox.game import NAMES, newest_ruleset, taps_to_choose
from sandbox.item_size import item_size
from sandbox.page.auto_players import JOIN, START, AutoPlayers
from sandbox.page.recorder import RecordedHarness
from sandbox.telegram import Call, Chat, Message, Telegram, User
from sandbox.telegram.calls import COUNTED

#: Seconds between the watchdog's rounds. (In the cloud they are minutes apart.)
ROUND = 60.0
#: Seconds between two looks at a paused session.
PAUSED = 1.0
#: The maximum of real seconds to wait for a sealed deal, long enough to read what is happening.
SEALED = 2.0
#: The index of a person who never pressed Start in the bot's private chat, and so joins by the deep link.
STRANGER = 2

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The settings of a page.

    With ``computers``, the group is one person, and a lobby with the bot's computers is open from the start.
    Otherwise the group has ``players`` people. With ``others``, all but the first play automatically.
    """

    players: int = 7
    others: bool = True
    #: The ruleset of the lobby that is open from the start. None: with computers, the default ruleset; with
    #: people, no lobby is open.
    ruleset: str | None = None
    computers: bool = False


class PageSession:
    """The bot with one group. Only the thread that runs the bot may use it."""

    def __init__(self, harness: RecordedHarness, settings: PageSettings, clock: PageClock) -> None:
        """``clock`` must be the clock of ``harness``."""
        self.harness = harness
        self.clock = clock
        telegram = self.telegram = harness.telegram
        self.settings = settings
        names = NAMES[: 1 if settings.computers else settings.players]
        self.people = [telegram.add_user(name, started=i != STRANGER) for i, name in enumerate(names)]
        self.group = telegram.add_group("The Reichstag", self.people, admin=True)
        self.auto_players = AutoPlayers(telegram, self.group, self.people, self._asked_people, self._advised)
        if settings.others:
            self.auto_players.on = {user.id for user in self.people[1:]}
        self.seen = SentMessages(telegram)
        self._toasts: list[Json] = []
        self._told: list[Json] = []
        self._last_turn = 0
        self._staged: Json = {}
        self._watched = clock()
        self._wrote = 0
        #: When time will leap to the next wake-up, in real time.
        self._leaps_at: float | None = None
        # The watchdog registers commands and profile after a deployment.
        for method, params in all_registration_calls():
            telegram.call(method, params)
        telegram.after_call.append(self._heard)

    # --- lobbies -------------------------------------------------------------------------------------------

    def open_first_lobby(self) -> None:
        """Open a lobby at the start if the settings ask for one."""
        host, settings = self.people[0], self.settings
        if settings.computers or settings.ruleset is not None:
            self.open_lobby(host, settings.ruleset)
        if settings.computers:
            self.add_computers(host, settings.players)

    def open_lobby(self, host: User, ruleset: str | None = None) -> None:
        """Open a lobby as ``host``. Raises ValueError if no ruleset has this name."""
        wanted = None if ruleset is None else newest_ruleset(ruleset).id
        self.telegram.send(host, self.group, "/newgame")
        self._settle()
        if wanted is not None and (opened := self._open_lobby()) is not None:
            room, _, message = opened
            for data in taps_to_choose(room, "ruleset", wanted):
                self._tap(host, message, data)

    def add_computers(self, host: User, seats: int) -> None:
        """Add computers as ``host`` until ``seats`` seats are taken, or as many as the game needs."""
        if (opened := self._open_lobby()) is None:
            return
        _, lobby, message = opened
        missing = min(max(seats, min(lobby.sizes)), max(lobby.sizes)) - len(lobby.players)
        if missing > 0:
            # The lobby's own buttons add fewer at a time, but the bot takes any number.
            wanted = lobby.computer_count + missing
            self._tap(
                host,
                message,
                buttons.data(RoomName(ChatId(self.group.id)), "computers", lobby.number, wanted),
            )

    def _seat_and_start(self, user: User) -> None:
        """Seat a person with computers, and start the game. Open a lobby first if there is none.

        Raises ValueError if a game is running already.
        """
        room = self.room()
        if room is not None and (room.playing or room.sealed):
            raise ValueError("a game is running already")
        if room is None or room.lobby is None:
            self.open_lobby(user)
        if (opened := self._open_lobby()) is None:
            return  # the bot told the group why no lobby opens
        _, lobby, message = opened
        if not lobby.is_seated(UserId(user.id)):
            self._tap(user, message, data_with_verb(message, JOIN)[0])
            if self.auto_players.follow([user]):
                self._settle()
        self.add_computers(user, self.settings.players)
        self._tap(user, message, data_with_verb(message, START)[0])

    def _open_lobby(self) -> tuple[Room, Lobby, Message] | None:
        """Return the room, its lobby and the message with the lobby's buttons, or None."""
        room, message = self.room(), newest_with_button(self.group, JOIN)
        if room is None or room.lobby is None or message is None:
            return None
        return room, room.lobby, message

    def _tap(self, user: User, message: Message, data: str) -> None:
        self.telegram.tap(user, message, data, forged=True)
        self._settle()

    # --- what people do ------------------------------------------------------------------------------------

    def act(self, wish: Json) -> None:
        """Do what a browser asks for.

        Raises LookupError, PermissionError or ValueError if a Telegram client would not allow it.
        """
        user = self._user(wish)
        match wish.get("do"):
            case "say":
                text = str(wish["text"]).strip()
                if not 0 < len(text) <= 4096:
                    raise ValueError("a message has 1 to 4096 characters")
                self.telegram.send(user, self._chat(wish), text)
            case "tap":
                message = self._chat(wish).messages[int(wish["message"])]
                self.auto_players.note(self.telegram.tap(user, message, str(wish["data"])))
            case "start":
                self.telegram.start_private(user, wish.get("payload") or None)
            case "seat":
                self._seat_and_start(user)
            case "block":
                self.telegram.block(user, blocked=bool(wish["on"]))
            case "itself":
                # With ``others``: all but this person play automatically, or nobody does.
                chosen = (
                    {one.id for one in self.people if one is not user} if wish.get("others") else {user.id}
                )
                kept = set() if wish.get("others") else self.auto_players.on - chosen
                self.auto_players.on = kept | chosen if wish["on"] else kept
            case "pace":
                self.auto_players.set_pace(wish["pace"])
            case _:
                raise ValueError("unknown action")
        self._settle()

    # --- time ----------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Deliver what is due, let one automatic player act, and let time leap if the game waits for it."""
        if self._is_paused():
            return
        if self.clock() - self._watched >= ROUND:
            self._watched = self.clock()
            self.harness.watch()
        self._settle()
        if self.auto_players.act() or self.auto_players.follow():
            self._settle()
            self.auto_players.follow()
            self._settle()
            self.auto_players.plan()
        self._leap()

    @property
    def next_at(self) -> float:
        """Return when ``tick`` has something to do again, in real seconds since 1970."""
        if self._is_paused():
            return time.time() + PAUSED
        moments = [self._watched + ROUND, self.harness.queue.next_at, self.telegram.delivery.next_at()]
        real = [self.clock.real(moment) for moment in moments if moment is not None]
        real += [moment for moment in (self.auto_players.next_at, self._leaps_at) if moment is not None]
        return min(real)

    def _leap(self) -> None:
        """If the game only waits for time, as a meeting does, leap to the next wake-up after a while."""
        patience, now = self.auto_players.patience, time.time()
        then = self._awaited_time()
        if then is not None and self._leaps_at is not None and self._leaps_at <= now:
            self._leaps_at = None
            self.clock.leap_to(then)
            self._settle()
            then = self._awaited_time()
        if then is None or patience is None:
            self._leaps_at = None
        elif self._leaps_at is None:
            self._leaps_at = now + (min(patience, SEALED) if self._state() == "sealed" else patience)

    def _awaited_time(self) -> float | None:
        """Return the virtual time for which the game waits, or None if it waits for a person."""
        return self.harness.queue.next_at if self._only_waits() else None

    def _is_paused(self) -> bool:
        """Return True if computers would act next, but the pace is set to paused."""
        return self.settings.computers and self.auto_players.patience is None and self._only_waits()

    def _only_waits(self) -> bool:
        """Return True if a game is sealed or running, and no person must answer."""
        if self.auto_players.next_at is not None or any(self.auto_players.owes(user) for user in self.people):
            return False
        # The game does not wait for people who cannot be reached.
        if self._asked_people() & {user.id for user in self.people if not user.blocked}:
            return False
        return self._state() in ("sealed", "playing")

    def _settle(self) -> None:
        self.harness.settle()
        # Time leaps only now, because the bot expects a flush to take no time. It does not leap during a
        # sealed deal or decisions of computers, or all of their messages would appear at once.
        watched = ("sealed", "playing") if self.settings.computers else ("sealed",)
        if not (self._state() in watched and self._only_waits()):
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
            "turns": [turn.json(names) for turn in self.harness.turns],
            "commands": self._commands(),
        }

    def news(self) -> Json:
        """Return the changes since the last call; empty if there are none."""
        names = self._names()
        toasts, self._toasts = self._toasts, []
        turns = [turn for turn in self.harness.turns if turn.number > self._last_turn]
        self._last_turn = turns[-1].number if turns else self._last_turn
        people, now = self._people(), self._stage()
        news: Json = {
            "chats": self.seen.changes(),
            "toasts": toasts,
            "turns": [turn.json(names) for turn in turns],
            "people": people if people != self._told else [],
            "stage": now if now != self._staged else None,
        }
        self._told, self._staged = people, now
        news = {name: value for name, value in news.items() if value}
        return {"now": self.clock(), **news} if news else {}

    def turn(self, number: int) -> Json | None:
        """Describe a turn in full, or return None if it is no longer kept."""
        return next((turn.in_full() for turn in self.harness.turns if turn.number == number), None)

    def stored(self) -> list[Json]:
        """Describe all items of the table."""
        items = self.harness.table.items.values()
        return sorted((item_json(item) for item in items), key=lambda item: (item["key"], item["sort"]))

    def room(self) -> Room | None:
        """Return the group's stored room, or None."""
        item = self._item()
        return None if item is None else decode(item.body, item.schema)

    def _item(self) -> RoomItem | None:
        return self.harness.built.app.rooms.load(RoomName(ChatId(self.group.id)).key)

    def _state(self) -> str:
        """Return the state of the group: ``empty``, ``lobby``, ``sealed``, ``playing`` or ``over``.

        A game counts as playing until its end is announced.
        """
        room = self.room()
        if room is None or (room.lobby, room.sealed, room.match) == (None, None, None):
            return "empty"
        if room.lobby is not None:
            return "lobby"
        if room.sealed is not None or room.match is None:
            return "sealed"
        item = self._item()
        return "playing" if (item and item.outbox) or not room.match.over else "over"

    def _playing(self) -> Match | None:
        room = self.room()
        return None if room is None else room.playing

    def _asked_people(self) -> set[int]:
        """Return the ids of the people who must answer now."""
        match = self._playing()
        if match is None:
            return set()
        return {match.in_person[seat] for seat in waiting_on(match.game) if seat in match.in_person}

    def _advised(self, user: User, offered: Sequence[str]) -> str | None:
        """Return the answer that a computer would give in a person's seat; None if it is not asked."""
        match = self._playing()
        seat = None if match is None else match.seat_of(UserId(user.id))
        if match is None or seat is None or (question := question_for(match.game, seat)) is None:
            return None
        chance = seat_chance(f"desk/{match.number}", seat, question.number)
        choice = ai.choose(view(match.log, seat), question, match.claims, chance, SEASONED)
        return next((data for data in offered if data.endswith(f"|{question.number}|{choice}")), None)

    def _heard(self, call: Call, _: Json) -> None:
        if call.ok and call.chat == self.group.id and call.method in COUNTED:
            self._wrote += 1
        if call.method == "answerCallbackQuery" and call.ok:
            answer = self.telegram.queries[str(call.params["callback_query_id"])].answer
            if answer is not None:
                self._toasts.append(asdict(answer))

    def _stage(self) -> Json:
        """Return the group's state, who must answer, and if nobody must, the real time of the next step."""
        then = self._awaited_time()
        until = None if then is None else min(self.clock.real(then), self._leaps_at or math.inf)
        return {"at": self._state(), "asked": sorted(self._asked_people()), "until": until}

    def _people(self) -> list[Json]:
        """Return people's states. ``itself``: they play automatically; ``owes``: they have to answer."""
        automatic, owes = self.auto_players.on, self.auto_players.owes
        return [
            {
                "id": user.id,
                "name": user.first_name,
                "started": user.started,
                "blocked": user.blocked,
                "itself": user.id in automatic,
                "owes": owes(user),
            }
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


def message_json(shown: Message) -> Json:
    """Describe a message. ``sender`` is a user's id."""
    photo, sender = shown.photo, shown.sender
    fields: Json = {
        "key": str(shown.id),
        "sender": sender.id if sender else None,
        "name": shown.sender_chat.title if shown.sender_chat else sender and sender.first_name,
        "bot": sender is not None and sender.is_bot,
        "date": int(shown.date),
        "html": shown.html,
        "keyboard": shown.rows,
        "photo": f"/photo/{photo.file_id}" if photo else None,
        "size": [photo.width, photo.height] if photo else None,
        "spoiler": shown.spoiler,
        "protected": shown.protected,
        # Telegram's apps do not mark edited messages of bots.
        "edited": shown.edited is not None and not (sender is not None and sender.is_bot),
        "reply": shown.reply_to.id if shown.reply_to else None,
        "service": _service(shown.service) if shown.service else None,
    }
    return {name: value for name, value in fields.items() if value not in (None, False, [])}


def _service(service: Json) -> str:
    names = ", ".join(user.get("first_name", "") for user in service.get("new_chat_members", ()))
    left = service.get("left_chat_member", {}).get("first_name", "")
    said = {
        "new_chat_members": f"{names} joined",
        "left_chat_member": f"{left} left",
        "migrate_to_chat_id": "The group became a supergroup",
    }
    return next((said[name] for name in service if name in said), ", ".join(service))


class SentMessages:
    """Remember which messages browsers have, to send them only changes."""

    def __init__(self, telegram: Telegram) -> None:
        self._changed: dict[int, Chat] = {}
        self._sent: dict[int, dict[str, Json]] = {}
        telegram.on_change.append(lambda chat: self._changed.update({chat.id: chat}))

    def changes(self) -> list[Json]:
        """Return the changes since the last call by chat: changed messages, and keys of removed ones."""
        told = []
        for chat in self._changed.values():
            before, now = self._sent.get(chat.id, {}), self._now(chat)
            self._sent[chat.id] = now
            fresh = [shown for key, shown in now.items() if before.get(key) != shown]
            gone = [key for key in before if key not in now]
            if fresh or gone:
                told.append({"chat": chat.id, "messages": fresh, "gone": gone})
        self._changed.clear()
        return told

    def everything(self, chats: Iterable[Chat]) -> list[Json]:
        """Return all messages by chat."""
        return [{"chat": chat.id, "messages": list(self._now(chat).values())} for chat in chats]

    def _now(self, chat: Chat) -> dict[str, Json]:
        rows = (message_json(message) for message in chat.messages.values() if not message.deleted)
        return {row["key"]: row for row in rows}


def _filled(entry: OutboxEntry) -> Json:
    return {name: value for name, value in asdict(entry).items() if value is not None}


def item_json(attributes: Json) -> Json:
    """Describe an item of the table: keys, bytes, and attributes, which are decoded if it is a room."""
    key, sort = attributes["pk"]["S"], attributes["sk"]["S"]
    shown: Json = {"key": key, "sort": sort, "bytes": item_size(attributes)}
    if sort != "room":
        return {**shown, "attributes": json.loads(json.dumps(attributes, default=repr))}
    room = room_from_attributes(attributes)
    return {
        **shown,
        "attributes": {
            "version": room.version,
            "schema": room.schema,
            "due": room.due,
            "lease": room.lease and room.lease._asdict(),
            "outbox": {number: _filled(entry) for number, entry in room.outbox.items()},
            "remembered": room.remembered.as_patch(),
            "updates": f"{len(room.updates)} remembered",
            "body": json.loads(room.body) if room.body else None,
        },
    }
