"""The format of a ruleset's hints for computers."""

from collections.abc import Mapping
from dataclasses import field, fields
from enum import StrEnum
from functools import reduce
from operator import or_

from engine.facts import Fact
from engine.frozen import frozen


class Aim(StrEnum):
    """The purpose of a choice."""

    #: The chosen seat is to govern: nominations, special elections.
    LEAD = "lead"
    #: The chosen seat is hurt: killed, marked, smeared.
    HARM = "harm"
    #: The chosen seat gains: it is pardoned, brought back, or shown another seat's party.
    HELP = "help"
    #: The party of the chosen seat is learned.
    LEARN = "learn"
    #: The chosen seat is to join the chooser's party.
    ENLIST = "enlist"
    #: The chosen seat is shown together with Hitler, so that the table does not know which of the two is
    #: Hitler.
    BLAME = "blame"
    #: A tile that is to be discarded, or enacted.
    DISCARD = "discard"
    ENACT = "enact"
    #: A track that is to lose its last tile.
    UNDO = "undo"
    #: Put back or discard the tile that was seen on top of the pile.
    TOP = "top"
    #: A ballot on a government.
    BALLOT = "ballot"
    #: An answer to a request for a veto, or a sealed ballot on a veto.
    VETO = "veto"


#: The worth of a power or tile to each party. 1 is about the worth of an enacted tile of the party's own.
Gains = Mapping[str, float]


@frozen
class RulesetHints:
    """The hints of one ruleset, or hints that several rulesets share."""

    #: The aim of each question's options.
    aims: Mapping[str, Aim] = field(default_factory=dict)
    #: For questions that hurt a seat, the ending if that seat is Hitler.
    ending_if_hitler: Mapping[str, str] = field(default_factory=dict)
    #: The worth of a power (on a slot or a tile) to each party.
    power_worth: Mapping[str, Gains] = field(default_factory=dict)
    #: The worth of each kind of tile, in addition to its place on a track.
    tile_worth: Mapping[str, Gains] = field(default_factory=dict)
    #: Kinds of facts that the table never learns, not even that they happened.
    never_public: frozenset[type[Fact]] = frozenset()


def join(*tables: RulesetHints) -> RulesetHints:
    """Join several tables. A later one replaces entries of an earlier one."""
    names = [one.name for one in fields(RulesetHints)]
    return RulesetHints(**{name: reduce(or_, [getattr(table, name) for table in tables]) for name in names})
