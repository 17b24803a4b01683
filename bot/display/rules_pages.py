"""The rules in pages: for one table, or for all sizes and options of a ruleset."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from markupsafe import Markup

from bot.display.board import LAST, POWERLESS
from bot.display.expansion_parts import (
    Page,
    PageOf,
    Tables,
    count_table,
    grouped,
    numbers,
    sign,
    sizes_label,
)
from bot.display.expansions import SHOWN
from bot.display.own_board import knowledge_keys, roles_line, tiles_line
from bot.display.role_card import ways_to_win
from bot.display.words import Words, bold, italic
from engine import OFFERED, Board, Ruleset, Setup, board_of, ruleset
from engine.board import Party
from engine.ruleset import RulesetOption
from engine.setups import fits
from engine.steps.communists import COMMUNIST, FIVE_YEARS
from engine.tiles import ordinary, track

#: The number in a button that means the room's own rules. From 1 on, numbers mean rulesets of ``OFFERED``.
HERE = 0
#: The power that adds tiles to the draw pile.
PLAN = "five-year-plan"
#: The lines about how to play, after the one about the goal.
GUIDE = ("round", "session", "powers", "here")


def pages(words: Words, setup: Setup, silent: bool) -> tuple[Page, ...]:
    """Return all pages that a setup needs, in order. ``silent``: the game is played in silence."""
    return _pages(words, Tables((setup,), (setup,)), silent)


@lru_cache(maxsize=256)
def all_pages(words: Words, ruleset_id: str, silent: bool) -> tuple[Page, ...]:
    """Return the pages of a ruleset for every size and option, with numbers by size.

    ``silent`` as for ``pages``.
    """
    rules = ruleset(ruleset_id)
    plain = tuple(Setup(rules.id, players) for players in rules.players)
    return _pages(words, Tables((*plain, *_chosen_alone(rules)), plain), silent)


def shown_setup(ruleset_id: str) -> Setup:
    """Return the table that represents a whole ruleset: the smallest at which every party plays."""
    rules = ruleset(ruleset_id)
    setups = [Setup(rules.id, players) for players in rules.players]
    return max(setups, key=lambda setup: (len(board_of(setup).roles), -setup.players))


def guide_text(words: Words, ruleset_id: str, setup: Setup | None = None) -> Markup:
    """Say in five lines how a ruleset is played, and how it is won.

    The numbers are those of ``setup``, a game of this ruleset. Without one they are for all sizes.
    """
    rules, whole = ruleset(ruleset_id), setup is None
    setup = setup or shown_setup(ruleset_id)
    setups = [Setup(ruleset_id, players) for players in rules.players] if whole else [setup]
    boards = [board_of(each) for each in setups]
    title = words.html("howto.title", ruleset=words.html(f"ruleset.{rules.name}"))
    goal = Markup(" ").join([words.html("rules.goal"), *_third_party(words, setup, boards)])
    lines = [goal, *(words.html(f"howto.{line}") for line in GUIDE)]
    numbered = [words.html("howto.line", number=number, line=line) for number, line in enumerate(lines, 1)]
    dealt = [] if whole else [Markup(), *_players(words, setup)]
    return Markup("\n").join([title, "", *numbered, *dealt, "", *_wins(words, setup, boards)])


def page_text(words: Words, setup: Setup, page: Page, number: int, count: int) -> Markup:
    """Return a page under its title. ``number`` counts from 1."""
    rules, subject = words.html(f"ruleset.{ruleset(setup.ruleset).name}"), f"rules.{page.key}.title"
    title = words.html("rules.title", ruleset=rules, page=number, pages=count, title=words.html(subject))
    return Markup("{}\n\n{}").format(title, page.text)


def picture_text(words: Words, setup: Setup) -> Markup:
    """Explain the picture of a setup's board: how to read it, the roles, and the tiles."""
    title = words.html("rules.picture", ruleset=words.html(f"ruleset.{ruleset(setup.ruleset).name}"))
    return Markup("\n").join([title, *_dealt(words, setup)])


def option_text(words: Words, rules: Ruleset, option: str) -> Markup:
    """Say what an option of a ruleset does and, if it adds a role, what that role does."""
    name, zone = words.html(f"setup.{option}"), board_of(Setup(rules.id, min(rules.players))).zone
    texts = [words.html(f"setup.about.{option}", zone=zone)]
    if words.has(role := f"rules.secret.{option}"):
        texts.append(words.html(role, zone=zone))
    lines = (italic(words.html("named", name=name, value=text)) for text in texts)
    return "⚙️ " + Markup("\n").join(lines)


