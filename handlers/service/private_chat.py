"""Answer in private: load a person's item, change it if they ask for that, and reply."""

from contextlib import suppress
from dataclasses import field, replace
from typing import Any

from markupsafe import Markup

from bot.conversation.game.endings import proof_in_private
from bot.conversation.game.notes import SHOW, note_rows
from bot.conversation.group.rules import Pictured, first_page, tap_in_private
from bot.conversation.incoming import (
    BlockChanged,
    Command,
    LanguageChosen,
    Person,
    PersonForgotten,
    SettingsChosen,
    Tap,
)
from bot.conversation.outcome import Post
from bot.conversation.person import own_language
from bot.conversation.practice.own_room import answers
from bot.conversation.private import commands, finished
from bot.conversation.private.commands import respond_in_private
from bot.display import guide
from bot.display.board_picture import before_the_game, render
from bot.display.words import DEFAULT_THEME, Words
from bot.records.own_record import ADVICE, CONFIRM, COUNTED, Profile, decode_record
from bot.records.own_record import SORT as RECORD
from bot.rooms.codec import decode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName, private_room
from engine.frozen import frozen
from handlers.service import effects
from handlers.service.erasing import Eraser
from handlers.service.finished_games import FinishedGames
from handlers.service.lookups import (
    ROOMS_PER_PERSON,
    HandleInRoom,
    in_own_language,
    is_member,
    member_of,
    profile_of,
)
from infra.store.people import UserItem, Users
from infra.store.rooms import Rooms
from infra.store.table import user_key
from infra.telegram.errors import WireError
from infra.telegram.gateway import Gateway

#: The arguments of /stats, and the stored value of each.
_STATS_ARGUMENTS = {"off": False, "on": None}
#: By command, the option that it switches on or off.
_OPTION_OF_COMMAND = {"advice": ADVICE, "confirm": CONFIRM}


