"""Find the function that answers an update, in the tables of taps and commands that each part has."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.conversation import limits, person, reaching, waking
from bot.conversation.game import clock, computers, deadlines, info, tidying
from bot.conversation.incoming import (
    BlockChanged,
    Chatter,
    Command,
    DeepLink,
    Fade,
    Gone,
    Incoming,
    LanguageChosen,
    Membership,
    PersonForgotten,
    Practise,
    SettingsChosen,
    Tap,
    Think,
    Wake,
)
from bot.conversation.lobby import freezing
from bot.conversation.outcome import GROUP, Answerer, Context, Edit, Outcome, Toast
from bot.conversation.posting import name_of, to_group, words_of
from bot.conversation.rights import is_admin, refused
from bot.display.buttons import Button, data
from bot.display.words import Words, closest
from bot.rooms.model import Room


def parts() -> Iterator[tuple[Mapping[str, Answerer], Mapping[str, Answerer]]]:
    """Yield each part's tables of taps and of commands.

    A part is imported only when it is reached, so a process that starts with an answer in a game imports only
    the game's part.
    """
    from bot.conversation.game import dispatch as game

    yield game.TAPS, game.COMMANDS
    from bot.conversation.lobby import dispatch as lobby

    yield lobby.TAPS, lobby.COMMANDS
    from bot.conversation.group import dispatch as group

    yield group.TAPS, group.COMMANDS


def of_tap(verb: str) -> Answerer | None:
    """Return the function that answers a button of this verb in a group, if there is one."""
    return next((taps[verb] for taps, _ in parts() if verb in taps), None)


def of_command(name: str) -> Answerer | None:
    """Return the function that answers a command of this name in a group, if there is one."""
    return next((commands[name] for _, commands in parts() if name in commands), None)


def respond(room: Room, said: Incoming, context: Context) -> Outcome:
    """Return the outcome of something said in (or about) a room. Raises Needs for missing facts."""
    outcome = _closed(_responded(room, said, context))
    return waking.timed(room, outcome) if outcome.changes(room) else outcome


def _closed(outcome: Outcome) -> Outcome:
    """Remove the notes and the first tap of a game that is over, however it ended."""
    match = outcome.room.match
    if match is None or not match.over or not (match.notes or match.first_tap):
        return outcome
    match = replace(match, notes={}, first_tap=None)
    return replace(outcome, room=replace(outcome.room, match=match))


def _responded(room: Room, said: Incoming, context: Context) -> Outcome:
    if isinstance(said, Fade):
        from bot.conversation import waking

        return waking.fade(room, context)
    said = person.as_seated(room, said)
    room = _titled(room, said)
    if room.bot_removed or (isinstance(said, Membership) and not said.inside):
        return _outside(room, said, context)
    tried = reaching.with_pictures(room, context)
    outcome = _told(tried, said, context)
    # If nothing else has changed, do not save just to note that pictures are tried again.
    return outcome if outcome.changes(tried) else replace(outcome, room=room)


def _told(room: Room, said: Incoming, context: Context) -> Outcome:
    """Return the outcome if the bot can write: with deadlines, and without old buttons."""
    outcome = clock.with_new_deadline(room, _woken(room, said, context), context)
    outcome = tidying.with_old_buttons_cleared(room, info.with_private_chat_button(outcome, context))
    return limits.with_writing_noted(room, outcome, context)


def _titled(room: Room, said: Incoming) -> Room:
    """Return the room with the group's present title, if the update has it."""
    if room.private or not room.games:
        return room
    if not isinstance(said, Tap | Command | Chatter | Membership):
        return room
    if not said.title or (isinstance(said, Tap) and said.group != room.chat):
        return room
    return room if said.title == room.title else replace(room, title=said.title)


def _woken(room: Room, said: Incoming, context: Context) -> Outcome:
    """Answer. If a computer answers for the tapper, first give them their seat back."""
    asleep = room.playing is not None and bool(room.playing.asleep)
    if not (asleep and isinstance(said, Tap) and not room.private):
        return _answered(room, said, context)
    from bot.conversation.game import seats

    room, told = seats.wake_up(room, said.person.id)
    answered = _answered(room, said, context)
    return replace(answered, effects=(*told, *answered.effects)) if told else answered


def _outside(room: Room, said: Incoming, context: Context) -> Outcome:
    """Return the outcome if the bot is out of the group, or is removed from it now."""
    from bot.conversation import outside

    if isinstance(said, Membership) and not said.inside:
        return outside.left(room)
    if not outside.is_back(room, said, context):
        return outside.waiting(room, said, context)
    came = outside.back(room, context)
    if isinstance(said, Membership):
        return came
    answered = respond(came.room, said, context)
    return replace(answered, effects=(*came.effects, *answered.effects))


