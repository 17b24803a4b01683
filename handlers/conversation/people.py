"""What happens to people rather than in the game: somebody cannot be written to."""

from collections.abc import Sequence

from engine import waiting_on
from handlers.conversation.outcome import Outcome
from handlers.conversation.places import to_group, words_of
from handlers.display.words import Html, name
from handlers.rooms.model import Room


def undelivered(room: Room, chats: Sequence[int]) -> Outcome:
    """Telegram refuses messages to these chats for good; the group learns whom the game waits for in vain.

    Only those are named whom everybody knows to be asked: that any other message could not be
    delivered would tell that there was one.
    """
    match = room.playing
    if match is None:
        return Outcome(room)
    waited_for = {match.players[seat].id: seat for seat in waiting_on(match.game)}
    unreached = [waited_for[chat] for chat in dict.fromkeys(chats) if chat in waited_for]
    if not unreached:
        return Outcome(room)
    names = Html(", ".join(f"<b>{name(match.players[seat].name)}</b>" for seat in unreached))
    return Outcome(room, (to_group(room, words_of(room).html("unreachable", names=names)),))
