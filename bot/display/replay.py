"""The caption of each step of a finished game that somebody watches again."""

from collections.abc import Iterable

from markupsafe import Markup

from bot.display.history import claim_line, line, marked_if_false, remembered
from bot.display.reveal import roles_text
from bot.display.telling import Telling
from bot.display.words import Words, name, shown_length
from bot.records.frames import Replay
from bot.rooms.rounds import rounds_of
from engine import facts as f

#: The length of a caption, below Telegram's limit.
LONGEST = 1000
#: The view with all secrets tells these facts by the group's lines, too.
_AS_TOLD = (f.CandidacyPassed, f.Nominated, f.Voted, f.Elected, f.Enacted, f.GameOver)


def step_caption(words: Words, replay: Replay, group: str, number: int, *, with_secrets: bool) -> Markup:
    """Return a step's caption: the game, the round, and what happened.

    ``with_secrets``: tell all secrets, not only what the table saw.
    """
    frame = replay.frames[number]
    # The table saw at once that the game was over, for instance that Hitler had been killed.
    known = number + 1 if replay.ends_game(number) else number
    telling = Telling(replay.view(known, with_secrets=with_secrets), replay.match.players, words).compact
    title = words.html("film.title", group=name(group), game=replay.match.number)
    where = words.html("film.round", round=frame.round, rounds=replay.rounds)
    mode = words.html("film.true" if with_secrets else "film.seen")
    round_ = where if frame.round else words.html("film.start")
    step = words.html("film.step", step=number + 1, steps=len(replay.frames))
    head = [title, Markup("{} · {} · {}").format(round_, step, mode), Markup()]
    told = []
    for fact in replay.facts(number, with_secrets=with_secrets):
        tells = remembered if with_secrets and not isinstance(fact, _AS_TOLD) else line
        told += [text] if (text := tells(telling, fact)) else []
    for claim in replay.claims(number):
        round_of = rounds_of(telling.view)[claim.round - 1]
        told.append(marked_if_false(telling, round_of, claim) if with_secrets else claim_line(telling, claim))
    over = number == len(replay.frames) - 1
    if over or (with_secrets and frame.round == 0):
        told.append(roles_text(telling, replay.match))
    return fitting(head, told)


def fitting(head: Iterable[Markup], told: Iterable[Markup]) -> Markup:
    """Return the head and as many of the lines below it as fit into a caption."""
    kept = list(head)
    left = LONGEST - sum(shown_length(text) + 1 for text in kept)
    for text in told:
        left -= shown_length(text) + 1
        if left < 2:
            kept.append(Markup("…"))
            break
        kept.append(text)
    return Markup("\n").join(kept)
