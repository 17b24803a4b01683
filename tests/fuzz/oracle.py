"""Decide what an update may change, by its sender and its room, without using the bot's code for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import zip_longest
from typing import Any, TypeGuard

from bot.rooms.model import Lobby, Match, Player, Room
from bot.rooms.names import ChatId, RoomName, UserId, from_key, from_short, read_lobby
from engine import Seat
from local.dynamodb.table import Key
from local.dynamodb.values import Item
from sandbox.harness import LINK_KEY
from tests.fuzz.world import World, room_of

Json = dict[str, Any]
Changes = list[tuple[Key, Item | None, Item | None]]

#: Fields of a room that any command may change.
ANYTIME = {"title", "commands", "pictures", "pictures_at", "muted", "written"}
#: Verbs of buttons in private chats. All other buttons are only in the group that they name.
ANYWHERE = (
    "answer", "claim", "guess", "language", "counted", "forget", "own-rules", "practice", "advise",
    "role", "note",
)  # fmt: skip
#: Acts that can open a lobby.
OPENS = ("newgame", "again", "rematch")
#: Acts that can give up a seat.
LEAVES = ("quit", "gone", "unseat")
#: Seconds for which acts are counted.
MINUTE = 60
#: The key of the whole bot's pace, which no person owns.
PACE = "limiter"
#: Commands that the bot answers with a button if somebody writes as the group itself.
AGAIN = ("newgame", "join", "leave", "start", "cancel")


@dataclass(frozen=True)
class Act:
    """The content of an update: who, where, and which button or command."""

    person: int | None = None
    #: The room it is about, if it names one.
    room: RoomName | None = None
    what: str = ""
    numbers: tuple[int, ...] = ()
    #: True if it was sent in a private chat.
    private: bool = False
    #: The chat's new id, if the update names one.
    moves: int | None = None
    #: True for a tap; and the group of the tapped message.
    tapped: bool = False
    group: int | None = None
    #: True if written in the group's own name, as only its admins can.
    as_group: bool = False


def act_of(update: Json) -> Act:
    """Read an update. Kinds that the bot ignores give an empty act."""
    readers = (("callback_query", _tap), ("message", _message), ("my_chat_member", _member))
    for kind, read in (*readers, ("chat_member", _gone), ("edited_message", _edited)):
        if isinstance(content := update.get(kind), dict):
            return read(content)
    return Act()


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int  # for Python, True and False are numbers, too


def _id(holder: Any, name: str) -> int | None:
    value = holder.get(name) if isinstance(holder, dict) else None
    number = value.get("id") if isinstance(value, dict) else None
    return number if _is_number(number) else None


def _tap(query: Json) -> Act:
    person, carried = _id(query, "from"), query.get("data")
    verb, _, rest = carried.partition("|") if isinstance(carried, str) else ("", "", "")
    short, *numbers = rest.split("|")
    private = verb in ("language", "counted", "forget", "own-rules")
    message: Any = query.get("message")
    place: Any = message.get("chat") if isinstance(message, dict) else None
    in_group = isinstance(place, dict) and place.get("type") in ("group", "supergroup")
    group = _id(message, "chat") if in_group else None
    try:
        args = tuple(int(number) for number in numbers)
        return Act(person, from_short(short), verb, args, private, tapped=True, group=group)
    except ValueError:
        return Act(person)


def _message(message: Json) -> Act:
    person, chat, text = _id(message, "from"), _id(message, "chat"), message.get("text")
    place: Any = message.get("chat")
    text = text if isinstance(text, str) else ""
    first, _, rest = text.replace("\n", " ").partition(" ")
    name = first.removeprefix("/").partition("@")[0].lower() if first.startswith("/") else ""
    for field, new in (("migrate_to_chat_id", False), ("migrate_from_chat_id", True)):
        other = message.get(field)
        if _is_number(other) and chat is not None:
            old, to = (other, chat) if new else (chat, other)
            return Act(person, RoomName(ChatId(old)), moves=to)
    if isinstance(place, dict) and place.get("type") == "private":
        link = read_lobby(rest.strip(), LINK_KEY) if name == "start" and rest.isascii() else None
        numbers = () if link is None else (link[1],)
        return Act(person, None if link is None else link[0], "follow" if link else name, numbers, True)
    if chat is None:
        return Act(person)
    topic = message.get("message_thread_id") if message.get("is_topic_message") else None
    room = RoomName(ChatId(chat), topic if _is_number(topic) else None)
    if (left := _id(message, "left_chat_member")) is not None and not text:
        return Act(left, RoomName(ChatId(chat)), "gone")
    if message.get("sender_chat") is not None and name in AGAIN:
        name = "anonymous"
    return Act(person, room, name, as_group=_id(message, "sender_chat") == chat)


def _edited(message: Json) -> Act:
    # An edited message never moves a group.
    act = _message({name: value for name, value in message.items() if not name.startswith("migrate_")})
    return Act(act.person, act.room, "gone" if act.what == "gone" else "edited")


def _gone(change: Json) -> Act:
    chat_id = _id(change, "chat")
    who = _id(change.get("new_chat_member"), "user")
    return Act(who, None if chat_id is None else RoomName(ChatId(chat_id)), "gone")


def _member(change: Json) -> Act:
    private = isinstance(chat := change.get("chat"), dict) and chat.get("type") == "private"
    chat_id = _id(change, "chat")
    room = None if private or chat_id is None else RoomName(ChatId(chat_id))
    return Act(_id(change, "from"), room, "member", (), private)


def complaints(world: World, act: Act, changes: Changes, rooms_of: Collection[str]) -> Iterator[str]:
    """Yield a complaint for everything that was stored but should not have been.

    ``rooms_of``: the keys of the rooms in which the bot knew the person.
    """
    first: dict[Key, Item | None] = {}
    for place, before, _ in changes:
        first.setdefault(place, before)
    last = {place: after for place, _, after in changes}
    named = {act.room.key} if act.room is not None else set()
    if act.moves is not None and act.room is not None:
        named.add(RoomName(ChatId(act.moves), act.room.topic).key)
    if act.private:
        named |= set(rooms_of)
    if act.what in ("member", "gone") and act.room is not None:
        # These updates name no topic, so all rooms of the chat may change.
        named |= {key for key, _ in first if (name := _name(key)) and name.chat == act.room.chat}
    own = RoomName(ChatId(act.person)) if type(act.person) is int else None
    if act.private and own is not None:
        named.add(own.key)
    named |= {moved["moved_to"]["S"] for old in list(named) if (moved := _moved(world, old))}
    lies_alone = act.group is None and act.room == own
    rooms = {from_key(key).chat for key in named}
    if act.tapped and act.what not in ANYWHERE and not lies_alone and act.group not in rooms:
        named = set()  # such a button cannot be there, so it is forged
    ended = any(sort.startswith("game#") for _, sort in first)
    people = _user_keys(act)
    forgets = act.private and act.what == "forget"
    for (key, sort), before in first.items():
        if sort == "user":
            if key not in people and not ended and act.what != "erase":
                yield f"{key} is somebody else's"
        elif key not in named and not forgets and key != PACE:
            yield f"{key} {sort} has nothing to do with it"
        elif own is not None and key == own.key:
            pass  # people may change everything in their practice room
        elif (name := _name(key)) is not None and name.private:
            yield f"{key} is somebody else's own"
        elif sort == "room" and act.moves is None:
            yield from unlawful(room_of(before), room_of(last[key, sort]), act, world)


def _name(key: str) -> RoomName | None:
    return from_key(key) if key.startswith("room#") else None


def _moved(world: World, key: str) -> Item | None:
    item = world.items.items.get((key, "room"))
    return item if item is not None and "moved_to" in item else None


def unlawful(before: Room | None, after: Room | None, act: Act, world: World) -> Iterator[str]:
    """Yield a complaint for each change of a room that this act must not cause."""
    if after is None:
        yield "the room is gone"
        return
    before = before or Room(after.chat, after.topic)
    by_group = act.as_group and act.what in ("unseat", "schedule", "timezone")
    leads = act.person in world.admins(after.chat) or by_group
    if leads and act.what == "erase" and not (before.lobby or before.sealed or before.playing):
        return
    changed = {f.name for f in fields(Room) if getattr(before, f.name) != getattr(after, f.name)} - ANYTIME
    lobby = partial(_lobby, left=world.left(after.chat))
    rules = {
        "settings": lambda: (leads and act.what in ("set", "timezone")) or _themed(before, after, act, leads),
        "night": lambda: _night(before, after, act, leads),
        "boards": lambda: leads and act.what in ("board", "settings"),
        "next_game": lambda: _waits(before, after, act),
        "bot_removed": lambda: after.bot_removed or act.what == "member" or act.room is not None,
        "lobby_count": lambda: after.lobby_count == before.lobby_count + 1 and after.lobby is not None,
        "lobby": lambda: not list(lobby(before, after, act, leads)),
        "sealed": lambda: not list(_sealed(before, after, act, leads)),
        "match": lambda: not list(_match(before, after, act, leads)),
        "acts": lambda: _counts(before, after, act, world),
        # It changes with a sealed or dealt game, whose fields have their own rules.
        "last_seal": lambda: bool(changed & {"sealed", "match"}),
    }
    for name in sorted(changed):
        if name not in rules or not rules[name]():
            more: dict[str, Callable[..., Iterator[str]]] = {
                "lobby": lobby,
                "sealed": _sealed,
                "match": _match,
            }
            why = list(more[name](before, after, act, leads)) if name in more else []
            yield f"{name} of {before.chat} changed by {act} {why}"


def _themed(before: Room, after: Room, act: Act, leads: bool) -> bool:
    host = before.lobby is not None and before.lobby.host == act.person
    same = (
        before.settings.language == after.settings.language and before.settings.clock == after.settings.clock
    )
    return (leads or host) and act.what == "setup" and same


def _night(before: Room, after: Room, act: Act, leads: bool) -> bool:
    """Return True if the sender may plan nights, or only changed their own place on the night's list."""
    plans = leads or before.settings.nights == "anyone"
    if plans and act.what in ("schedule", "night", "timezone"):
        return True
    old, new = before.night, after.night
    if old is None or new is None:
        return new is None and act.what == "member"
    forgotten = act.what in ("forget", "gone") and old.host == act.person and new.host is None
    others = [[guest for guest in night.guests if guest.player.id != act.person] for night in (old, new)]
    same = replace(old, guests=(), host=None) == replace(new, guests=(), host=None)
    may = act.what in ("night", "forget", "gone", "language", "advice")
    return may and same and others[0] == others[1] and (old.host == new.host or forgotten)


