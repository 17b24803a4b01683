"""Handle people to whom the bot can no longer write, or can again, and chats that have moved."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.conversation import limits, nights
from bot.conversation.game import guessing
from bot.conversation.game.announce import MESSAGE, repost_game
from bot.conversation.game.seats import catch_up, throw_out, unreachable
from bot.conversation.incoming import BlockChanged, Gone
from bot.conversation.lobby import lobby, sealing
from bot.conversation.outcome import Context, Outcome
from bot.rooms.model import Match, Room
from bot.rooms.names import ChatId
from engine import Seat, question_for, waiting_on

#: Seconds after which pictures are tried again in a group that refused one, since rights may come back.
PICTURES_AGAIN = 600


def on_block_changed(room: Room, incoming: BlockChanged, context: Context) -> Outcome:
    """Handle a person who blocked the bot or unblocked it.

    After a block, tell the group, or free the seat in the lobby. After an unblock, tell a player who has an
    open question (or sees all cards) what their seat knows and must answer, at most once a minute.
    """
    if room.private and not incoming.may_write:
        return Outcome(room)  # nobody else is here to tell
    match = room.match
    seat = None if match is None else match.seat_of(incoming.person.id)
    if match is not None and seat is not None:
        back = _noted(match, (seat,))
        if incoming.may_write:
            back = match.without_seat(seat, "unreached", "replacement_votes")
        played = room.playing is not None and seat in match.in_person
        room = replace(room, match=back)
        if played and not incoming.may_write:
            return _unreachable(room, back, (seat,))
        if played:
            owes = question_for(match.game, seat) is not None or seat in match.watching
            told = limits.note_once(room, -incoming.person.id, context) if owes else None
            return Outcome(room) if told is None else Outcome(*catch_up(told, back, seat))
    if room.lobby is not None and room.lobby.is_seated(incoming.person.id) and not incoming.may_write:
        return lobby.show_lobby(replace(room, lobby=lobby.without(room.lobby, incoming.person.id, context)))
    return Outcome(room)


def on_member_gone(room: Room, incoming: Gone, context: Context) -> Outcome:
    """Remove somebody who left the group from its game, lobby and lists."""
    if room.chat != incoming.room.chat:
        return Outcome(room)
    signed_off = nights.without(room, incoming.person.id)
    left = _gone_from_table(signed_off.room, incoming, context)
    return replace(left, effects=(*signed_off.effects, *left.effects))


def _gone_from_table(room: Room, incoming: Gone, context: Context) -> Outcome:
    user = incoming.person.id
    if room.playing is not None:
        room = replace(room, match=guessing.without_guesser(room.playing, user))
    room = replace(room, next_game=tuple(player for player in room.next_game if player.id != user))
    if room.playing is not None:
        return throw_out(room, room.playing, user, incoming.by_admin, context)
    if room.sealed is not None and room.sealed.is_seated(user):
        # The seal fixes the number of players, so this seat becomes free only after the deal.
        gone = {**room.sealed.gone, user: incoming.by_admin}
        return Outcome(replace(room, sealed=replace(room.sealed, gone=gone)))
    if room.lobby is None or not (room.lobby.is_seated(user) or room.lobby.host == user):
        return Outcome(room)
    return lobby.show_lobby(replace(room, lobby=lobby.without(room.lobby, user, context)))


def on_membership(room: Room) -> Outcome:
    """Post the state of a running game, because the bot was added to the group, or its rights changed.

    If the room knows that the bot was away, ``outside.on_back`` does this instead.
    """
    # The bot's rights may have changed.
    room = replace(room, pictures=True)
    return Outcome(room) if room.playing is None else Outcome(*repost_game(room, room.playing))


def on_moved(room: Room, waiting: Collection[str | None]) -> Outcome:
    """Post the group's open buttons again, because it became a supergroup with an empty chat.

    ``waiting``: the names of messages that will be posted there anyway.
    """
    again = _table_again(room, waiting)
    posts = () if nights.MESSAGE in waiting else nights.reposted(room)
    return replace(again, effects=(*again.effects, *posts))


def _table_again(room: Room, waiting: Collection[str | None]) -> Outcome:
    if room.playing is not None and MESSAGE not in waiting:
        return Outcome(*repost_game(room, room.playing))
    if room.sealed is not None and room.sealed.asked and sealing.QUESTION not in waiting:
        return Outcome(room, (sealing.question(room, room.sealed),))
    if room.lobby is not None and lobby.MESSAGE not in waiting:
        return Outcome(room, (lobby.lobby_post(room),))
    return Outcome(room)


def on_undelivered(room: Room, chats: Sequence[ChatId]) -> Outcome:
    """Tell the group which players cannot be reached, because Telegram refuses messages to their chats.

    Name only players who are publicly asked. Naming others would reveal that they got a secret message.
    """
    match = room.playing
    if match is None or room.private or question_for(match.game, None) is None:
        return Outcome(room)
    asked = set(waiting_on(match.game))
    unreached = [seat for seat, user in match.in_person.items() if ChatId(user) in chats and seat in asked]
    return _unreachable(room, match, unreached) if unreached else Outcome(room)


def _unreachable(room: Room, match: Match, seats: Sequence[Seat]) -> Outcome:
    """Tell the group that these seats cannot be reached, once a game for each seat."""
    noted = _noted(match, seats)
    news = [seat for seat in seats if seat not in match.told_unreached]
    noted = replace(noted, told_unreached=(*match.told_unreached, *news))
    room = replace(room, match=noted)
    return Outcome(room, tuple(unreachable(room, noted, seat) for seat in news))


def _noted(match: Match, seats: Sequence[Seat]) -> Match:
    return replace(match, unreached=tuple(sorted({*match.unreached, *seats})))


def without_pictures(room: Room, now: int) -> Room:
    """Return the room with pictures off for ``PICTURES_AGAIN`` seconds. Until then its posts are text."""
    return replace(mark_as_text(room), pictures=False, pictures_at=now + PICTURES_AGAIN)


def mark_as_text(room: Room) -> Room:
    """Return the room with its latest post about the game marked as text instead of a picture."""
    match = None if room.match is None else replace(room.match, pictured=False)
    return replace(room, match=match)
