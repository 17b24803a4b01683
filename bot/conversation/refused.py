"""Telegram refuses messages of a room for good: what the group is told instead, and what the room notes."""

from collections.abc import Sequence
from dataclasses import replace

from bot.conversation.game.announce import MESSAGE
from bot.conversation.lobby.freezing import SEAL
from bot.conversation.lobby.sealing import given_up
from bot.conversation.outcome import Outcome
from bot.conversation.outside import left, without_group
from bot.conversation.reaching import in_words, undelivered, without_pictures
from bot.rooms.model import Room
from infra.outbox.flush import Refusal
from infra.telegram.errors import Kind


def refused(room: Room, refusals: Sequence[Refusal]) -> Outcome:
    """The outcome of these refusals; that a picture's text is posted instead is for the caller."""
    outcome = undelivered(room, [refusal.entry.chat for refusal in refusals])
    if any(refusal.entry.name == SEAL for refusal in refusals):
        outcome = given_up(room)
    if any(refusal.entry.chat == room.chat and refusal.kind is Kind.NOT_IN_CHAT for refusal in refusals):
        gone = left(outcome.room)
        outcome = replace(outcome, room=gone.room, effects=(*outcome.effects, *gone.effects))
    outcome = without_group(outcome)
    pictures = [refusal for refusal in refusals if refusal.entry.photo and not outcome.room.out]
    if any(refusal.kind is Kind.NO_RIGHTS for refusal in pictures):
        return replace(outcome, room=without_pictures(outcome.room))
    if any(room.private or refusal.entry.name == MESSAGE for refusal in pictures):
        return replace(outcome, room=in_words(outcome.room))
    return outcome
