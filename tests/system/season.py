"""Play many games of a group quickly: store each game one answer before its end, and end it with a tap.

The engine plays everything before the last answer at random. The last answer goes through the webhook's
entry.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from bot.display.buttons import data
from bot.records.leaderboard import SORT, Leaderboard, decode_board
from bot.records.own_record import SORT as RECORD
from bot.records.own_record import OwnRecord, decode_record, is_counted
from bot.rooms.model import FirstTap, Match, Player
from bot.rooms.names import UserId
from bot.rooms.sealing import Proof
from engine import Chance, QuestionNumber, Reply, Seat, Setup, answer, start
from engine.facts import CandidacyPassed
from infra.store.archives import Archives
from infra.store.people import UserItem, Users
from infra.store.table import DynamoTable, user_key
from sandbox.harness import TABLE
from sandbox.telegram import Query, User
from tests.system.recount import Recount, all_archives, recount
from tests.system.table import Table, before_the_end


class Season:
    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.games = 0
        #: The tap that ends the current game.
        self.last: tuple[User, str] | None = None
        host = table.people[0] if table.people else table.person("Anna")
        table.say(host, "/newgame").rewrite(replace(table.room(), lobby=None))

    def deal(self, players: Sequence[User] = (), ruleset: str = "classic@1", **options: str) -> "Season":
        """Store a game of these people just before its last answer."""
        players = players or self.table.people
        setup = Setup(ruleset, len(players), options)
        game, log, reply = before_the_end(
            lambda: start(setup, Chance(self.rng.randbytes(32).hex())), self.rng
        )
        for user in players:
            self.table.harness.built.app.users.save(user.id, may_write=True, add_rooms=[self.table.name.key])
        room = self.table.room()
        number = room.lobby_count + 1
        seated = tuple(Player(UserId(user.id), user.first_name, "en") for user in players)
        kept = {user.id: self.table.harness.built.app.users.load(user.id).options for user in players}
        match = Match(
            number,
            UserId(players[0].id),
            Proof(self.rng.randbytes(32).hex()),
            seated,
            game,
            log,
            post_start=max(at for at, event in enumerate(log) if isinstance(event.fact, CandidacyPassed)),
            time_began_at=int(self.table.harness.clock()),
            # If the last answer takes two taps, make the first one.
            first_tap=FirstTap(reply.choice, int(self.table.harness.clock() * 1000)),
            rated={Seat(seat): one for seat, one in enumerate(seated) if one.id and is_counted(kept[one.id])},
        )
        self.table.rewrite(replace(room, match=match, lobby_count=number))
        self.last = players[reply.seat], data(self.table.name, "answer", number, reply.question, reply.choice)
        self.games += 1
        return self

    def tap(self) -> Query:
        assert self.last is not None
        user, carried = self.last
        self.table.pass_time()
        message = next(iter(self.table.group.messages.values()))
        return self.table.tg.tap(user, message, carried, forged=True)

    def end(self) -> "Season":
        self.tap()
        self.table.harness.settle()
        # Send messages that waited for the group's limit per minute.
        self.table.wait(61)
        return self

    def end_aside(self) -> None:
        """End the game as another process would, between two requests of this one."""
        room = self.table.room()
        assert room.match is not None
        assert self.last is not None
        user, carried = self.last
        question, choice = (int(number) for number in carried.split("|")[-2:])
        seat = room.match.seat_of(UserId(user.id))
        assert seat is not None
        game, told = answer(room.match.game, Reply(seat, QuestionNumber(question), choice))
        match = replace(room.match, game=game, log=(*room.match.log, *told))
        self.table.rewrite(replace(room, match=match))
        self.table.harness.built.app.room_service.recorder.record(self.table.item())

    def play(self, players: Sequence[User] = (), ruleset: str = "classic@1", **options: str) -> "Season":
        return self.deal(players, ruleset, **options).end()


def archives_at(table: Table) -> Archives:
    return Archives(DynamoTable(table.harness.client, TABLE))  # type: ignore[arg-type]


def board_of(table: Table) -> Leaderboard:
    return decode_board(archives_at(table).load_document(table.name.key, SORT).body)


def recounted(table: Table, key: str | None = None) -> Recount:
    return recount(all_archives(archives_at(table), key or table.name.key))


def record_of(table: Table, user: User) -> OwnRecord:
    return decode_record(archives_at(table).load_document(user_key(user.id), RECORD).body)


def kept(table: Table, user: User) -> UserItem:
    return Users(DynamoTable(table.harness.client, TABLE)).load(user.id)  # type: ignore[arg-type]
