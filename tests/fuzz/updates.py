"""Make random updates: odd ones in Telegram's form, and the same with broken fields."""

from __future__ import annotations

import copy
import random
from typing import Any

from bot.conversation.routing import COMMANDS
from bot.display.buttons import VERBS, data
from bot.rooms.names import ChatId, RoomName, sign_lobby
from sandbox.harness import LINK_KEY
from sandbox.telegram import User
from sandbox.telegram.model import ANONYMOUS_ADMIN, CHANNEL_BOT, TELEGRAM
from tests.fuzz.world import World
from tests.system.updates import CHANNEL, CONTENTS, DATE, GROUP, KINDS, paths

Json = dict[str, Any]
STATUSES = ("creator", "administrator", "member", "restricted", "left", "kicked")
TEXTS = (
    "", "hello", "/", "//", "/ newgame", "/newgame@", "/newgame@another_bot", "/newgame now\nplease",
    "/start AAAA", "/start practice_2_1", "/start practice_999_9", "/settings board x {}",
    '/settings board x {"tracks": 7}', "/settings board x [[[[[", "/settings name 1 <b>&",
    "/schedule fri 20:00", "/schedule weekly 8pm", "/schedule off", "/schedule \u0665",
    "/timezone asia/kolkata", "/timezone ../x", "/stats off", "/stats on", "<b>not closed",
    "{seat} {0} %s", "\u202eevil\u202c", "👨‍👩‍👧‍👦" * 60, "x" * 4096, "/" + "x" * 4000, "/newgame\x00",
)  # fmt: skip
ODD_NAMES = ("", "\u3164", "<b>x</b>&", "شیرین", "👨‍👩‍👧‍👦" * 9, "x" * 64, "two\nlines", "{seat}")
LANGUAGES = ("", "de", "pt-br", "zh-hans", "zh-hant", "fa-IR", "in", "xx", "x" * 30, "-")
JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 2**70, -(2**70), 0.5, "", "7", "\ud800", "/newgame", "answer|0|0|0|0", [], [1, 2],
    {}, {"id": 5}, {"id": "5", "type": "group"}, [[{"text": 1}]],
)  # fmt: skip


def update(world: World, rng: random.Random) -> tuple[Json, bool]:
    """Return an update, and True if it has the form that Telegram gives it."""
    makers = {"callback_query": tap, "message": message, "my_chat_member": member, "other": other}
    makers |= {"edited_message": edited, "chat_member": somebody_changes}
    kind = rng.choices(list(makers), (42, 33, 5, 12, 5, 3))[0]
    name, content = makers[kind](world, rng)
    made = {"update_id": rng.randrange(1, 2**31), name: content}
    if rng.random() < 0.3:
        return broken(copy.deepcopy(made), rng), False
    return made, True


def user(world: World, rng: random.Random, known: User | None = None) -> Json:
    """Return a user, mostly from these groups, and sometimes with an odd name."""
    if known is None and rng.random() < 0.1:
        number = rng.choice((1, 777000, ANONYMOUS_ADMIN, 2**52, world.harness.telegram.bot.id))
        return {"id": number, "is_bot": number == ANONYMOUS_ADMIN, "first_name": rng.choice(ODD_NAMES)}
    made = (known or rng.choice(world.people)).json()
    if rng.random() < 0.15:
        made["first_name"] = rng.choice(ODD_NAMES)
    if rng.random() < 0.15:
        made["language_code"] = rng.choice(LANGUAGES)
    return made


def chat(world: World, rng: random.Random) -> tuple[Json, int | None]:
    """Return a chat, usually one of the groups, and perhaps a topic."""
    if rng.random() < 0.12:
        return rng.choice(
            (GROUP, CHANNEL, {"id": -5, "type": "group", "title": ""}, {"id": -6, "type": "supergroup"})
        ), rng.choice((None, None, 9))
    table = rng.choice(world.tables)
    made = {"id": table.group.id, "type": table.group.type, "title": rng.choice((table.group.title, "<b>"))}
    return made, table.topic if rng.random() < 0.8 else rng.choice((None, 1, 10**6))


def private(somebody: Json) -> Json:
    return {"id": somebody["id"], "type": "private", "first_name": somebody.get("first_name", "")}


