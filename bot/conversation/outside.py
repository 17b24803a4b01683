"""Let a lobby or a game wait while the bot cannot write in the group.

The bot was removed or restricted, the group is muted, or its topic is closed. The players are told once, in
private. Meanwhile nothing is sent to the group, no clock runs, nobody is asked, and a tap is answered with
the reason. Once the bot can write again, it posts the state of the game, and the open question's time starts
from the beginning.
"""

from dataclasses import replace

from bot.conversation import person, reaching
from bot.conversation.game.announce import BEGINS, repost_game
from bot.conversation.game.endings import announce_cancelled, reveal
from bot.conversation.incoming import (
    BlockChanged,
    Command,
    DeepLink,
    Gone,
    Incoming,
    LanguageChosen,
    Membership,
    PersonForgotten,
    SettingsChosen,
    Tap,
    Wake,
)
from bot.conversation.lobby import lobby, sealing
from bot.conversation.outcome import Context, Group, Lookup, Outcome, Post, Private, Toast, require
from bot.conversation.posting import group_link
from bot.conversation.waking import own_try_at, plan_next_try
from bot.display.words import Words, closest
from bot.rooms.model import Lobby, Match, Muted, Room
from bot.rooms.sealing import Sealed

#: The keys of the texts for players: in a game, and in a lobby.
OUT, MUTED = ("out.game", "out.lobby"), ("muted.game", "muted.lobby")
#: A refusal belongs to the one before if it comes at most ``AGAIN`` seconds after the planned next try. The
#: players are told again if they were last told ``TELL_AGAIN_AFTER`` or more seconds ago.
AGAIN, TELL_AGAIN_AFTER = 600, 6 * 3600


def on_removed(room: Room) -> Outcome:
    """Note that the bot is out of the group, tell the players, and cancel a planned game night."""
    room = replace(room, night=None)
    if room.bot_removed or room.private or _table(room) is None:
        return Outcome(room)
    return Outcome(replace(room, bot_removed=True, muted=None), _told(room, OUT))


def on_muted(room: Room, now: int, lost: int) -> Outcome:
    """Note that the bot cannot write in the group for now, and tell the players.

    ``lost``: how many of the game's posts the group did not get.
    """
    match = room.match
    if room.bot_removed or room.private or (_table(room) is None and not (match and match.over)):
        return Outcome(room)
    old = room.muted
    # Telegram may say that the bot can write, but then refuse a message. Then nothing has changed.
    since = old.since if old is not None and now < old.next_try_at + AGAIN else now
    tells = old is None or now >= old.told_at + TELL_AGAIN_AFTER
    told_at = now if old is None or tells else old.told_at
    if match is not None and lost > 1:
        match = replace(match, post_start=_begins(match, lost - 1))
    muted = Muted(since, plan_next_try(since, now), told_at)
    room = replace(room, match=match, bot_removed=True, muted=muted)
    return Outcome(room, _told(room, MUTED) if tells and _table(room) is not None else ())


def _table(room: Room) -> Match | Sealed | Lobby | None:
    return room.playing or room.sealed or room.lobby


def _told(room: Room, why: tuple[str, str]) -> tuple[Post, ...]:
    """Tell each player who has not left, in private, why everything waits. ``why``: ``OUT`` or ``MUTED``."""
    table = _table(room)
    assert table is not None
    key = why[table is room.lobby]
    away = () if room.playing is None else room.playing.away
    link, theme = group_link(room), room.settings.theme
    return tuple(
        Post(Private(player.id), Words(player.language, theme).html(key, group=link))
        for seat, player in enumerate(table.players)
        if player.id is not None and seat not in away
    )


def _begins(match: Match, earlier: int) -> int:
    """Return the index of the event with which an earlier post began.

    ``earlier``: how many posts it came before the latest one.
    """
    start = match.post_start
    for _ in range(earlier):
        start = max((at for at in range(start) if isinstance(match.log[at].fact, BEGINS)), default=0)
    return start


