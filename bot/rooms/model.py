"""A room: everything of one chat, or one topic of a forum. Rooms are values, changed by ``replace``."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from bot.rooms.event_log import EventLog
from bot.rooms.guessing import Guesser
from bot.rooms.night import UTC, Night
from bot.rooms.own_board import OwnBoard
from bot.rooms.player import Player as Player
from bot.rooms.player import people_of
from bot.rooms.sealing import Proof, Sealed
from bot.rooms.stored import GameAsStored, read_log, write_log
from engine import Event, Game, Illegal, Setup, View, fold, ruleset
from engine.claim import Claim
from engine.facts import Voted


@dataclass(frozen=True, slots=True)
class Practice:
    """How a practice game differs from others. Nothing of it is recorded."""

    #: Whether each prompt has a line of advice.
    advice: bool


#: None: a game of a group, of which then nothing is stored here.
MaybePractice = Annotated[Practice | None, Field(exclude_if=operator.not_)]


@dataclass(frozen=True, slots=True)
class Settings:
    """A group's settings for all of its games."""

    language: str = "en"
    theme: str = "weimar"
    #: How long the clock lets people think: "off", "relaxed" or "fast".
    clock: str = "off"
    #: Seconds that a meeting of the Communists lasts, whoever is there.
    meeting: int = 60
    #: Where ballots are cast: "private", or "group" (under the nomination; only the tapper and the bot know).
    ballots: str = "private"
    #: Whether the dead and the legislating government are quiet: "ruleset" (on in ``online``), "on", "off".
    silence: str = "ruleset"
    #: Whether the dead may follow with all cards open: "on", "off".
    open_cards: str = "off"
    #: How well computers play: "novice" or "seasoned".
    strength: str = "seasoned"
    #: Whether a computer plays for whoever gets up in a game, until somebody sits down there: "on", "off".
    stand_in: str = "on"
    #: Whether computers say a line with a claim: "on", "off".
    talk: str = "on"
    #: The people who may plan game nights: "admins" or "anyone".
    nights: str = "admins"
    #: The group's time zone, by its name in the tz database.
    timezone: str = UTC


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game that people may join."""

    number: int
    #: Whose it is to lead; None: nobody's but the admins'.
    host: int | None
    setup: Setup
    players: tuple[Player, ...] = ()
    #: The seeds of earlier seals of it, which could not be posted: they count as attempts.
    given_up: tuple[str, ...] = ()
    #: When somebody last touched it, in seconds since 1970.
    touched: int = 0
    #: What its buttons show: None the lobby's own, 0 what can be set up, n the values of the n-th of those.
    panel: int | None = None
    #: The group's own board that is played on, as it was when it was chosen.
    own: OwnBoard | None = None
    practice: MaybePractice = None

    @property
    def sizes(self) -> Sequence[int]:
        """Return the numbers of players that can play. If none fits the board, those of the ruleset."""
        own = None if self.own is None else self.own.sizes(self.setup.options)
        return own or ruleset(self.setup.ruleset).players

    def setup_for(self, players: int) -> Setup:
        """Return the game for so many players. Raises Illegal with the reason if they cannot play it."""
        setup = replace(self.setup, players=players)
        if self.own is not None:
            for reason in self.own.reasons(players, setup.options):
                raise Illegal(reason)
            setup = replace(setup, board=self.own.board(players, setup.options))
        ruleset(setup.ruleset).check(setup)
        return setup

    @property
    def people(self) -> Mapping[int, int]:
        """By place in the list, the people among the players."""
        return people_of(self.players)

    def seats(self, user: int) -> bool:
        """Return whether a person has a seat here."""
        return user in self.people.values()

    @property
    def computer_count(self) -> int:
        """How many of the players are computers."""
        return sum(player.computer for player in self.players)

    @property
    def hostless(self) -> bool:
        """Return whether somebody leads this lobby who has no seat in it."""
        return self.host is not None and not self.seats(self.host)

    @property
    def heir(self) -> int | None:
        """Return who may take over from a host without a seat: the first who joined, if anybody did."""
        return next(iter(self.people.values()), None) if self.hostless else None


@dataclass(frozen=True, slots=True)
class ClockCall:
    """Somebody called for the clock."""

    #: The number of the question that was open.
    question: int
    #: Since when the notice counts, in seconds since 1970.
    at: int


#: Whom a seat said in a round that it suspects: the seat, the round, the seats.
Suspicion = tuple[int, int, tuple[int, ...]]
#: A player's private note on another one.
Note = Literal["trust", "suspect", "unsure"]
#: What a claim is named by: its seat, its round, its kind.
ClaimKey = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class FirstTap:
    """The first of the two taps that some answers take."""

    #: The place of the tapped option.
    choice: int
    #: In milliseconds since 1970.
    at: int


@dataclass(frozen=True, slots=True)
class CallingOff:
    """Somebody wants to call the game off, which takes a majority."""

    #: When the vote began, in seconds since 1970.
    at: int
    #: The seats that want it.
    votes: tuple[int, ...]


@dataclass(frozen=True)
class Match:
    """A game being played, or the last one that was.

    It has no slots: what follows from its seats is asked for again and again, and worked out once.
    """

    number: int
    host: int | None
    proof: Proof
    players: tuple[Player, ...]
    game: GameAsStored
    log: Annotated[tuple[Event, ...], PlainValidator(read_log), PlainSerializer(write_log, list[Any])]
    #: The event with which the group's latest post begins.
    posted: int = 0
    #: True if that post waits for what computers do next, to be one post with it.
    held: Annotated[bool, Field(exclude_if=operator.not_)] = False
    #: Whether that post is a picture with a caption.
    pictured: bool = False
    #: Since when the open question's time counts, in seconds since 1970, and how many reminders went out
    #: since. After the last question: when the game ended.
    asked_at: int = 0
    reminders: int = 0
    #: When the open question was put, whatever its time counts from; in seconds since 1970.
    opened_at: int = 0
    called: ClockCall | None = None
    #: When the group was last told who has still to act, in seconds since 1970.
    named_at: int = 0
    #: Whether beside the game's own post there is one about the open question, with buttons or a time.
    noticed: bool = False
    #: The number of the last ballot for which the group was told how many had voted, and how many had.
    counted: tuple[int, int] | None = None
    #: The numbers of the questions that were ballots, and are over.
    voted: tuple[int, ...] = ()
    #: Seats whose players left: open to a substitute, and until then a computer's or the clock's.
    away: tuple[int, ...] = ()
    #: When a computer last took the place of somebody who left, in seconds since 1970.
    stood_in_at: int = 0
    #: By seat, how many decisions in a row the clock made for it.
    missed: Mapping[int, int] = field(default_factory=dict)
    #: By seat, who is rated, and whose result it is: fixed at the deal, whoever plays there later. Until its
    #: end is recorded.
    rated: Mapping[int, Player] = field(default_factory=dict)
    #: Whether people vote on calling it off.
    calling_off: CallingOff | None = None
    #: Seats whose players missed so much that a computer answers for them, until they tap again.
    asleep: tuple[int, ...] = ()
    #: People (user ids) who restarted the open question's time by leaving or sitting down. Each may once.
    renewed: tuple[int, ...] = ()
    #: Who had a seat before its present player, by user id: they know what it knew. Until the game is over.
    former: Mapping[int, int] = field(default_factory=dict)
    #: Seats whose players Telegram lets nobody write to, as far as the bot knows.
    unreached: tuple[int, ...] = ()
    #: Who gave up a dead seat: they stay silent where the dead are, by user id. Until the game is over.
    hushed: tuple[int, ...] = ()
    #: Whether the group was told that the bot cannot take away what the silent write.
    loud: bool = False
    #: The seats of which the group was told so: once a game.
    blamed: tuple[int, ...] = ()
    #: Dead seats whose players follow with all cards open.
    watching: tuple[int, ...] = ()
    #: By seat, the seats that want its player replaced.
    against: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    #: What seats said with /suspect, the latest of each in each round.
    suspicions: tuple[Suspicion, ...] = ()
    #: The guessers of *Guess the line*, in the order in which they began. Until the game is over.
    guessers: Annotated[tuple[Guesser, ...], Field(exclude_if=operator.not_)] = ()
    #: Claims that the group has not read yet, since when, and those that its latest post tells.
    untold: tuple[ClaimKey, ...] = ()
    untold_at: int = 0
    news: tuple[ClaimKey, ...] = ()
    #: The latest round in which claims had a post of their own.
    told_round: int = 0
    #: By seat, the place of the option that a computer has chosen of what is asked now, and has not said yet.
    decided: Mapping[int, int] = field(default_factory=dict)
    #: The first tap on an answer to the open question, if it takes two. Such a question has one seat.
    first_tap: Annotated[FirstTap | None, Field(exclude_if=operator.not_)] = None
    #: By seat, the private notes of its player on other seats. Until the game is over.
    notes: Annotated[Mapping[int, Mapping[int, Note]], Field(exclude_if=operator.not_)] = field(
        default_factory=dict
    )
    cancelled: bool = False
    #: Whether its end is in the archives and statistics.
    archived: bool = False
    #: The group's own board that it is played on.
    own: OwnBoard | None = None
    practice: MaybePractice = None

    def __post_init__(self) -> None:
        if not isinstance(self.log, EventLog):
            object.__setattr__(self, "log", EventLog(self.log))

    @cached_property
    def over(self) -> bool:
        """Return whether nothing is asked any more."""
        return self.cancelled or self.game.question is None

    @property
    def won(self) -> bool:
        """Return whether it was played to its end, so that nothing of it is secret any more."""
        return self.game.table.winners is not None

    @property
    def round(self) -> int:
        """The number of the round that is being played, or was last."""
        return self.game.table.round

    @property
    def to_archive(self) -> bool:
        """Return whether it was played to its end, which is not in the archives yet."""
        return self.practice is None and not self.archived and not self.cancelled and self.won

    def with_claims(self, claims: Sequence[Claim], now: int) -> "Match":
        """Return the game with these claims, which the group is still to read.

        A claim takes the place of an earlier one of the same thing.
        """
        keys = [(claim.seat, claim.round, claim.kind) for claim in claims]
        kept = [claim for claim in self.claims if (claim.seat, claim.round, claim.kind) not in keys]
        untold = dict.fromkeys((*self.untold, *keys))
        return replace(
            self,
            claims=(*kept, *claims),
            untold=tuple(untold),
            untold_at=self.untold_at if self.untold else now,
        )

    def told_claims(self, keys: Sequence[ClaimKey]) -> list[Claim]:
        """Return the claims with these keys, as they are now."""
        return [claim for claim in self.claims if (claim.seat, claim.round, claim.kind) in keys]

    def told(self, *, afresh: bool) -> "Match":
        """Return the game once its latest post tells all claims. ``afresh``: it is a new post."""
        news = self.untold if afresh else tuple(dict.fromkeys((*self.news, *self.untold)))
        return replace(self, news=news, untold=(), untold_at=0)

    def message_name(self, seat: int, name: str) -> str:
        """Return the name of a message to a seat, different for each player who has had it."""
        before = sum(had == seat for had in self.former.values())
        return f"{name}-{before}" if before else name

    def without_notes(self, seat: int | None) -> "Match":
        """Return the game without a seat's private notes."""
        return replace(self, notes={other: own for other, own in self.notes.items() if other != seat})

    @property
    def guessing(self) -> frozenset[int]:
        """The people who guess at the Fascists, by user id."""
        players = (guesser.player for guesser in self.guessers)
        return frozenset(player.id for player in players if player is not None and player.id is not None)

    @cached_property
    def people(self) -> Mapping[int, int]:
        """By seat, the people at the table, and those who left and whose place is open."""
        return people_of(self.players)

    @cached_property
    def present(self) -> Mapping[int, int]:
        """By seat, the people who have not left."""
        return {seat: user for seat, user in self.people.items() if seat not in self.away}

    @cached_property
    def in_person(self) -> Mapping[int, int]:
        """Return by seat the people who are asked and told. Computers play for the others."""
        return {seat: user for seat, user in self.people.items() if not self.players[seat].computer}

    @cached_property
    def computer_seats(self) -> tuple[int, ...]:
        """The seats that computers play."""
        return tuple([seat for seat, player in enumerate(self.players) if player.computer])

    @cached_property
    def computers_from_start(self) -> tuple[int, ...]:
        """Return the computers' seats that were theirs from the start and stand in for nobody."""
        return tuple([seat for seat in self.computer_seats if seat not in (*self.away, *self.asleep)])

    def seat_of(self, user: int) -> int | None:
        """The seat of a person, or None for a stranger."""
        return next((seat for seat, other in self.people.items() if other == user), None)

    def seat_played_by(self, user: int) -> int | None:
        """Return the seat that a person plays; None for a stranger, and if a computer plays for them."""
        seat = self.seat_of(user)
        return None if seat is None or self.players[seat].computer else seat

    def open_view(self) -> View:
        """All that happened, whole: of a game that was called off, or for dead who follow with open cards."""
        facts = tuple([event.fact for event in self.log])
        table = fold(facts)
        table.winners = ()  # nothing of it is hidden, and nobody has won
        return View(None, table, facts)

    @property
    def clock_called(self) -> bool:
        """Return whether somebody called for the clock on the question that is open now."""
        question = self.game.question
        return question is not None and self.called is not None and self.called.question == question.number

    def went_on(self, game: Game, events: Sequence[Event], now: int) -> "Match":
        """The same after something happened: the time for what is asked then counts from ``now`` on."""
        assert isinstance(self.log, EventLog)
        return replace(
            self,
            game=game,
            log=self.log.followed_by(events),
            asked_at=now,
            opened_at=now,
            reminders=0,
            called=None,
            noticed=False,
            renewed=(),
            decided={},
            first_tap=None,
            voted=(*self.voted, *self._closed_ballot(events)),
        )

    def _closed_ballot(self, events: Sequence[Event]) -> tuple[int, ...]:
        """The number of the question that these events close, if it was a ballot."""
        question = self.game.question
        voted = question is not None and any(isinstance(event.fact, Voted) for event in events)
        return (question.number,) if voted and question is not None else ()

    def ballot(self, number: int) -> Voted | None:
        """How the ballot ended that was the question of this number, for all to see.

        None where there was none, or where it was held before games remembered their numbers.
        """
        if number not in self.voted:
            return None
        held = [fact for fact in self.view(None).facts if isinstance(fact, Voted)]
        return held[self.voted.index(number) - len(self.voted)]

    def view(self, seat: int | None) -> View:
        """Return the knowledge of a seat, or of the group, now."""
        assert isinstance(self.log, EventLog)
        return self.log.view(seat)


