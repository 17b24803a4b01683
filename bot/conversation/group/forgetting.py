"""/forget in a group: all that is kept of it, deleted when an admin means it."""

from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Erase, Outcome, Toast
from bot.conversation.posting import edit_in_group, name_of, to_group, words_of
from bot.conversation.rights import is_admin, refused
from bot.display.buttons import Button, data
from bot.display.words import Words, closest
from bot.rooms.model import Room

#: The name of the message that asks for confirmation.
MESSAGE = "forget"
NO, YES = 0, 1


def forget(room: Room, said: Command, context: Context) -> Outcome:
    """Ask an admin whether it is meant. A lobby or a game ends first, by /cancel."""
    words = words_of(room)
    if refusal := _refusal(room, context):
        return Outcome(room, (to_group(words.html(refusal)),))
    yes, no = (data(name_of(room), "erase", room.games, answer) for answer in (YES, NO))
    keyboard = (
        (Button(words.plain("button.forget-group"), yes),),
        (Button(words.plain("button.keep"), no),),
    )
    return Outcome(room, (to_group(words.html("forget-group.ask"), keyboard, MESSAGE),))


def forget_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """Handle an admin's answer. The room begins again, but its number of lobbies and chain of seals continue.

    If another lobby was opened since, the answer no longer counts.
    """
    words = Words(closest(said.person.language))
    games, answer = said.args
    if games != room.games:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if refusal := _refusal(room, context):
        return Outcome(room, toast=Toast(words.plain(refusal), alert=True))
    if answer != YES:
        return Outcome(room, (edit_in_group(MESSAGE, words_of(room).html("forget.kept")),))
    bare = Room(
        room.chat,
        room.topic,
        games=room.games,
        pictures=room.pictures,
        origin=room.origin,
        last_seal=room.last_seal,
    )
    done = edit_in_group(MESSAGE, words_of(room).html("forget-group.done"))
    return Outcome(bare, (done,), erase=Erase(whole=True, people=tuple(sorted(room.noted))))


def _refusal(room: Room, context: Context) -> str | None:
    """Why it cannot be done now, as a key of the catalogue."""
    if not is_admin(context):
        return refused("only-admin", context)
    begun = room.lobby or room.sealed or room.playing
    return None if begun is None else "forget-group.running"
