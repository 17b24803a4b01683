"""People who do not play, or are dead, guess the Fascists in private, once after each policy.

The bot's answers to a guesser depend only on the public view and on their own taps. Scores are told with the
roles at the end. If nobody guesses, nothing is sent.
"""

from dataclasses import replace
from typing import Final

from markupsafe import Markup

from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import (
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
from bot.conversation.posting import group_link, group_row, no_game, telling_for_group, to_group, words_of
from bot.conversation.rights import membership_refusal, player_of
from bot.display.buttons import Button
from bot.display.commands import GREETING
from bot.display.reveal import best_line, made_toast, picked_toast, prompt, result_text, seat_rows
from bot.display.telling import Telling
from bot.display.words import Words, closest, name
from bot.rooms.model import Match, Player, Room
from bot.rooms.names import UserId
from bot.rooms.player import (
    MOST_GUESSERS,
    PARTY,
    Guess,
    Guesser,
    Score,
    fascist_count,
    policies,
    whole_rounds,
)
from engine import Seat

#: Prefix of the names of guessers' messages.
MESSAGE: Final = "guess"
LIBERAL: Final = "liberal"


def guess_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /guess: send buttons to guess with in private to somebody who does not play or is dead."""
    match, words = room.playing, words_of(room)
    if match is None:
        return Outcome(room, (no_game(room),))
    if refusal := _refusal(room, match, incoming, context):
        return Outcome(room, (to_group(words.html(refusal)),))
    if not require(context.may_write, Lookup.MAY_WRITE):
        button = Button(words.plain("button.open-private"), url=context.deep_link(GREETING))
        text = words.html("guess.open-private", name=name(incoming.person.name))
        return Outcome(room, (to_group(text, ((button,),)),))
    old: Effects = ()
    place = _place(match, incoming.person.id)
    if place is None:
        place = len(match.guessers)
        match = replace(match, guessers=(*match.guessers, Guesser(player_of(incoming.person, context))))
    else:
        old = (ClearButtons(Private(incoming.person.id), _name(place)),)
    room = replace(room, match=match)
    text, rows = _shown(room, match, match.guessers[place])
    post = Post(Private(incoming.person.id), text, rows, _name(place))
    return Outcome(room, (*old, post), remember=incoming.person.id)


def guess_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Pick or unpick a seat. Once as many are picked as there are Fascists, the guess is made."""
    match, words = room.playing, Words(closest(incoming.person.language))
    number, seat = incoming.args[0], Seat(incoming.args[1])
    place = None if match is None or match.number != number else _place(match, incoming.person.id)
    if match is None or place is None or not 0 <= seat < len(match.players):
        return Outcome(room, toast=Toast(words.plain("toast.not-your-game")))
    if not _may_guess(match, incoming.person.id):
        return Outcome(room, toast=Toast(words.plain("guess.refused"), alert=True))
    guesser, count = match.guessers[place], fascist_count(match.game.setup)
    telling, facts = _telling(room, match, guesser), match.view(None).facts
    after = policies(facts)
    if not after:
        return Outcome(room, toast=Toast(telling.words.plain("guess.early"), alert=True))
    if guesser.guesses and guesser.guesses[-1].policies == after:
        return Outcome(room, toast=Toast(made_toast(telling, guesser.guesses[-1])))
    picked = guesser.picked if guesser.picked_after == after else ()
    picked = tuple(sorted({*picked} ^ {seat}))
    guesser = replace(guesser, picked=picked, picked_after=after)
    toast, edit = Toast(picked_toast(telling, guesser, count)), False
    if len(picked) == count:
        made = Guess(after, whole_rounds(facts), picked)
        guesser = replace(guesser, guesses=(*guesser.guesses, made), picked=())
        toast, edit = Toast(made_toast(telling, made)), True
    match = _with(match, place, guesser)
    room = replace(room, match=match)
    shown = Edit(Private(incoming.person.id), _name(place), *_shown(room, match, guesser), patient=True)
    return Outcome(room, (shown,) if edit else (), toast)


def without_guesser(match: Match, user: UserId) -> Match:
    """Return the game without a person's guesses."""
    place = _place(match, user)
    return match if place is None else _with(match, place, Guesser(None))


# --- the end ------------------------------------------------------------------------------------------------


def best_guess_text(room: Room, match: Match) -> Markup | None:
    """Return the text that names the best guesser; None if nobody's guesses count."""
    scores = _scores(match)
    if not scores:
        return None
    place = max(scores, key=lambda place: (scores[place].right, -scores[place].all, -place))
    return best_line(telling_for_group(room, match), match.guessers[place], scores[place])


def results(room: Room, match: Match) -> Effects:
    """Replace each guesser's buttons by their score, or remove the buttons if their guesses do not count."""
    scores: dict[int, Score] = _scores(match) if match.won else {}
    told: list[Edit | ClearButtons] = []
    for place, guesser in enumerate(match.guessers):
        if guesser.user is None:
            continue
        to, telling = Private(guesser.user), _telling(room, match, guesser)
        if place in scores:
            text = result_text(telling, group_link(room), scores[place])
            told.append(Edit(to, _name(place), text, group_row(telling.words, room)))
        else:
            told.append(ClearButtons(to, _name(place)))
    return tuple(told)


def _scores(match: Match) -> dict[int, Score]:
    """Return the scores of guessers who could not know the roles: those without a seat, and dead Liberals.

    The keys are their places in ``match.guessers``.
    """
    parties, alive = match.view(None).table.parties, match.view(None).table.alive
    counted = {}
    for place, guesser in enumerate(match.guessers):
        seat = None if guesser.user is None else match.seat_of(guesser.user)
        if guesser.user is None or not guesser.guesses:
            continue
        if seat is None or (parties[seat] == LIBERAL and not alive[seat]):
            counted[place] = guesser.guesses
    if not counted:
        return {}
    from ai.lookback import look_back

    looked = look_back(match.log, match.claims)
    line = {seat for seat, party in enumerate(looked.parties) if party == PARTY}

    def right(guess: Guess) -> int:
        return len(line.intersection(guess.seats))

    def computers(guess: Guess) -> int:
        belief = looked.beliefs[min(guess.rounds, len(looked.beliefs) - 1)]
        by_suspicion = sorted(range(len(belief)), key=lambda seat: (-belief[seat].get(PARTY, 0.0), seat))
        return len(line.intersection(by_suspicion[: len(guess.seats)]))

    return {
        place: Score(
            sum(map(right, guesses)), sum(len(guess.seats) for guess in guesses), sum(map(computers, guesses))
        )
        for place, guesses in counted.items()
    }


# --- guessers -----------------------------------------------------------------------------------------------


def _refusal(room: Room, match: Match, incoming: Command, context: Context) -> str | None:
    """Return the catalogue's key for why somebody may not guess; None if they may."""
    if not _may_guess(match, incoming.person.id):
        return "guess.refused"
    if _place(match, incoming.person.id) is None and len(match.guessers) >= MOST_GUESSERS:
        return "guess.full"
    return membership_refusal(room, incoming, context)


def _may_guess(match: Match, user: UserId) -> bool:
    """Return True if a person never had a seat, or has a dead one and has not seen all cards."""
    seat = match.seat_of(user)
    if seat is None:
        return user not in match.former
    return not match.view(None).table.alive[seat] and seat not in match.watching


def _place(match: Match, user: UserId) -> int | None:
    return next((place for place, guesser in enumerate(match.guessers) if guesser.user == user), None)


def _with(match: Match, place: int, guesser: Guesser) -> Match:
    return replace(match, guessers=(*match.guessers[:place], guesser, *match.guessers[place + 1 :]))


def _name(place: int) -> str:
    return f"{MESSAGE}{place}"


def _telling(room: Room, match: Match, guesser: Guesser) -> Telling:
    player: Player | None = guesser.player
    language = room.settings.language if player is None else player.language
    return Telling(match.view(None), match.players, Words(language, room.settings.theme))


def _shown(room: Room, match: Match, guesser: Guesser) -> tuple[Markup, tuple[tuple[Button, ...], ...]]:
    telling = _telling(room, match, guesser)
    text = prompt(telling, group_link(room), fascist_count(match.game.setup), guesser.guesses)
    return text, (*seat_rows(telling, room.name, match), *group_row(telling.words, room))
