"""One whole game without a page: through webhook entry, store, queue and stand-in."""

import random
from dataclasses import asdict, dataclass

from engine.facts import CandidacyPassed, GameOver
from handlers.rooms.codec import decode
from handlers.rooms.model import Match
from handlers.rooms.names import RoomName
from sandbox.desk import TABLE, Desk, desk
from sandbox.seats import Seats
from sandbox.telegram import Chat, User, VirtualClock

NAMES = [
    "Anna",
    "Ben",
    "Clara",
    "David",
    "Emma",
    "Felix",
    "Greta",
    "Hugo",
    "Ida",
    "Jonas",
    "Klara",
    "Leo",
    "Mia",
    "Noah",
    "Olga",
    "Paul",
]
#: Virtual seconds in which a seat answers: from, to.
THINKING = (2.0, 15.0)


@dataclass(frozen=True, slots=True)
class Played:
    """What a game came to, and what it cost."""

    ruleset: str
    players: int
    seed: int
    winner: str
    reason: str
    rounds: int
    updates: int
    telegram_posts: int
    telegram_edits: int
    telegram_toasts: int
    group_posts: int
    group_edits: int
    store_reads: int
    store_writes: int
    room_bytes_max: int
    cpu_ms_per_update: float
    violations: int

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


class Stuck(RuntimeError):
    """Nobody has anything to answer, and the game is not over."""


class TableTop:
    """A group on a desk with a game in it."""

    def __init__(self, desk: Desk, players: int, seed: int) -> None:
        self.desk = desk
        self.rng = random.Random(seed)
        self.people: list[User] = [desk.telegram.add_user(name, started=True) for name in NAMES[:players]]
        self.group: Chat = desk.telegram.add_group("The Reichstag", self.people)
        self.seats = Seats(desk.telegram, self.people, self.rng)
        self.bytes_max = 0

    def say(self, user: User, text: str) -> None:
        """Somebody writes in the group, and the bot deals with it."""
        self.desk.telegram.send(user, self.group, text)
        self.desk.settle()

    def open(self) -> None:
        """Open a lobby, seat everybody by button, and start."""
        host = self.people[0]
        self.say(host, "/newgame")
        for user in self.people:
            self.press(user, "join")
        self.press(host, "start")

    def press(self, user: User, verb: str) -> None:
        """Tap the lobby's button that does this."""
        lobby = next(m for m in reversed(self.group.messages.values()) if self._data(m, verb))
        self.desk.telegram.tap(user, lobby, self._data(lobby, verb))
        self.desk.settle()

    @staticmethod
    def _data(message: object, verb: str) -> str:
        buttons = message.buttons()  # type: ignore[attr-defined]
        found = [b.get("callback_data", "") for b in buttons]
        return next((data for data in found if data.startswith(f"{verb}|")), "")

    def play(self) -> Match:
        """Let the seats play to the end, each thinking for some virtual seconds. Raises Stuck."""
        clock = self.desk.clock
        while True:
            waiting = [
                (clock() + self.rng.uniform(*THINKING), i, w) for i, w in enumerate(self.seats.prompts())
            ]
            if not waiting:
                match = self.match()
                if match.over:
                    return match
                raise Stuck(f"round {match.game.table.round}: nobody is asked")
            for moment, _, (user, message) in sorted(waiting):
                if isinstance(clock, VirtualClock):
                    clock.until(moment)
                if self.seats.tap(user, message):
                    self.desk.settle()
                    self._weigh()

    def match(self) -> Match:
        """The room's game, as it is stored."""
        item = self.desk.built.app.rooms.load_following(RoomName(self.group.id).key)
        assert item is not None
        room = decode(item.body, item.schema)
        assert room.match is not None
        return room.match

    def _weigh(self) -> None:
        # Weighed beside the bot's own counting, straight from the table.
        counted = dict(self.desk.measured.store)
        key = {"pk": {"S": RoomName(self.group.id).key}, "sk": {"S": "room"}}
        item = self.desk.client.get_item(TableName=TABLE, Key=key)["Item"]
        self.desk.measured.store = counted
        self.bytes_max = max(self.bytes_max, item_bytes(item))


def item_bytes(value: object) -> int:
    """About what DynamoDB counts for an item: names and values in bytes."""
    if isinstance(value, dict):
        return sum(len(str(name).encode()) + item_bytes(inner) for name, inner in value.items())
    if isinstance(value, list):
        return sum(item_bytes(inner) for inner in value)
    return len(value) if isinstance(value, bytes) else len(str(value).encode())


def play(ruleset: str, players: int, seed: int, *, validated: bool = True) -> tuple[Played, TableTop]:
    """Play a game of random seats to its end; what it came to, and the table that it was played at."""
    with desk(VirtualClock(), validated=validated) as at:
        top = TableTop(at, players, seed)
        top.open()
        match = top.play()
        over = match.log[-1].fact
        assert isinstance(over, GameOver)
        total, group = at.telegram.journal.counts(), at.telegram.journal.counts(top.group.id)
        return (
            Played(
                ruleset=ruleset,
                players=players,
                seed=seed,
                winner="+".join(over.winners),
                reason=over.reason,
                rounds=sum(isinstance(event.fact, CandidacyPassed) for event in match.log),
                updates=at.measured.updates,
                telegram_posts=total.posts,
                telegram_edits=total.edits,
                telegram_toasts=total.toasts,
                group_posts=group.posts,
                group_edits=group.edits,
                store_reads=at.measured.reads,
                store_writes=at.measured.writes,
                room_bytes_max=top.bytes_max,
                cpu_ms_per_update=round(1000 * at.measured.seconds / at.measured.updates, 2),
                violations=len(at.telegram.violations),
            ),
            top,
        )


def transcript(top: TableTop) -> str:
    """What the group read, message after message."""
    return "\n\n".join(view.text for view in top.desk.telegram.chat_view(top.group) if view.text)
