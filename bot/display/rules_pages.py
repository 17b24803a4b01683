"""The rules of a setup, or of all that a ruleset has, in pages; and each power explained for a pop-up."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from bot.display.expansion import Page
from bot.display.expansions import SHOWN
from bot.display.own_board import knowledge_key, roles_line, tiles_line, track_line
from bot.display.words import Html, Words
from engine import OFFERED, Board, Illegal, Ruleset, Setup, board_of, ruleset

#: Which rules a button means: those of the room, or from 1 on a ruleset's own in the order of OFFERED.
HERE = 0
#: The lines that say how it is played, after what it is about.
GUIDE = ("round", "session", "powers", "here")
#: Pages that say the same whatever the options, but for numbers: one size of table stands for all.
_SIZED = frozenset({"goal", "election", "session", "board"})


def pages(words: Words, setup: Setup, silent: bool) -> tuple[Page, ...]:
    """All pages that a setup needs, in order; ``silent``: where those who legislate are kept quiet."""
    board = board_of(setup)
    found = [
        Page("goal", _goal(words, setup, board)),
        Page("election", _join(words, ("election", "limits"), few=board.few)),
        Page("session", _join(words, ("session", "chaos"), chaos=board.chaos, start=board.chaos + 1)),
        Page("board", _board(words, board), _once(p for slots in board.tracks.values() for p in slots[:-1])),
        Page("veto", _veto(words, setup, board, silent)),
    ]
    found += [page for page_of in SHOWN.pages if (page := page_of(words, setup, board)) is not None]
    return (*found, _time(words, found))


@lru_cache(maxsize=256)
def all_pages(words: Words, ruleset_id: str, silent: bool) -> tuple[Page, ...]:
    """Every page that any size and option of a ruleset has; what an option adds is said to be one.

    Numbers are those of the table that ``shown_setup`` names; ``silent`` as for ``pages``.
    """
    rules, shown = ruleset(ruleset_id), shown_setup(ruleset_id)
    found = {page.key: page for page in pages(words, shown, silent)}
    last = found.pop("time")
    for players in rules.players:
        for page in pages(words, Setup(rules.id, players), silent):
            if page.key != last.key:
                found.setdefault(page.key, page)
    for name, setup in _chosen_alone(rules):
        option = words.html(
            "rules.option",
            option=words.html(f"setup.{name}"),
            value=words.html(f"value.{setup.options[name]}"),
        )
        for page in pages(words, setup, silent):
            if page.key not in _SIZED and page.key != last.key:
                found[page.key] = _with(found.get(page.key), page, option)
    return (*found.values(), _time(words, found.values()))


def shown_setup(ruleset_id: str) -> Setup:
    """The table that stands for a whole ruleset: the smallest at which every party plays."""
    rules = ruleset(ruleset_id)
    setups = [Setup(rules.id, players) for players in rules.players]
    return max(setups, key=lambda setup: (len(board_of(setup).roles), -setup.players))


def guide_text(words: Words, ruleset_id: str) -> Html:
    """How a ruleset is played, in five lines; and how it is won."""
    board = board_of(shown_setup(ruleset_id))
    title = words.html("howto.title", ruleset=words.html(f"ruleset.{ruleset(ruleset_id).name}"))
    lines = [words.html("rules.goal"), *(words.html(f"howto.{line}") for line in GUIDE)]
    numbered = [words.html("howto.line", number=number, line=line) for number, line in enumerate(lines, 1)]
    return Html("\n".join([title, "", *numbered, "", *_wins(words, board)]))


def page_text(words: Words, setup: Setup, page: Page, number: int, count: int) -> Html:
    """A page under its title; ``number`` counts from 1."""
    title = words.html(
        "rules.title",
        ruleset=words.html(f"ruleset.{ruleset(setup.ruleset).name}"),
        page=number,
        pages=count,
        title=words.html(f"rules.{page.key}.title"),
    )
    return Html(f"{title}\n\n{page.text}")


def picture_text(words: Words, setup: Setup) -> Html:
    """What stands under the picture of a setup's board: how to read it, the roles, and the tiles."""
    board = board_of(setup)
    lines = [
        words.html("rules.picture", ruleset=words.html(f"ruleset.{ruleset(setup.ruleset).name}")),
        words.html("rules.setup", players=setup.players),
        roles_line(words, board),
        tiles_line(words, board),
    ]
    return Html("\n".join(lines))