def tap(world: World, rng: random.Random) -> tuple[str, Json]:
    """Return a tap on a real button, on an altered one, or on an invented one."""
    carried, owner = callback_data(world, rng)
    somebody = user(world, rng, owner if rng.random() < 0.7 else None)
    content: Json = {"id": str(rng.getrandbits(40)), "from": somebody, "chat_instance": "1"}
    place, topic = chat(world, rng) if rng.random() < 0.5 else (private(somebody), None)
    if owner is None and carried is not None and rng.random() < 0.8:
        place, topic = where_it_lies(world, carried) or place, None
    match rng.randrange(8):
        case 0:
            content["inline_message_id"] = "abc"
        case 1:
            content["message"] = {"message_id": 3, "date": 0, "chat": place}  # too old to be seen
        case _:
            content["message"] = {
                "message_id": rng.randrange(1, 90), "date": DATE, "chat": place, "text": "?",
            }  # fmt: skip
            if topic is not None:
                content["message"] |= {"message_thread_id": topic, "is_topic_message": True}
    if carried is None:
        content["game_short_name"] = "game"
    else:
        content["data"] = carried
    return "callback_query", content


def where_it_lies(world: World, carried: str) -> Json | None:
    """Return the group that a button names, if it is one of ours."""
    for table in world.tables:
        if f"|{table.name.short}|" in carried:
            return {"id": table.group.id, "type": table.group.type, "title": table.group.title}
    return None


def callback_data(world: World, rng: random.Random) -> tuple[str | None, User | None]:
    """Return what a button carries (None: a game's button carries nothing), and whose it is."""
    buttons = world.buttons()
    roll = rng.random()
    if roll < 0.5 and buttons:
        return rng.choice(buttons)
    if roll < 0.75 and buttons:
        carried, owner = rng.choice(buttons)
        return altered(world, rng, carried), owner
    if roll < 0.92:
        verb = rng.choice(sorted(VERBS))
        own = RoomName(ChatId(rng.choice(world.people).id))
        rooms = [*(table.name for table in world.tables), RoomName(ChatId(-77)), own]
        return data(rng.choice(rooms), verb, *(number(world, rng) for _ in range(VERBS[verb]))), None
    if roll < 0.97:
        letters = (rng.choice((rng.randrange(32, 127), rng.randrange(0x250))) for _ in range(20))
        return "".join(map(chr, letters)), None
    return None, None


def altered(world: World, rng: random.Random, carried: str) -> str:
    """Return a button's data with another verb, room or number."""
    verb, short, *numbers = carried.split("|")
    match rng.randrange(4):
        case 0:
            verb = rng.choice(sorted(VERBS))
        case 1:
            short = rng.choice((*(table.name.short for table in world.tables), "-1", "zz", "", "-.1"))
        case _:
            numbers[rng.randrange(len(numbers))] = str(number(world, rng))
    return "|".join((verb, short, *numbers))


def number(world: World, rng: random.Random) -> int:
    """Return a number for a button: usually small."""
    large = (10**14, -(10**14), rng.choice(world.people).id)
    return rng.choice(large) if rng.random() < 0.15 else rng.randrange(-2, 12)


def message(world: World, rng: random.Random) -> tuple[str, Json]:
    """Return a message: a command in a group or in private, a deep link, or something else."""
    somebody = user(world, rng)
    place, topic = chat(world, rng) if rng.random() < 0.65 else (private(somebody), None)
    # Sometimes it comes late, as after an outage.
    written = int(world.harness.clock()) - rng.choice((0, 0, 0, 3, 200, 4000))
    content: Json = {"message_id": rng.randrange(1, 500), "date": written, "chat": place, "from": somebody}
    if topic is not None:
        content |= {"message_thread_id": topic, "is_topic_message": True}
    roll = rng.random()
    if roll < 0.6:
        alone = ("role", "games", "language", "stats", "forget", "start", "nonsense")
        commands = (*COMMANDS, "practice", "practice", *alone)
        content["text"] = f"/{rng.choice(commands)}{rng.choice(('', '', '@chancellery_bot', ' on', ' 1 2'))}"
    elif roll < 0.7:
        table = rng.choice(world.tables)
        link = sign_lobby(table.name, rng.randrange(3), LINK_KEY)
        content["text"] = f"/start {rng.choice((link, link[:-1] + 'A', link[1:], link + '='))}"
    elif roll < 0.85:
        content["text"] = rng.choice(TEXTS)
    else:
        content |= copy.deepcopy(rng.choice(list(CONTENTS.values())))
    if rng.random() < 0.2:
        of = user(world, rng)
        content["reply_to_message"] = {"message_id": 3, "date": DATE, "chat": place, "from": of, "text": "?"}
    if rng.random() < 0.06:
        content["sender_chat"] = place
        content["from"] = {"id": ANONYMOUS_ADMIN, "is_bot": True, "first_name": "Group"}
    elif rng.random() < 0.05:
        content["sender_chat"] = CHANNEL
        content["from"] = {"id": CHANNEL_BOT, "is_bot": True, "first_name": "Channel"}
    elif rng.random() < 0.02:
        content |= {"sender_chat": CHANNEL, "is_automatic_forward": True}
        content["from"] = {"id": TELEGRAM, "is_bot": False, "first_name": "Telegram"}
    elif rng.random() < 0.02:
        content["left_chat_member"] = user(world, rng)
        content.pop("text", None)
    if rng.random() < 0.03:
        del content["from"]
    return "message", content


