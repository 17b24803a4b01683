"""Whole games of every ruleset, size and option are kept, and in them every fact that somebody
may know. Each is changed a little, and taken away: what is kept for that one must then read otherwise.

So a fact that no history tells is found by its kind and field, whichever expansion it came with.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import pytest

from bot.conversation.game.announce import role_card
from bot.conversation.game.tidying import learned
from bot.conversation.posting import telling_for_group
from bot.display.history import dealt, history_texts, replay_texts, round_block, votes_texts
from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Match, Player, Room
from bot.rooms.names import UserId
from bot.rooms.rounds import split_into_rounds
from bot.rooms.sealing import Proof
from bot.rooms.stored import EventLog
from engine import OFFERED, Chance, Event, Reply, Seat, Setup, answer, start, time_out
from engine.facts import CandidacyPassed, Fact, GameOver, RoundEnded
from engine.tiles import UNKNOWN
from sandbox.game import NAMES
from sandbox.random_games import every_setup, random_key
from sandbox.telegram.html import parse, utf16
from scripts.catalogues import compile_all
from tests.bot.conversation.people import CHAT

compile_all()

#: Facts that a history may leave out, since others say the same.
FORGOTTEN = {
    "opened": "the lobby said it",
    "tracks-laid": "so is the board",
    "round-ended": "the next one begins",
    "communists/meeting-ended": "it had begun",
}
#: Fields that a history may leave out, since others say the same.
IMPLIED = {
    ("candidacy-passed", "seat"): "it is the round's head, which is looked at by itself",
    ("nominated", "president"): "the candidate nominates",
    ("elected", "president"): "the candidate is elected",
    ("elected", "chancellor"): "the nominee is elected",
    ("voted", "passed"): "the ballots say it, and who is elected",
    ("enacted", "track"): "the tile says it",
    ("veto-requested", "seat"): "it is the Chancellor",
    ("veto-refused", "seat"): "it is the President",
    ("clock-answered", "question"): "it stands where it was asked",
    ("killed", "cause"): "what came before it says it",
    ("shuffled", "pile"): "what was drawn of it is told where it was drawn",
    ("shuffled", "discards_kept"): "a five-year plan keeps them",
    ("red-dawn/smeared", "until"): "it is always two elections",
    ("xl/marked", "due"): "it is always the third tile from then on",
    ("xl/no-confidence", "seat"): "it is the Chancellor",
    ("red-dawn/went-into-hiding", "until"): "it is always two elections",
}
#: The table only learns that these happened, as in every session.
UNSEEN = ("drew", "discarded", "passed", "sealed-veto/selected")
#: Facts about itself, or about Hitler, that a seat need not be told again.
ITS_OWN = {
    ("dealt", "party"): "the role says it, or the secret role beside it",
    ("recognised", "party"): "Hitler is a Fascist",
    ("communists/party-changed", "seat"): "it is told so itself",
    ("communists/conversion-failed", "seat"): "it is told so itself",
    ("red-dawn/went-into-hiding", "seat"): "it is told so itself",
}
#: These are on the role cards, and before the first round of the replay.
AT_THE_DEAL = ("dealt", "recognised")
#: The most values of a field kept, from which to choose another.
VALUES = 60
NAMED = [rules.name for rules in OFFERED]
#: The number of facts of each kind that are changed in a game, for each of their fields.
EACH = 2


@dataclass(frozen=True)
class Played:
    """A whole game, in its room."""

    room: Room

    @property
    def match(self) -> Match:
        assert self.room.match is not None
        return self.room.match

    def going_on(self) -> "Played":
        """Return the same just before its end, while secrets are still secret."""
        events = self.match.log
        assert isinstance(events[-1].fact, GameOver)
        return self.with_log(events[:-1])

    def with_log(self, events: Sequence[Event]) -> "Played":
        return Played(replace(self.room, match=replace(self.match, log=tuple(events))))


def play(setup: Setup, number: int) -> Played:
    """Play a random game, in which now and then the clock answers."""
    rng = random.Random(f"memory/{setup}/{number}")
    game, told = start(setup, Chance(random_key(rng)))
    events = list(told)
    while (question := game.question) is not None:
        if rng.random() < 0.02:
            game, told = time_out(game)
            events += told
            continue
        for seat, options in zip(question.seats, question.options, strict=True):
            game, told = answer(game, Reply(seat, question.number, rng.randrange(len(options))))
            events += told
        if question.meeting:
            game, told = time_out(game)
            events += told
    players = tuple(Player(UserId(100 + seat), NAMES[seat], "en") for seat in range(setup.players))
    match = Match(1, UserId(100), Proof("00"), players, game, EventLog(events))
    return Played(Room(CHAT, title="The Reichstag", match=match))


@cache
def games(name: str) -> tuple[Played, ...]:
    """Return a game of every size and set of options of a ruleset."""
    (rules,) = (rules for rules in OFFERED if rules.name == name)
    return tuple(play(setup, 0) for setup in every_setup((rules,)))


Pools = dict[tuple[str, str], list[Any]]


def pools_of(played: Iterable[Played]) -> Pools:
    """Return the values of each field in these games, by kind of fact."""
    found: Pools = defaultdict(list)
    for one in played:
        for event in one.match.log:
            for field in fields(event.fact):
                pool, value = found[event.fact.id, field.name], getattr(event.fact, field.name)
                if len(pool) < VALUES and value not in pool:
                    pool.append(value)
    return found


def changed(fact: Fact, pools: Pools, players: int, rng: random.Random) -> Iterator[tuple[str, Fact]]:
    """Yield variants of the fact, one for each field that says something."""
    for field in fields(fact):
        value = getattr(fact, field.name)
        if unknown(value) or (fact.id, field.name) in IMPLIED:
            continue
        others = [other for other in pools[fact.id, field.name] if fits(other, value, players)]
        if others:
            yield field.name, otherwise(fact, field.name, rng.choice(others))


def otherwise(fact: Any, field: str, value: Any) -> Fact:
    changed: Fact = replace(fact, **{field: value})
    return changed


def unknown(value: Any) -> bool:
    values = value if isinstance(value, tuple) else (value,)
    return None in values or UNKNOWN in values


def fits(other: Any, value: Any, players: int) -> bool:
    """Return True if another value could be here, and would say something else."""
    if type(other) is not type(value) or unknown(other):
        return False
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return len(other) == len(value) and sorted(other) != sorted(value)
    seats = other if isinstance(value, tuple) else (other,)
    small = all(not isinstance(seat, int) or seat < players for seat in seats)
    return bool(other != value and small)


def told(t: Telling, facts: Sequence[Fact]) -> str:
    return "".join(round_block(t, round_) for round_ in split_into_rounds(facts))


def rounds(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """Yield the facts by rounds; anything between two rounds belongs to the second one."""
    now: list[Fact] = []
    begun = False
    for fact in facts:
        now.append(fact)
        begun = begun or isinstance(fact, CandidacyPassed)
        if begun and isinstance(fact, RoundEnded):
            yield tuple(now)
            now, begun = [], False
    if begun:
        yield tuple(now)


class Sample:
    """Which facts are looked at: not all that are alike."""

    def __init__(self, each: int) -> None:
        self.each = each
        self.seen: dict[Any, int] = defaultdict(int)

    def wants(self, *what: Any) -> bool:
        self.seen[what] += 1
        return self.seen[what] <= self.each


def forgotten(t: Telling, pools: Pools, rng: random.Random, scrubbed: frozenset[Fact]) -> list[str]:
    """Find facts whose history would read the same without them, or differently."""
    found, sample, players = [], Sample(EACH), len(t.players)
    for facts in rounds(t.view.facts):
        as_it_was = told(t, facts)
        for at, fact in enumerate(facts):
            setting_up = fact.id == "shuffled" and CandidacyPassed not in map(type, facts[:at])
            five_years = getattr(fact, "discards_kept", False)
            unseen = fact.id in UNSEEN and fact in scrubbed
            if fact.id in FORGOTTEN or fact.id in AT_THE_DEAL or unseen or setting_up or five_years:
                continue
            if not sample.wants(fact.id):
                continue
            if fact.id != "candidacy-passed":
                found += [fact.id] if told(t, (*facts[:at], *facts[at + 1 :])) == as_it_was else []
            for field, other in changed(fact, pools, players, rng):
                if told(t, (*facts[:at], other, *facts[at + 1 :])) == as_it_was:
                    found.append(f"{fact.id}: {field}, {fact} or {other}")
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.quick("classic", "red-dawn")
def test_what_the_table_saw_stands_in_the_history(name: str) -> None:
    pools = pools_of(games(name))
    for played in games(name):
        going_on = played.going_on()
        t = telling_for_group(going_on.room, going_on.match).compact
        private = [event.fact for event in going_on.match.log if event.to is not None]
        scrubbed = frozenset(fact for each in private if (fact := each.scrub()))
        assert forgotten(t, pools, random.Random(0), scrubbed) == [], played.match.game.setup


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.quick("classic")
def test_at_the_end_all_that_happened_stands_in_the_replay(name: str) -> None:
    pools = pools_of(games(name))
    for played in games(name):
        t = telling_for_group(played.room, played.match).compact
        assert forgotten(t, pools, random.Random(0), frozenset()) == [], played.match.game.setup
        for field, other in (("role", "capitalist"), ("party", "other"), ("seat", 0)):
            for at, fact in enumerate(t.view.facts):
                if fact.id == "dealt" and getattr(fact, field) != other:
                    facts = (*t.view.facts[:at], otherwise(fact, field, other), *t.view.facts[at + 1 :])
                    assert dealt(replace(t, view=replace(t.view, facts=facts))) != dealt(t)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.quick("classic")
def test_what_a_seat_alone_saw_is_kept_for_it(name: str) -> None:
    pools = pools_of(games(name))
    rng = random.Random(0)
    # One of a kind for each number of players, because every change needs the whole history.
    samples: dict[int, Sample] = defaultdict(lambda: Sample(1))
    for played in games(name):
        going_on, sample = played.going_on(), samples[len(played.match.players)]
        events = going_on.match.log
        for at, event in enumerate(events):
            fact = event.fact
            for seat in event.to or ():
                if not sample.wants(fact.id, fact.id in UNSEEN and seat):
                    continue
                public = fact.scrub() is not None
                as_it_was = kept_for(going_on, seat, public)
                without = (*events[:at], *events[at + 1 :])
                assert kept_for(going_on.with_log(without), seat, public) != as_it_was, fact
                for field, other in changed(fact, pools, len(going_on.match.players), rng):
                    altered = (*events[:at], replace(event, fact=other), *events[at + 1 :])
                    listed = [getattr(one, field) for one in (fact, other)]
                    # A seat is told the others in its meeting.
                    own = isinstance(listed[0], tuple) and len({seat in seats for seats in listed}) > 1
                    if (fact.id, field) not in ITS_OWN and not own:
                        read = kept_for(going_on.with_log(altered), seat, public)
                        assert read != as_it_was, (fact, other)


def kept_for(played: Played, seat: int, public: bool) -> str:
    """Return all that a seat can read of a game: role card, private facts, and the group's texts."""
    room, match = played.room, played.match
    history = history_texts(telling_for_group(room, match), ()) if public else ()
    mine = (role_card(room, match, Seat(seat)), *learned(room, match, Seat(seat)))
    return "\n".join([*history, *(post.text for post in mine)])