def rulesets_text(words: Words) -> Markup:
    """Say in a line each what the offered rulesets are, and for how many players."""
    lines = []
    for rules in OFFERED:
        about = {"players": numbers(words, rules.players), "party": words.html("party.communist")}
        name, value = words.html(f"ruleset.{rules.name}"), words.html(f"ruleset.about.{rules.name}", **about)
        lines.append(italic(words.html("named", name=name, value=value)))
    return Markup("\n").join(lines)


def printed(which: int) -> Setup | None:
    """Return the setup that represents the ruleset of a button's number; None if there is none."""
    return shown_setup(OFFERED[which - 1].id) if 0 < which <= len(OFFERED) else None


def _pages(words: Words, tables: Tables, silent: bool) -> tuple[Page, ...]:
    limits = words.html("rules.limits", few=tables.boards[0].few)
    election = Markup("{}\n\n{}").format(words.html("rules.election"), limits)
    found = [
        Page("goal", _goal(words, tables)),
        *([Page("sizes", _sizes(words, tables))] if tables.whole else []),
        Page("election", election),
        Page("session", _session(words, tables)),
        _board(words, tables),
        Page("veto", _veto(words, tables, silent)),
        *(page for page_of in SHOWN.pages if (page := _of_expansion(words, tables, page_of)) is not None),
        Page("options", _options(words, tables)),
    ]
    return tuple(_explained(words, tables, [*found, _time(words, tables, found)]))


def _chosen_alone(rules: Ruleset) -> Iterator[Setup]:
    """Yield a setup for each value of an option that is not the default, in each size that can have it.

    All other options keep their defaults.
    """
    for name, choice in rules.options.items():
        for value in choice.values:
            for players in rules.players:
                setup = Setup(rules.id, players, {name: value})
                if value != choice.default(players) and fits(setup):
                    yield setup


def _explained(words: Words, tables: Tables, found: Iterable[Page]) -> Iterator[Page]:
    """Yield the pages with explanations of their powers. Only the first page that has a power explains it."""
    told: set[str] = set()
    for page in found:
        new = [power for power in dict.fromkeys(page.powers) if power not in told]
        told.update(new)
        lines = [power_line(words, tables, power) for power in new]
        more = [Markup("\n").join(lines)] if lines else []
        yield replace(page, text=Markup("\n\n").join([page.text, *more]))


def power_line(words: Words, tables: Tables, name: str) -> Markup:
    """Return a line with a power's name, and what it does at these tables."""
    own = f"rules.power.{name}.{ruleset(tables.setups[0].ruleset).name}"
    if name in SHOWN.explained:
        text = SHOWN.explained[name](words, tables)
    else:
        text = words.html(own if words.has(own) else f"rules.power.{name}")
    return words.html("named", name=bold(words.plain(f"power.{name}")), value=text)


def _of_expansion(words: Words, tables: Tables, page_of: PageOf) -> Page | None:
    """Return a page of an expansion, or None.

    Among the pages of a whole ruleset, one that only an option needs says so.
    """
    page = page_of(words, tables)
    if page is None or not tables.whole or page_of(words, Tables(tables.plain, tables.plain)) is not None:
        return page
    return replace(page, text=Markup("{}\n\n{}").format(words.html("rules.optional"), page.text))


def _goal(words: Words, tables: Tables) -> Markup:
    setup = shown_setup(tables.setups[0].ruleset) if tables.whole else tables.setups[0]
    board = board_of(setup)
    of_three = any(one.roles.get("communist") for one in tables.boards)
    lines = [
        words.html("rules.goal"),
        *_third_party(words, setup, tables.boards),
        Markup(),
        *_wins(words, setup, tables.boards),
        Markup(),
        *([words.html("rules.zone", zone=board.zone)] if "hitler-elected" in board.endings else []),
        words.html("rules.sides" if of_three else "rules.sides.two"),
    ]
    apart = ruleset(tables.setups[0].ruleset).own_sides
    if any(card.partition(":")[2] in apart for one in tables.boards for card in one.secret_roles):
        lines.append(words.html("rules.sides.own"))
    if not tables.whole:
        lines += [Markup(), *_dealt(words, setup), words.html("rules.knowledge")]
        lines += [words.html("rules.knows", known=words.html(key)) for key in knowledge_keys(board)]
    return Markup("\n").join(lines)


