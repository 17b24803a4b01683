"""A stand-in for Telegram: users, groups and private chats, the bot's calls, and the updates that it gets.

``Telegram`` (core.py) is synchronous and does no I/O. ``transport.StandinRequest`` connects
python-telegram-bot to it without a socket. ``transport.Server`` serves it over HTTP with long polling. For a
webhook, the caller must deliver the updates (delivery.py).
"""

from sandbox.clocks import VirtualClock

from .calls import Call, FloodLimits, Refusal, bad_request, forbidden, too_many
from .core import Telegram
from .delivery import Pending, Response
from .model import Chat, Message, Query, User

__all__ = [
    "Call",
    "Chat",
    "FloodLimits",
    "Message",
    "Pending",
    "Query",
    "Refusal",
    "Response",
    "Telegram",
    "User",
    "VirtualClock",
    "bad_request",
    "forbidden",
    "too_many",
]