def _answered(room: Room, said: Incoming, context: Context) -> Outcome:
    match said:
        case Tap() | Practise() | Command() if room.private:
            from bot.conversation.practice import table

            return table.respond_alone(room, said, context)
        case Tap(verb="again"):
            return again(room, said, context)
        case Command() if said.argument and deadlines.hushed(room, said, context):
            # Everybody reads the text after a command, so the whole message is deleted.
            return deadlines.chatter(room, said, context)
        case Command() if is_anonymous(said):
            counted = limits.count_act(room, said.person.id, context, needed=False)
            return _enough(room, context) if counted is None else ask_again(counted, said, context)
        case Tap() | Command() | DeepLink() if freezing.bars(room, said):
            counted = room
            if isinstance(said, Command):
                counted = limits.count_act(room, said.person.id, context, needed=False)
            return Outcome(room) if counted is None else freezing.frozen(counted, said)
        case Tap() if (answer := of_tap(said.verb)) is not None:
            return act_within_limits(answer, room, said, context)
        case Command() if (answer := of_command(said.name)) is not None:
            return within_limits(answer, room, said, context)
        case Chatter():
            return deadlines.chatter(room, said, context)
        case DeepLink():
            from bot.conversation.lobby import joining

            return joining.follow_link(room, said, context)
        case BlockChanged():
            return reaching.reached(room, said, context)
        case Gone():
            return reaching.gone(room, said, context)
        case LanguageChosen():
            return person.chose(room, said)
        case SettingsChosen():
            return person.set_options(room, said)
        case PersonForgotten():
            return person.forgotten(room, said)
        case Membership():
            return reaching.membership(room)
        case Wake():
            return waking.wake(room, context)
        case Think():
            return computers.think(room, context)
    return Outcome(room)


def within_limits(answer: Answerer, room: Room, said: Command, context: Context) -> Outcome:
    """Answer a command, or say that the person has given too many lately."""
    within = limits.count_act(room, said.person.id, context, needed=said.name in limits.NEEDED)
    if within is None:
        return _enough(room, context)
    return _if_still_meant(within, answer(within, said, context), said, context)


def act_within_limits(answer: Answerer, room: Room, said: Tap, context: Context) -> Outcome:
    """Answer a tap. For taps that make the bot write unasked, each person has a limit per minute."""
    outcome = answer(room, said, context)
    if said.verb not in limits.ACTS or not outcome.effects:
        return outcome
    within = limits.count_act(room, said.person.id, context)
    if within is None:
        return Outcome(room, toast=Toast(Words(closest(said.person.language)).plain("throttled")))
    return replace(outcome, room=replace(outcome.room, acts=within.acts))


def _if_still_meant(room: Room, outcome: Outcome, said: Command, context: Context) -> Outcome:
    """Return the outcome. If an old command would change something, ask for it again instead."""
    if said.name not in limits.ORDERS or not limits.is_late(said, context.now):
        return outcome
    if replace(outcome.room, title=room.title) == room:
        return outcome
    return Outcome(room, (to_group(words_of(room).html("late")),))


def _enough(room: Room, context: Context) -> Outcome:
    """Tell the group, at most once a minute, that it asks too much."""
    warned = limits.warn(room, context)
    return Outcome(room) if warned is None else Outcome(warned, (to_group(words_of(room).html("throttled")),))


def again(room: Room, said: Tap, context: Context) -> Outcome:
    """Carry out a command that an anonymous admin gave, now that a tap says who it was."""
    words = Words(closest(said.person.language))
    meant = command_meant(room, said)
    if meant is None:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    from bot.conversation.lobby import calling_off

    cancels = isinstance(meant, Command) and meant.name == "cancel"
    if cancels and (reason := calling_off.refusal(room, said, context)):
        # A refusal in the group is for the person who gave the command, not for anybody who taps.
        return Outcome(room, toast=Toast(words.plain(reason), alert=True))
    if isinstance(meant, Command) and meant.name == "forget" and not is_admin(context):
        return Outcome(room, toast=Toast(words.plain(refused("only-admin", context)), alert=True))
    return settled(room, _answered(room, meant, context))


# --- anonymous ----------------------------------------------------------------------------------------------
# Admins who write anonymously: Telegram does not say who they are until they tap a button.
# So a command that depends on who gives it is answered by a button that gives it again.

#: The commands that depend on the person who gives them. A button names one by its index: add at the end
#: only.
COMMANDS = ("newgame", "join", "leave", "start", "cancel", "nextgame", "sub", "forget")
#: The name of the message with the button.
MESSAGE = "again"


def is_anonymous(said: Command) -> bool:
    """Return True if a command is anonymous and depends on who gives it, so it must be given again."""
    return said.anonymous and said.name in COMMANDS


def ask_again(room: Room, said: Command, context: Context) -> Outcome:
    """Offer the button. It works as long as no other lobby has been opened since."""
    words = words_of(room)
    room = replace(room, title=said.title or room.title)
    command = data(name_of(room), "again", COMMANDS.index(said.name), room.games)
    button = Button(words.plain("button.again", command=f"/{said.name}"), command)
    return Outcome(room, (to_group(words.html("anonymous"), ((button,),), MESSAGE),))


def command_meant(room: Room, said: Tap) -> Command | Tap | None:
    """Return the command that a tap on the button repeats, or the lobby's own tap that does the same.

    None for a button of an earlier lobby.
    """
    index, games = said.args
    if not 0 <= index < len(COMMANDS) or games != room.games:
        return None
    name = COMMANDS[index]
    if room.lobby is not None and name in ("join", "leave", "start"):
        return replace(said, verb=name, args=(room.lobby.number,))
    return Command(said.person, said.room, name)


def settled(before: Room, outcome: Outcome) -> Outcome:
    """Return the outcome of a repeated command. If it changed something, remove the button."""
    if outcome.room == before:
        return outcome
    gone = Edit(GROUP, MESSAGE, words_of(outcome.room).html("anonymous.done"))
    return replace(outcome, effects=(*outcome.effects, gone))