def _waits(before: Room, after: Room, act: Act) -> bool:
    others = [player for player in before.next_game if player.id != act.person]
    left = [player for player in after.next_game if player.id != act.person]
    return others == left or (not after.next_game and after.lobby is not None and before.lobby is None)


def _counts(before: Room, after: Room, act: Act, world: World) -> bool:
    """Return True if only acts of the sender were added (0: a warning) and only old acts were dropped."""
    kept = set(after.acts)
    went = {at for who, at in before.acts if (who, at) not in kept and abs(who) != act.person}
    came = {who for who, at in after.acts if (who, at) not in before.acts}
    now = world.harness.clock()
    return came <= {act.person, -(act.person or 0), 0} and all(abs(now - at) >= MINUTE - 1 for at in went)


def _user_keys(act: Act) -> set[str]:
    """Return the keys under ``user#`` that may change: the person, and the forum of a topic's new lobby."""
    forum = act.room is not None and act.room.topic is not None and act.what in OPENS
    return {f"user#{act.person}"} | ({f"user#{act.room.chat}"} if act.room is not None and forum else set())


def _sealed(before: Room, after: Room, act: Act, leads: bool) -> Iterator[str]:
    """Check that people who may start the lobby seal its game, and that it then stays unchanged.

    It only notes who left the group since.
    """
    old, new, lobby = before.sealed, after.sealed, before.lobby
    if old is not None and new is not None:
        if not {user for user, _ in old.gone.items() ^ new.gone.items()} <= {act.person}:
            yield "a sealed game notes somebody else as gone"
        if replace(old, next_try_at=0, gone={}) != replace(new, next_try_at=0, gone={}):
            yield "a sealed game was changed"
    elif new is not None:
        if lobby is None or (lobby.number, lobby.players) != (new.number, new.players):
            yield "the sealed game differs from the lobby"
        elif not (leads or lobby.host == act.person) or act.what not in ("start", "again"):
            yield "sealed by somebody who may not"
    elif old is not None and (after.match is None or after.match.number != old.number):
        yield "a sealed game is gone"


