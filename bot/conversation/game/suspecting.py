"""/suspect 3 5: a player tells the group whom they suspect.

The suspicion is kept, and compared with the truth at the end.
"""

from dataclasses import replace

from bot.conversation.game.tellings import telling_group
from bot.conversation.incoming import Command
from bot.conversation.outcome import Context, Outcome
from bot.conversation.posting import to_group, words_of
from bot.display.history import suspicion_line
from bot.rooms.model import Room, Suspicion


def suspect(room: Room, said: Command, context: Context) -> Outcome:
    """Record which seats a living player suspects, and tell the group.

    A later one in the same round takes the place of the earlier one.
    """
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (to_group(words.html("lobby.none")),))
    seat, table = match.seat_played_by(said.person.id), match.view(None).table
    if seat is None or not table.alive[seat]:
        return Outcome(room, (to_group(words.html("suspect.players")),))
    suspects = _seats(said.argument, table.seats, seat)
    if not suspects:
        return Outcome(room, (to_group(words.html("suspect.usage")),))
    suspicion: Suspicion = (seat, match.round, suspects)
    kept = tuple(one for one in match.suspicions if one[:2] != suspicion[:2])
    match = replace(match, suspicions=(*kept, suspicion))
    line = suspicion_line(telling_group(room, match), suspicion)
    return Outcome(replace(room, match=match), (to_group(line),))


def _seats(argument: str, seats: int, own: int) -> tuple[int, ...]:
    """Return the seats named by number, with or without its sign; none if anything else was said."""
    named = argument.replace(",", " ").replace("#", " ").split()
    if not all(number.isdecimal() and len(number) <= 2 for number in named):
        return ()
    chosen = sorted({int(number) - 1 for number in named} - {own})
    return tuple(chosen) if all(0 <= seat < seats for seat in chosen) else ()
