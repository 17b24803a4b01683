"""Game nights: /schedule plans them, people sign up by buttons, and a lobby opens at that time."""

from dataclasses import replace
from typing import Final

from markupsafe import Markup

from bot.conversation.incoming import Command, Tap
from bot.conversation.lobby.lobby import MESSAGE as LOBBY
from bot.conversation.lobby.lobby import last_played, lobby_post, open_lobby, why_none_opens
from bot.conversation.lobby.starting import ask_to_join
from bot.conversation.outcome import (
    GROUP,
    ClearButtons,
    Context,
    Edit,
    Effects,
    Lookup,
    Outcome,
    Post,
    Private,
    Toast,
    require,
)
from bot.conversation.posting import group_link, group_row, to_group, words_of
from bot.conversation.rights import is_admin, membership_refusal, player_of, refusal_key
from bot.display import nights as display
from bot.display.buttons import Row
from bot.display.commands import GREETING
from bot.display.words import Words, bold, closest, name
from bot.rooms.model import Room
from bot.rooms.names import UserId
from bot.rooms.night import ANNOUNCE, MOST_GUESTS, OPEN, Guest, Night, local, next_at, zone_named, zones_like

#: The name of the night's post.
MESSAGE: Final = "night"
#: A night's lobby opens at most this many seconds late.
LATEST: Final = 3600
#: A weekly night ends after this many in a row without anybody signing up.
MOST_EMPTY: Final = 4
#: The word after /schedule that cancels the plan.
OFF: Final = "off"
#: Temporary reasons why no lobby opens now.
_PASSING = ("game.draining", "game.busy")


# --- by command ---------------------------------------------------------------------------------------------


def schedule(room: Room, incoming: Command, context: Context) -> Outcome:
    """/schedule: show what is planned; plan it ("fri 20:00", "weekly fri 20:00"); cancel it ("off")."""
    room, words = replace(room, title=incoming.title or room.title), words_of(room)
    if not incoming.argument:
        if room.night is None:
            text = Markup("{}\n{}").format(words.html("night.none"), display.how_to(words, room))
            return Outcome(room, (to_group(text),))
        night = replace(room.night, step=max(room.night.step, ANNOUNCE + 1))
        return Outcome(replace(room, night=night), (ClearButtons(GROUP, MESSAGE), _post(room, night)))
    if refusal := _refusal(room, incoming, context):
        return Outcome(room, (to_group(words.html(refusal)),))
    if incoming.argument.casefold() == OFF:
        if room.night is None:
            return Outcome(room, (to_group(words.html("night.none")),))
        who = incoming.title if incoming.as_group else incoming.person.name
        off = _call_off(room, room.night, who)
        return replace(off, effects=(*off.effects, to_group(_off_text(room, who))))
    asked = incoming.argument.split()
    once = [word for word in asked if word.casefold() != display.EVERY_WEEK]
    when = display.read_when(" ".join(once), words)
    if when is None:
        text = Markup("{}\n{}").format(words.html("night.unclear"), display.how_to(words, room))
        return Outcome(room, (to_group(text),))
    day, minutes = when
    at = next_at(room.settings.timezone, day, minutes, context.now)
    day = local(room.settings.timezone, at).weekday() if day is None else day
    host = None if incoming.anonymous else incoming.person.id
    night = Night(at, day, minutes, weekly=len(once) < len(asked), host=host)
    return replace(_plan(room, night, context), remember=host)


def timezone(room: Room, incoming: Command, context: Context) -> Outcome:
    """/timezone: say the group's time zone, or set it.

    A planned night keeps its local hour. If that is another moment now, people must sign up again.
    """
    room, words = replace(room, title=incoming.title or room.title), words_of(room)
    if not incoming.argument:
        return Outcome(room, (to_group(words.html("timezone.now", zone=room.settings.timezone)),))
    if not (incoming.as_group or is_admin(context)):
        return Outcome(room, (to_group(words.html(refusal_key("only-admin", context))),))
    zone = zone_named(incoming.argument)
    if zone is None:
        like = [Markup("<code>/timezone {}</code>").format(zone) for zone in zones_like(incoming.argument)]
        lines = [words.html("timezone.unknown"), *([words.html("timezone.like"), *like] if like else [])]
        return Outcome(room, (to_group(Markup("\n").join(lines)),))
    room = replace(room, settings=replace(room.settings, timezone=zone))
    now = words.time_of_day(local(zone, context.now))
    told = to_group(words.html("timezone.set", zone=zone, time=now))
    night = room.night
    if night is None:
        return Outcome(room, (told,))
    at = next_at(zone, night.day, night.minutes, context.now)
    if at == night.at:
        shown = () if night.step == ANNOUNCE else _edited(room, night).effects
        return Outcome(room, (told, *shown))
    moved = _plan(room, replace(night, at=at, guests=()), context)
    return replace(moved, effects=(told, *moved.effects))


