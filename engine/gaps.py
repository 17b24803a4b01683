"""Find names in a ruleset that lead nowhere. Those of its printed boards have a check of their own."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine import tiles
from engine.board import Board
from engine.custom import Rules
from engine.question import Step, question_of

#: The step with which every game begins.
FIRST = "deal"
#: The fields of a ruleset that name steps.
HOOKS = ("opening", "before_round", "after_election", "before_reshuffle", "after_tile", "after_chaos")
#: The hooks that get the tile. If one of their steps has the name of a tile's power, it handles that power.
_TILE_HOOKS = ("before_reshuffle", "after_tile")


class Named(Rules, Protocol):
    """The fields of a ruleset that ``gaps`` reads. It also reads the fields in ``HOOKS``."""

    @property
    def players(self) -> Sequence[int]:
        """The numbers of players that can play."""

    @property
    def board(self) -> Callable[[int, Mapping[str, str]], Board]:
        """Return the printed board for this many players, with these options."""

    @property
    def steps(self) -> Mapping[str, Step]:
        """All steps, by name."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Return each option's ``RulesetOption``."""


def gaps(rules: Named) -> tuple[str, ...]:
    """Return a sentence for each hook, question or tile's power that leads nowhere, or () if all exist."""
    return tuple(dict.fromkeys((*_steps(rules), *_carried(rules))))


def _steps(rules: Named) -> Iterator[str]:
    if FIRST not in rules.steps:
        yield f"there is no step {FIRST!r}"
    for hook in HOOKS:
        for name in getattr(rules, hook):
            if name not in rules.steps:
                yield f"{hook} names {name!r}, which is no step"
    for name, step in rules.steps.items():
        question = question_of(step)
        if question is not None and question not in rules.steps:
            yield f"the step {name!r} asks {question!r}, which is no step"


def _carried(rules: Named) -> Iterator[str]:
    hooked = {name for hook in _TILE_HOOKS for name in getattr(rules, hook)}
    for kind, powers in rules.tiles.items():
        for power in powers:
            if _power(power) not in rules.steps and power not in hooked:
                yield f"the tile {kind!r} carries {power!r}, but there is no step {_power(power)!r}"


def printed_gaps(rules: Named) -> Iterator[str]:
    """Yield a sentence for each power, tile or secret role of a printed board that leads nowhere.

    It looks at every printed board: for every number of players, with every choice of options. No process
    waits for this before its first answer, because there are hundreds.
    """
    # Boards share most tracks, tiles and secret roles. Keep each once, with the first number of players that
    # has it.
    tracks: dict[tuple[str, tuple[str | None, ...]], int] = {}
    deck: dict[str, int] = {}
    secrets: dict[str, int] = {}
    for players, board in ((number, board) for number in rules.players for board in _boards(rules, number)):
        for track in board.tracks.items():
            tracks.setdefault(track, players)
        for tile in board.deck:
            deck.setdefault(tile, players)
        for card in board.secret_roles:
            secrets.setdefault(card, players)
    for (colour, slots), players in tracks.items():
        for power in slots:
            if power is not None and _power(power) not in rules.steps:
                where = f"for {players} players the {colour} track"
                yield f"{where} gives {power!r}, but there is no step {_power(power)!r}"
    for tile, players in deck.items():
        carried = rules.tiles.get(tiles.kind(tile))
        if carried is None or tiles.power(tile) not in (None, tiles.UNKNOWN, *carried):
            yield f"for {players} players the deck has {tile!r}, which is not among the tiles"
    for card, players in secrets.items():
        if card.partition(":")[2] not in rules.secret_roles:
            yield f"for {players} players there is {card!r}, which is not among the secret roles"


def _boards(rules: Named, players: int) -> Iterator[Board]:
    """Yield every board for this many players. Options that the board does not read are not varied."""
    begun: list[dict[str, str]] = [{}]
    while begun:
        chosen = begun.pop()
        try:
            yield rules.board(players, _Chosen(chosen, rules.options))
        except _Open as asked:
            option = rules.options[asked.option]
            fitting = [value for value in option.values if option.refuses(value, players) is None]
            begun += [{**chosen, asked.option: value} for value in fitting]


class _Open(Exception):
    """A board reads an option that has no value yet. This is not an error."""

    def __init__(self, option: str) -> None:
        super().__init__(option)
        self.option = option


class _Chosen(Mapping[str, str]):
    """Options with some values chosen. Reading any other option raises ``_Open``."""

    def __init__(self, chosen: Mapping[str, str], options: Collection[str]) -> None:
        self._chosen = chosen
        self._options = options

    def __getitem__(self, option: str) -> str:
        if option in self._chosen or option not in self._options:
            return self._chosen[option]
        raise _Open(option)

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


def _power(name: str) -> str:
    return f"power/{name}"
