"""A room: everything that one chat (or one topic of a forum) owns. Values; changed by ``replace``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine import Event, Game, Illegal, Setup, View, ruleset, view
from handlers.rooms.own_board import OwnBoard


@dataclass(frozen=True, slots=True)
class Player:
    """A person at the table, as known when they joined; the seat is their place in the list."""

    id: int
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a group has set for all of its games."""

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


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game that people may join."""

    number: int
    host: int
    #: The server's secret (hexadecimal), shown as its hash now and as itself at the end.
    seed: str
    setup: Setup
    players: tuple[Player, ...] = ()
    #: How often each player shook, by user id.
    shakes: Mapping[int, int] = field(default_factory=dict)
    #: When somebody last touched it, in seconds since 1970.
    touched: int = 0
    #: What its buttons show: None the lobby's own, 0 what can be set up, n the values of the n-th of those.
    panel: int | None = None
    #: The group's own board that is played on, as it was when it was chosen.
    own: OwnBoard | None = None

    @property
    def sizes(self) -> Sequence[int]:
        """The numbers of players that can play; where no number fits the board, those of the ruleset."""
        own = None if self.own is None else self.own.sizes(self.setup.options)
        return own or ruleset(self.setup.ruleset).players

    def setup_for(self, players: int) -> Setup:
        """The game for so many players. Raises Illegal with the reason when they cannot play it."""
        setup = replace(self.setup, players=players)
        if self.own is not None:
            for reason in self.own.reasons(players, setup.options):
                raise Illegal(reason)
            setup = replace(setup, board=self.own.board(players, setup.options))
        ruleset(setup.ruleset).check(setup)
        return setup

    def seats(self, user: int) -> bool:
        """Whether a person has a seat here."""
        return any(player.id == user for player in self.players)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a seat says that it saw in a round; nobody has to tell the truth."""

    seat: int
    round: int
    #: "president" and "chancellor" of their hands, "peek", or "party" of an investigation.
    kind: str
    #: Colours of tiles in any order, or one party.
    said: tuple[str, ...]
    #: How many events there were when it was made.
    at: int


@dataclass(frozen=True, slots=True)
class Match:
    """A game being played, or the last one that was."""

    number: int
    host: int
    seed: str
    players: tuple[Player, ...]
    #: How often each seat shook.
    shakes: tuple[int, ...]
    game: Game
    log: tuple[Event, ...]
    #: The event with which the group's latest post begins.
    posted: int = 0
    #: Whether that post is a picture with a caption.
    pictured: bool = False
    #: Since when the open question's time counts, in seconds since 1970, and how many reminders went out
    #: since. After the last question: when the game ended.
    asked_at: int = 0
    reminders: int = 0
    #: Seats whose players left: open to a substitute, and until then the clock's.
    away: tuple[int, ...] = ()
    #: By seat, how many decisions in a row the clock made for it.
    missed: Mapping[int, int] = field(default_factory=dict)
    #: Who had a seat before its present player, by user id: they know what it knew. Until the game is over.
    former: Mapping[int, int] = field(default_factory=dict)
    #: Seats whose players Telegram lets nobody write to, as far as the bot knows.
    unreached: tuple[int, ...] = ()
    #: By seat, the seats that want its player replaced.
    against: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    cancelled: bool = False
    #: Whether its end is in the archives and statistics.
    archived: bool = False
    #: The group's own board that it is played on.
    own: OwnBoard | None = None

    @property
    def over(self) -> bool:
        """Whether nothing is asked any more."""
        return self.cancelled or self.game.question is None

    @property
    def unrecorded(self) -> bool:
        """Whether it was played to its end, which is not in the archives yet."""
        return not self.archived and not self.cancelled and self.game.table.winners is not None

    def seat_of(self, user: int) -> int | None:
        """The seat of a person, or None for a stranger."""
        for seat, player in enumerate(self.players):
            if player.id == user:
                return seat
        return None

    def view(self, seat: int | None) -> View:
        """What a seat, or the group, may know now."""
        return view(self.log, seat)


@dataclass(frozen=True, slots=True)
class Room:
    """A chat or topic with its settings and at most one game."""

    chat: int
    topic: int | None = None
    title: str = ""
    settings: Settings = Settings()
    #: How many lobbies were ever opened here; the newest one's number.
    games: int = 0
    lobby: Lobby | None = None
    match: Match | None = None
    #: Whether the group takes pictures, as far as is known.
    pictures: bool = True
    #: Who wants to hear of the next lobby.
    next_game: tuple[Player, ...] = ()
    #: The chat's id before its group became a supergroup: archives and leaderboard stay under it.
    origin: int | None = None
    #: When the last commands were given here, in seconds since 1970.
    commands: tuple[int, ...] = ()

    #: The boards of the group's own, in the order in which they were made.
    boards: tuple[OwnBoard, ...] = ()

    @property
    def playing(self) -> Match | None:
        """The game that is going on, if any."""
        return self.match if self.match is not None and not self.match.over else None

    def has(self, user: int) -> bool:
        """Whether a person is in the lobby or in the game that is going on, or waits for the next lobby."""
        in_lobby = self.lobby is not None and self.lobby.seats(user)
        in_game = self.playing is not None and self.playing.seat_of(user) is not None
        return in_lobby or in_game or any(player.id == user for player in self.next_game)

    def knows(self, user: int) -> bool:
        """Whether a person is here, or is noted without a seat: who leads, or had a seat in this game."""
        led = user in [each.host for each in (self.lobby, self.playing) if each is not None]
        return self.has(user) or led or (self.playing is not None and user in self.playing.former)