LONG_NAMES = ("🦄" * 64, "<b>&" * 16, "W" * 64)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.quick("classic")
def test_the_longest_history_fits_telegrams_limits(name: str) -> None:
    for played in games(name):
        seated = enumerate(played.match.players)
        players = tuple(replace(player, name=LONG_NAMES[seat % len(LONG_NAMES)]) for seat, player in seated)
        going_on = Played(replace(played.room, match=replace(played.going_on().match, players=players)))
        over = Played(replace(played.room, match=replace(played.match, players=players)))
        t = telling_for_group(going_on.room, going_on.match)
        ended = replay_texts(telling_for_group(over.room, over.match), over.match.claims)
        texts: list[str] = [*history_texts(t, ()), *votes_texts(t), *ended]
        told_now = [learned(going_on.room, going_on.match, Seat(seat)) for seat in range(len(players))]
        texts += [post.text for each in told_now for post in each]
        for text in texts:
            plain, entities = parse(text)
            assert utf16(plain) <= 4096
            assert len(entities) <= 100


def test_only_the_latest_rounds_of_a_history_stand_unfolded() -> None:
    played = next(played.going_on() for played in games("classic") if 5 < played.match.round < 9)
    (text,) = history_texts(telling_for_group(played.room, played.match), ())
    assert text.startswith(f"{Words().html('history.title')}\n<blockquote expandable><b>1. ")
    left_open = text.rpartition("</blockquote>")[2]
    numbers = [int(number) for number in re.findall(r"<b>(?:📯 )?(\d+)\. ", left_open)]
    assert numbers == [played.match.round - 1, played.match.round]