def edited(world: World, rng: random.Random) -> tuple[str, Json]:
    _, content = message(world, rng)
    content.pop("left_chat_member", None)
    return "edited_message", content | {"edit_date": int(world.harness.clock())}


def somebody_changes(world: World, rng: random.Random) -> tuple[str, Json]:
    who = user(world, rng)
    return "chat_member", {
        "chat": chat(world, rng)[0], "from": user(world, rng), "date": DATE,
        "old_chat_member": standing(who, rng.choice(STATUSES)),
        "new_chat_member": standing(who, rng.choice(STATUSES)),
    }  # fmt: skip


def member(world: World, rng: random.Random) -> tuple[str, Json]:
    """Return a change of the bot's membership, in a group or in a private chat."""
    somebody = user(world, rng)
    place = chat(world, rng)[0] if rng.random() < 0.5 else private(somebody)
    bot = world.harness.telegram.bot.json()
    return "my_chat_member", {
        "chat": place, "from": somebody, "date": DATE,
        "old_chat_member": standing(bot, rng.choice(STATUSES)),
        "new_chat_member": standing(bot, rng.choice(STATUSES)),
    }  # fmt: skip


def standing(bot: Json, status: str) -> Json:
    """Return a ``ChatMember`` object with the fields that its kind must have."""
    admin = (
        "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats "
        "can_restrict_members can_promote_members can_change_info can_invite_users can_post_stories "
        "can_edit_stories can_delete_stories"
    )
    restricted = (
        "is_member can_change_info can_invite_users can_pin_messages can_send_messages can_send_polls "
        "can_send_other_messages can_add_web_page_previews can_manage_topics can_send_audios "
        "can_send_documents can_send_photos can_send_videos can_send_video_notes can_send_voice_notes "
        "can_edit_tag can_react_to_messages"
    )
    fields: dict[str, Json] = {
        "creator": {"is_anonymous": False},
        "administrator": dict.fromkeys(admin.split(), False),
        "restricted": {**dict.fromkeys(restricted.split(), True), "until_date": 0},
        "kicked": {"until_date": 0},
    }
    return {"user": bot, "status": status, **fields.get(status, {})}


def other(world: World, rng: random.Random) -> tuple[str, Json]:
    """Return an update of another kind, with these people and groups."""
    kind = rng.choice(sorted(KINDS))
    content = copy.deepcopy(KINDS[kind])
    for holder in [content, *(value for value in content.values() if isinstance(value, dict))]:
        for name in ("from", "user"):
            if name in holder:
                holder[name] = user(world, rng)
        if "chat" in holder and kind != "deleted_business_messages":
            holder["chat"] = chat(world, rng)[0]
    return kind, content


def broken(whole: Json, rng: random.Random) -> Json:
    """Return the update with one to three of its fields removed or replaced."""
    for _ in range(rng.randint(1, 3)):
        # Usually keep the update's id, since without it the bot reads nothing else.
        ways = list(paths(whole))[int(rng.random() < 0.95) :]
        if not ways:
            break
        *way, last = rng.choice(ways)
        place: Any = whole
        for step in way:
            place = place[step]
        if isinstance(place, dict) and rng.random() < 0.3:
            del place[last]
        else:
            place[last] = copy.deepcopy(rng.choice(JUNK))
    return whole
