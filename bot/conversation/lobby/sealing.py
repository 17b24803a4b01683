"""Start a game in two steps: post the seal, then deal once the beacon's round is published.

Between them the room is frozen. The seal is a short message. A bot can edit its messages without a trace, so
the seal is forwarded at once: nobody can edit a forward. Only Telegram's date of the forward decides whether
the seal came before the round. If it came too late, the attempt is void: its seed is revealed, and the bot
makes another attempt with a new seal. Attempts are numbered, so everybody sees how many there were.
"""

import math
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.announce import announce, announce_start
from bot.conversation.game.deadlines import silent
from bot.conversation.game.seats import throw_out
from bot.conversation.incoming import Command, DeepLink, Incoming, Tap
from bot.conversation.lobby.lobby import final_edit, lobby_post
from bot.conversation.outcome import (
    GROUP,
    Context,
    Effects,
    Forward,
    Lookup,
    Outcome,
    Post,
    Private,
    Toast,
    require,
)
from bot.conversation.posting import edit_in_group, to_group, words_of
from bot.conversation.rights import may_lead, refusal_key
from bot.display.buttons import Button, Verb, data
from bot.display.sealing import seal_text, start_text
from bot.display.words import Words, closest
from bot.rooms.model import Lobby, Match, Room
from bot.rooms.player import people_of
from bot.rooms.sealing import GONE, OFF, QUICKNET, Beacon, Proof, Sealed
from engine import SEATS, start
from engine.proof import commitment

# --- beginning ----------------------------------------------------------------------------------------------
# Begin a game: offer each seat its role, and tell the group who is the first candidate.


def begin_match(room: Room, match: Match, context: Context) -> Outcome:
    """Put this game, which was just dealt, in place of the room's lobby or seal, and announce it."""
    match = replace(match, time_began_at=context.now, opened_at=context.now)
    room = replace(room, lobby=None, sealed=None, match=match, pictures=True)
    roles = announce_start(room, match)
    room, told = announce(room, match.log)
    return Outcome(room, (*roles, *told))


# --- sealing ------------------------------------------------------------------------------------------------

#: The names of the message with the seal, and of its forward, which nobody can edit.
SEAL, FORWARD = "seal", "seal-forward"
#: The name of the message that asks what to do without the beacon.
QUESTION = "beacon"
#: The fewest seconds from the seal to the beacon's round, in which the bot must post the seal and forward it.
#: After a seal that came too late, the next one gets twice as many, up to a minute.
AHEAD, MOST_AHEAD = 9, 60
#: Seconds from the round to the first try to fetch it, while it spreads.
ON_ITS_WAY = 1
#: Seconds from the seal to the roles, as the group is told. They grow as ``AHEAD`` does.
SOON = 12
#: Seconds without the beacon after which the host is asked, and the most seconds between two tries.
PATIENCE, LONGEST = 60, 60


def begin(room: Room, lobby: Lobby, context: Context) -> Outcome:
    """Take the first step: freeze the room and seal its game. Without a beacon, deal at once.

    Raises Illegal if the lobby cannot be played.
    """
    proof = Proof(context.entropy, len(lobby.given_up) + 1)
    setup, now = lobby.setup_for(len(lobby.players)), context.now
    sealed = Sealed(lobby.number, lobby.host, proof, setup, lobby.players, now, now, own=lobby.own)
    sealed = replace(sealed, given_up=lobby.given_up, previous=room.last_seal)
    if context.beacon is None:
        sealed = replace(sealed, proof=proof.without_beacon(OFF), fixed=False)
    else:
        sealed = _timed(sealed, context.beacon, context)
    frozen, final = replace(room, lobby=None), final_edit(replace(room, lobby=lobby))
    posts = (*_seal_posts(frozen, sealed), _start_post(frozen, sealed, context), final)
    frozen = _with_seal(frozen, sealed)
    if context.beacon is not None:
        return Outcome(frozen, posts)
    begun = _dealt(frozen, sealed, sealed.proof, context)
    return replace(begun, effects=(*posts, *begun.effects))


def try_deal(room: Room, sealed: Sealed, context: Context) -> Outcome:
    """Take the second step: deal if it is time; otherwise set when to try again."""
    if context.now < sealed.next_try_at:
        return Outcome(room)
    if context.beacon is None:
        return _unproven(room, sealed, OFF, context)
    if context.seal_fixed_at is None:
        return _later(room, sealed, context)
    if context.seal_fixed_at >= sealed.at:
        return _void(room, sealed, context.beacon, context)
    randomness = require(context.randomness, Lookup.RANDOMNESS)
    if not randomness:
        return _without_beacon(room, sealed, context)
    settled = edit_in_group(QUESTION, words_of(room).html("beacon.back"))
    dealt = _dealt(room, sealed, replace(sealed.proof, randomness=randomness), context)
    return replace(dealt, effects=(settled, *dealt.effects)) if sealed.asked else dealt


