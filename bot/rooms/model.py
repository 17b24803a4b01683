"""A room: everything that belongs to one chat or forum topic. Rooms are values, changed by ``replace``."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from bot.rooms.names import ChatId, RoomName, UserId
from bot.rooms.night import UTC, Night
from bot.rooms.own_board import OwnBoard
from bot.rooms.player import Guesser, people_of
from bot.rooms.player import Player as Player
from bot.rooms.sealing import Proof, Sealed
from bot.rooms.stored import EventLog, StoredGameField, read_log, write_log
from engine import SEATS, Event, Game, Illegal, QuestionNumber, Seat, Setup, View, fold, ruleset
from engine.claim import Claim
from engine.facts import Voted
from engine.frozen import frozen


@frozen
class Practice:
    """The fields that only a practice game has. Practice is never recorded."""

    #: True if each prompt has a line of advice.
    advice: bool


#: None means a group's game. The field is then left out of the stored JSON.
MaybePractice = Annotated[Practice | None, Field(exclude_if=operator.not_)]

# Values of settings, in the order of their menus (only that of ``open_cards`` is the other way round). Keep
# all values and their order: a room with any other value cannot be read, and buttons name a value's place.
Clock = Literal["off", "relaxed", "fast"]
Ballots = Literal["private", "group"]
Silence = Literal["ruleset", "on", "off"]
Strength = Literal["novice", "seasoned"]
Nights = Literal["admins", "anyone"]
Switch = Literal["on", "off"]


@frozen
class Settings:
    """A group's settings for all of its games."""

    language: str = "en"
    theme: str = "weimar"
    #: The clock for answers.
    clock: Clock = "off"
    #: Seconds that a meeting of the Communists lasts. It does not end early when everybody has picked.
    meeting: int = 60
    #: The place to vote. In the group, it is under the nomination, and others do not see the vote.
    ballots: Ballots = "private"
    #: Silence of the dead and of the legislating government. "ruleset": only in games of the ruleset
    #: ``online``.
    silence: Silence = "ruleset"
    #: "on" if the dead may see all cards.
    open_cards: Switch = "off"
    #: The computers' strength.
    strength: Strength = "seasoned"
    #: "on" if a computer plays for a person who leaves, until somebody takes the seat.
    stand_in: Switch = "on"
    #: "on" if computers say a line with some of their claims.
    talk: Switch = "on"
    #: The people who may plan game nights.
    nights: Nights = "admins"
    #: The group's time zone, by its name in the tz database.
    timezone: str = UTC


@frozen
class Lobby:
    """A game that people may join."""

    number: int
    #: The user id of the host, who leads; None: only admins lead.
    host: UserId | None
    setup: Setup
    players: tuple[Player, ...] = ()
    #: The seeds of earlier seals from which no game was dealt, oldest first. They count as attempts.
    given_up: tuple[str, ...] = ()
    #: When somebody last used it, in seconds since 1970.
    touched: int = 0
    #: The panel of buttons that its message shows. None: the buttons to join and start. 0: the list of
    #: settings. n above 0: the values of the n-th setting. -2: the people.
    panel: int | None = None
    #: The group's own board to play on, as it was when it was chosen.
    own: OwnBoard | None = None
    practice: MaybePractice = None

    @property
    def sizes(self) -> Sequence[int]:
        """Return the numbers of players that can play: the own board's, if any, or else the ruleset's."""
        own = None if self.own is None else self.own.sizes(self.setup.options)
        return own or ruleset(self.setup.ruleset).players

    def setup_for(self, players: int) -> Setup:
        """Return the setup for this many players. Raises Illegal with the reason if they cannot play it."""
        setup = replace(self.setup, players=players)
        if self.own is not None:
            for reason in self.own.reasons(players, setup.options):
                raise Illegal(reason)
            setup = replace(setup, board=self.own.board(players, setup.options))
        ruleset(setup.ruleset).check(setup)
        return setup

    @property
    def people(self) -> Mapping[Seat, UserId]:
        """Return the user ids of the people among the players, by place in the list."""
        return people_of(self.players)

    def is_seated(self, user: UserId) -> bool:
        """Return True if a person has a seat here."""
        return user in self.people.values()

    @property
    def computer_count(self) -> int:
        """Return how many of the players are computers."""
        return sum(player.computer for player in self.players)

    @property
    def host_is_unseated(self) -> bool:
        """Return True if the host has no seat in the lobby."""
        return self.host is not None and not self.is_seated(self.host)

    @property
    def next_host(self) -> UserId | None:
        """Return the person who may take over from a host without a seat: the first who joined, or None."""
        return next(iter(self.people.values()), None) if self.host_is_unseated else None


