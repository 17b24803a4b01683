"""Show finished games in private: list them, replay them step by step, and say what decided them.

The first step is a new message, and the next ones edit it. A person gets at most one edit in two seconds. If
several wait, only the latest is shown. Edits also wait while the bot has many other messages to send.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import Post, Private, Toast
from bot.conversation.person import own_language
from bot.conversation.private.finished import (
    LISTED,
    NEW,
    Finished,
    Listed,
    ToFinished,
    decided_page,
    decided_rows,
    finished_list,
    gone,
    opened_proof,
    replay_rows,
)
from bot.display.board_picture import Draw, look_of
from bot.display.buttons import Row
from bot.display.replay import LONGEST, step_caption
from bot.display.words import Words, shown_length
from bot.records.archive import archive_key
from bot.records.frames import Replay, match_of, players_of
from bot.records.leaderboard import SORT, decode_board
from bot.rooms.codec import NewerSchema, decode
from bot.rooms.model import Room
from bot.rooms.names import NO_MESSAGE, MessageId, RoomName, UserId, from_key, from_short
from engine import SEATS, Seat
from engine.frozen import frozen
from handlers.service import effects
from handlers.service.lookups import REPLAY_KEY_PREFIX, backlog_of, is_member, member_of
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.archives import Archive, Archives, time_ordered_id
from infra.store.items import RoomItem
from infra.store.pace import Pace
from infra.store.people import UserItem, Users
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from infra.telegram.errors import Kind, Refused, WireError
from infra.telegram.gateway import Gateway

if TYPE_CHECKING:
    from ai.lookback import Lookback

#: The name of the option in a person's item that says when their next step may be shown (``at``), and which
#: step waits (``want``).
REPLAY_OPTION = "film"
#: Seconds between two steps of one person.
STEP_INTERVAL = 2.0
#: If a new message of the bot has to wait longer than this (seconds), steps wait, too.
BUSY_BACKLOG = 1.0
#: A process remembers at most this many finished games, file ids of pictures, and permissions. A permission
#: says that one person may see one game.
MOST_GAMES, MOST_PICTURES, MOST_ALLOWED = 32, 2_000, 1_000
#: Seconds for which a process remembers that a person may see a game.
ALLOWED_SECONDS = 600
#: Games are listed from at most this many of a person's rooms. From each room, at most this many games are
#: loaded.
MOST_ROOMS, MOST_PER_ROOM = 10, 4


@frozen
class LoadedGame:
    """A finished game, loaded for watching."""

    game: Finished
    theme: str
    archive: Archive
    replay: Replay
    #: The people by seat: ids, or aliases for people who were forgotten.
    people: Mapping[Seat, UserId]
    #: Keys that the room has or had. A person's item may name any of them.
    keys: frozenset[str]

    @property
    def key(self) -> tuple[str, str]:
        """Return the archive's key. It stays the same if the group's id changes."""
        return self.archive.room, self.archive.game


@dataclass(slots=True)
class FinishedGames:
    """Show finished games to people who may see them.

    They played the game, have taken part in its room, are in the group, or have a link to the game.
    """

    users: Users
    rooms: Rooms
    archives: Archives
    gateway: Gateway
    wakeups: WakeupQueue
    pace: Pace
    clock: Callable[[], float]
    draw: Draw
    _games: "OrderedDict[tuple[str, str, str], LoadedGame]" = field(default_factory=OrderedDict)
    _lookbacks: "OrderedDict[tuple[str, str], Lookback]" = field(default_factory=OrderedDict)
    _file_ids: "OrderedDict[str, str]" = field(default_factory=OrderedDict)
    #: By person and game: until when (seconds since 1970) the person may see the game without another check.
    _allowed_until: "OrderedDict[tuple[UserId, tuple[str, str]], float]" = field(default_factory=OrderedDict)

    # --- lists and links --------------------------------------------------------------------------------

    def list_games(self, words: Words, rooms: Mapping[str, Room]) -> tuple[Markup, tuple[Row, ...]]:
        """Return a list of these groups' last games, and buttons to open them. One read for each group."""
        found: list[tuple[str, Listed]] = []
        for room in list(rooms.values())[:MOST_ROOMS]:
            if room.private:
                continue
            for archive in self.archives.latest(archive_key(room), MOST_PER_ROOM):
                with suppress(NewerSchema, ValueError, KeyError):
                    found.append((archive.game, self._game_line(room, archive)))
        latest = [one for _, one in sorted(found, key=lambda each: each[0], reverse=True)]
        return finished_list(words, latest[:LISTED])

    def follow(self, person: Person, link: ToFinished) -> dict[str, Any] | None:
        """Show the finished game to which a signed link leads. Return the webhook's reply, if any."""
        user_item = self.users.load(person.id)
        if not user_item.may_write:
            user_item = self.users.save(person.id, may_write=True)
        person = replace(person, language=own_language(user_item.language, person))
        loaded = self._load(link.room, link.number, link.ended, person.language)
        if loaded is None:
            return effects.reply_call(Post(Private(person.id), escape(gone(Words(person.language)))))
        self._remember_allowed(person.id, loaded)
        if link.decided:
            self._show_lookback(person, loaded)
        else:
            self._show_step(person, loaded, 0, secrets=False)
        return None

    def answer_tap(self, incoming: Tap, user_item: UserItem) -> dict[str, Any]:
        """Carry out a tap about a finished game. Return the webhook's reply. Raises StoreUnavailable."""
        number, ended_at, *more = incoming.args
        person = replace(incoming.person, language=own_language(user_item.language, incoming.person))
        words = Words(person.language)
        loaded = self._load(incoming.room, number, ended_at, person.language)
        if loaded is None or not self._may_see(person.id, user_item, loaded):
            return effects.answer_call(incoming.query, Toast(gone(words), alert=True))
        if incoming.verb == "lookback":
            self._show_lookback(person, loaded)
        elif incoming.verb == "opened":
            self.post(opened_proof(words, person, loaded.game, loaded.replay.match))
        elif more[0] == NEW or not incoming.private_message:
            self._show_step(person, loaded, 0, secrets=bool(more[1]))
        else:
            step, secrets, message = more[0], bool(more[1]), incoming.private_message
            self._show_or_store_step(person, user_item, loaded, message, step, secrets=secrets)
        return effects.answer_call(incoming.query, None)

    # --- step by step -----------------------------------------------------------------------------------

    def show_waiting(self, user: UserId) -> None:
        """Show the step that waits for a person. While the bot is busy, let it wait longer."""
        user_item = self.users.load(user)
        want = (user_item.options.get(REPLAY_OPTION) or {}).get("want")
        if want is None:
            return
        if (backlog := backlog_of(self.pace)) > BUSY_BACKLOG:
            self._wake(user, self.clock() + backlog + STEP_INTERVAL)
            return
        self.users.save(user, options={REPLAY_OPTION: {"at": self.clock() + STEP_INTERVAL}})
        short, number, ended_at, message, step, secrets, language = want
        loaded = self._load(from_short(short), number, ended_at, language)
        if loaded is not None:
            person = Person(user, "", language)
            self._show_step(person, loaded, step, secrets=bool(secrets), message=message)

    def _show_or_store_step(
        self,
        person: Person,
        user_item: UserItem,
        loaded: LoadedGame,
        message: MessageId,
        step: int,
        *,
        secrets: bool,
    ) -> None:
        """Show a step now, or store it until its time. It replaces a step that is already waiting."""
        waiting, now = user_item.options.get(REPLAY_OPTION) or {}, self.clock()
        at, backlog = float(waiting.get("at", 0)), backlog_of(self.pace)
        if backlog > BUSY_BACKLOG:
            at = max(at, now + backlog + STEP_INTERVAL)
        if at <= now:
            self.users.save(person.id, options={REPLAY_OPTION: {"at": now + STEP_INTERVAL}})
            self._show_step(person, loaded, step, secrets=secrets, message=message)
            return
        game = loaded.game
        want = [game.room.short, game.number, game.ended, message, step, int(secrets), person.language]
        self.users.save(person.id, options={REPLAY_OPTION: {"at": at, "want": want}})
        if "want" not in waiting:
            self._wake(person.id, at)

    def _wake(self, user: UserId, at: float) -> None:
        # If the queue fails, this step is not shown. If the person taps again after the step's time, the bot
        # shows the step of the new tap.
        with suppress(QueueUnavailable):
            self.wakeups.send(Wakeup(f"{REPLAY_KEY_PREFIX}{user}", at, "film"))

    def _show_step(
        self, person: Person, loaded: LoadedGame, step: int, *, secrets: bool, message: MessageId = NO_MESSAGE
    ) -> None:
        replay = loaded.replay
        step = replay.at(step)
        words = Words(person.language, loaded.theme)
        text = step_caption(words, replay, loaded.game.title, step, with_secrets=secrets)
        rows = replay_rows(words, loaded.game, replay, step, with_secrets=secrets)
        view, computers = replay.view(step, with_secrets=secrets), replay.match.computer_seats
        picture_key = look_of(view, loaded.theme, computers)
        method, target = ("editMessageMedia", {"message_id": message}) if message else ("sendPhoto", {})
        params = {"chat_id": person.id, **target, **effects.markup(rows)}
        draw = partial(self.draw, view, loaded.theme, computers)
        self._send_picture(method, params, text, picture_key, draw)

    def _send_picture(
        self, method: str, params: dict[str, Any], text: str, picture_key: str, draw: Callable[[], bytes]
    ) -> None:
        """Send a picture, by its file id if this process has sent it before.

        If Telegram refuses the file id, the picture is drawn again. Any other error is ignored.
        """
        with suppress(StoreUnavailable):
            self.pace.take(1)
        for file_id in dict.fromkeys((self._file_ids.get(picture_key), None)):
            words = {"caption": text, "parse_mode": "HTML"}
            if method == "sendPhoto":
                call, files = {**params, **words}, {} if file_id else {"photo": draw()}
                call |= {"photo": file_id} if file_id else {}
            else:
                files = {} if file_id else {"board": draw()}
                media = {"type": "photo", "media": file_id or "attach://board", **words}
                call = {**params, "media": media}
            try:
                answer = self.gateway.run(self.gateway.call(method, call, files))
            except Refused as refused:
                if file_id and refused.kind is Kind.BAD_FILE:
                    continue
                return
            except WireError:
                return
            if isinstance(answer, Mapping) and answer.get("photo"):
                _keep(self._file_ids, picture_key, answer["photo"][-1]["file_id"], MOST_PICTURES)
            return

    # --- what decided it --------------------------------------------------------------------------------

    def _show_lookback(self, person: Person, loaded: LoadedGame) -> None:
        """Show how far each seat could be suspected after each round, and say what decided the game.

        The suspicion comes from what everybody saw.
        """
        from ai.lookback import look_back
        from bot.display.pictures import png
        from bot.display.pictures.suspicion import seats_of, suspicion_svg

        match, key = loaded.replay.match, loaded.key
        lookback = self._lookbacks.get(key) or look_back(match.log, match.claims)
        _keep(self._lookbacks, key, lookback, MOST_GAMES)
        words = Words(person.language, loaded.theme)
        reader = next((seat for seat, user in loaded.people.items() if user == person.id), None)
        text, rows = decided_page(words, match, lookback, reader), decided_rows(words, loaded.game)
        fits = shown_length(text) <= LONGEST
        under = text if fits else words.html("decided.title")
        params = {"chat_id": person.id, **(effects.markup(rows) if fits else {})}
        seats = seats_of(lookback, match.computer_seats)
        picture_key = f"decided/{key}/{loaded.theme}"
        self._send_picture(
            "sendPhoto", params, under, picture_key, lambda: png(suspicion_svg(seats, loaded.theme))
        )
        if not fits:
            self.post(Post(Private(person.id), text, rows))

    # --- loading ----------------------------------------------------------------------------------------

    def _load(self, where: RoomName, number: int, ended_at: int, language: str) -> LoadedGame | None:
        """Load a finished game of a room. Return None if there is none, or if its archive cannot be read."""
        item = self.rooms.load_following(where.key)
        if item is None or not 0 < ended_at < 1 << 32:
            return None
        room = decode(item.body, item.schema)
        key, game = archive_key(room), time_ordered_id(ended_at, number)
        archive = self.archives.load(key, game)
        if archive is None:
            return None
        cache_key = (key, game, f"{sorted(archive.people.items())} {language}")
        loaded = self._games.get(cache_key)
        if loaded is None:
            with suppress(NewerSchema, ValueError, KeyError):
                loaded = self._load_replay(item, room, where, archive, ended_at, language)
                _keep(self._games, cache_key, loaded, MOST_GAMES)
        return loaded

    def _load_replay(
        self, item: RoomItem, room: Room, where: RoomName, archive: Archive, ended_at: int, language: str
    ) -> LoadedGame:
        people = {Seat(int(seat)): UserId(user) for seat, user in archive.people.items()}
        board = decode_board(self.archives.load_document(archive.room, SORT).body)
        known = {seat: entry.name for seat, user in people.items() if (entry := board.entries.get(user))}
        seats = match_of(archive.body, ()).game.setup.players
        names = [known.get(seat) or None for seat in SEATS[:seats]]
        match = match_of(archive.body, players_of(archive.body, names, language))
        game = Finished(from_key(item.key), room.title, match.number, ended_at)
        keys = frozenset(key for key in (where.key, item.key, item.moved_from) if key)
        return LoadedGame(game, room.settings.theme, archive, Replay(match), people, keys)

    def _game_line(self, room: Room, archive: Archive) -> Listed:
        ended_at = int(archive.game[:12], 16) // 1000
        number = int(archive.game[12:], 16)
        game = Finished(room.name, room.title, number, ended_at)
        return Listed(game, int(archive.facts.get("players", 0)), tuple(archive.facts["winners"]))

    def _may_see(self, user: UserId, user_item: UserItem, loaded: LoadedGame) -> bool:
        """Return True if a person may see a finished game.

        They may if they played it, have taken part in its room (even if they have left the group since), are
        in the group, or lately opened a link to this game. Telegram is asked only if necessary.
        """
        if user in loaded.people.values() or not user_item.rooms.isdisjoint(loaded.keys):
            return True
        if self._allowed_until.get((user, loaded.key), 0.0) > self.clock():
            return True
        member = is_member(self.gateway.run(member_of(self.gateway, loaded.game.room.chat, user)))
        if member:
            self._remember_allowed(user, loaded)
        return member

    def _remember_allowed(self, user: UserId, loaded: LoadedGame) -> None:
        _keep(self._allowed_until, (user, loaded.key), self.clock() + ALLOWED_SECONDS, MOST_ALLOWED)

    def post(self, post: Post) -> None:
        """Post a message. If Telegram refuses, the person can tap the button again."""
        params = effects.reply_call(post)
        with suppress(WireError):
            self.gateway.run(self.gateway.call(params.pop("method"), params))


def _keep(store: "OrderedDict[Any, Any]", key: Any, value: Any, limit: int) -> None:
    """Remember a value. If there are more than ``limit``, forget those that were stored first."""
    store[key] = value
    store.move_to_end(key)
    while len(store) > limit:
        store.popitem(last=False)
