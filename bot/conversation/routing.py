"""Answer updates: find the function for a tap, a command or another update, and call it."""

from dataclasses import replace

from bot.conversation import limits, nights, outside, person, reaching, waking
from bot.conversation.game import (
    answering,
    claims,
    clock,
    computers,
    deadlines,
    endings,
    guessing,
    info,
    notes,
    seats,
    tidying,
    watching,
)
from bot.conversation.group import boards, rules, settings
from bot.conversation.incoming import (
    BlockChanged,
    Chatter,
    Command,
    DeepLink,
    ForgetIdleRoom,
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
from bot.conversation.lobby import calling_off, joining, lobby, sealing, starting
from bot.conversation.outcome import GROUP, Answerer, Context, Edit, Outcome, Toast
from bot.conversation.posting import to_group, words_of
from bot.conversation.practice import table
from bot.conversation.rights import is_admin, refusal_key
from bot.display.buttons import Button, Verb, data
from bot.display.words import Words, closest
from bot.rooms.model import Room

#: The answers to buttons in a group, and to those about its games in private.
TAPS: dict[Verb, Answerer] = {
    "join": joining.join_tap,
    "leave": joining.leave_tap,
    "start": starting.start_tap,
    "beacon": sealing.beacon_tap,
    "setup": lobby.set_up,
    "host": lobby.hand_over,
    "remove": lobby.remove,
    "computers": lobby.set_computers,
    "rematch": starting.rematch,
    "cancel": calling_off.cancel_tap,
    "off": calling_off.vote_tap,
    "answer": answering.answer_tap,
    "claim": claims.claim_tap,
    "watch": watching.watch_tap,
    "guess": guessing.guess_tap,
    "clock": clock.clock_tap,
    "quit": seats.quit_tap,
    "sit": seats.sit,
    "replace": seats.replace_tap,
    "unseat": seats.unseat_tap,
    "back": seats.back_tap,
    "role": info.role_tap,
    "note": notes.note_tap,
    "proof": endings.proof_tap,
    "film": endings.finished_tap,
    "decided": endings.finished_tap,
    "set": settings.set_tap,
    "board": boards.board_tap,
    "rules": rules.into_private,
    "howto": rules.into_private,
    "learn": rules.into_private,
    "erase": settings.forget_tap,
    "night": nights.night_tap,
}

#: The answers to commands in a group.
COMMANDS: dict[str, Answerer] = {
    "newgame": lobby.new_game,
    "join": joining.join_command,
    "leave": joining.leave_command,
    "start": starting.start_command,
    "cancel": calling_off.cancel,
    "nextgame": joining.next_game,
    "unseat": joining.unseat_command,
    "status": info.status,
    "remind": info.remind,
    "board": info.show,
    "history": info.show,
    "votes": info.show,
    "players": info.show,
    "sub": seats.sub,
    "suspect": claims.suspect,
    "guess": guessing.guess_command,
    "role": info.only_in_private,
    "games": info.only_in_private,
    "help": info.help_in_group,
    "settings": boards.settings_command,
    "schedule": nights.schedule,
    "timezone": nights.timezone,
    "forget": settings.forget,
    "stats": settings.leaderboard,
    "rules": rules.show,
}


def respond(room: Room, incoming: Incoming, context: Context) -> Outcome:
    """Return the outcome of an update in a room. Raises LookupNeeded if a fact is missing."""
    outcome = _route(room, incoming, context)
    if not outcome.changes(room):
        return outcome
    queued = waking.next_queued(outcome.room)
    wake_at = None if queued == waking.next_queued(room) else queued
    return replace(outcome, wake_at=wake_at, next_due_at=waking.due(outcome.room))


def _route(room: Room, incoming: Incoming, context: Context) -> Outcome:
    """Answer, then set new deadlines, clear old buttons, and note when the bot writes to the group."""
    if isinstance(incoming, ForgetIdleRoom):
        return waking.forget_idle_room(room, context)
    incoming = _with_seat_language(room, incoming)
    room = _with_title(room, incoming)
    if room.bot_removed or (isinstance(incoming, Membership) and not incoming.inside):
        return _outside(room, incoming, context)
    tried = room
    if not room.pictures and context.now >= room.pictures_at:
        tried = replace(room, pictures=True)
    awake, told = tried, None
    if isinstance(incoming, Tap) and not room.private and room.playing is not None and room.playing.asleep:
        # If a computer plays for the tapper, first give them their seat back.
        awake, told = seats.wake_up(tried, incoming.person.id)
    answered = _answer(awake, incoming, context)
    if told:
        answered = replace(answered, effects=(*told, *answered.effects))
    outcome = tidying.with_new_deadline(tried, answered, context)
    if outcome.effects:
        outcome = info.with_private_chat_button(outcome, context)
    outcome = tidying.with_old_buttons_cleared(tried, outcome)
    if outcome.effects:
        outcome = limits.with_writing_noted(tried, outcome, context)
    # If nothing else has changed, do not save just to note that pictures are tried again.
    return outcome if outcome.changes(tried) else replace(outcome, room=room)


def _with_seat_language(room: Room, incoming: Incoming) -> Incoming:
    """Return the update with its person's language at this table.

    A person without a seat keeps the language that Telegram names.
    """
    if not isinstance(incoming, Tap | Command):
        return incoming
    for roster in (room.match, room.sealed, room.lobby):
        for player in () if roster is None else roster.players:
            if player.id == incoming.person.id:
                return replace(incoming, person=replace(incoming.person, language=player.language))
    return incoming


def _with_title(room: Room, incoming: Incoming) -> Room:
    if room.private or not room.lobby_count:
        return room
    if not isinstance(incoming, Tap | Command | Chatter | Membership):
        return room
    if not incoming.title or (isinstance(incoming, Tap) and incoming.group != room.chat):
        return room
    return room if incoming.title == room.title else replace(room, title=incoming.title)


def _outside(room: Room, incoming: Incoming, context: Context) -> Outcome:
    """Answer the update that the bot was removed, or any update while it cannot write in the group."""
    if isinstance(incoming, Membership) and not incoming.inside:
        return outside.on_removed(room)
    if not outside.is_back(room, incoming, context):
        return outside.answer_waiting(room, incoming, context)
    came = outside.on_back(room, context)
    if isinstance(incoming, Membership):
        return came
    answered = respond(came.room, incoming, context)
    return replace(answered, effects=(*came.effects, *answered.effects))


def _answer(room: Room, incoming: Incoming, context: Context) -> Outcome:
    match incoming:
        case Tap() | Practise() | Command() if room.private:
            return table.respond_alone(room, incoming, context)
        case Tap(verb="again"):
            return repeat_command(room, incoming, context)
        case Command() if incoming.argument and deadlines.must_be_quiet(room, incoming, context):
            # Everybody reads the text after a command, so the whole message is deleted.
            return deadlines.handle_chatter(room, incoming, context)
        case Command() if is_anonymous(incoming):
            counted = limits.count_act(room, incoming.person.id, context, needed=False)
            return _warn_room(room, context) if counted is None else ask_again(counted, incoming, context)
        case Tap() | Command() | DeepLink() if room.sealed is not None and sealing.bars(incoming):
            counted = room
            if isinstance(incoming, Command):
                counted = limits.count_act(room, incoming.person.id, context, needed=False)
            return Outcome(room) if counted is None else sealing.refuse(counted, incoming)
        case Tap():
            if (answer := TAPS.get(incoming.verb)) is not None:
                answered = answer(room, incoming, context)
                if incoming.verb in limits.ACTS and answered.effects:
                    return _within_limits(answered, room, incoming, context)
                return answered
        case Command():
            if (answer := COMMANDS.get(incoming.name)) is not None:
                return within_limits(answer, room, incoming, context)
        case Chatter():
            return deadlines.handle_chatter(room, incoming, context)
        case DeepLink():
            return joining.follow_link(room, incoming, context)
        case BlockChanged():
            return reaching.on_block_changed(room, incoming, context)
        case Gone():
            return reaching.on_member_gone(room, incoming, context)
        case LanguageChosen():
            return person.set_language(room, incoming)
        case SettingsChosen():
            return person.set_options(room, incoming)
        case PersonForgotten():
            return person.forget_person(room, incoming)
        case Membership():
            return reaching.on_membership(room)
        case Wake():
            return waking.wake(room, context)
        case Think():
            return computers.think(room, context)
    return Outcome(room)


def within_limits(answer: Answerer, room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer a command, or say that the person has given too many lately."""
    within = limits.count_act(room, incoming.person.id, context, needed=incoming.name in limits.NEEDED)
    if within is None:
        return _warn_room(room, context)
    outcome = answer(within, incoming, context)
    if incoming.name not in limits.ORDERS or not limits.is_late(incoming, context.now):
        return outcome
    # If an old command would change something, ask for it again.
    if replace(outcome.room, title=within.title) == within:
        return outcome
    return Outcome(within, (to_group(words_of(within).html("late")),))


def _within_limits(outcome: Outcome, room: Room, incoming: Tap, context: Context) -> Outcome:
    """Return the outcome of a tap that makes the bot write unasked, unless its person did so too often."""
    within = limits.count_act(room, incoming.person.id, context)
    if within is None:
        return Outcome(room, toast=Toast(Words(closest(incoming.person.language)).plain("throttled")))
    return replace(outcome, room=replace(outcome.room, acts=within.acts))


def _warn_room(room: Room, context: Context) -> Outcome:
    """Tell the group, at most once a minute, that it asks too much."""
    warned = limits.note_once(room, limits.WARNED, context)
    return Outcome(room) if warned is None else Outcome(warned, (to_group(words_of(room).html("throttled")),))


def repeat_command(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Carry out an anonymous command for the person who tapped the button below it."""
    words = Words(closest(incoming.person.language))
    meant = command_meant(room, incoming)
    if meant is None:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    cancels = isinstance(meant, Command) and meant.name == "cancel"
    if cancels and (reason := calling_off.refusal(room, incoming, context)):
        # A refusal in the group is for the person who gave the command, not for anybody who taps.
        return Outcome(room, toast=Toast(words.plain(reason), alert=True))
    if isinstance(meant, Command) and meant.name == "forget" and not is_admin(context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-admin", context)), alert=True))
    outcome = _answer(room, meant, context)
    if outcome.room == room:
        return outcome
    # It changed something, so remove the button.
    gone = Edit(GROUP, MESSAGE, words_of(outcome.room).html("anonymous.done"))
    return replace(outcome, effects=(*outcome.effects, gone))


# --- anonymous ----------------------------------------------------------------------------------------------
# Telegram does not say who an anonymous admin is until they tap a button. So if a command depends on the
# person, the answer is a button that gives the command again.

#: The commands that depend on the person who gives them. A button names one by its index: add at the end
#: only.
ANONYMOUS = ("newgame", "join", "leave", "start", "cancel", "nextgame", "sub", "forget")
#: The name of the message with the button.
MESSAGE = "again"


def is_anonymous(incoming: Command) -> bool:
    """Return True if a command is anonymous, but depends on who gives it."""
    return incoming.anonymous and incoming.name in ANONYMOUS


def ask_again(room: Room, incoming: Command, context: Context) -> Outcome:
    """Offer a button that gives the command again. It works until another lobby opens."""
    words = words_of(room)
    room = replace(room, title=incoming.title or room.title)
    command = data(room.name, "again", ANONYMOUS.index(incoming.name), room.lobby_count)
    button = Button(words.plain("button.again", command=f"/{incoming.name}"), command)
    return Outcome(room, (to_group(words.html("anonymous"), ((button,),), MESSAGE),))


#: The verbs of the lobby's buttons that do what the command of the same name does.
_LOBBY_VERBS: tuple[Verb, ...] = ("join", "leave", "start")


def command_meant(room: Room, incoming: Tap) -> Command | Tap | None:
    """Return the command that the button gives again, or the lobby's own tap that does the same.

    Return None for a forged button, or if another lobby has been opened since.
    """
    index, games = incoming.args
    if not 0 <= index < len(ANONYMOUS) or games != room.lobby_count:
        return None
    name = ANONYMOUS[index]
    same = next((verb for verb in _LOBBY_VERBS if verb == name), None)
    if room.lobby is not None and same is not None:
        return replace(incoming, verb=same, args=(room.lobby.number,))
    return Command(incoming.person, incoming.room, name)