# --- by button ----------------------------------------------------------------------------------------------


def night_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle a tap under a night's post: anybody may sign up, planners may also repeat or cancel it."""
    words, night = Words(closest(incoming.person.language)), room.night
    at, what = incoming.args
    if night is None or night.at != at:
        return Outcome(room, toast=Toast(words.plain("toast.night-over"), alert=True))
    if what in (display.IN, display.MAYBE, display.OUT):
        return _answer(room, night, incoming, context, words)
    if refusal := _refusal(room, incoming, context):
        return Outcome(room, toast=Toast(words.plain(refusal), alert=True))
    if what in (display.WEEKLY, display.ONCE) and night.weekly != (what == display.WEEKLY):
        return _edited(room, replace(night, weekly=what == display.WEEKLY, empty=0))
    if what in (display.CANCEL, display.KEEP):
        return _edited(room, night, cancelling=what == display.CANCEL)
    return _call_off(room, night, incoming.person.name) if what == display.CANCEL_SURELY else Outcome(room)


def _answer(room: Room, night: Night, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Put somebody on the list, or take them off it. Only members of the group can be on it."""
    user, what = incoming.person.id, incoming.args[1]
    before = next((guest for guest in night.guests if guest.player.id == user), None)
    if what == display.OUT:
        toast = Toast(words.plain("toast.night-out"))
        if before is None:
            return Outcome(room, toast=toast)
        left = tuple(guest for guest in night.guests if guest is not before)
        return _edited(room, replace(night, guests=left), toast)
    toast = Toast(words.plain("toast.night-in" if what == display.IN else "toast.night-maybe"))
    if before is not None and before.maybe == (what == display.MAYBE):
        return Outcome(room, toast=toast)
    if refusal := membership_refusal(room, incoming, context):
        return Outcome(room, toast=Toast(words.plain(refusal), alert=True))
    if before is None and len(night.guests) >= MOST_GUESTS:
        return Outcome(room, toast=Toast(words.plain("toast.night-full", most=MOST_GUESTS), alert=True))
    if not require(context.may_write, Lookup.MAY_WRITE):
        toast = Toast(url=context.deep_link(GREETING))  # to get reminders, they have to press Start there
    guest = Guest(player_of(incoming.person, context), what == display.MAYBE)
    if before is None:
        guests = (*night.guests, guest)
    else:
        guests = tuple(guest if other is before else other for other in night.guests)
    return replace(_edited(room, replace(night, guests=guests), toast), remember=user)


# --- by time ------------------------------------------------------------------------------------------------


def go_on(room: Room, night: Night, context: Context) -> Outcome:
    """Do the latest step that is due: post the night, remind its guests, or open its lobby."""
    step = night.due_step(context.now)
    if step < night.step:
        return Outcome(room)
    if step == OPEN:
        return _begin(room, night, context)
    posted = night.step > ANNOUNCE
    night = replace(_without_gone(night, context), step=step + 1)
    room = replace(room, night=night)
    told = () if posted else (_post(room, night),)
    reminders = () if step == ANNOUNCE else tuple(_reminder(room, night, guest) for guest in night.guests)
    return Outcome(room, (*told, *reminders))


def _begin(room: Room, night: Night, context: Context) -> Outcome:
    """Open the night's lobby, unless it is too late, nobody signed up, or a game is running."""
    words, over = words_of(room), ClearButtons(GROUP, MESSAGE)
    after = replace(room, night=_next(room, night, context))
    if context.now > night.at + LATEST:
        return Outcome(after, (over,))
    if not night.guests:
        ended = night.weekly and after.night is None
        text = words.html("night.ended" if ended else "night.nobody", count=MOST_EMPTY)
        return Outcome(after, (_edit(text),))
    if room.playing is not None or room.sealed is not None:
        return Outcome(after, (over, to_group(words.html("night.running"))))
    why = None if room.lobby is not None else why_none_opens(context, group=True)
    if why in _PASSING:
        return Outcome(room)  # it is still due: the watchdog comes again
    if why is not None:
        return Outcome(after, (over, to_group(words.html(why))))
    guests = _without_gone(night, context).guests
    coming = [guest.player for guest in guests if not guest.maybe and guest.player.id is not None]
    if room.lobby is not None:
        shown: Effects = (ClearButtons(GROUP, LOBBY), lobby_post(room))
    else:
        # The planner hosts, or else the first person who signed up.
        host = night.host if night.host is not None else next(iter(night.people.values()))
        asked = {player.id for player in coming}
        waiting = tuple(player for player in after.next_game if player.id not in asked)
        lobby = open_lobby(replace(after, next_game=waiting), host, (), *last_played(room), context)
        after, shown = lobby.room, lobby.effects
    assert after.lobby is not None
    asks = (
        ask_to_join(after, player, Words(player.language).html("night.open", group=group_link(room)), context)
        for player in coming
        if player.id is not None and not after.lobby.is_seated(player.id)
    )
    return Outcome(after, (over, *shown, *asks))


def _next(room: Room, night: Night, context: Context) -> Night | None:
    """Return next week's night, if there is one, at the same local time even if the clocks changed."""
    empty = 0 if night.guests else night.empty + 1
    if not night.weekly or empty >= MOST_EMPTY:
        return None
    at = next_at(room.settings.timezone, night.day, night.minutes, max(night.at, context.now))
    return replace(night, at=at, guests=(), step=ANNOUNCE, empty=empty)


def _without_gone(night: Night, context: Context) -> Night:
    """Return the night without people who have left the group. Raises LookupNeeded."""
    if not night.guests:
        return night
    gone = require(context.guests_gone, Lookup.GUESTS_GONE)
    return replace(night, guests=tuple(guest for guest in night.guests if guest.player.id not in gone))


def _reminder(room: Room, night: Night, guest: Guest) -> Post:
    assert guest.player.id is not None
    words = Words(guest.player.language)
    when = display.moment(words, room.settings.timezone, night.at, "r")
    text = words.html("night.soon-maybe" if guest.maybe else "night.soon", group=group_link(room), when=when)
    return Post(Private(guest.player.id), text, group_row(words, room), key=MESSAGE)


# --- changes ------------------------------------------------------------------------------------------------


def without(room: Room, user: UserId) -> Outcome:
    """Remove a person from the night, both as a guest and as its planner."""
    night = room.night
    if night is None or not night.knows(user):
        return Outcome(room)
    guests = tuple(guest for guest in night.guests if guest.player.id != user)
    host = None if night.host == user else night.host
    after = replace(night, guests=guests, host=host)
    return Outcome(replace(room, night=after)) if guests == night.guests else _edited(room, after)


def reposted(room: Room) -> Effects:
    """Return the night's post again, for a chat that has lost it; nothing if it was not posted yet."""
    return () if room.night is None or room.night.step == ANNOUNCE else (_post(room, room.night),)


def _plan(room: Room, night: Night, context: Context) -> Outcome:
    """Plan a night in place of any earlier one, and tell the people who signed up for that one."""
    old = room.night
    night = replace(night, step=max(ANNOUNCE, night.due_step(context.now)) + 1)
    after = replace(room, night=night)
    told: list[Post | Edit] = []
    if old is not None and old.step > ANNOUNCE:
        told = [_edit(words_of(room).html("night.moved")), *_tell_guests(after, old, "night.moved-private")]
    return Outcome(after, (*told, _post(after, night)))


def _call_off(room: Room, night: Night, who: str) -> Outcome:
    after = replace(room, night=None)
    posted = () if night.step == ANNOUNCE else (_edit(_off_text(room, who)),)
    return Outcome(after, (*posted, *_tell_guests(room, night, "night.off-private")))


def _tell_guests(room: Room, old: Night, key: str) -> list[Post | Edit]:
    """Tell the people who signed up for ``old`` in private that it is cancelled or moved (``key``)."""
    assert room.night is not None
    told: list[Post | Edit] = []
    for guest in old.guests:
        words = Words(guest.player.language)
        when = display.moment(words, room.settings.timezone, room.night.at)
        if guest.player.id is not None:
            text = words.html(key, group=group_link(room), when=when)
            told.append(Post(Private(guest.player.id), text, group_row(words, room), key=MESSAGE))
    return told


def _refusal(room: Room, incoming: Command | Tap, context: Context) -> str | None:
    """Return the catalogue's key for why somebody may not plan nights here; None if they may."""
    if (isinstance(incoming, Command) and incoming.as_group) or is_admin(context):
        return None
    if room.settings.nights == "anyone":
        return membership_refusal(room, incoming, context)
    return refusal_key("only-admin", context)


def _off_text(room: Room, who: str) -> Markup:
    return words_of(room).html("night.off", who=bold(name(who)))


def _post(room: Room, night: Night) -> Post:
    words = words_of(room)
    text, keyboard = display.night_text(words, room, night), display.night_keyboard(words, room, night)
    return to_group(text, keyboard, MESSAGE)


def _edited(room: Room, night: Night, toast: Toast | None = None, *, cancelling: bool = False) -> Outcome:
    words, after = words_of(room), replace(room, night=night)
    keyboard = display.night_keyboard(words, after, night, cancelling=cancelling)
    return Outcome(after, (_edit(display.night_text(words, after, night), keyboard),), toast)


def _edit(text: Markup, keyboard: tuple[Row, ...] = ()) -> Edit:
    """Return an edit of the night's post. If somebody deleted the post, nothing happens."""
    return Edit(GROUP, MESSAGE, text, keyboard, patient=True)