def _wins(words: Words, setup: Setup, boards: Iterable[Board]) -> list[Markup]:
    """Return a line for each party with its ways to win, and its track's lengths on all of these boards."""
    board, lines = board_of(setup), []
    for party in dict.fromkeys([*board.tracks, *(won for each in board.endings.values() for won in each)]):
        if party in {*board.tracks, *board.roles}:
            slots = {len(one.tracks[party]) for one in boards if party in one.tracks}
            count = "–".join(map(str, sorted({min(slots), max(slots)}))) if slots else ""
            ways = " / ".join(ways_to_win(words, setup, party, count))
            lines.append(words.html("rules.win", winners=words.html(f"parties.{party}"), reason=ways))
    in_play = {*board.tracks, *board.roles}
    if any(len(in_play.intersection(winners)) > 1 for winners in board.endings.values()):
        lines.append(words.html("rules.win.both"))
    return lines


def _players(words: Words, setup: Setup) -> list[Markup]:
    """Return how many play, and how many there are of each role."""
    return [words.html("rules.setup", players=setup.players), roles_line(words, board_of(setup))]


def _dealt(words: Words, setup: Setup) -> list[Markup]:
    """Return how many play, and which roles and tiles there are at the start."""
    board = board_of(setup)
    added = [_added(words)] if _grows(board) else []
    return [*_players(words, setup), tiles_line(words, board), *added]


def _third_party(words: Words, setup: Setup, boards: Sequence[Board]) -> list[Markup]:
    """Say from how many players on there are Communists; nothing if none of these boards has them."""
    if setup.board is not None or not any(board.roles.get("communist") for board in boards):
        return []
    plain = (Setup(setup.ruleset, players) for players in ruleset(setup.ruleset).players)
    sizes = [each.players for each in plain if board_of(each).roles.get("communist")]
    return [words.html("rules.third", players=min(sizes))] if sizes else []


def _sizes(words: Words, tables: Tables) -> Markup:
    boards = [board_of(setup) for setup in tables.plain]
    roles = tuple(dict.fromkeys(role for board in boards for role in board.roles))
    deck = tuple(dict.fromkeys(tile for board in boards for tile in board.deck))
    dealt = count_table(words, tables.plain, lambda board: tuple(board.roles.get(role, 0) for role in roles))
    tiles = count_table(words, tables.plain, lambda board: tuple(board.deck.get(tile, 0) for tile in deck))
    known: dict[str, list[int]] = {}
    for keys, sizes in grouped(tables.plain, knowledge_keys).items():
        for key in keys:
            known.setdefault(key, []).extend(sizes)
    by_size = [
        words.html("named", name=sizes_label(words, sorted(sizes)), value=words.html(key))
        for key, sizes in sorted(known.items(), reverse=True)
    ]
    growing = [setup.players for setup in tables.plain if _grows(board_of(setup))]
    added = [words.html("named", name=sizes_label(words, growing), value=_added(words))] if growing else []
    role_names = Markup(" · ").join(words.html(f"role.{role}") for role in roles)
    tile_names = Markup(" · ").join(words.html(f"tile.{tile}") for tile in deck)
    parts = [
        words.html("rules.sizes"),
        Markup("\n").join([words.html("own.roles", roles=role_names), dealt]),
        Markup("\n").join([words.html("own.deck", tiles=tile_names), tiles, *added]),
        Markup("\n").join([words.html("rules.knowledge"), *by_size]),
    ]
    return Markup("\n\n").join(parts)


def _grows(board: Board) -> bool:
    return any(PLAN in slots for slots in board.tracks.values())


def _added(words: Words) -> Markup:
    tiles = Markup("").join(words.html(f"sign.{tile}") for tile in FIVE_YEARS)
    return words.html("rules.deck.added", power=words.plain(f"power.{PLAN}"), tiles=tiles)


def _session(words: Words, tables: Tables) -> Markup:
    chaos = tables.boards[0].chaos
    stay = all(ordinary(tile) for tile in tables.deck if track(tile) is not None)
    parts = [
        words.html("rules.session"),
        words.html("rules.session.enacted" if stay else "rules.session.removed"),
        words.html("rules.chaos", chaos=chaos, start=chaos + 1),
    ]
    return Markup("\n\n").join(parts)


