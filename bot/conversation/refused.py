"""Handle messages of a room that Telegram refused for good."""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from bot.conversation.game.announce import MESSAGE
from bot.conversation.game.endings import END
from bot.conversation.lobby.sealing import FORWARD, SEAL, note_unforwarded, reopen_lobby
from bot.conversation.outcome import Outcome
from bot.conversation.outside import on_muted, on_removed, without_group
from bot.conversation.reaching import mark_as_text, on_undelivered, without_pictures
from bot.rooms.model import Room
from bot.rooms.names import ChatId
from engine.frozen import frozen


class Reason(Enum):
    """Why Telegram refused a message for good, as far as it matters to a room."""

    NOT_IN_CHAT = auto()
    #: The bot has no right to do this there now.
    NO_RIGHTS = auto()
    #: The chat is closed now, for everybody or only for the bot.
    CLOSED = auto()
    OTHER = auto()


@frozen
class Refusal:
    """A message that Telegram refused for good."""

    chat: ChatId
    reason: Reason
    #: The name of the message, see ``Post``.
    name: str | None = None
    #: True if it was a picture.
    picture: bool = False


def handle_refusals(room: Room, refusals: Sequence[Refusal], now: int = 0, lost: int = 1) -> Outcome:
    """Return the outcome of these refusals. If a picture was refused, the caller posts its text instead.

    ``now`` is in seconds since 1970. ``lost``: how many posts about the game wait or were refused.
    """
    outcome = on_undelivered(room, [refusal.chat for refusal in refusals])
    if any(refusal.name == SEAL for refusal in refusals):
        outcome = reopen_lobby(room)
    elif any(refusal.name == FORWARD for refusal in refusals):
        outcome = note_unforwarded(room)
    if any(refusal.chat == room.chat and refusal.reason is Reason.NOT_IN_CHAT for refusal in refusals):
        gone = on_removed(outcome.room)
        outcome = replace(outcome, room=gone.room, effects=(*outcome.effects, *gone.effects))
    elif _closed(room, refusals):
        waits = on_muted(outcome.room, now, lost)
        outcome = replace(outcome, room=waits.room, effects=(*outcome.effects, *waits.effects))
    outcome = without_group(outcome)
    pictures = [refusal for refusal in refusals if refusal.picture and not outcome.room.bot_removed]
    if any(refusal.reason is Reason.NO_RIGHTS for refusal in pictures):
        return replace(outcome, room=without_pictures(outcome.room, now))
    if any(room.private or refusal.name == MESSAGE for refusal in pictures):
        return replace(outcome, room=mark_as_text(outcome.room))
    return outcome


def _closed(room: Room, refusals: Sequence[Refusal]) -> bool:
    """Return True if these refusals show that the bot cannot write in the group.

    Without a game or a lobby, only refused posts about the last game count.
    """
    here = [refusal for refusal in refusals if refusal.chat == room.chat and not refusal.picture]
    barred = [refusal for refusal in here if refusal.reason in (Reason.NO_RIGHTS, Reason.CLOSED)]
    waits = bool(room.playing or room.sealed or room.lobby)
    return any(waits or refusal.name in (MESSAGE, END) for refusal in barred)
