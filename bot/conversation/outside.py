"""The bot was taken out of a group in the middle of a lobby or a game: all of it waits until the bot is back.

Those who sit there hear of it once, in private. Nothing is sent to the group meanwhile, no clock runs, and
nobody is asked; a tap says why. Back in the group, the bot says where things stand, and time counts anew.
"""

from dataclasses import replace

from bot.conversation import person, reaching
from bot.conversation.game.announce import standing
from bot.conversation.incoming import (
    AdviceChosen,
    BlockChanged,
    Command,
    DeepLink,
    Incoming,
    LanguageChosen,
    Membership,
    PersonForgotten,
    Tap,
)
from bot.conversation.lobby import lobby, sealing
from bot.conversation.outcome import Context, Need, Outcome, Post, Toast, found
from bot.conversation.posting import group_link
from bot.conversation.recipients import GROUP, Private
from bot.display.words import Words, closest
from bot.rooms.model import Player, Room


def left(room: Room) -> Outcome:
    """The bot is out of the group. Those who play, or sit in the lobby, hear so."""
    table = room.playing or room.sealed or room.lobby
    if room.out or room.private or table is None:
        return Outcome(room)
    key = "out.lobby" if table is room.lobby else "out.game"
    away = () if room.playing is None else room.playing.away
    told = tuple(
        Post(Private(player.id), _words(room, player).html(key, group=group_link(room)))
        for seat, player in enumerate(table.players)
        if player.id is not None and seat not in away
    )
    return Outcome(replace(room, out=True), told)


def is_back(said: Incoming, context: Context) -> bool:
    """Whether the bot is in the group again, although the room does not know it yet.

    Telegram's notices may come in any order, so whoever does something there or at the table lets it be
    asked.

    Raises Needs where that is still to be done.
    """
    if isinstance(said, Membership):
        return said.inside
    return isinstance(said, Tap | Command | DeepLink) and found(context.inside, Need.INSIDE)


def back(room: Room, context: Context) -> Outcome:
    """The bot is in the group again: it says where things stand there, and their time counts anew."""
    room = replace(room, out=False)
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, touched=context.now))
        return Outcome(room, (lobby.lobby_post(room),))
    if room.sealed is not None:
        # The seal stays what it is, and so does the beacon's round: it is looked at once it is out.
        sealed = replace(room.sealed, look=max(context.now, room.sealed.at + sealing.ON_ITS_WAY))
        room = replace(room, sealed=sealed)
        return Outcome(room, (sealing.question(room, sealed),) if sealed.asked else ())
    match = room.playing
    if match is None:
        return Outcome(room)
    match = replace(match, asked_at=context.now, opened_at=context.now, reminders=0, called=None)
    return Outcome(*standing(replace(room, match=match), match))


def waiting(room: Room, said: Incoming, context: Context) -> Outcome:
    """What is said while the bot is out: a tap is told so, and what people say of themselves is noted.

    The group is told nothing, and nobody is asked anything.
    """
    match said:
        case Tap():
            words = Words(closest(said.person.language), room.settings.theme)
            return Outcome(room, toast=Toast(words.plain("out.toast"), alert=True))
        case DeepLink():
            text = Words(closest(said.person.language)).html("out.toast")
            return Outcome(room, (Post(Private(said.person.id), text),))
        case LanguageChosen():
            return _noted(person.chose(room, said))
        case AdviceChosen():
            return _noted(person.chose_advice(room, said))
        case PersonForgotten():
            return _noted(person.forgotten(room, said))
        case BlockChanged():
            return _noted(reaching.reached(room, said, context))
    return Outcome(room)


def without_group(outcome: Outcome) -> Outcome:
    """The outcome, without what would be sent to a group that the bot is out of."""
    if not outcome.room.out:
        return outcome
    return replace(outcome, effects=tuple(effect for effect in outcome.effects if effect.to != GROUP))


def _noted(outcome: Outcome) -> Outcome:
    return replace(outcome, effects=())


def _words(room: Room, player: Player) -> Words:
    return Words(player.language, room.settings.theme)