@frozen
class ClockCall:
    """A call for the clock to answer the open question."""

    #: The number of the question that was open.
    question: QuestionNumber
    #: When the notice began, in seconds since 1970: at the call, or when a new player took a seat that still
    #: had to answer.
    at: int


#: A seat's public suspicion: the seat, the round, and the suspected seats.
Suspicion = tuple[Seat, int, tuple[Seat, ...]]
#: A player's private note on another one.
Note = Literal["trust", "suspect", "unsure"]
#: A claim's identity: its seat, round and kind.
ClaimKey = tuple[Seat, int, str]


@frozen
class FirstTap:
    """The first of the two taps that some answers take."""

    #: The index of the tapped option.
    choice: int
    #: The time, in milliseconds since 1970.
    at: int


@frozen
class CallingOff:
    """A vote to cancel the game. A majority decides."""

    #: When the vote began, in seconds since 1970.
    at: int
    #: The seats in favour.
    votes: tuple[Seat, ...]


#: Fields of ``Match`` that hold seats, or something for each seat.
SeatField = Literal[
    "away", "asleep", "missed", "unreached", "watching", "replacement_votes", "computer_choices", "notes"
]


@frozen
class Match:
    """A game that is being played, or was played last."""

    number: int
    host: UserId | None
    proof: Proof
    players: tuple[Player, ...]
    game: StoredGameField
    log: Annotated[tuple[Event, ...], PlainValidator(read_log), PlainSerializer(write_log, list[Any])]
    #: The index of the event with which the group's latest post begins.
    post_start: int = 0
    #: True if that post waits for the computers' next acts, to show them together.
    post_waits: Annotated[bool, Field(exclude_if=operator.not_)] = False
    #: True if that post is a picture with a caption.
    pictured: bool = False
    #: When the open question's time began or last restarted, in seconds since 1970. After the last question:
    #: when the game ended.
    time_began_at: int = 0
    #: How many reminders have been sent since then.
    reminders: int = 0
    #: When the open question was asked, in seconds since 1970.
    opened_at: int = 0
    clock_call: ClockCall | None = None
    #: When a message to the group last named those who must act, in seconds since 1970.
    named_at: int = 0
    #: True if there is another post about the open question, with buttons or a deadline.
    has_notice: bool = False
    #: The last ballot whose count was posted in the group: its question's number, and how many had voted.
    ballot_count: tuple[QuestionNumber, int] | None = None
    #: The numbers of questions that were ballots and are over.
    voted: tuple[QuestionNumber, ...] = ()
    #: Seats whose players left. A substitute may take them; until then a computer or the clock plays.
    away: tuple[Seat, ...] = ()
    #: When a computer last replaced somebody who left, in seconds since 1970.
    stood_in_at: int = 0
    #: The number of consecutive decisions that the clock made, by seat.
    missed: Mapping[Seat, int] = field(default_factory=dict)
    #: By seat, the player who was dealt in, if the game counts for them. The seat's result changes this
    #: player's rating, even if somebody else plays there later. Empty once the game's end is recorded.
    rated: Mapping[Seat, Player] = field(default_factory=dict)
    #: The vote to cancel the game, if there is one.
    calling_off: CallingOff | None = None
    #: Seats whose players missed decisions, so that a computer answers for them until they tap again.
    asleep: tuple[Seat, ...] = ()
    #: The user ids of people who restarted the open question's time by leaving or sitting down. Each may do
    #: so once.
    restarted_by: tuple[UserId, ...] = ()
    #: By user id, the seats that people have left. They still know what their seat knew. Emptied when the
    #: game is over.
    former: Mapping[UserId, Seat] = field(default_factory=dict)
    #: Seats whose players the bot cannot write to, as far as it knows.
    unreached: tuple[Seat, ...] = ()
    #: The user ids of people who left a dead seat. If the dead must be silent, they must be, too. Emptied
    #: when the game is over.
    silent_leavers: tuple[UserId, ...] = ()
    #: True if the group was told that the bot cannot delete messages of those who must be silent.
    told_cannot_silence: bool = False
    #: Unreached seats about which the group was told. It is told once a game for each seat.
    told_unreached: tuple[Seat, ...] = ()
    #: Dead seats whose players see all cards.
    watching: tuple[Seat, ...] = ()
    #: By seat, the seats that want its player replaced.
    replacement_votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    #: Claims about a session that is not over yet. They are posted only after its end.
    early: Annotated[tuple[Claim, ...], Field(exclude_if=operator.not_)] = ()
    #: Each seat's last /suspect of each round.
    suspicions: tuple[Suspicion, ...] = ()
    #: The people who guess the Fascists, in the order in which they began. Emptied when the game is over.
    guessers: Annotated[tuple[Guesser, ...], Field(exclude_if=operator.not_)] = ()
    #: Claims that no post has told yet.
    unposted_claims: tuple[ClaimKey, ...] = ()
    #: When the oldest of them was made, in seconds since 1970.
    unposted_since: int = 0
    #: The claims in the latest post.
    latest_claims: tuple[ClaimKey, ...] = ()
    #: The latest round in which claims had a post of their own.
    claims_post_round: int = 0
    #: By seat, the index of the option that a computer has chosen for the open question but not given yet.
    computer_choices: Mapping[Seat, int] = field(default_factory=dict)
    #: The first tap on an answer to the open question, if it takes two taps. Only one seat is asked then.
    first_tap: Annotated[FirstTap | None, Field(exclude_if=operator.not_)] = None
    #: By seat, the private notes of its player on other seats. Emptied when the game is over.
    notes: Annotated[Mapping[Seat, Mapping[Seat, Note]], Field(exclude_if=operator.not_)] = field(
        default_factory=dict
    )
    cancelled: bool = False
    #: True if its end is in the archives and statistics.
    archived: bool = False
    #: The group's own board, if the game is played on one.
    own: OwnBoard | None = None
    practice: MaybePractice = None

    def __post_init__(self) -> None:
        if not isinstance(self.log, EventLog):
            object.__setattr__(self, "log", EventLog(self.log))

    @cached_property
    def over(self) -> bool:
        """Return True if the game is over or cancelled."""
        return self.cancelled or self.game.question is None

    @property
    def won(self) -> bool:
        """Return True if it was played to its end, so that nothing is secret any more."""
        return self.game.table.winners is not None

    @property
    def round(self) -> int:
        """Return the number of the present or last round."""
        return self.game.table.round

    @property
    def needs_archiving(self) -> bool:
        """Return True if it was played to its end, but is not in the archives yet."""
        unrecorded = self.over and self.practice is None and not self.archived and not self.cancelled
        return unrecorded and self.won

    def with_claims(self, claims: Sequence[Claim], now: int) -> "Match":
        """Return the game with these claims, which the next post will tell.

        A claim replaces an earlier one about the same thing. If the table has read the earlier one, the new
        claim keeps it as ``instead_of``.
        """
        keys = [(claim.seat, claim.round, claim.kind) for claim in claims]
        posted = [key for key in keys if key not in self.unposted_claims]
        told = {key: one for key in posted for one in self.find_claims([key])}
        claims = [
            replace(claim, instead_of=told[key].instead_of or told[key].said) if key in told else claim
            for key, claim in zip(keys, claims, strict=True)
        ]
        kept = [claim for claim in self.claims if (claim.seat, claim.round, claim.kind) not in keys]
        unposted = dict.fromkeys((*self.unposted_claims, *keys))
        return replace(
            self,
            claims=(*kept, *claims),
            unposted_claims=tuple(unposted),
            unposted_since=self.unposted_since if self.unposted_claims else now,
        )

    def find_claims(self, keys: Sequence[ClaimKey]) -> list[Claim]:
        """Return the claims with these keys, as they are now."""
        return [claim for claim in self.claims if (claim.seat, claim.round, claim.kind) in keys]

    def mark_claims_posted(self, *, afresh: bool) -> "Match":
        """Return the game after its latest post told all claims. ``afresh``: the post is new, not edited."""
        latest = self.unposted_claims
        if not afresh:
            latest = tuple(dict.fromkeys((*self.latest_claims, *self.unposted_claims)))
        return replace(self, latest_claims=latest, unposted_claims=(), unposted_since=0)

    def message_name(self, seat: Seat, name: str) -> str:
        """Return the name under which a message to a seat is remembered.

        It is ``name`` for the seat's first player. For each later one a number is added.
        """
        before = [*self.former.values()].count(seat)
        return f"{name}-{before}" if before else name

    def without_seat(self, seat: Seat | None, *names: SeatField) -> "Match":
        """Return the game with a seat taken out of these fields."""
        changed: dict[str, Any] = {}
        for name in names:
            held = getattr(self, name)
            left = [other for other in held if other != seat]
            changed[name] = (
                {other: held[other] for other in left} if isinstance(held, Mapping) else tuple(left)
            )
        return replace(self, **changed)

    @property
    def guessing(self) -> frozenset[UserId]:
        """Return the user ids of the people who guess the Fascists."""
        return frozenset(guesser.user for guesser in self.guessers if guesser.user is not None)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats in order."""
        return SEATS[: len(self.players)]

    @cached_property
    def people(self) -> Mapping[Seat, UserId]:
        """Return the people's user ids by seat, including people who left a seat that is still open."""
        return people_of(self.players)

    @cached_property
    def present(self) -> Mapping[Seat, UserId]:
        """Return by seat the user ids of the people who have not left."""
        return {seat: user for seat, user in self.people.items() if seat not in self.away}

    @cached_property
    def in_person(self) -> Mapping[Seat, UserId]:
        """Return by seat the user ids of the people who play themselves. Computers play for the others."""
        return {seat: user for seat, user in self.people.items() if not self.players[seat].computer}

    @cached_property
    def computer_seats(self) -> tuple[Seat, ...]:
        """Return the seats that computers play."""
        return tuple([seat for seat, player in zip(SEATS, self.players, strict=False) if player.computer])

    @cached_property
    def computers_from_start(self) -> tuple[Seat, ...]:
        """Return the seats that computers have had from the start."""
        return tuple([seat for seat in self.computer_seats if seat not in (*self.away, *self.asleep)])

    def seat_of(self, user: UserId) -> Seat | None:
        """Return the seat of a person, or None for a stranger."""
        return {other: seat for seat, other in self.people.items()}.get(user)

    def seat_played_by(self, user: UserId) -> Seat | None:
        """Return the seat that a person plays; None for a stranger, or if a computer plays for them."""
        return {other: seat for seat, other in self.in_person.items()}.get(user)

    def open_view(self) -> View:
        """Return a view of everything: for a cancelled game, or for dead players who see all cards."""
        facts = tuple([event.fact for event in self.log])
        table = fold(facts)
        table.winners = ()  # so that the view hides nothing, although nobody has won
        return View(None, table, facts)

    @property
    def has_clock_call(self) -> bool:
        """Return True if somebody called for the clock on the open question."""
        question, call = self.game.question, self.clock_call
        return question is not None and call is not None and call.question == question.number

    def advance(self, game: Game, events: Sequence[Event], now: int) -> "Match":
        """Return the match with a later game and its events. The next question's time begins ``now``."""
        assert isinstance(self.log, EventLog)
        question, voted = self.game.question, self.voted
        if question is not None and Voted in [type(event.fact) for event in events]:
            voted = (*voted, question.number)
        return replace(
            self,
            game=game,
            log=self.log.followed_by(events),
            time_began_at=now,
            opened_at=now,
            reminders=0,
            clock_call=None,
            has_notice=False,
            restarted_by=(),
            computer_choices={},
            first_tap=None,
            voted=voted,
        )

    def ballot(self, number: QuestionNumber) -> Voted | None:
        """Return the public result of a ballot by its question's number, or None if it was no ballot."""
        if number not in self.voted:
            return None
        held = [fact for fact in self.view(None).facts if isinstance(fact, Voted)]
        return held[self.voted.index(number) - len(self.voted)]

    def view(self, seat: Seat | None) -> View:
        """Return the knowledge of a seat, or of the group, now."""
        assert isinstance(self.log, EventLog)
        return self.log.view(seat)


