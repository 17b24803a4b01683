"""Wake a room: do what is due in its lobby, sealed game, game or game night, and say when that is."""

from dataclasses import replace

from bot.conversation import nights
from bot.conversation.game import claims, clock, computers
from bot.conversation.game.deadlines import VOTE, claims_due_at, deadline, earliest, next_reminder
from bot.conversation.game.endings import announce_cancelled
from bot.conversation.lobby import calling_off, lobby, sealing
from bot.conversation.outcome import Context, Erase, Outcome, Post
from bot.conversation.practice import own_room
from bot.rooms.model import Room

# --- lifetime -----------------------------------------------------------------------------------------------

#: Seconds after which, if nobody uses them, a lobby closes, and a person's own room is deleted, even with a
#: running game.
LIFETIME, OWN_ROOM_LIFETIME = 3600, 7 * 86400


def own_room_expires_at(room: Room) -> int | None:
    """Return when a person's own room is deleted if unused, in seconds since 1970; None if it is empty."""
    times = last_uses(room)
    return max(times) + OWN_ROOM_LIFETIME if times else None


def last_uses(room: Room) -> list[int]:
    """Return when somebody did something in a room, the last time among them, in seconds since 1970."""
    times = [at for _, at in room.acts]
    if room.lobby is not None:
        times.append(room.lobby.touched)
    if room.sealed is not None:
        times.append(room.sealed.at)
    if room.match is not None:
        times += [room.match.time_began_at, room.match.opened_at]
    return times


# --- waking -------------------------------------------------------------------------------------------------

#: Seconds between tries to write in a group that refuses messages: the first wait and the longest. After the
#: third number of seconds the bot tries only when somebody acts there.
FIRST_WAIT, LONGEST_WAIT, GIVES_UP = 60, 3600, 7 * 86400
#: The most things that a wake-up does besides the first one: computers, claims, the clock, a vote.
MOST_AT_ONCE = 3


def wake(room: Room, context: Context) -> Outcome:
    """Do what is due now in the lobby or game, and then for the group's game night."""
    outcome = _wake_table(room, context)
    # Several things may be due in the same second, for which only one wake-up is queued.
    for _ in range(MOST_AT_ONCE):
        at = next_in_game(outcome.room) if outcome.room.playing is not None else None
        if at is None or at > context.now or outcome.room.bot_removed:
            break
        after = _wake_table(outcome.room, context)
        if not after.changes(outcome.room):
            break
        outcome = replace(after, effects=(*outcome.effects, *after.effects))
    night = outcome.room.night
    if night is None or night.next_at > context.now or outcome.room.bot_removed:
        return outcome
    after = nights.go_on(outcome.room, night, context)
    return replace(after, effects=(*outcome.effects, *after.effects))


def _wake_table(room: Room, context: Context) -> Outcome:
    """Close an unused lobby, deal a sealed game, or let the clock and the computers of a game act."""
    if room.lobby is not None and room.lobby.touched + LIFETIME <= context.now:
        return lobby.close_lobby(room, "practice.ended" if room.private else "lobby.expired")
    gone = own_room_expires_at(room) if room.private else None
    if gone is not None and gone <= context.now:
        return own_room.erase(room)
    if room.sealed is not None:
        return sealing.try_deal(room, room.sealed, context)
    if room.playing is None:
        return Outcome(room)
    vote = room.playing.calling_off
    if vote is not None and vote.at + VOTE <= context.now:
        return calling_off.vote_failed(room, room.playing)
    acted = computers.act(room, room.playing, context)
    if acted.room != room:
        return acted
    told = claims.tell_claims(room, room.playing, context.now)
    return clock.tick(room, room.playing, context) if told.room == room else told


def due(room: Room) -> int | None:
    """Return when something is due next in this room, in seconds since 1970, or None.

    While the bot cannot write in the group, only its next try to write and an unrecorded end are due.
    """
    times = [next_in_game(room)]
    if room.match is not None and room.match.needs_archiving:
        times.append(room.match.time_began_at)  # it has ended, but the end is not recorded yet
    if not room.bot_removed:
        if room.lobby is not None:
            times.append(room.lobby.touched + LIFETIME)
        if room.playing is not None and room.playing.computer_seats:
            # No wake-up is queued for the computers' decisions, because they follow at once. If that fails,
            # the watchdog must come.
            times.append(computers.due(room.playing))
        if room.private:
            times.append(own_room_expires_at(room))
        if room.night is not None:
            times.append(room.night.next_at)
    return earliest(times)


def next_queued(room: Room) -> int | None:
    """Return when the bot must next act on time, in seconds since 1970, or None.

    Only a game and a game night's lobby need this. For everything else the watchdog is early enough.
    """
    opens_at = None if room.bot_removed or room.night is None else room.night.opens_at
    return earliest([next_in_game(room), opens_at])


def plan_next_try(since: int, now: int) -> int:
    """Return when to try again to write in a group that has refused messages since ``since``.

    The wait doubles each time.
    """
    return now + min(max(now - since, FIRST_WAIT), LONGEST_WAIT)


def own_try_at(room: Room) -> int | None:
    """Return when the bot next tries on its own to write in a group that refuses messages, or None."""
    muted = room.muted_now
    return None if muted is None or muted.next_try_at > muted.since + GIVES_UP else muted.next_try_at


def next_in_game(room: Room) -> int | None:
    """Return when the clock or a computer acts next in the sealed or running game, or None.

    While the group refuses messages, return when the bot tries to write there again.
    """
    if room.bot_removed:
        return own_try_at(room)
    if room.sealed is not None:
        return room.sealed.next_try_at
    if room.playing is None:
        return None
    match = room.playing
    closes = deadline(room, match)
    acts = computers.acts_at(match) if match.computer_seats else None
    told = claims_due_at(match) if match.unposted_claims else None
    reminds = None if closes is None else next_reminder(room, match, closes)
    vote_ends = None if match.calling_off is None else match.calling_off.at + VOTE
    return earliest([closes, reminds, acts, told, vote_ends])


# --- idle rooms ---------------------------------------------------------------------------------------------
# A room that nobody has used for a year forgets its people. Settings and boards stay.

#: Seconds after which a room counts as unused.
LONG = 365 * 86400


def forget_idle_room(room: Room, context: Context) -> Outcome:
    """Return the room without its people. Call off an abandoned game, and reveal its seed."""
    if not is_untouched(room, context.now):
        return Outcome(room)
    if room.private:
        return own_room.erase(room)
    told: tuple[Post, ...] = ()
    if room.playing is not None and not room.bot_removed:
        posts = announce_cancelled(room, replace(room.playing, cancelled=True, former={}))
        # The post reveals the seed. Its button is left out, because it leads to a page about a game that is
        # deleted here.
        told = tuple(replace(post, keyboard=()) for post in posts)
    bare = replace(room, title="", lobby=None, sealed=None, match=None, next_game=(), acts=())
    bare = replace(bare, bot_removed=False, muted=None, night=None)
    return Outcome(bare, told, erase=Erase(everything=False, people=tuple(sorted(room.user_ids))))


def is_untouched(room: Room, now: int) -> bool:
    """Return True if a room remembers something, but nobody did anything there within a year."""
    times = last_uses(room)
    return bool(times) and max(times) <= now - LONG