@dataclass(frozen=True, slots=True)
class Muted:
    """The group takes no message of the bot's: it is muted, its topic closed, or the bot restricted there."""

    #: Since when, in seconds since 1970.
    since: int
    #: When it is tried again.
    look: int
    #: When those at the table were last told.
    told: int
    #: Whether it takes messages again, as far as is known; then the rest says how it was last.
    over: bool = False


@dataclass(frozen=True)
class Room:
    """A chat or topic with its settings and at most one game."""

    chat: int
    topic: int | None = None
    title: str = ""
    settings: Settings = Settings()
    #: How many lobbies were ever opened here; the newest one's number.
    games: int = 0
    lobby: Lobby | None = None
    #: The game that is about to be dealt: until then nobody joins, leaves, sets or cancels anything.
    sealed: Sealed | None = None
    match: Match | None = None
    #: Whether the group takes pictures, as far as is known.
    pictures: bool = True
    #: When pictures are tried again where it takes none, in seconds since 1970.
    pictures_at: int = 0
    #: Whether the bot was taken out of the group, or may not write there (see ``muted``), in the middle of a
    #: lobby or a game: all of it waits.
    out: bool = False
    muted: Muted | None = None
    #: Who wants to hear of the next lobby.
    next_game: tuple[Player, ...] = ()
    #: The next game night, if one is planned.
    night: Annotated[Night | None, Field(exclude_if=operator.not_)] = None
    #: The chat's id before its group became a supergroup: archives and leaderboard stay under it.
    origin: int | None = None
    #: What people did here lately: who (see ``bot.conversation.limits``), and when in seconds since 1970.
    acts: tuple[tuple[int, int], ...] = ()
    #: When the bot last wrote to the group during a game, in seconds since 1970; at most a minute ago.
    written: tuple[int, ...] = ()
    #: The boards of the group's own, in the order in which they were made.
    boards: tuple[OwnBoard, ...] = ()
    #: The hash of the last seal here, which the next one names; empty before the first.
    last_seal: str = ""

    @property
    def private(self) -> bool:
        """Return whether it is a person's own chat with the bot, in which they practise.

        Else it is a group's.
        """
        return self.chat > 0

    @property
    def muted_now(self) -> Muted | None:
        """Why all waits here, where it is that the group takes no message of the bot's now."""
        return self.muted if self.out and self.muted is not None and not self.muted.over else None

    @cached_property
    def playing(self) -> Match | None:
        """The game that is going on, if any."""
        return self.match if self.match is not None and not self.match.over else None

    def has(self, user: int) -> bool:
        """True if a person is in the lobby or the present game, or waits for the next one."""
        seated = any(each.seats(user) for each in (self.lobby, self.sealed) if each is not None)
        in_game = self.playing is not None and self.playing.seat_of(user) is not None
        return seated or in_game or any(player.id == user for player in self.next_game)

    @property
    def noted(self) -> frozenset[int]:
        """Everybody who is noted here, with a seat or without."""
        tables = [each for each in (self.lobby, self.sealed, self.match) if each is not None]
        players = [player.id for each in tables for player in each.players]
        former = [] if self.match is None else list(self.match.former)
        former += [] if self.match is None else [one.id for one in self.match.rated.values() if one.id]
        night = () if self.night is None else (self.night.host, *self.night.people.values())
        waiting = (one.id for one in self.next_game)
        guessers = () if self.match is None else self.match.guessing
        people = (*players, *former, *night, *guessers, *waiting, *(each.host for each in tables))
        return frozenset(user for user in people if user is not None)

    def knows(self, user: int) -> bool:
        """True if a person is here, leads without a seat, had a seat in this game, or signed up."""
        if self.night is not None and self.night.knows(user):
            return True
        if self.match is not None and user in self.match.guessing:
            return True
        led = user in [each.host for each in (self.lobby, self.sealed, self.playing) if each is not None]
        return self.has(user) or led or (self.playing is not None and user in self.playing.former)
