"""The shape of what a ruleset tells the mind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.facts import Fact


class Aim(StrEnum):
    """What choosing somebody, or something, is for."""

    #: The chosen seat is to govern: nominations, special elections.
    LEAD = "lead"
    #: It is hurt: killed, marked, smeared.
    HARM = "harm"
    #: It gains: pardoned, brought back.
    HELP = "help"
    #: Its party is learned.
    LEARN = "learn"
    #: It is to become one of the chooser's party.
    ENLIST = "enlist"
    #: It is shown another one's party.
    SHOW = "show"
    #: It is shown beside Hitler.
    BLAME = "blame"
    #: A tile: to be thrown away, or to be enacted.
    DISCARD = "discard"
    ENACT = "enact"
    #: A track that is to lose its last tile.
    UNDO = "undo"
    #: Keep or throw away what was seen on top of the pile.
    TOP = "top"
    #: A ballot on a government; an answer to a request for a veto, or a sealed ballot on one.
    BALLOT = "ballot"
    VETO = "veto"


#: What a power is worth to the parties when a government's tile brings it, in parts of a tile of one's own.
Gains = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Worth:
    """A ruleset's table."""

    #: By question, what its options are for.
    aims: Mapping[str, Aim] = field(default_factory=dict)
    #: By question that hurts somebody, the ending that it brings where that is Hitler.
    fates: Mapping[str, str] = field(default_factory=dict)
    #: By power (of a slot or on a tile), what it is worth to the party of whoever uses it.
    powers: Mapping[str, Gains] = field(default_factory=dict)
    #: By kind of tile, what it is worth beside lying on its track.
    tiles: Mapping[str, Gains] = field(default_factory=dict)
    #: Kinds of facts of which the table never hears, not even that they happened.
    private: frozenset[type[Fact]] = frozenset()
    #: Kinds of facts after which, if the game goes on, a seat is not Hitler: the fact's field that names the
    #: seat, and the ending that there would have been.
    innocent: Mapping[type[Fact], tuple[str, str]] = field(default_factory=dict)
    #: Kinds of facts that show some seats of which one is Hitler: the field that names them.
    among: Mapping[type[Fact], str] = field(default_factory=dict)
    #: Kinds of facts by which the viewer knows whom somebody tried to convert: the field that names the seat.
    converts: Mapping[type[Fact], str] = field(default_factory=dict)
    #: Kinds of facts by which the table knows that somebody may have been converted, with the field and
    #: the values of it that mean so (no field: always).
    spreads: Mapping[type[Fact], tuple[str, frozenset[str]]] = field(default_factory=dict)
    #: Kinds of facts by which tiles come into the draw pile: the field that names them.
    adds: Mapping[type[Fact], str] = field(default_factory=dict)
    #: Kinds of facts by which the top tile of the pile is thrown away: the field that names it.
    skims: Mapping[type[Fact], str] = field(default_factory=dict)
    #: Kinds of facts by which a tile comes off a track: the field that names it, and the one that says
    #: whether it left the game instead of lying among the discards again.
    returns: Mapping[type[Fact], tuple[str, str]] = field(default_factory=dict)


def joined(*tables: Worth) -> Worth:
    """Several tables as one; a later one replaces what an earlier one says of the same name."""
    return Worth(
        aims={name: aim for table in tables for name, aim in table.aims.items()},
        fates={name: ending for table in tables for name, ending in table.fates.items()},
        powers={name: gains for table in tables for name, gains in table.powers.items()},
        tiles={name: gains for table in tables for name, gains in table.tiles.items()},
        private=frozenset(kind for table in tables for kind in table.private),
        innocent={kind: told for table in tables for kind, told in table.innocent.items()},
        among={kind: told for table in tables for kind, told in table.among.items()},
        converts={kind: told for table in tables for kind, told in table.converts.items()},
        spreads={kind: told for table in tables for kind, told in table.spreads.items()},
        adds={kind: told for table in tables for kind, told in table.adds.items()},
        skims={kind: told for table in tables for kind, told in table.skims.items()},
        returns={kind: told for table in tables for kind, told in table.returns.items()},
    )
