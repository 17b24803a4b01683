"""An example of every kind of update that the Bot API documents, with all required and some other fields.

Source: Telegram's Bot API reference, "Getting updates" and the types that it names.
"""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
DATE = 1_800_000_000
ANN: Json = {"id": 4001, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "language_code": "en"}
BOT: Json = {"id": 424242, "is_bot": True, "first_name": "Chancellery", "username": "chancellery_bot"}
GROUP: Json = {"id": -1001000000001, "type": "supergroup", "title": "The Reichstag"}
CHANNEL: Json = {"id": -1002000000001, "type": "channel", "title": "News"}
PRIVATE: Json = {"id": 4001, "type": "private", "first_name": "Ann"}
LOCATION: Json = {"latitude": 52.5, "longitude": 13.4}
INVITE: Json = {
    "invite_link": "https://t.me/+abc", "creator": ANN, "creates_join_request": False, "is_primary": False,
    "is_revoked": False,
}  # fmt: skip
THUMB = {"file_id": "f", "file_unique_id": "u", "width": 90, "height": 90}


def message(chat: Json = GROUP, **content: Any) -> Json:
    return {"message_id": 77, "date": DATE, "chat": chat, "from": ANN, **content}


#: The possible contents of a message, besides text.
CONTENTS: dict[str, Json] = {
    "text": {"text": "hello"},
    "entities": {"text": "@you look", "entities": [{"type": "mention", "offset": 0, "length": 4}]},
    "photo": {"photo": [THUMB], "caption": "/newgame"},
    "sticker": {"sticker": {**THUMB, "type": "regular", "is_animated": False, "is_video": False}},
    "voice": {"voice": {"file_id": "f", "file_unique_id": "u", "duration": 3}},
    "document": {"document": {"file_id": "f", "file_unique_id": "u"}},
    "contact": {"contact": {"phone_number": "+49", "first_name": "Bob"}},
    "dice": {"dice": {"emoji": "🎲", "value": 3}},
    "venue": {"venue": {"location": LOCATION, "title": "t", "address": "a"}},
    "location": {"location": LOCATION},
    "new members": {"new_chat_members": [ANN, BOT]},
    "left member": {"left_chat_member": ANN},
    "title": {"new_chat_title": "Other"},
    "photo changed": {"new_chat_photo": [THUMB]},
    "created": {"group_chat_created": True},
    "pinned": {"pinned_message": {"message_id": 3, "date": 0, "chat": GROUP}},
    "forum topic": {"forum_topic_created": {"name": "n", "icon_color": 7322096}, "message_thread_id": 9},
    "video chat": {"video_chat_started": {}},
    "timer": {"message_auto_delete_timer_changed": {"message_auto_delete_time": 86400}},
    "web app": {"web_app_data": {"data": "d", "button_text": "b"}},
    "migrated from": {"migrate_from_chat_id": -4000001},
    "reply": {"text": "yes", "reply_to_message": {"message_id": 3, "date": DATE, "chat": GROUP, "text": "?"}},
    "forwarded": {"text": "f", "forward_origin": {"type": "user", "date": DATE, "sender_user": ANN}},
    "of a channel": {"text": "/newgame", "sender_chat": CHANNEL},
    "nothing": {},
}
POLL: Json = {
    "id": "1", "question": "?", "options": [{"text": "a", "voter_count": 0, "persistent_id": "0"}],
    "total_voter_count": 0, "is_closed": False, "is_anonymous": True, "type": "regular",
    "allows_multiple_answers": False, "allows_revoting": True, "members_only": False,
}  # fmt: skip
MEMBER: Json = {
    "chat": GROUP, "from": ANN, "date": DATE,
    "old_chat_member": {"user": ANN, "status": "member"},
    "new_chat_member": {"user": ANN, "status": "left"},
}  # fmt: skip
BOOST: Json = {
    "boost_id": "b", "add_date": DATE, "expiration_date": DATE + 1,
    "source": {"source": "premium", "user": ANN},
}  # fmt: skip

#: The content of an update of each kind.
KINDS: dict[str, Json] = {
    "message": message(text="hello"),
    "edited_message": message(text="/newgame", edit_date=DATE),
    "channel_post": {
        "message_id": 5, "date": DATE, "chat": CHANNEL, "sender_chat": CHANNEL, "text": "/newgame",
    },
    "edited_channel_post": {
        "message_id": 5, "date": DATE, "chat": CHANNEL, "sender_chat": CHANNEL, "text": "/newgame",
        "edit_date": DATE,
    },
    "business_connection": {"id": "c", "user": ANN, "user_chat_id": 4001, "date": DATE, "is_enabled": True},
    "business_message": message(PRIVATE, text="/newgame", business_connection_id="c"),
    "edited_business_message": message(PRIVATE, text="/start", business_connection_id="c", edit_date=DATE),
    "deleted_business_messages": {"business_connection_id": "c", "chat": PRIVATE, "message_ids": [1, 2]},
    "guest_message": message(text="hello", guest_query_id="g"),
    "message_reaction": {
        "chat": GROUP, "message_id": 3, "date": DATE, "user": ANN, "old_reaction": [],
        "new_reaction": [{"type": "emoji", "emoji": "👍"}],
    },
    "message_reaction_count": {
        "chat": GROUP, "message_id": 3, "date": DATE,
        "reactions": [{"type": {"type": "emoji", "emoji": "👍"}, "total_count": 2}],
    },
    "inline_query": {"id": "1", "from": ANN, "query": "join", "offset": ""},
    "chosen_inline_result": {"result_id": "1", "from": ANN, "query": "join"},
    "callback_query": {
        "id": "77", "from": ANN, "chat_instance": "1", "data": "leave|-1|1", "message": message(text="lobby"),
    },
    "shipping_query": {
        "id": "1", "from": ANN, "invoice_payload": "p",
        "shipping_address": {
            "country_code": "DE", "state": "", "city": "Berlin", "street_line1": "", "street_line2": "",
            "post_code": "10117",
        },
    },
    "pre_checkout_query": {
        "id": "1", "from": ANN, "currency": "XTR", "total_amount": 1, "invoice_payload": "p",
    },
    "purchased_paid_media": {"from": ANN, "paid_media_payload": "p"},
    "poll": POLL,
    "poll_answer": {"poll_id": "1", "user": ANN, "option_ids": [0], "option_persistent_ids": ["0"]},
    "my_chat_member": {
        **MEMBER,
        "old_chat_member": {"user": BOT, "status": "left"},
        "new_chat_member": {"user": BOT, "status": "member"},
    },
    "chat_member": MEMBER,
    "chat_join_request": {
        "chat": GROUP, "from": ANN, "user_chat_id": 4001, "date": DATE, "invite_link": INVITE,
    },
    "chat_boost": {"chat": GROUP, "boost": BOOST},
    "removed_chat_boost": {"chat": GROUP, "boost_id": "b", "remove_date": DATE, "source": BOOST["source"]},
    "managed_bot": {"user": ANN, "bot": BOT},
    "a_kind_of_next_year": {"id": "1", "from": ANN},
}  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*at, key)
        yield from paths(below, (*at, key))
