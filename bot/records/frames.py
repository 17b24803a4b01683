"""A finished game in steps, to watch it again: as the table saw it, or with everything shown."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from bot.records.archive import decode_archive, decode_replayable
from bot.rooms.model import Match, Player
from bot.rooms.rounds import OF_SESSION
from engine import SEATS, Event, Game, View, fold, seen
from engine import facts as f
from engine.claim import Claim
from engine.facts import Fact, Opened
from engine.frozen import frozen

#: The facts that begin a step; a session begins when the President draws.
_BEGINS = (f.CandidacyPassed, f.Voted, f.NoElection, f.Drew, f.GameOver)
#: Facts that belong to the policy enacted just before.
TAIL = (
    *(f.VetoUnlocked, f.Shuffled, f.PowerLapsed, f.ClockAnswered, f.RoundEnded),
    *(f.TrackerAdvanced, f.ConfirmedNotHitler),
)


@frozen
class Frame:
    """One step: events ``first`` up to ``last`` of the log, in a round (0: before the first)."""

    round: int
    first: int
    last: int


@frozen
class Replay:
    """A finished game, to watch step by step."""

    match: Match

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The steps. The last one is the end, in which everything is shown."""
        log = self.match.log
        edges = [0]
        rounds = [0]
        number, enacted = 0, False
        for at, event in enumerate(log):
            fact = event.fact
            power = enacted and not isinstance(fact, TAIL) and not fact.id.endswith("tile-removed")
            chaos = isinstance(fact, f.Enacted) and fact.chaos
            if isinstance(fact, _BEGINS) or power or chaos:
                number += isinstance(fact, f.CandidacyPassed)
                edges.append(at)
                rounds.append(number)
                enacted = False
            enacted = enacted or isinstance(fact, f.Enacted)
        ends = [*edges[1:], len(log)]
        return tuple(Frame(*each) for each in zip(rounds, edges, ends, strict=True))

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.frames[-1].round

    def at(self, number: int) -> int:
        """Return the nearest existing step."""
        return min(max(number, 0), len(self.frames) - 1)

    def first_of(self, number: int) -> int:
        """Return the first step of a round, or the nearest existing one."""
        return next(
            (at for at, frame in enumerate(self.frames) if frame.round >= number), len(self.frames) - 1
        )

    def view(self, number: int, *, with_secrets: bool) -> View:
        """Return the group's view after a step, or (``with_secrets``) a view that shows everything."""
        log = self.match.log[: self.frames[number].last]
        facts = tuple([event.fact for event in log]) if with_secrets else seen(log, None)
        return View(None, fold(facts), facts)

    def facts(self, number: int, *, with_secrets: bool) -> tuple[Fact, ...]:
        """Return the facts of a step: as the group knew them, or (``with_secrets``) in full."""
        frame = self.frames[number]
        log = self.match.log[: frame.last]
        if with_secrets:
            return tuple([event.fact for event in log[frame.first :]])
        if isinstance(log[-1].fact, f.GameOver):
            return (*seen(log[:-1], None, frame.first), log[-1].fact)
        return seen(log, None, frame.first)

    def claims(self, number: int) -> tuple[Claim, ...]:
        """Return the claims to tell in a step.

        Claims about a session come in the step in which it ends, others in the last step of their round.
        """
        frames, log = self.frames, self.match.log
        round_number = frames[number].round
        last = bisect_right([frame.round for frame in frames], round_number) - 1
        if isinstance(log[frames[last].first].fact, f.GameOver):
            last = max(last - 1, 0)  # the end only tells who won
        ended = [at for at in range(last + 1) if frames[at].round == round_number and self._ends_session(at)]
        session = ended[-1] if ended else last
        return tuple(
            claim
            for claim in self.match.claims
            if claim.round == round_number and number == (session if claim.kind in OF_SESSION else last)
        )

    def ends_game(self, number: int) -> bool:
        """Return True if this step ended the game. The next one, the last, tells who won."""
        return number == len(self.frames) - 2

    def _ends_session(self, number: int) -> bool:
        """Return True if a government enacts or vetoes in this step."""
        frame = self.frames[number]
        facts = [event.fact for event in self.match.log[frame.first : frame.last]]
        enacted = any(isinstance(fact, f.Enacted) and not fact.chaos for fact in facts)
        return enacted or any(isinstance(fact, f.Vetoed) for fact in facts)


def match_of(body: bytes, players: Sequence[Player]) -> Match:
    """Return a finished game from its archive's body. Raises like ``decode_archive``."""
    source = decode_replayable(body)
    log: tuple[Event, ...] = source.log
    opened = log[0].fact
    if not isinstance(opened, Opened):
        raise ValueError("not a game")
    setup = opened.setup
    game = Game(setup, source.proof.chance(setup, source.number), fold(event.fact for event in log))
    return Match(
        source.number, None, source.proof, tuple(players), game, log, claims=source.claims, archived=True
    )


def players_of(body: bytes, names: Sequence[str | None], language: str) -> tuple[Player, ...]:
    """Return the players without ids, with their names if known. Computers are marked as computers."""
    archived = decode_archive(body)
    robots = {*archived.computers, *archived.stand_ins}
    players = []
    for seat, name in zip(SEATS, names, strict=False):
        called = archived.names.get(seat) or name or ("" if seat in robots else "👤")
        players.append(Player(None, called, language, seat in robots))
    return tuple(players)