def power_text(words: Words, setup: Setup, name: str) -> str:
    """What a power does, short enough for a pop-up; a ruleset may say it differently."""
    own = f"rules.power.{name}.{ruleset(setup.ruleset).name}"
    text = words.plain(own if words.has(own) else f"rules.power.{name}")
    return words.plain("named", name=words.plain(f"power.{name}"), value=text)


def printed(which: int) -> Setup | None:
    """A ruleset's own rules as a button names them, for ``shown_setup``; None where it names none."""
    return shown_setup(OFFERED[which - 1].id) if 0 < which <= len(OFFERED) else None


def _chosen_alone(rules: Ruleset) -> Iterator[tuple[str, Setup]]:
    """Each option's other values, each in every size of game that can have it, with the option's name."""
    for name, choice in rules.options.items():
        for value in choice.values:
            for players in rules.players:
                setup = Setup(rules.id, players, {name: value})
                if value != choice.default(players) and _playable(rules, setup):
                    yield name, setup


def _playable(rules: Ruleset, setup: Setup) -> bool:
    try:
        rules.check(setup)
    except Illegal:
        return False
    return True


def _with(page: Page | None, more: Page, option: Html) -> Page:
    """A page with what another one says beyond it, under the option to which that belongs."""
    if page is None:
        return replace(more, text=Html(f"{option}\n\n{more.text}"))
    parts = page.text.split("\n\n")
    new = [part for part in more.text.split("\n\n") if part not in parts]
    text = Html("\n\n".join([*parts, *([option] if option not in parts else []), *new])) if new else page.text
    return Page(page.key, text, _once((*page.powers, *more.powers)))


def _goal(words: Words, setup: Setup, board: Board) -> Html:
    knows = [knowledge_key("hitler_knows", board.hitler_knows)]
    if board.roles.get("communist"):
        knows.append(knowledge_key("communists_know", board.communists_know))
    lines = [
        words.html("rules.goal"),
        Html(""),
        *_wins(words, board),
        Html(""),
        *([words.html("rules.zone", zone=board.zone)] if "hitler-elected" in board.endings else []),
        words.html("rules.sides"),
        Html(""),
        words.html("rules.setup", players=setup.players),
        roles_line(words, board),
        tiles_line(words, board),
        words.html("rules.knowledge"),
        *(words.html("rules.knows", known=words.html(key)) for key in knows),
    ]
    return Html("\n".join(lines))


def _wins(words: Words, board: Board) -> list[Html]:
    """Every way in which somebody wins at a board."""
    wins = [
        *((colour, f"reason.{colour}-track") for colour in board.tracks),
        *((winner, f"reason.{ending}") for ending, won in board.endings.items() for winner in won),
    ]
    there = {*board.tracks, *board.roles}
    return [
        words.html("rules.win", winners=words.html(f"parties.{winner}"), reason=words.html(reason))
        for winner, reason in wins
        if winner in there
    ]


def _board(words: Words, board: Board) -> Html:
    tracks = (track_line(words, colour, slots) for colour, slots in board.tracks.items())
    return Html("\n".join([words.html("rules.board"), "", *tracks]))


def _veto(words: Words, setup: Setup, board: Board, silent: bool) -> Html:
    style = _options(setup)["veto"]
    veto = words.html(f"rules.veto.{style}", veto=board.veto)
    return Html(f"{veto}\n\n{words.html('rules.silence')}") if silent else veto


def _time(words: Words, others: Iterable[Page]) -> Page:
    """What the clock does, and with a power of one of the other pages besides."""
    parts = [words.html("rules.time", nein=words.html("option.nein"))]
    if any("propaganda" in page.powers for page in others):
        parts.append(words.html("rules.time.propaganda"))
    return Page("time", Html("\n\n".join(parts)))


def _join(words: Words, keys: Iterable[str], **values: object) -> Html:
    return Html("\n\n".join(words.html(f"rules.{key}", **values) for key in keys))


def _once(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _options(setup: Setup) -> dict[str, str]:
    return ruleset(setup.ruleset).chosen(setup)
