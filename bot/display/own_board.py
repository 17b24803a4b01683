"""A group's own board in words: its contents, how many can play on it, and why nobody can."""

from collections.abc import Sequence

from markupsafe import Markup

from bot.display.board import LAST, POWERLESS
from bot.display.expansion_parts import numbers
from bot.display.words import Words, bold, name
from bot.rooms.own_board import OwnBoard
from engine import Board, Illegal
from engine.tiles import UNKNOWN, kind, power

#: The fields of ``Board`` that are numbers.
THRESHOLDS = ("zone", "veto", "chaos", "few")
#: The fields that say who knows whom from the start.
KNOWLEDGE = ("hitler_knows", "communists_know")


def board_text(words: Words, own: OwnBoard) -> Markup:
    """Return a board's name, ruleset and contents, and how many can play on it, or why nobody can."""
    title = words.html("own.title", name=name(own.name), ruleset=_ruleset(words, own), size=own.size)
    try:
        summary = [board_summary(words, own.board(), own.printed())]
    except Illegal:
        summary = []  # its ruleset is gone; the verdict says so
    if sizes := own.sizes():
        verdict = words.html("own.players", players=numbers(words, sizes))
    else:
        verdict = reasons_text(words, own.reasons())
    return Markup("\n").join([title, *summary, verdict])


def boards_text(words: Words, boards: Sequence[OwnBoard]) -> Markup:
    """Return the list of a group's boards, and how to add one by a command."""
    lines = []
    for number, own in enumerate(boards, start=1):
        players = numbers(words, own.sizes()) or words.html("boards.unplayable")
        values = {"name": bold(name(own.name)), "ruleset": _ruleset(words, own), "players": players}
        lines.append(words.html("boards.line", number=number, **values))
    listed = lines or [words.html("boards.none")]
    return Markup("\n").join([words.html("boards.title"), *listed, words.html("boards.hint")])


def board_summary(words: Words, board: Board, printed: Board) -> Markup:
    """Describe a board: tracks, deck, roles, who knows whom, numbers, and endings if they were changed."""
    lines = []
    for colour, slots in board.tracks.items():
        powers = [slot_label(words, slot) if slot else POWERLESS for slot in slots[:-1]]
        values = {"party": words.html(f"party.{colour}"), "slots": " · ".join([*powers, LAST])}
        lines.append(words.html("own.track", **values))
    lines += [tiles_line(words, board), roles_line(words, board)]
    lines += [words.html(key) for key in knowledge_keys(board)]
    lines += [
        words.html("lobby.option", option=words.html(f"own.{field}"), value=getattr(board, field))
        for field in THRESHOLDS
    ]
    for ending, winners in board.endings.items() if board.endings != printed.endings else ():
        won = Markup(" + ").join(words.html(f"parties.{party}") for party in winners)
        lines.append(words.html("own.ending", reason=words.html(f"reason.{ending}"), winners=won))
    return Markup("\n").join(lines)


def tiles_line(words: Words, board: Board) -> Markup:
    """Return how many tiles of each kind are in the deck."""
    tiles = (
        words.html("own.count", what=tile_label(words, tile), count=count)
        for tile, count in board.deck.items()
    )
    return words.html("own.deck", tiles=words.listed(tiles))


def roles_line(words: Words, board: Board) -> Markup:
    """Return how many there are of each role and, in a line of its own, the secret roles, if any."""
    roles = (
        words.counted("own.count.role", count, what=words.html(f"role.{role}"))
        for role, count in board.roles.items()
    )
    line = words.html("own.roles", roles=words.listed(roles))
    if not board.secret_roles:
        return line
    secret = words.listed(secret_role(words, card) for card in board.secret_roles)
    return Markup("{}\n{}").format(line, words.html("own.secret-roles", roles=secret))


def slot_label(words: Words, slot: str | None) -> str:
    """Return the name of a slot's power."""
    return words.plain(f"power.{slot}") if slot else words.plain("own.no-power")


def tile_label(words: Words, tile: str) -> str:
    """Return the name of a deck's tile, with its power, or that its power is still to be drawn."""
    label, carried = words.plain(f"tile.{kind(tile)}"), power(tile)
    if carried is None:
        return label
    name = words.plain("own.drawn-power" if carried == UNKNOWN else f"power.{carried}")
    return words.plain("tile.with-power", tile=label, power=name)


def secret_role(words: Words, card: str) -> Markup:
    """Return the name of a secret role, with the party that can have it."""
    party, _, role = card.partition(":")
    on = words.html("own.any-party" if party == "*" else f"party.{party}")
    return words.html("own.secret-role", role=words.html(f"role.{role}"), party=on)


def knowledge_key(field: str, holds: bool = True) -> str:
    """Return the catalogue's key for a sentence about who knows whom, or does not if ``holds`` is False."""
    return f"own.{field.replace('_', '-')}.{'yes' if holds else 'no'}"


def knowledge_keys(board: Board) -> tuple[str, ...]:
    """Return the keys of the sentences that say who knows whom on a board."""
    known = KNOWLEDGE if board.roles.get("communist") else KNOWLEDGE[:1]
    return tuple(knowledge_key(field, getattr(board, field)) for field in known)


def known_to_all(words: Words, board: Board) -> list[Markup]:
    """Return how many of each role there are, and who knows whom from the start."""
    knows = [words.html("rules.knows", known=words.html(key)) for key in knowledge_keys(board)]
    line = words.html("sentences", first=knows[0], second=knows[1]) if knows[1:] else knows[0]
    return [roles_line(words, board), words.html("rules.knowledge"), line]


def reasons_text(words: Words, reasons: Sequence[str]) -> Markup:
    """Say why nobody can play on a board."""
    lines = [words.html("own.reason", reason=words.html(f"illegal.{reason}")) for reason in reasons]
    return Markup("\n").join([words.html("own.unplayable"), *lines])


def _ruleset(words: Words, own: OwnBoard) -> Markup:
    return words.html(f"ruleset.{own.ruleset.partition('@')[0]}")