@frozen
class Muted:
    """A time in which the bot cannot write in the group.

    The group is muted, its topic is closed, or the bot is restricted.
    """

    #: When it began, in seconds since 1970.
    since: int
    #: When to try again, in seconds since 1970.
    next_try_at: int
    #: When the players were last told, in seconds since 1970.
    told_at: int
    #: True if the bot can write again, as far as is known. The other fields are then about the last time.
    over: bool = False


@frozen
class Room:
    """A chat or topic with its settings and at most one game."""

    chat: ChatId
    topic: int | None = None
    title: str = ""
    settings: Settings = Settings()
    #: How many lobbies have been opened here. This is also the number of the newest one.
    lobby_count: int = 0
    lobby: Lobby | None = None
    #: The game that waits for its deal. Until then nobody can join, leave, change a setting or cancel.
    sealed: Sealed | None = None
    match: Match | None = None
    #: True if the bot may post pictures in the group, as far as is known.
    pictures: bool = True
    #: If it may not, when to try a picture again, in seconds since 1970.
    pictures_at: int = 0
    #: True if the bot was removed from the group, or cannot write there (see ``muted``). Everything waits.
    bot_removed: bool = False
    muted: Muted | None = None
    #: The people who want to be told about the next lobby.
    next_game: tuple[Player, ...] = ()
    #: The next game night, if one is planned.
    night: Annotated[Night | None, Field(exclude_if=operator.not_)] = None
    #: The chat's id before its group became a supergroup. Archives and leaderboard keep this id.
    origin: ChatId | None = None
    #: People's latest acts here: user id, and time in seconds since 1970. 0 or a negative id stands for a
    #: message of the bot (see ``bot.conversation.limits``).
    acts: tuple[tuple[int, int], ...] = ()
    #: The times, within the last minute, when the bot wrote to the group about a running game (seconds since
    #: 1970).
    written: tuple[int, ...] = ()
    #: The group's own boards, oldest first.
    boards: tuple[OwnBoard, ...] = ()
    #: The hash of the last seal here. The next seal contains it. Empty before the first.
    last_seal: str = ""

    @cached_property
    def name(self) -> RoomName:
        """Return the chat and topic that name the room in the store, in buttons and in links."""
        return RoomName(self.chat, self.topic)

    @cached_property
    def private(self) -> bool:
        """Return True if this is a person's private chat, in which they practise, and not a group."""
        return self.chat > 0

    @property
    def muted_now(self) -> Muted | None:
        """Return ``muted`` if everything waits because the bot cannot write here now; else None."""
        return self.muted if self.bot_removed and self.muted is not None and not self.muted.over else None

    @cached_property
    def playing(self) -> Match | None:
        """Return the running game, if any."""
        return self.match if self.match is not None and not self.match.over else None

    def has(self, user: UserId) -> bool:
        """Return True if a person is in the lobby or the present game, or waits for the next one."""
        seated = any(each.is_seated(user) for each in (self.lobby, self.sealed) if each is not None)
        in_game = self.playing is not None and self.playing.seat_of(user) is not None
        return seated or in_game or any(player.id == user for player in self.next_game)

    @property
    def user_ids(self) -> frozenset[UserId]:
        """Return the user ids of all people in the room's games, lists and game night, seated or not.

        The ids in ``acts`` are not among them.
        """
        tables = [each for each in (self.lobby, self.sealed, self.match) if each is not None]
        people = [player.id for each in tables for player in each.players]
        people += [*(each.host for each in tables), *(player.id for player in self.next_game)]
        if self.match is not None:
            people += [*self.match.former, *self.match.guessing]
            people += [player.id for player in self.match.rated.values()]
        if self.night is not None:
            people += [self.night.host, *self.night.people.values()]
        return frozenset(user for user in people if user is not None)

    def knows(self, user: UserId) -> bool:
        """Return True if a person takes part here (see ``has``), leads, or guesses.

        Also return True if they had a seat in the running game, or planned or signed up for the game night.
        """
        if self.night is not None and self.night.knows(user):
            return True
        if self.match is not None and user in self.match.guessing:
            return True
        led = user in [each.host for each in (self.lobby, self.sealed, self.playing) if each is not None]
        return self.has(user) or led or (self.playing is not None and user in self.playing.former)