def _lobby(before: Room, after: Room, act: Act, leads: bool, left: set[int]) -> Iterator[str]:
    old, new = before.lobby, after.lobby
    if new is None:
        assert old is not None
        if not (leads or old.host == act.person) or act.what not in ("start", "cancel", "again"):
            yield "closed by somebody who may not"
    elif old is None:
        if act.what not in OPENS or new.host != act.person:
            yield "opened by somebody who did not ask for it"
        if act.what == "rematch" and not _in(before.match.players if before.match else (), act.person):
            yield "opened again by somebody who did not play"
    else:
        yield from _lobby_went_on(old, new, act, leads or old.host == act.person, left)


def _lobby_went_on(old: Lobby, new: Lobby, act: Act, leads: bool, left: set[int]) -> Iterator[str]:
    if (old.number, old.given_up) != (new.number, new.given_up):
        yield "another lobby"
    came = {player.id for player in new.players} - {player.id for player in old.players} - {None}
    went = {player.id for player in old.players} - {player.id for player in new.players} - {None}
    # A person who joins a full lobby takes the seat of a computer.
    instead = came and new.computer_count == old.computer_count - 1 and len(new.players) == len(old.players)
    if old.computer_count != new.computer_count and not instead and not (leads and act.what == "computers"):
        yield "another number of computers"
    if not came <= {act.person} or len(new.players) > 16:
        yield "somebody else was seated"
    removed = act.what == "unseat" or (act.what == "remove" and went == set(act.numbers[1:]))
    # People who have left the group lose their seats when the game is started.
    removed = removed or (act.what == "start" and went <= left)
    if not (went <= {act.person} or (leads and removed)):
        yield "somebody else's seat was taken away"
    same = (old.setup, old.own, old.panel) == (new.setup, new.own, new.panel)
    if not same and not (leads and act.what in ("setup", "host")):
        yield "set up by somebody who may not"
    forgotten = (act.private and act.what == "forget") or act.what == "gone"
    forgotten = forgotten and old.host == act.person
    if old.host != new.host and old.host not in went and not (leads and act.what == "host") and not forgotten:
        yield "another host"