@frozen
class PrivateChat:
    """Answer private commands, links, and the taps of ``bot.conversation.private.commands.TAPS``."""

    users: Users
    rooms: Rooms
    gateway: Gateway
    eraser: Eraser
    finished_games: FinishedGames
    username: str
    #: Telegram's file ids of boards that this process has sent, by setup and theme.
    sent_boards: dict[tuple[str, str], str] = field(default_factory=dict)

    def answer_command(self, incoming: Command, handle_in_room: HandleInRoom) -> dict[str, Any] | None:
        """Return the webhook's reply to a private command, or None if the practice game answers.

        ``handle_in_room`` lets the room with a given key handle an incoming value. A person who presses Start
        during a game has probably lost messages, so the bot repeats what they know and their open questions.
        """
        user_item = self.users.load(incoming.person.id)
        # If the person had blocked the bot, do not tell the rooms here. Telegram sends a separate update when
        # a person unblocks the bot, and the rooms are told then.
        asked = guide.guide_of(incoming.argument) if incoming.name == "start" else None
        if incoming.name == "start" and user_item.may_write and asked is None:
            for key in user_item.latest(ROOMS_PER_PERSON):
                handle_in_room(BlockChanged(incoming.person, may_write=True), key)
        if incoming.name == "stats" and incoming.argument in _STATS_ARGUMENTS:
            counted = _STATS_ARGUMENTS[incoming.argument]
            user_item = self.users.save(incoming.person.id, options={COUNTED: counted})
        if incoming.name in _OPTION_OF_COMMAND and incoming.argument in ("on", "off"):
            option, wanted = _OPTION_OF_COMMAND[incoming.name], incoming.argument == "on"
            user_item = self._set_option(incoming.person, option, wanted, handle_in_room)
        if not user_item.may_write:
            user_item = self.users.save(incoming.person.id, may_write=True)
        # Always include the practice room, however many groups the person plays in.
        own = user_item.rooms & {private_room(incoming.person.id).key}
        keys = dict.fromkeys((*user_item.latest(ROOMS_PER_PERSON), *own))
        items = [self.rooms.load_following(key) for key in keys]
        # A group that moved is one room, but the person's item may have both of its keys.
        found = {item.key: item for item in items if item is not None}
        decoded = {key: decode(item.body, item.schema) for key, item in found.items()}
        rooms = list(decoded.values())
        person = replace(incoming.person, language=own_language(user_item.language, incoming.person))
        incoming = replace(incoming, person=person)
        for key, room in decoded.items():
            if answers(room, incoming.name):
                handle_in_room(incoming, key)
                return None
        profile = self._with_record(user_item) if incoming.name == "stats" else profile_of(user_item)
        where = None if asked is None else asked.room
        origin = None if where is None else self._room_for(where, person, user_item)
        post = respond_in_private(incoming, rooms, profile, self.username, origin)
        if incoming.name == "games":
            words = Words(person.language)
            listed, rows = self.finished_games.list_games(words, decoded)
            post = replace(post, text=Markup("\n\n").join(filter(None, (post.text, listed))), keyboard=rows)
        return effects.reply_call(post)

    def answer_tap(self, incoming: Tap, handle_in_room: HandleInRoom) -> dict[str, Any] | None:
        """Return the webhook's reply to a tap in private. Raises StoreUnavailable.

        ``handle_in_room`` lets the room with a given key handle an incoming value.
        """
        number = incoming.args[0]
        if incoming.verb == "note":
            return self._answer_note_tap(incoming, handle_in_room)
        user_item = self.users.load(incoming.person.id)
        if incoming.verb == "own-rules":
            return self._rules(incoming, user_item)
        if incoming.verb in finished.TAPS:
            return self.finished_games.answer_tap(incoming, user_item)
        if incoming.verb == "curve":
            self._send_curve(incoming.person, user_item)
            return effects.answer_call(incoming.query, None)
        words = Words(own_language(user_item.language, incoming.person))
        if incoming.verb == "counted":
            changed = self.users.save(incoming.person.id, options={COUNTED: None if number else False})
            shown = commands.own_statistics(words, incoming.person, self._with_record(changed))
        elif incoming.verb == "language":
            shown = self._set_language(incoming, user_item, handle_in_room)
        elif incoming.verb == "fair":
            shown = self._help_page(words, incoming.person, number)
        else:
            if number:
                self._forget(incoming, user_item, handle_in_room)
            shown = commands.forget_answer(words, incoming.person, gone=bool(number))
        if incoming.verb == "fair" and number == guide.HOW_TO_BESIDE:
            self.finished_games.post(shown)
        else:
            self._show(incoming, shown)
        return effects.answer_call(incoming.query, None)

    def rules(self, incoming: Command, where: RoomName) -> dict[str, Any]:
        """Return the webhook's reply to a link to the rules of a room's game."""
        user_item = self.users.load(incoming.person.id)
        if not user_item.may_write:
            user_item = self.users.save(incoming.person.id, may_write=True)
        person = replace(incoming.person, language=own_language(user_item.language, incoming.person))
        return effects.reply_call(first_page(person, self._room_for(where, person, user_item)))

    def proof(self, person: Person, where: RoomName, number: int) -> dict[str, Any]:
        """Return the webhook's reply to a link to the proof of a room's game."""
        item = self.rooms.load_following(where.key)
        room = Room(where.chat, where.topic) if item is None else decode(item.body, item.schema)
        return effects.reply_call(proof_in_private(room, number, in_own_language(self.users, person)))

    def _help_page(self, words: Words, person: Person, what: int) -> Post:
        if what in (guide.HOW_TO, guide.HOW_TO_BESIDE):
            return commands.how_to(words, person, guide.Guide(), self.username)
        if what == commands.PRIVACY:
            return commands.explanation(words, person, "privacy")
        if what == commands.FAIR:
            return commands.explanation(words, person, "fair")
        return commands.help_menu(words, person, self.username)

    def _rules(self, incoming: Tap, user_item: UserItem) -> dict[str, Any]:
        """Show a page of the rules: a room's if the person may see that room, else the general ones."""
        room = self._room_for(incoming.room, incoming.person, user_item) or Room(ChatId(incoming.person.id))
        person = replace(incoming.person, language=own_language(user_item.language, incoming.person))
        told = tap_in_private(room, replace(incoming, person=person))
        if isinstance(told, Pictured):
            self._send_board(incoming.person, told)
            return effects.answer_call(incoming.query, None)
        self._show(incoming, told)
        return effects.answer_call(incoming.query, None)

    def _room_for(self, where: RoomName, person: Person, user_item: UserItem) -> Room | None:
        """Return the room if the person has taken part there or is in its group, else None."""
        item = self.rooms.load_following(where.key)
        if item is None:
            return None
        room = decode(item.body, item.schema)
        # If the group has moved, the person's item may have the room's earlier key.
        known = not user_item.rooms.isdisjoint((where.key, item.key, item.moved_from))
        there = known or is_member(self.gateway.run(member_of(self.gateway, room.chat, person.id)))
        return room if there else None

    def _with_record(self, user_item: UserItem) -> Profile:
        """Return a person's profile with their record (ratings and accuracy). One read."""
        stored = self.finished_games.archives.load_document(user_key(user_item.user), RECORD)
        return replace(profile_of(user_item), record=decode_record(stored.body))

    def _send_curve(self, person: Person, user_item: UserItem) -> None:
        """Send the picture of a person's rating. If Telegram refuses, they can tap the button again."""
        from bot.display.pictures import png
        from bot.display.pictures.suspicion import curve_svg

        profile = self._with_record(user_item)
        if not profile.record.curve:
            return
        drawn = png(curve_svg(profile.record.curve, profile.counts.get("games", 0), DEFAULT_THEME))
        with suppress(WireError):
            self.gateway.run(self.gateway.call("sendPhoto", {"chat_id": person.id}, {"photo": drawn}))

    def _set_option(
        self, person: Person, option: str, wanted: bool, handle_in_room: HandleInRoom
    ) -> UserItem:
        user_item = self.users.save(person.id, options={option: wanted})
        chosen = SettingsChosen(person, confirms=wanted)
        if option == ADVICE:
            chosen = SettingsChosen(person, advised=profile_of(user_item).advised)
        for key in sorted({*user_item.rooms, private_room(person.id).key}):
            handle_in_room(chosen, key)
        return user_item

    def _set_language(self, incoming: Tap, user_item: UserItem, handle_in_room: HandleInRoom) -> Post:
        try:
            code = commands.language_of(incoming.args[0])
        except ValueError:
            pass
        else:
            user_item = self.users.save(incoming.person.id, language=code)
            for key in user_item.latest(ROOMS_PER_PERSON):
                handle_in_room(LanguageChosen(incoming.person, own_language(code, incoming.person)), key)
        words = Words(own_language(user_item.language, incoming.person))
        return commands.language_menu(words, incoming.person, profile_of(user_item))

    def _forget(self, incoming: Tap, user_item: UserItem, handle_in_room: HandleInRoom) -> None:
        user = incoming.person.id
        # Their practice room is deleted, too, even if their item does not name it.
        for key in sorted({*user_item.rooms, private_room(user).key}):
            handle_in_room(PersonForgotten(incoming.person), key)
        items = [self.rooms.load_following(key) for key in sorted(user_item.rooms)]
        keys_left = {item.key for item in items if item and decode(item.body, item.schema).knows(user)}
        self.eraser.forget_person(user, keys_left)

    def _send_board(self, person: Person, told: Pictured) -> None:
        """Show a board, by its file id if this process has shown it before. Errors are ignored."""
        board = (repr(told.setup), told.theme)
        params = {"chat_id": person.id, "caption": told.caption, "parse_mode": "HTML"}
        sent = self.sent_boards.get(board)
        files = {} if sent else {"photo": render(before_the_game(told.setup), told.theme)}
        try:
            call = self.gateway.call("sendPhoto", {**params, **({"photo": sent} if sent else {})}, files)
            message = self.gateway.run(call)
        except WireError:
            self.sent_boards.pop(board, None)
        else:
            self.sent_boards[board] = message["photo"][-1]["file_id"]

    def _show(self, incoming: Tap, post: Post) -> None:
        params = effects.reply_call(post)
        del params["method"]
        self._edit(incoming, "editMessageText", params)

    def _answer_note_tap(self, incoming: Tap, handle_in_room: HandleInRoom) -> dict[str, Any] | None:
        """Store a private note on a seat, if the tap sets one, and show the buttons for notes."""
        _, seat, _ = incoming.args
        if seat == SHOW:
            reply: dict[str, Any] | None = effects.answer_call(incoming.query, None)
        else:
            reply = handle_in_room(incoming, incoming.room.key)
        item = self.rooms.load_following(incoming.room.key)
        rows = () if item is None else note_rows(decode(item.body, item.schema), incoming.person.id)
        if rows:
            params = {"chat_id": incoming.person.id, **effects.markup(rows)}
            self._edit(incoming, "editMessageReplyMarkup", params)
        return reply

    def _edit(self, incoming: Tap, method: str, params: dict[str, Any]) -> None:
        """Edit the tapped message. If Telegram refuses, only the display is out of date."""
        if not incoming.private_message:
            return
        with suppress(WireError):
            self.gateway.run(self.gateway.call(method, {**params, "message_id": incoming.private_message}))
