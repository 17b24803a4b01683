"""A person's record: ratings (overall, by role, by ruleset), the rating's curve, and how well they played.

One small document per person. Its size is limited: there are few roles and rulesets, and the curve has only
the last games. Wins and games are counted elsewhere (``bot.records.ratings.counts_of``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from pydantic_core import from_json, to_json

from bot.records.accuracy import accuracy_of
from bot.records.ratings import NEWCOMER, Rating, rated, result_of
from bot.rooms.balance import expected_wins
from engine import SEATS, Event, Seat
from engine.claim import Claim
from engine.facts import Opened
from engine.frozen import frozen

#: The sort key of the document; its partition is the person's.
SORT: Final = "record"
#: The schema that this code writes.
SCHEMA: Final = 1
#: The number of games in the rating's curve.
CURVE: Final = 60
#: The name of a count: the wins that an average player would have had in the person's games, in thousandths.
EXPECTED: Final = "expected"


@frozen
class OwnRecord:
    """A person's record."""

    #: Keys: ``""`` (in all), ``role/<role>`` and ``ruleset/<ruleset>``.
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    #: The rating after each of the last games, as shown.
    curve: tuple[int, ...] = ()
    #: ``EXPECTED``, and the counts of ``bot.records.accuracy``.
    counts: Mapping[str, int] = field(default_factory=dict)

    def rating(self, kind: str) -> Rating:
        """Return the rating of a kind."""
        return self.ratings.get(kind, NEWCOMER)


def with_game(
    records: Mapping[Seat, OwnRecord], log: Sequence[Event], claims: Sequence[Claim]
) -> dict[Seat, OwnRecord]:
    """Return the records by seat after a finished game; seats without a record count as newcomers."""
    result, accuracy = result_of(log), accuracy_of(log, claims)
    opened = log[0].fact
    assert isinstance(opened, Opened)
    kinds = [("", f"role/{role}", f"ruleset/{result.ruleset.partition('@')[0]}") for role in result.roles]
    after = []
    for names in zip(*kinds, strict=True):
        seats = zip(SEATS, names, strict=False)
        before = [records.get(seat, OwnRecord()).rating(name) for seat, name in seats]
        after.append(rated(before, result.sides, result.winners))
    found = {}
    for seat, old in records.items():
        ratings = {**old.ratings, **{kinds[seat][place]: after[place][seat] for place in range(3)}}
        share = expected_wins(opened.setup, result.sides[seat], result.sides)
        added = {**accuracy[seat], EXPECTED: round(1000 * share)}
        counts = {name: old.counts.get(name, 0) + added.get(name, 0) for name in {*old.counts, *added}}
        curve = (*old.curve, ratings[""].shown)[-CURVE:]
        found[seat] = replace(old, ratings=ratings, curve=curve, counts=counts)
    return found


def encode_record(record: OwnRecord) -> bytes:
    """Return the document's body."""
    ratings = {kind: (round(one.mu, 4), round(one.sigma, 4)) for kind, one in sorted(record.ratings.items())}
    counts = dict(sorted(record.counts.items()))
    return to_json({"schema": SCHEMA, "ratings": ratings, "curve": record.curve, "counts": counts})


def decode_record(body: bytes) -> OwnRecord:
    """Return the record in a document's body, or an empty one for no bytes."""
    if not body:
        return OwnRecord()
    stored: dict[str, Any] = from_json(body)
    ratings = {kind: Rating(mu, sigma) for kind, (mu, sigma) in stored["ratings"].items()}
    return OwnRecord(ratings, tuple(stored["curve"]), stored["counts"])


# --- profile ------------------------------------------------------------------------------------------------
# The part of a person's profile that the conversation needs.

#: The option that turns advice on or off. Without it, a person gets advice in their first games.
ADVICE: Final = "advice"
#: The number of a person's first games with advice.
ADVISED_GAMES: Final = 3
#: The option that asks for a second tap on more answers than fatal ones.
CONFIRM: Final = "confirm"
#: The option that keeps a person out of all statistics when it is False.
COUNTED: Final = "statistics"


@frozen
class Profile:
    """A person's choices and figures."""

    #: The language that they chose; None: the one that Telegram names.
    language: str | None = None
    #: Statistics by name.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: True if they are in statistics.
    counted: bool = True
    #: Their own record of games.
    record: OwnRecord = field(default_factory=OwnRecord)
    #: In how many more games they get advice.
    advised: int = 0
    #: True if nominating, discarding and enacting take a second tap.
    confirms: bool = False


def is_counted(options: Mapping[str, Any]) -> bool:
    """Return True if a person is in statistics. Everybody is, unless they opted out."""
    return options.get(COUNTED) is not False


def games_advised(counts: Mapping[str, int], options: Mapping[str, Any]) -> int:
    """Return in how many more games a person gets advice. Advice that they asked for never ends."""
    wanted = options.get(ADVICE)
    if wanted is not None:
        return ADVISED_GAMES + 1 if wanted else 0
    played = counts.get("games", 0) + counts.get("games/computers", 0)
    return max(0, ADVISED_GAMES - played)
