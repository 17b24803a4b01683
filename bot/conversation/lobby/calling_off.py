"""/cancel: closing the lobby, or calling the game off. Both are asked twice, the right too."""

from dataclasses import replace

from bot.conversation.game.endings import announce_cancelled, endings
from bot.conversation.incoming import Command, Tap
from bot.conversation.lobby.lobby import close_lobby
from bot.conversation.outcome import ClearButtons, Context, Outcome, Toast
from bot.conversation.posting import edit_in_group, name_of, to_group, words_of
from bot.conversation.recipients import GROUP
from bot.conversation.rights import may_call_off, may_lead, refused
from bot.display.buttons import Button, Row, data
from bot.display.words import Words, closest
from bot.rooms.model import Match, Room

#: The name of the message that asks whether it is meant.
MESSAGE = "cancel"
#: In the buttons, where a game's question is named: there is only a lobby yet.
LOBBY = 0
NO, YES = 0, 1


def cancel(room: Room, said: Command, context: Context) -> Outcome:
    """Ask whether it is meant: the host, or an admin. A host who does not play calls no running game off."""
    words = words_of(room)
    if room.lobby is None and room.playing is None:
        return Outcome(room, (to_group(words.html("lobby.none")),))
    if reason := refusal(room, said, context):
        return Outcome(room, (to_group(words.html(reason)),))
    ask = "cancel.ask.lobby" if room.lobby is not None else "cancel.ask"
    return Outcome(room, (to_group(words.html(ask), _keyboard(room), MESSAGE),))


def cancel_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """The answer to the question whether to call off.

    It was about that lobby, or about what was asked in that game then: should the game have gone on since, it
    is no longer meant.
    """
    words = Words(closest(said.person.language), room.settings.theme)
    *meant, answer = said.args
    if tuple(meant) != _meant(room):
        return Outcome(room, toast=Toast(words.plain("cancel.stale"), alert=True))
    if reason := refusal(room, said, context):
        return Outcome(room, toast=Toast(words.plain(reason), alert=True))
    if answer != YES:
        return Outcome(room, (edit_in_group(MESSAGE, words_of(room).html("cancel.kept")),))
    if room.lobby is not None:
        closed = close_lobby(room, "lobby.cancelled")
        gone = edit_in_group(MESSAGE, words_of(room).html("lobby.cancelled"))
        return replace(closed, effects=(*closed.effects, gone))
    assert room.playing is not None
    return _called_off(room, room.playing)


def refusal(room: Room, said: Command | Tap, context: Context) -> str | None:
    """Why a person may not call off what there is here, as a key of the catalogue; None where they may."""
    if room.lobby is not None:
        return None if may_lead(room.lobby.host, said.person, context) else refused("only-host", context)
    if room.playing is not None:
        return None if may_call_off(room.playing, said.person, context) else refused("cancel.only", context)
    return None


def _called_off(room: Room, match: Match) -> Outcome:
    over = replace(match, cancelled=True, former={}, hushed=())
    bare = ClearButtons(GROUP, MESSAGE)
    return Outcome(replace(room, match=over), (bare, *announce_cancelled(room, over), *endings(room, over)))


def _meant(room: Room) -> tuple[int, int] | None:
    """What there is to call off: the lobby by its number, or the game and the question that is open in it."""
    if room.lobby is not None:
        return room.lobby.number, LOBBY
    return None if room.playing is None else (room.playing.number, room.playing.game.asked)


def _keyboard(room: Room) -> tuple[Row, ...]:
    words, meant = words_of(room), _meant(room)
    assert meant is not None
    what = "lobby" if room.lobby is not None else "game"
    yes = Button(words.plain(f"button.cancel.{what}"), data(name_of(room), "cancel", *meant, YES))
    no = Button(words.plain(f"button.keep.{what}"), data(name_of(room), "cancel", *meant, NO))
    return ((yes, no),)
