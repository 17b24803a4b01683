"""Check that everything that can happen in a game has steps, words and icons.

A process that waits for this answers its first update later. So it is done once for each state of the code:
by the tests, when a stack is deployed, and when the bot starts at home.
"""

from collections.abc import Iterable, Iterator

from bot.display.expansion_parts import Expansion
from bot.display.expansions import SHOWN
from bot.display.words import Words
from engine import KNOWN, Ruleset, Setup
from engine.facts import Fact
from engine.gaps import printed_gaps
from engine.question import question_of


class Incomplete(ValueError):
    """Something in a ruleset has no step, no words or no icon."""


def check() -> None:
    """Raise Incomplete if anything that can be played has no step, no words or no icon.

    Its text lists everything that is missing.
    """
    if found := tuple(gaps()):
        raise Incomplete("\n".join(found))


def gaps(
    rulesets: Iterable[Ruleset] = KNOWN, shown: Expansion = SHOWN, words: Words | None = None
) -> Iterator[str]:
    """Yield a sentence for each thing that is missing.

    It may be a step, tile or secret role of a printed board, an icon, a text, or a line that tells a fact.
    """
    catalogue = words or Words()
    for kind in dict.fromkeys(Fact.kinds.values()):
        if kind not in shown.lines and kind not in shown.without_line:
            yield f"the fact {kind.id!r} has no line, and is not among those without one on purpose"
        elif kind in shown.without_line and kind not in shown.remembered and kind not in shown.forgotten:
            yield f"no history tells of the fact {kind.id!r}, and it is not among the forgotten ones"
    for name in (*(mark.icon for mark in shown.marks), *(face.icon for face in shown.faces.values())):
        if name is not None and name not in shown.icons:
            yield f"there is no icon {name!r}"
    needed = [f"option.{verb}" for verb in sorted(shown.verbs)]
    for rules in rulesets:
        yield from (f"{rules.id}: {gap}" for gap in printed_gaps(rules))
        yield from _missing_icons(rules, shown)
        needed += [key for key in _catalogue_keys(rules, shown) if key not in needed]
    for key in needed:
        if not catalogue.has(key):
            yield f"the catalogue has no words for {key!r}"


def _missing_icons(rules: Ruleset, shown: Expansion) -> Iterator[str]:
    for power in _powers(rules):
        if f"power/{power}" not in shown.icons:
            yield f"{rules.id}: the power {power!r} has no icon"
    boards = [rules.board_for(Setup(rules.id, players)) for players in rules.players]
    endings = {ending for board in boards for ending in board.endings}
    for ending in sorted(endings - shown.endings.keys()):
        yield f"{rules.id}: the ending {ending!r} has no icons"
    for role in rules.secret_roles:
        if f"role/{role}" not in shown.icons:
            yield f"{rules.id}: the role {role!r} has no icon"


def _powers(rules: Ruleset) -> tuple[str, ...]:
    """Return the powers that spaces on the board or tiles of this ruleset may have."""
    carried = (power for powers in rules.tiles.values() for power in powers)
    return tuple(dict.fromkeys((*rules.powers, *carried)))


def _catalogue_keys(rules: Ruleset, shown: Expansion) -> Iterator[str]:
    """Yield the catalogue's keys that a ruleset needs: for its names, questions and refusals."""
    yield f"ruleset.{rules.name}"
    yield from (f"tile.{kind}" for kind in rules.tiles)
    for power in _powers(rules):
        yield from (f"power.{power}", f"rules.power.{power}")
    for role in rules.secret_roles:
        yield from (f"role.{role}", f"role.{role}.about", f"rules.secret.{role}")
    yield from (f"parties.{role}" for role in rules.own_sides)
    for option, choice in rules.options.items():
        yield from (f"setup.{option}", f"setup.about.{option}")
        yield from (f"value.{value}" for value in choice.values)
        refused = {choice.refuses(value, players) for value in choice.values for players in rules.players}
        yield from (f"illegal.{reason}" for reason in sorted(refused - {None}, key=str))
    for question in sorted({asked for step in rules.steps.values() if (asked := question_of(step))}):
        yield from (f"ask.{question}", f"waiting.{question}")
        if question not in shown.without_record:
            yield f"answered.{question}"
