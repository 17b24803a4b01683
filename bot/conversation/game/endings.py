"""How it ends: for each player, and for the group, which sees who was who."""

from collections.abc import Sequence
from dataclasses import replace

from bot.conversation.game.tellings import telling_group, telling_seat
from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import Context, Outcome, Post, Toast
from bot.conversation.posting import group_link, group_row, name_of, to_group, words_of
from bot.conversation.recipients import Private, Seat
from bot.display.board_picture import opened_picture_of, picture_of
from bot.display.buttons import Button, Row, data
from bot.display.history import replay_texts
from bot.display.lines import line
from bot.display.pages import LONGEST
from bot.display.reveal import ending_text, proof_page, proof_text, roles_text
from bot.display.telling import Telling
from bot.display.words import Html, Words, closest, shown_length
from bot.rooms.model import Match, Room
from bot.rooms.names import signed_payload
from engine.facts import Fact, GameOver

#: Telegram's limit for a picture's caption, which nobody edits here.
LONGEST_CAPTION = 1000
#: What may stand above the replay in its first message: it leaves room for the first rounds.
LONGEST_LEAD = 2000
#: What a link to a proof begins with.
PROOF = "proof_"


def endings(room: Room, match: Match) -> tuple[Post, ...]:
    """Each player reads in private how it ended for them."""
    over = _over(match)
    told = []
    for seat, person in match.people.items():
        telling = telling_seat(room, match, seat)
        text = [ending_text(telling, match, seat), *([line(telling, over) or Html("")] if over else [])]
        if over and match.players[seat].advised == 1:
            text.append(telling.html("advice.ends"))
        message = Html(f"{group_link(room)}\n{chr(10).join(text)}")
        # Whose place a computer took is told as well: the result is theirs.
        to = Seat(seat) if seat in match.in_person else Private(person)
        told.append(Post(to, message, group_row(telling.words, room)))
    return tuple(told)


def reveal(room: Room, match: Match) -> tuple[Post, ...]:
    """Who was who, with the picture of that, if the last post does not have it; the proof, and the replay."""
    telling = telling_group(room, match)
    again = Button(words_of(room).plain("button.rematch"), data(name_of(room), "rematch", match.number))
    row = (again, *proof_row(room, match))
    roles, proof = roles_text(telling, match), proof_text(telling, match)
    shown, ends = ((), (roles, proof)) if match.pictured else _pictured(room, match, telling, (roles, proof))
    if sum(map(shown_length, ends)) > LONGEST_LEAD:
        shown, ends = (*shown, *_texts(ends)), ()
    *first, last = replay_texts(telling, match.claims, Html("\n\n".join(ends)), match.suspicions)
    return (*shown, *(to_group(text) for text in first), to_group(last, (row,)))


def announce_cancelled(room: Room, match: Match, why: Html | None = None) -> tuple[Post, ...]:
    """The game was called off, and why: who was who, to be seen as well, and the seal is opened."""
    telling = Telling(match.open_view(), match.players, words_of(room))
    off = telling.html("game.cancelled") if why is None else Html(f"{why}\n{telling.html('game.cancelled')}")
    roles = Html(f"{off}\n\n{roles_text(telling, match)}")
    proof = proof_text(telling, match)
    picture = opened_picture_of(room, match)
    if picture is None:
        posts = _texts((roles, proof))
    elif shown_length(roles) <= LONGEST_CAPTION:
        posts = (to_group(roles, picture=picture), to_group(proof))
    else:
        posts = (to_group(off, picture=picture), *_texts((roles, proof)))
    *first, last = posts
    return (*first, replace(last, keyboard=(proof_row(room, match),)))


def proof_row(room: Room, match: Match) -> Row:
    """The way to the proof as a page, in private."""
    text = words_of(room).plain("button.proof")
    return (Button(text, data(name_of(room), "proof", match.number)),)


def proof_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """The proof is read in private, where Telegram's link leads."""
    if not 0 < said.args[0] <= room.games:  # no button of ours, and the link has no room for any number
        return Outcome(room, toast=Toast(words_of(room).plain("illegal.over")))
    payload = f"{PROOF}{signed_payload(name_of(room), said.args[0], context.link_key)}"
    return Outcome(room, toast=Toast(url=context.deep_link(payload)))


def proof_in_private(room: Room, number: int, person: Person) -> Post:
    """The page for who followed that link, as long as that game is the group's last one."""
    words, match = Words(closest(person.language), room.settings.theme), room.match
    if match is None or match.number != number or not match.over:
        return Post(Private(person.id), words.html("proof.over"), group_row(words, room))
    telling = Telling(match.open_view(), match.players, words)
    return Post(Private(person.id), proof_page(telling, match), group_row(words, room))


def _pictured(
    room: Room, match: Match, telling: Telling, ends: tuple[Html, Html]
) -> tuple[tuple[Post, ...], tuple[Html, ...]]:
    """The picture, if the last post had no room for it, with what fits below; and what is left to be told."""
    roles, proof = ends
    picture, over = picture_of(room, match), _over(match)
    if picture is None:
        return (), ends
    if shown_length(roles) <= LONGEST_CAPTION:
        return (to_group(roles, picture=picture),), (proof,)
    caption = None if over is None else line(telling, over)
    return (to_group(caption or Html("🏁"), picture=picture),), ends


def _texts(texts: Sequence[Html]) -> tuple[Post, ...]:
    """Several texts as one post, where there is room for all of them in a message."""
    joined = [Html("\n\n".join(texts))] if sum(map(shown_length, texts)) <= LONGEST else texts
    return tuple(to_group(text) for text in joined)


def _over(match: Match) -> GameOver | None:
    fact: Fact = match.log[-1].fact
    return fact if isinstance(fact, GameOver) else None
