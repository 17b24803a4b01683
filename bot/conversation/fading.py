"""A room that nobody has touched for a year forgets its people. Settings and boards stay."""

from dataclasses import replace

from bot.conversation.game.endings import announce_cancelled
from bot.conversation.outcome import Context, Erase, Outcome, Post
from bot.conversation.practice import own_room
from bot.rooms.model import Room

#: Seconds after which a room counts as untouched.
LONG = 365 * 86400


def fade(room: Room, context: Context) -> Outcome:
    """Return the room without its people. Call off an abandoned game and open its seal."""
    if not is_untouched(room, context.now):
        return Outcome(room)
    if room.private:
        return own_room.forgotten(room)
    told: tuple[Post, ...] = ()
    if room.playing is not None and not room.out:
        posts = announce_cancelled(room, replace(room.playing, cancelled=True, former={}))
        # The post says what opens the seal. The button is left out, because its page shows a game that is
        # not kept.
        told = tuple(replace(post, keyboard=()) for post in posts)
    bare = replace(room, title="", lobby=None, sealed=None, match=None, out=False, next_game=(), acts=())
    bare = replace(bare, muted=None, night=None)
    return Outcome(bare, told, erase=Erase(whole=False, people=tuple(sorted(room.noted))))


def is_untouched(room: Room, now: int) -> bool:
    """Return True if a room remembers something, but nobody did anything there within a year."""
    match, times = room.match, [at for _, at in room.acts]
    if room.lobby is not None:
        times.append(room.lobby.touched)
    if room.sealed is not None:
        times.append(room.sealed.at)
    if match is not None:
        times += [match.asked_at, match.opened_at]
    return bool(times) and max(times) <= now - LONG
