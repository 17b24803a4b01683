"""Tell dead players what they may do, and show them all cards if the group allows it.

A person who has seen all cards can no longer play, so this is not offered in games that bring the dead back.
"""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.incoming import Tap
from bot.conversation.outcome import Context, Edit, Lookup, Outcome, Post, Toast, ToSeat, require
from bot.conversation.posting import dead_name, group_link, group_row, telling_for_seat, words_for
from bot.conversation.rights import no_seat_text
from bot.display.buttons import Button, data
from bot.display.history import open_text
from bot.display.telling import Telling
from bot.rooms.model import Match, Room
from engine import Event, Seat, dead_may_return
from engine.facts import Nominated


def to_dead_seat(room: Room, match: Match, seat: Seat) -> tuple[Post, ...]:
    """Return the message to a dead seat, with all cards if it has asked for them; nothing if it is alive."""
    if not _dead(match, seat):
        return ()
    if seat in match.watching and may_watch(room, match):
        shown = _shown(room, match, seat)
        return (Post(ToSeat(seat), shown.text, shown.keyboard, shown.name, protect=True),)
    telling = telling_for_seat(room, match, seat)
    rows = group_row(telling.words, room)
    text = Markup("{}\n{}\n{}").format(group_link(room), telling.html("dead"), telling.html("dead.guess"))
    if not may_watch(room, match):
        return (Post(ToSeat(seat), text, rows),)
    watch = Button(telling.words.plain("button.watch"), data(room.name, "watch", match.number))
    text = Markup("{}\n\n{}").format(text, telling.html("watch.offer"))
    # This message will show secrets later, and only a new post can be protected.
    return (Post(ToSeat(seat), text, ((watch,), *rows), dead_name(seat), protect=True),)


def watch_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Show a dead player all cards from now on."""
    match = room.match
    seat = None if match is None else match.seat_played_by(incoming.person.id)
    if match is None or match.number != incoming.args[0] or seat is None:
        return Outcome(room, toast=Toast(no_seat_text(room, incoming)))
    if match.over:
        return Outcome(room, toast=Toast(words_for(room, match, seat).plain("illegal.over")))
    may = _dead(match, seat) and may_watch(room, match)
    if not may or require(context.is_member, Lookup.IS_MEMBER) is False:
        return Outcome(room, toast=Toast(words_for(room, match, seat).plain("watch.refused"), alert=True))
    match = replace(match, watching=tuple(sorted({*match.watching, seat})))
    room = replace(room, match=match)
    return Outcome(room, (_shown(room, match, seat),), Toast())


def updates(room: Room, match: Match, events: Sequence[Event]) -> tuple[Edit, ...]:
    """Show the dead who see all cards what has happened.

    There is no edit after a nomination, because the group's post shows it. The secrets in an event never
    decide whether there is an edit.
    """
    if not may_watch(room, match) or isinstance(events[-1].fact, Nominated):
        return ()
    return tuple(_shown(room, match, seat) for seat in match.watching)


def may_watch(room: Room, match: Match) -> bool:
    """Return True if the dead of a game may see all cards."""
    return room.settings.open_cards == "on" and not dead_may_return(match.game.setup)


def _dead(match: Match, seat: Seat) -> bool:
    return not match.view(None).table.alive[seat]


def _shown(room: Room, match: Match, seat: Seat) -> Edit:
    """Return the edit of a dead seat's message that shows all cards as they are now."""
    words = words_for(room, match, seat)
    text = open_text(Telling(match.open_view(), match.players, words), match, group_link(room))
    return Edit(ToSeat(seat), dead_name(seat), text, group_row(words, room))