def beacon_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Let the host or an admin deal without the beacon, which cannot be reached, or go on waiting."""
    number, without = incoming.args
    sealed = room.sealed
    words = Words(closest(incoming.person.language), room.settings.theme)
    if sealed is None or sealed.number != number or not sealed.asked:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if not may_lead(sealed.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    if without != 1:
        return Outcome(room, toast=Toast(words.plain("beacon.waiting"), alert=True))
    return replace(_unproven(room, sealed, GONE, context), toast=Toast(words.plain("toast.started")))


def reopen_lobby(room: Room) -> Outcome:
    """Open the lobby again, because Telegram refused the seal for good.

    The attempt counts, and the next seal reveals this one's seed. It names the seal before this one, because
    nobody could find this one.
    """
    sealed = room.sealed
    if sealed is None:
        return Outcome(room)
    players = tuple(player for player in sealed.players if player.id not in sealed.gone)
    host = sealed.host
    if host in sealed.gone:
        host = next(iter(people_of(players).values()), host)
    lobby = Lobby(
        sealed.number,
        host,
        replace(sealed.setup, players=0, board=None),
        players,
        given_up=(*sealed.given_up, sealed.proof.seed),
        touched=sealed.at,
        own=sealed.own,
    )
    room = replace(room, sealed=None, lobby=lobby, last_seal=sealed.previous)
    return Outcome(room, (lobby_post(room),))


def note_unforwarded(room: Room) -> Outcome:
    """Go on although Telegram refused to forward the seal, and tell the group once to copy it."""
    sealed = room.sealed
    if sealed is None or not sealed.fixed:
        return Outcome(room)
    room = replace(room, sealed=replace(sealed, fixed=False))
    return Outcome(room, (to_group(words_of(room).html("seal.not-fixed")),))


def question(room: Room, sealed: Sealed) -> Post:
    """Ask the host whether to wait for the beacon or to deal without it."""
    words = words_of(room)
    rows = tuple(
        (Button(words.plain(f"button.beacon-{what}"), data(room.name, "beacon", sealed.number, choice)),)
        for choice, what in enumerate(("wait", "deal"))
    )
    return to_group(words.html("beacon.away", round=sealed.proof.round), rows, QUESTION)


def _timed(sealed: Sealed, beacon: Beacon, context: Context) -> Sealed:
    """Return the seal with the next beacon round that is late enough, and the time of the first try."""
    ahead = min(AHEAD * 2 ** (sealed.proof.attempt - 1), MOST_AHEAD)
    # If the bot has a backlog, the seal is posted later, and the round must be later still.
    ahead += math.ceil(require(context.backlog, Lookup.BACKLOG))
    number = beacon.round_after(context.now + ahead)
    at = beacon.time_of(number)
    # The addresses of drand's quicknet are known.
    address = "" if beacon.chain == QUICKNET.chain else f"{beacon.addresses[0]}/{beacon.chain}"
    proof = replace(sealed.proof, round=number, beacon=address)
    return replace(sealed, proof=proof, at=at, next_try_at=at + ON_ITS_WAY)


def _with_seal(room: Room, sealed: Sealed) -> Room:
    """Return the room with this seal, which the next seal will name.

    The room is frozen, unless the deal follows at once because there is no beacon.
    """
    frozen = None if sealed.proof.unproven_reason else sealed
    return replace(room, sealed=frozen, last_seal=commitment(sealed.seal.encode("ascii")))


def _seal_posts(room: Room, sealed: Sealed) -> Effects:
    post = replace(to_group(seal_text(words_of(room), sealed), name=SEAL), date_mark=sealed.mark)
    return (post, Forward(GROUP, SEAL, FORWARD, sealed.mark)) if sealed.fixed else (post,)


def _start_post(room: Room, sealed: Sealed, context: Context) -> Post:
    """Say that a game begins. Once roles are dealt, the button shows each player their own."""
    quiet = silent(room, sealed.setup.ruleset)
    enforced = not quiet or require(context.may_delete, Lookup.MAY_DELETE) is not False
    words = words_of(room)
    seconds = SOON * max(1, (sealed.at - context.now) // AHEAD)
    text = start_text(words, sealed, silent=quiet, seconds=seconds)
    if not enforced:
        text = Markup("{}\n\n{}").format(text, words.html("silence.by-yourselves"))
    role = Button(words.plain("button.role"), data(room.name, "role", sealed.number))
    return to_group(text, ((role,),))


def _later(room: Room, sealed: Sealed, context: Context) -> Outcome:
    """Set the time of the next try. The longer the deal is late, the longer the wait."""
    wait = min(max(1, (context.now - sealed.at) // 3), LONGEST)
    return Outcome(replace(room, sealed=replace(sealed, next_try_at=context.now + wait)))


def _without_beacon(room: Room, sealed: Sealed, context: Context) -> Outcome:
    """Wait for a round that should be published but cannot be fetched. After a while, ask the host."""
    later = _later(room, sealed, context)
    if sealed.asked or context.now < sealed.at + PATIENCE or later.room.sealed is None:
        return later
    asked = replace(later.room.sealed, asked=True)
    return Outcome(replace(room, sealed=asked), (question(room, asked),))


def _void(room: Room, sealed: Sealed, beacon: Beacon, context: Context) -> Outcome:
    """Reveal the seed of a seal that came too late, and make another attempt."""
    proof = Proof(context.entropy, sealed.proof.attempt + 1)
    given_up = (*sealed.given_up, sealed.proof.seed)
    again = _timed(replace(sealed, proof=proof, given_up=given_up, previous=room.last_seal), beacon, context)
    return Outcome(_with_seal(room, again), _seal_posts(room, again))


def _unproven(room: Room, sealed: Sealed, reason: str, context: Context) -> Outcome:
    """Deal without the beacon, and tell the group, because the message with the seal does not say so."""
    why = words_of(room).html(f"proof.{reason}")
    marked = edit_in_group(QUESTION, why) if sealed.asked else to_group(why)
    dealt = _dealt(room, sealed, sealed.proof.without_beacon(reason), context)
    return replace(dealt, effects=(marked, *dealt.effects))


def _dealt(room: Room, sealed: Sealed, proof: Proof, context: Context) -> Outcome:
    """Deal the game and announce it. Open the seats of players who left the group since Start."""
    proof = replace(proof, fixed=sealed.fixed)
    counted = require(context.counted, Lookup.COUNTED)
    game, events = start(sealed.setup, proof.chance(sealed.setup, sealed.number))
    match = Match(sealed.number, sealed.host, proof, sealed.players, game, events, own=sealed.own)
    rated = {place: one for place, one in zip(SEATS, sealed.players, strict=False) if one.id in counted}
    dealt = begin_match(room, replace(match, rated=rated), context)
    for user, by_admin in sealed.gone.items():
        if dealt.room.playing is None:
            break
        opened = throw_out(dealt.room, dealt.room.playing, user, by_admin, context)
        dealt = replace(opened, effects=(*dealt.effects, *opened.effects))
    return dealt


# --- freezing -----------------------------------------------------------------------------------------------
# Refuse what must wait between the seal and the deal.

#: Taps that must wait until the game is dealt.
BARRED_TAPS: frozenset[Verb] = frozenset(
    {
        *("join", "leave", "start", "setup", "host", "remove", "computers"),
        *("rematch", "set", "board", "role", "unseat"),
    }
)
BARRED_COMMANDS = frozenset(
    {"newgame", "join", "leave", "start", "cancel", "status", "remind", "sub", "settings", "unseat"}
)


def bars(incoming: Incoming) -> bool:
    """Return True if an update must wait until the room's sealed game is dealt."""
    if isinstance(incoming, Tap):
        return incoming.verb in BARRED_TAPS
    if isinstance(incoming, Command):
        return incoming.name in BARRED_COMMANDS
    return isinstance(incoming, DeepLink)


def refuse(room: Room, incoming: Tap | Command | DeepLink) -> Outcome:
    """Say that this must wait for the deal. Nothing changes."""
    if isinstance(incoming, Command):
        return Outcome(room, (to_group(words_of(room).html("start.frozen")),))
    words = Words(closest(incoming.person.language))
    if isinstance(incoming, DeepLink):
        return Outcome(room, (Post(Private(incoming.person.id), words.html("start.frozen")),))
    sealed, own = room.sealed, False
    if sealed is not None and incoming.verb == "role":
        own = sealed.is_seated(incoming.person.id) and incoming.args[0] == sealed.number
    why = "start.frozen.role" if own else "start.frozen"
    return Outcome(room, toast=Toast(words.plain(why), alert=True))