def _match(before: Room, after: Room, act: Act, leads: bool) -> Iterator[str]:
    old, new = before.match, after.match
    if new is None:
        yield "the game is gone"
    elif old is None or old.number != new.number:
        sealed = before.sealed
        if old is not None and not old.over:
            yield "another game in the middle of one"
        sat = None if sealed is None else (sealed.number, _ids(sealed.players))
        if sat != (new.number, _ids(new.players)):  # if somebody left at once, a computer has their seat
            yield "a game that was not sealed"
    else:
        yield from _match_went_on(old, new, act, leads, before.bot_removed and not after.bot_removed)


def _match_went_on(old: Match, new: Match, act: Act, leads: bool, is_back: bool) -> Iterator[str]:
    seat = old.seat_of(UserId(act.person)) if act.person is not None else None
    question = old.game.question
    if old.game != new.game and not ((is_back or act.what in LEAVES) and _by_stand_ins(old, new, is_back)):
        asked = question is not None and seat in question.seats and not old.over
        meant = question is not None and act.numbers[:2] == (old.number, question.number)
        if not meant or not (act.what == "answer" and asked):
            yield "an answer by somebody who was not asked"
    sits = seat is not None and seat not in old.away
    if old.clock_call != new.clock_call and not _may_call(old, new, act, sits or leads, leads):
        yield "the clock was called by somebody who may not"
    if old.log != new.log[: len(old.log)]:
        yield "the past was changed"
    may = leads or (old.host == act.person and sits)
    last = act.what in LEAVES and (sits or (leads and act.what == "unseat")) and not new.present
    called_off = may and act.what == "cancel" and act.numbers[2:] == (1,)
    if old.guessers != new.guessers and not _guesses(old, new, act):
        yield "a guess of somebody else, or of somebody who plays"
    if old.cancelled != new.cancelled and not (called_off or last):
        yield "cancelled by somebody who may not"
    if old.proof != new.proof:
        yield "another deal"
    for place, (one, other) in enumerate(zip(old.players, new.players, strict=True)):
        if one != other and not _reseated(place, one, other, old, act):
            yield f"somebody else on seat {place}"
    for place in {*old.away} ^ {*new.away}:
        if not ((leads and act.what == "unseat") or _may_empty(place, seat, old, new, act)):
            yield f"seat {place} was given up or taken"
    back = seat is not None and (act.what == "answer" or (act.private and act.what in ("start", "member")))
    others = {place: votes for place, votes in old.replacement_votes.items() if not back or place != seat}
    allowed = act.what in ("replace", "sit", *LEAVES)
    if new.replacement_votes not in (old.replacement_votes, others) and not allowed:
        yield "a vote that nobody cast"
    if old.claims != new.claims:
        more = {claim.seat for claim in {*new.claims} - {*old.claims}}
        # An answer's write can also contain computers' claims, and claims that people made early.
        told = {*new.computer_seats} | {claim.seat for claim in old.early}
        if not more <= ({seat} if act.what == "claim" else told if act.what == "answer" else set()):
            yield "a claim of somebody else"
    early = {claim.seat for claim in {*new.early} ^ {*old.early}}
    if not (early <= {seat} if act.what == "claim" else act.what == "answer" or not early):
        yield "an early claim of somebody else"
    if act.what == "answer" and not {*new.early} <= {*old.early}:
        yield "an early claim that nobody made"