def _board(words: Words, tables: Tables) -> Page:
    """Return the page of the tracks. Another page explains the powers of the Communists' track."""
    colours = dict.fromkeys(colour for board in tables.boards for colour in board.tracks)
    tracks = Markup("\n").join(_track(words, tables, colour) for colour in colours)
    shown = [(colour, slots) for board in tables.boards for colour, slots in board.tracks.items()]
    powers = [slot for colour, slots in shown if colour != COMMUNIST for slot in slots[:-1] if slot]
    return Page("board", Markup("{}\n\n{}").format(words.html("rules.board"), tracks), tuple(powers))


def _track(words: Words, tables: Tables, colour: Party) -> Markup:
    """Return a track with the sign of each slot's power; for a whole ruleset, all its versions by size."""
    having = [setup for setup in tables.plain if colour in board_of(setup).tracks]
    found = grouped(having, lambda board: tuple(board.tracks[colour]))
    party = words.html(f"party.{colour}")
    lines = []
    for slots, sizes in found.items():
        signs = [sign(words, slot) if slot else POWERLESS for slot in slots[:-1]]
        lines.append((sizes_label(words, sizes), Markup(" · ").join([*signs, LAST])))
    if not tables.whole:
        return words.html("own.track", party=party, slots=lines[0][1])
    return Markup("\n").join([bold(party), *(words.html("named", name=n, value=s) for n, s in lines)])


def _veto(words: Words, tables: Tables, silent: bool) -> Markup:
    """Explain the style of veto that is on. For a whole ruleset, explain the default, then the other one."""
    first, setup = tables.boards[0], tables.setups[0]
    on = ruleset(setup.ruleset).chosen(setup)["veto"]
    parts = [words.html(f"rules.veto.{on}", veto=first.veto)]
    for style in ruleset(setup.ruleset).options["veto"].values if tables.whole else ():
        if style != on:
            other = words.html(f"rules.veto.{style}", veto=first.veto)
            parts += [words.html("rules.option", value=words.html(f"value.{style}")), other]
    return Markup("\n\n").join([*parts, words.html("rules.silence" if silent else "rules.silence.off")])


def _options(words: Words, tables: Tables) -> Markup:
    """Explain each option, with the value that is on or, for a whole ruleset, all values."""
    setup = tables.setups[0]
    rules = ruleset(setup.ruleset)
    lines = []
    for name, choice in rules.options.items():
        if setup.board is not None and not _matters(rules, setup, name):
            continue
        if tables.whole:
            value = Markup(" / ").join(_value(words, rules, choice, value) for value in choice.values)
        else:
            value = words.html(f"value.{rules.chosen(setup)[name]}")
        option = words.html("named", name=bold(words.plain(f"setup.{name}")), value=value)
        about = words.html(f"setup.about.{name}", zone=tables.boards[0].zone)
        lines.append(Markup("⚙️ {}\n{}").format(option, about))
    return Markup("\n\n").join(lines)


def _value(words: Words, rules: Ruleset, choice: RulesetOption, value: str) -> Markup:
    """Return the name of an option's value. If not all sizes can choose it, add those that can."""
    fitting = [players for players in rules.players if choice.refuses(value, players) is None]
    label = words.html(f"value.{value}")
    if len(fitting) == len(rules.players):
        return label
    return Markup("{} ({})").format(label, sizes_label(words, fitting))


def _matters(rules: Ruleset, setup: Setup, name: str) -> bool:
    """Return True if an option can be chosen for this size, and does more than change the printed board."""
    chosen = rules.chosen(setup)
    boards = [
        rules.board(setup.players, {**chosen, name: value})
        for value in rules.options[name].values
        if rules.options[name].refuses(value, setup.players) is None
    ]
    return len(boards) > 1 and all(board == boards[0] for board in boards)


def _time(words: Words, tables: Tables, others: Sequence[Page]) -> Page:
    """Return the page about the clock, also in meetings and with the power of propaganda if there are any."""
    parts = [words.html("rules.time", nein=words.html("option.nein"))]
    if any(COMMUNIST in board.tracks for board in tables.boards):
        parts[0] = words.html("sentences", first=parts[0], second=words.html("rules.time.meeting"))
    if any("propaganda" in page.powers for page in others):
        parts.append(words.html("rules.time.propaganda"))
    return Page("time", Markup("\n\n").join(parts))
