"""Announce the end of a game in the group: the last act, then after a pause the winners and all roles.

Each player reads in private how the game ended for them. Buttons in the group lead to more in private: the
game again, step by step, and what decided it.
"""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game.guessing import best_guess_text
from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import Context, Outcome, Post, Private, Toast, ToSeat
from bot.conversation.posting import (
    group_link,
    group_row,
    telling_for_group,
    telling_for_seat,
    to_group,
    words_of,
)
from bot.display.board_picture import picture_of
from bot.display.buttons import LONGEST, Button, Row, data, latest
from bot.display.history import claim_line, lie_lines, line
from bot.display.reveal import ending_text, hitler_line, proof_page, proof_text, roles_text
from bot.display.telling import Telling
from bot.display.words import Words, closest, shown_length
from bot.records.accuracy import lie_of_the_game
from bot.rooms.model import Match, Room
from bot.rooms.names import sign_game, sign_lobby
from engine import seen
from engine.facts import Fact, GameOver

#: The longest caption of a picture, below Telegram's limit. These captions are never edited.
LONGEST_CAPTION = 1000
#: The name of the message with which a game ends.
END = "end"
#: Seconds between the last act and the winners.
PAUSE = 2
#: The beginnings of links to a proof, to a finished game, and to the look back on it.
PROOF, REPLAY, DECIDED = "proof_", "film_", "why_"


def endings(room: Room, match: Match) -> tuple[Post, ...]:
    """Tell each player in private how the game ended for them."""
    over = _over(match)
    told = []
    for seat, person in match.people.items():
        telling = telling_for_seat(room, match, seat)
        text = [ending_text(telling, match, seat)]
        if over is not None:
            text += [*_cause(telling, match), line(telling, over) or Markup(), hitler_line(telling)]
        if over and match.players[seat].advised == 1:
            text.append(telling.html("advice.ends"))
        message = Markup("\n").join([group_link(room), *text])
        # Players for whom a computer plays are told as well, because the result is theirs.
        to = ToSeat(seat) if seat in match.in_person else Private(person)
        told.append(Post(to, message, group_row(telling.words, room), hold_seconds=PAUSE))
    return tuple(told)


def _cause(telling: Telling, match: Match) -> list[Markup]:
    """Return the line about the last thing that everybody saw before the game was over."""
    facts = [fact for fact in seen(match.log, None) if not isinstance(fact, GameOver)]
    told = (text for fact in reversed(facts) if (text := line(telling, fact)))
    return [text for text in [next(told, None)] if text]


def last_act(room: Room, match: Match) -> tuple[Post, ...]:
    """Tell the group the act that ended the game, without saying yet that it is over."""
    telling = telling_for_group(room, match)
    facts = [fact for fact in seen(match.log, None, match.post_start) if not isinstance(fact, GameOver)]
    told = [text for fact in facts if (text := line(telling, fact))]
    short = telling.compact
    claims = [claim_line(short, claim) for claim in match.find_claims(match.unposted_claims)]
    lines = [*told, *latest(claims, LONGEST - sum(shown_length(text) + 1 for text in told))]
    return (to_group(Markup("\n").join(lines)),) if lines else ()


def reveal(room: Room, match: Match) -> tuple[Post, ...]:
    """After a pause, say who won, if possible with a picture of the table.

    Then show all roles, the best lie, the best guess, and buttons.
    """
    telling, over = telling_for_group(room, match), _over(match)
    won = Markup() if over is None else line(telling, over) or Markup()
    parts, picture = [roles_text(telling, match)], picture_of(room, match)
    if (lie := lie_of_the_game(telling.view, match.claims, match.computer_seats)) is not None:
        parts.append(lie_lines(telling.compact, lie))
    if match.guessers and (guessed := best_guess_text(room, match)):
        parts.append(guessed)
    rest, words, game = Markup("\n\n").join(parts), telling.words, (match.number, match.time_began_at)
    watch = Button(words.plain("button.watch-again"), data(room.name, "film", *game))
    decided = Button(words.plain("button.decided"), data(room.name, "decided", *game))
    rows = ((watch,), (decided,), _last_row(room, match))
    if picture is None:
        return (replace(to_group(Markup("{}\n\n{}").format(won, rest), rows, END), hold_seconds=PAUSE),)
    return (replace(to_group(won, picture=picture), hold_seconds=PAUSE), to_group(rest, rows, END))


def announce_cancelled(room: Room, match: Match, why: Markup | None = None) -> tuple[Post, ...]:
    """Say that the game was called off, and why. Show all roles, and reveal the seed of the deal."""
    telling = Telling(match.open_view(), match.players, words_of(room))
    off = telling.html("game.cancelled")
    if why is not None:
        off = Markup("{}\n{}").format(why, off)
    roles = Markup("{}\n\n{}").format(off, roles_text(telling, match))
    proof = proof_text(telling, match)
    picture = picture_of(room, match, opened=True)
    if picture is None:
        posts = _texts((roles, proof))
    elif shown_length(roles) <= LONGEST_CAPTION:
        posts = (to_group(roles, picture=picture), to_group(proof))
    else:
        posts = (to_group(off, picture=picture), *_texts((roles, proof)))
    *first, last = posts
    return (*first, replace(last, keyboard=(_last_row(room, match),), name=END))


def _last_row(room: Room, match: Match) -> Row:
    """Return the buttons for another game by the same rules, and for the proof as a page in private."""
    words = words_of(room)
    rematch = Button(words.plain("button.rematch"), data(room.name, "rematch", match.number))
    return (rematch, Button(words.plain("button.proof"), data(room.name, "proof", match.number)))


def proof_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Open the proof in private, through Telegram's link."""
    # Other numbers are not from our buttons, and the link cannot carry all of them.
    if not 0 < incoming.args[0] <= room.lobby_count:
        return Outcome(room, toast=Toast(words_of(room).plain("illegal.over")))
    payload = f"{PROOF}{sign_lobby(room.name, incoming.args[0], context.link_key)}"
    return Outcome(room, toast=Toast(url=context.deep_link(payload)))


def finished_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Open a finished game, or *What decided it*, in private, through Telegram's link."""
    number, ended = incoming.args
    if not (0 < number <= room.lobby_count and 0 < ended <= context.now):  # not one of our buttons
        return Outcome(room, toast=Toast(words_of(room).plain("illegal.over")))
    prefix = DECIDED if incoming.verb == "decided" else REPLAY
    payload = f"{prefix}{sign_game(room.name, number, ended, context.link_key)}"
    return Outcome(room, toast=Toast(url=context.deep_link(payload)))


def proof_in_private(room: Room, number: int, person: Person) -> Post:
    """Return the proof for somebody who followed its link, or say that it is not the group's last game."""
    words, match = Words(closest(person.language), room.settings.theme), room.match
    if match is None or match.number != number or not match.over:
        return Post(Private(person.id), words.html("proof.over"), group_row(words, room))
    telling = Telling(match.open_view(), match.players, words)
    return Post(Private(person.id), proof_page(telling, match), group_row(words, room))


def _texts(texts: Sequence[Markup]) -> tuple[Post, ...]:
    """Post several texts in one message if they fit, otherwise in one message each."""
    joined = [Markup("\n\n").join(texts)] if sum(map(shown_length, texts)) <= LONGEST else texts
    return tuple(to_group(text) for text in joined)


def _over(match: Match) -> GameOver | None:
    fact: Fact = match.log[-1].fact
    return fact if isinstance(fact, GameOver) else None