def is_back(room: Room, incoming: Incoming, context: Context) -> bool:
    """Return True if the bot can write in the group again, although the room does not know it yet.

    Telegram's notices may come in any order, so each tap, command or link makes the bot ask. The clock makes
    it ask, too, because restored rights usually bring no notice. Raises LookupNeeded.
    """
    if room.muted_now is not None:
        asks = isinstance(incoming, Tap | Command | DeepLink | Membership) or _is_due(room, incoming, context)
        return asks and require(context.may_post, Lookup.MAY_POST) is True
    if isinstance(incoming, Membership):
        return incoming.inside
    return isinstance(incoming, Tap | Command | DeepLink) and require(context.inside, Lookup.INSIDE) is True


def on_back(room: Room, context: Context) -> Outcome:
    """Note that the bot can write in the group again, post the state, and restart the question's time."""
    over = None if room.muted is None else replace(room.muted, next_try_at=context.now, over=True)
    room = replace(room, bot_removed=False, muted=over)
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, touched=context.now))
        return Outcome(room, (lobby.lobby_post(room),))
    if room.sealed is not None:
        # The seal and the beacon's round stay the same. The deal is tried once the round is out.
        sealed = replace(room.sealed, next_try_at=max(context.now, room.sealed.at + sealing.ON_ITS_WAY))
        room = replace(room, sealed=sealed)
        return Outcome(room, (sealing.question(room, sealed),) if sealed.asked else ())
    match = room.match
    if match is None or (match.over and over is None):
        return Outcome(room)
    if match.cancelled:
        return Outcome(room, announce_cancelled(room, match))
    if match.over:
        room, told = repost_game(room, match)
        assert room.match is not None
        return Outcome(room, (*told, *reveal(room, room.match)))
    match = replace(match, time_began_at=context.now, opened_at=context.now, reminders=0, clock_call=None)
    return Outcome(*repost_game(replace(room, match=match), match))


def answer_waiting(room: Room, incoming: Incoming, context: Context) -> Outcome:
    """Answer while the bot cannot write in the group: tell a tapper why, and note people's own choices.

    Nothing is posted to the group, and nobody is asked anything.
    """
    why = "out.toast" if room.muted_now is None else "muted.toast"
    match incoming:
        case Wake() if _is_due(room, incoming, context):
            muted = room.muted_now
            assert muted is not None, "only where it is muted anything is due"
            next_try_at = plan_next_try(muted.since, context.now)
            return Outcome(replace(room, muted=replace(muted, next_try_at=next_try_at)))
        case Tap():
            words = Words(closest(incoming.person.language), room.settings.theme)
            return Outcome(room, toast=Toast(words.plain(why), alert=True))
        case DeepLink():
            text = Words(closest(incoming.person.language)).html(why)
            return Outcome(room, (Post(Private(incoming.person.id), text),))
        case LanguageChosen():
            return _noted(person.set_language(room, incoming))
        case SettingsChosen():
            return _noted(person.set_options(room, incoming))
        case PersonForgotten():
            return _noted(person.forget_person(room, incoming))
        case Gone():
            return _noted(reaching.on_member_gone(room, incoming, context))
        case BlockChanged():
            return _noted(reaching.on_block_changed(room, incoming, context))
    return Outcome(room)


def _is_due(room: Room, incoming: Incoming, context: Context) -> bool:
    at = own_try_at(room)
    return isinstance(incoming, Wake) and at is not None and at <= context.now


def without_group(outcome: Outcome) -> Outcome:
    """Return the outcome without messages to a group in which the bot cannot write."""
    if not outcome.room.bot_removed:
        return outcome
    return replace(
        outcome, effects=tuple(effect for effect in outcome.effects if not isinstance(effect.to, Group))
    )


def _noted(outcome: Outcome) -> Outcome:
    return replace(outcome, effects=())
