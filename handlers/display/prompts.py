"""What a seat is asked, and what its options are called; and who the group is waiting for."""

from engine import Question
from engine.question import CARD, JA, NEIN, Option
from engine.steps.legislation import VETO
from engine.tiles import kind, power
from handlers.display.board import board_line
from handlers.display.telling import Telling
from handlers.display.words import Html, Words, bold, plain_name
from handlers.rooms.model import Player


def prompt(telling: Telling, question: Question) -> Html:
    """The question as the asked seat reads it, with the facts that it needs to decide."""
    t, table = telling, telling.view.table
    president = t.seat(table.president) if table.president is not None else Html("")
    chancellor = t.seat(table.chancellor) if table.chancellor is not None else Html("")
    asked = t.html(f"ask.{question.step}", president=president, chancellor=chancellor)
    lines = [asked, *_limits(t, question), board_line(t)]
    return Html("\n".join(lines))


def _limits(t: Telling, question: Question) -> list[Html]:
    if question.step != "nominate":
        return []
    able = [seat for seat in t.view.table.able() if seat != t.view.seat]
    barred = [seat for seat in able if seat not in question.options[0]]
    return [t.html("ask.nominate.barred", seats=t.seats(barred))] if barred else []


def label(words: Words, players: tuple[Player, ...], option: Option) -> str:
    """What an option is called on a button."""
    if isinstance(option, int):
        return plain_name(players[option].name)
    if option in (JA, NEIN, VETO):
        return words.plain(f"option.{option}")
    if option.startswith(CARD):
        return words.plain("option.card", number=int(option.removeprefix(CARD)) + 1)
    tile = words.plain(f"tile.{kind(option)}")
    carried = power(option)
    return (
        tile
        if carried is None
        else words.plain("tile.with-power", tile=tile, power=words.plain(f"power.{carried}"))
    )


def record(telling: Telling, question: Question, option: Option) -> Html:
    """What becomes of a prompt once it is answered: what was asked, and what was chosen."""
    chosen = label(telling.words, telling.players, option)
    return telling.html(f"answered.{question.step}", choice=bold(chosen))


def waiting(telling: Telling, question: Question | None) -> Html | None:
    """Whom the group is waiting for; in a meeting, only that there is one."""
    if question is None:
        return None
    seats = telling.seats(question.seats)
    return telling.html(f"waiting.{question.step}", seats=seats)