def _guesses(old: Match, new: Match, act: Act) -> bool:
    """Return True if the game is over, or if only the sender's guess changed, and they do not play."""
    if new.over:
        return not new.guessers
    if act.what not in ("guess", "forget", "gone", "language"):
        return False
    seat = None if act.person is None else old.seat_of(UserId(act.person))
    plays = seat is not None and old.view(None).table.alive[seat]
    paired = zip_longest(old.guessers, new.guessers)
    own = {one.player.id for pair in paired if pair[0] != pair[1] for one in pair if one and one.player}
    return own <= {act.person} and not (plays and act.what == "guess")


def _may_call(old: Match, new: Match, act: Act, plays: bool, leads: bool) -> bool:
    question = old.game.question
    if old.game.asked != new.game.asked:
        return new.clock_call is None
    if act.what == "clock":
        meant = question is not None and act.numbers == (old.number, question.number)
        return (
            meant and plays and question is not None and not question.meeting and new.clock_call is not None
        )
    return (act.what == "set" and leads) or act.what in ("sit", "member")


def _by_stand_ins(old: Match, new: Match, is_back: bool) -> bool:
    """Return True if only computers answered that have just taken somebody's seat.

    If the bot ``is_back`` in a group, all computers may answer.
    """
    before, after = old.game.question, new.game.question
    if before is None or after is None or replace(new.game, question=before) != old.game:
        return False
    if replace(after, answers=before.answers) != before:
        return False
    given = zip(after.seats, before.answers, after.answers, strict=True)
    waited = set() if is_back else {*old.computer_seats}
    return {seat for seat, one, other in given if one != other} <= {*new.computer_seats} - waited


def _reseated(place: int, old: Player, new: Player, match: Match, act: Act) -> bool:
    if act.private and act.what == "language":
        return old.id == new.id == act.person
    if act.private and act.what == "forget":
        return old.id == act.person and (match.over or place in match.away)
    if act.what in (*LEAVES, "replace") and (place not in match.away or act.what == "gone"):
        return replace(old, computer=True) == new
    return act.what == "sit" and act.numbers[1:] == (place,) and place in match.away and new.id == act.person


def _may_empty(place: int, seat: int | None, old: Match, new: Match, act: Act) -> bool:
    if place in old.away:
        return act.what == "sit" and new.players[place].id == act.person
    if act.what == "replace":
        return seat is not None and seat != place and old.missed.get(Seat(place), 0) >= 2
    if act.private and act.what == "forget":
        return seat == place and old.over
    # With one voter less, the votes against another seat may be enough.
    return act.what in LEAVES and (seat == place or bool(old.replacement_votes.get(Seat(place))))


def _ids(players: tuple[Player, ...]) -> list[int | None]:
    return [player.id for player in players]


def _in(players: tuple[Player, ...], user: int | None) -> bool:
    return any(player.id == user for player in players)
