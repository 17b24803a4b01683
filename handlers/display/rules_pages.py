"""The rules of a setup in short pages, in words; and each power explained for a pop-up."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine import RULESETS, Board, Setup, board_of, ruleset
from engine.tiles import EMERGENCY, UNKNOWN, kind, power
from handlers.display.own_board import knowledge_key, roles_line, tiles_line, track_line
from handlers.display.words import Html, Words

#: Powers by their number in callback data, from 1 on: add at the end only.
POWERS = (
    *("investigate", "special", "peek", "kill"),
    *("bugging", "recruitment", "radicalisation", "five-year-plan", "congress", "confession"),
    *("smear", "convert", "resurrect", "comrades"),
    *("propaganda", "impeachment", "mark", "pardon", "no-confidence"),
)
#: Which rules a button means: those of the room, or from 1 on a ruleset's own in the order of RULESETS.
HERE = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One page: what it is about, its text, and the powers that it names."""

    key: str
    text: Html
    powers: tuple[str, ...] = ()


def pages(words: Words, setup: Setup, silent: bool) -> tuple[Page, ...]:
    """All pages that a setup needs, in order; ``silent``: where those who legislate are kept quiet."""
    board = board_of(setup)
    found = [
        Page("goal", _goal(words, setup, board)),
        Page("election", _join(words, ("election", "limits"), few=board.few)),
        Page("session", _join(words, ("session", "chaos"), chaos=board.chaos)),
        Page("board", _board(words, board), _once(p for slots in board.tracks.values() for p in slots[:-1])),
        Page("veto", _veto(words, setup, board, silent)),
    ]
    if "communist" in board.tracks or board.roles.get("communist"):
        found.append(Page("communists", words.html("rules.communists")))
    if board.secret_roles:
        found.append(Page("secret-roles", _secret_roles(words, board)))
    if special := [tile for tile in board.deck if power(tile) and kind(tile) not in EMERGENCY]:
        found.append(Page("article-48", words.html("rules.article-48"), _powers(setup, special)))
    anti = [key for key, tiles in _ANTI.items() if any(tile in board.deck for tile in tiles)]
    if anti:
        found.append(Page("anti-policies", _join(words, anti)))
    if cards := [tile for tile in board.deck if kind(tile) in EMERGENCY]:
        found.append(Page("emergency", words.html("rules.emergency"), _powers(setup, cards)))
    if _options(setup).get("oktoberfest") == "on":
        found.append(Page("oktoberfest", words.html("rules.oktoberfest")))
    return (*found, Page("time", words.html("rules.time")))


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


def power_text(words: Words, setup: Setup, name: str) -> str:
    """What a power does, short enough for a pop-up; a ruleset may say it differently."""
    own = f"rules.power.{name}.{ruleset(setup.ruleset).name}"
    return f"{words.plain(f'power.{name}')}: {words.plain(own if words.has(own) else f'rules.power.{name}')}"


def printed(which: int) -> Setup | None:
    """A ruleset's own rules as a button names them, for the fewest players; None where it names none."""
    if not 0 < which <= len(RULESETS):
        return None
    rules = RULESETS[which - 1]
    return Setup(rules.id, min(rules.players))


_ANTI = {"anti-policies": ("anti-communist", "anti-fascist"), "social-democratic": ("social-democratic",)}


def _goal(words: Words, setup: Setup, board: Board) -> Html:
    wins = [
        *((colour, f"reason.{colour}-track") for colour in board.tracks),
        *((winner, f"reason.{ending}") for ending, won in board.endings.items() for winner in won),
    ]
    knows = [knowledge_key("hitler_knows", board.hitler_knows)]
    if board.roles.get("communist"):
        knows.append(knowledge_key("communists_know", board.communists_know))
    lines = [
        words.html("rules.goal"),
        Html(""),
        *(
            words.html("rules.win", winners=words.html(f"parties.{winner}"), reason=words.html(reason))
            for winner, reason in wins
        ),
        Html(""),
        *([words.html("rules.zone", zone=board.zone)] if "hitler-elected" in board.endings else []),
        words.html("rules.sides"),
        Html(""),
        words.html("rules.setup", players=setup.players),
        roles_line(words, board),
        tiles_line(words, board),
        words.html("rules.knowledge"),
        *(words.html("own.reason", reason=words.html(key)) for key in knows),
    ]
    return Html("\n".join(lines))


def _board(words: Words, board: Board) -> Html:
    tracks = (track_line(words, colour, slots) for colour, slots in board.tracks.items())
    return Html("\n".join([words.html("rules.board"), "", *tracks]))


def _veto(words: Words, setup: Setup, board: Board, silent: bool) -> Html:
    style = _options(setup)["veto"]
    veto = words.html(f"rules.veto.{style}", veto=board.veto)
    return Html(f"{veto}\n\n{words.html('rules.silence')}") if silent else veto


def _secret_roles(words: Words, board: Board) -> Html:
    roles = [card.partition(":")[2] for card in board.secret_roles]
    lines = [
        Html(f"<b>{words.html(f'role.{role}')}</b>: {words.html(f'rules.secret.{role}')}") for role in roles
    ]
    return Html("\n".join([words.html("rules.secret-roles"), *lines]))


def _join(words: Words, keys: Iterable[str], **values: object) -> Html:
    return Html("\n\n".join(words.html(f"rules.{key}", **values) for key in keys))


def _powers(setup: Setup, tiles: Iterable[str]) -> tuple[str, ...]:
    """The powers that these tiles carry or may carry."""
    may_carry = ruleset(setup.ruleset).tiles
    named: list[str | None] = []
    for tile in tiles:
        named += may_carry[kind(tile)] if power(tile) == UNKNOWN else [power(tile)]
    return _once(named)


def _once(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _options(setup: Setup) -> dict[str, str]:
    return ruleset(setup.ruleset).chosen(setup)
