"""Check every version of a room against the rules: each step of a game is legal, and happens once."""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic_core import from_json, to_json

from bot.conversation.game.computers import acts_at
from bot.conversation.game.deadlines import deadline
from bot.display.expansions import SHOWN
from bot.display.words import Words, languages
from bot.rooms.codec import SCHEMA, decode
from bot.rooms.model import Match
from bot.rooms.names import from_key
from bot.rooms.stored import write_game, write_log
from engine import Game, Illegal, QuestionNumber, Reply, Seat, answer, time_out, waiting_on
from infra.store.items import unpack_ids
from sandbox.buttons import TAP_AGAIN
from sandbox.cloud.network import Invocation

from .answers import find_answers

Json = dict[str, Any]
Fail = Callable[[str], None]

#: The toast with which a room refuses a tap because it has too much to send, in every language.
_NOT_NOW = frozenset(Words(code).plain("throttled") for code in languages())


@dataclass(frozen=True, slots=True)
class State:
    """The state of a room from one time on. ``match`` is the stored game without its log."""

    since: float
    #: True if the bot was removed from the group. Then taps do not count, and a toast says so.
    out: bool
    match: Json | None

    def takes(self, user: int, number: int, question: int, choice: int) -> bool:
        """Return True if this tap would change the game."""
        match = self.match
        if match is None or match["number"] != number or match["cancelled"] or self.out:
            return False
        asked = match["game"]["question"]
        people = [None if player["computer"] else player["id"] for player in match["players"]]
        if asked is None or asked["number"] != question or user not in people:
            return False
        seat = people.index(user)
        if seat not in asked["seats"]:
            return False
        at = asked["seats"].index(seat)
        if not 0 <= choice < len(asked["options"][at]):
            return False
        given = asked["answers"][at]
        return given is None or (asked["changeable"] and given != choice)


def _repeated(was: Json, choice: int) -> bool:
    """Return True if one tap is enough, or if this tap is the second one on its option."""
    question = was["game"]["question"]
    fatal = question is not None and question["step"] in SHOWN.fatal
    return not fatal or was.get("first_tap", {}).get("choice") == choice


class History:
    """Follow all rooms, with one game at a time in each. ``changed`` must get every write."""

    def __init__(self, clock: Callable[[], float], fail: Fail) -> None:
        self._clock = clock
        self._fail = fail
        self._states: dict[str, list[State]] = {}
        self._applied: set[tuple[str, int]] = set()
        self._counted: set[int] = set()
        self.bodies: dict[str, Json] = {}
        self.steps = 0
        self.last_change = clock()

    def changed(
        self, room: str, before: Mapping[str, Any] | None, after: Mapping[str, Any], by: Invocation | None
    ) -> None:
        """Check a write of a room's item by an invocation (None: by a fault, or before the run)."""
        if "moved_to" in after:
            self.bodies.pop(room, None)
            return
        if before is None and "moved_from" in after:
            self._states[room] = self._states.pop(after["moved_from"]["S"], [])
            self._keep(room, after)
            return
        if by is None:
            self._keep(room, after)
            return
        saved = before is None or before["v"] != after["v"]
        if not saved:
            same = before is not None and all(before.get(n) == after.get(n) for n in ("body", "updates"))
            if not same:
                self._fail(f"{room}: the state changed without a new version")
            return
        if before is not None and int(after["v"]["N"]) != int(before["v"]["N"]) + 1:
            self._fail(f"{room}: a version was left out or repeated")
        self._note_update(room, before, after, by)
        if before is None or before.get("body") != after.get("body"):
            was, now = self.bodies.get(room), body_of(after)
            self._step(room, (was or {}).get("match"), now.get("match"), by)
            self._keep(room, after)

    def _note_update(self, room: str, before: Any, after: Any, by: Invocation) -> None:
        was, now = (before or {}).get("updates"), after.get("updates")
        if was == now:
            return
        latest = unpack_ids(now["B"])[-1]
        if by.update is None or latest != by.update["update_id"]:
            self._fail(f"{room}: an update was noted that nobody brought")
        elif (room, latest) in self._applied:
            self._fail(f"{room}: an update was applied twice")
        self._applied.add((room, latest))
        self._counted.add(latest)

    def _step(self, room: str, was: Json | None, now: Json | None, by: Invocation) -> None:
        if now is None:
            if was is not None:
                self._fail(f"{room}: the game is gone")
            return
        if was is None or was["number"] != now["number"]:
            return
        if was["game"]["asked"] == now["game"]["asked"]:
            changed = [
                seat
                for seat, choice in was["computer_choices"].items()
                if now["computer_choices"].get(seat, choice) != choice
            ]
            if changed:
                self._fail(f"{room}: the computers on seats {changed} decided twice")
        if was["game"] == now["game"] and was["log"] == now["log"]:
            return
        self.steps += 1
        self.last_change = self._clock()
        game, events, what = self._expected(room, was, now, by)
        if game is None:
            self._fail(f"{room}: the game went on by {what}, which is no legal step")
        elif from_json(to_json(write_game(game))) != now["game"]:
            self._fail(f"{room}: {what} led somewhere else than the rules say")
        elif [*was["log"], *from_json(to_json(write_log(events)))] != now["log"]:
            self._fail(f"{room}: {what} told something else than the rules say")

    def _expected(
        self, room: str, was: Json, now: Json, by: Invocation
    ) -> tuple[Game | None, tuple[Any, ...], str]:
        """Return the game after the legal step of this invocation (None: none), its events, and its name."""
        data = tapped(by.update)
        verb, *numbers = data[1].split("|") if data is not None else [""]
        before = decode(to_json(self.bodies[room]), SCHEMA)
        assert before.match is not None
        match, game = before.match, before.match.game
        try:
            if from_key(room).private and {*match.computer_seats}.issuperset(waiting_on(game)):
                later = decode(to_json({**self.bodies[room], "match": now}), SCHEMA).match
                assert later is not None
                told = later.log[len(match.log) :]
                return find_answers(game, told, match.computer_seats, later.game)[1], told, "computers"
            if replies := decided(match, now):
                return *_answered(game, replies), "a computer that decides"
            if data is not None and verb == "answer":
                if not _repeated(was, int(numbers[3])):
                    return None, (), "a single tap"
                seat = Seat([player["id"] for player in was["players"]].index(data[0]))
                return *answer(
                    game, Reply(seat, QuestionNumber(int(numbers[2])), int(numbers[3]))
                ), "an answer"
            if by.update is None:
                acts = acts_at(match)
                if match.computer_choices and acts is not None and acts <= self._clock() + 1:
                    return *_answered(game, decided_replies(match)), "a computer that acts"
                at = deadline(before, match)
                if at is None or at > self._clock() + 1:
                    return None, (), "the clock, before its time"
                return *time_out(game), "the clock"
        except (Illegal, ValueError) as error:
            return None, (), f"{verb or 'the clock'} ({error})"
        return None, (), verb or "no tap"

    def _keep(self, room: str, after: Mapping[str, Any]) -> None:
        if "body" not in after:
            return
        body = self.bodies[room] = body_of(after)
        match = body.get("match")
        if match is not None:
            match = {name: value for name, value in match.items() if name != "log"}
        self._states.setdefault(room, []).append(State(self._clock(), body["bot_removed"], match))

    # --- taps that were acknowledged --------------------------------------------------------------------

    def counted(self, update_id: int) -> bool:
        """Return True if a room stored this update with its consequences."""
        return update_id in self._counted

    def acknowledged(self, room: str, update: Json, since: float, told: str = "") -> None:
        """Check an update that was answered with 200: it was stored, or it would have changed nothing.

        ``since``: when it was first delivered. An update that was not stored is fine if the tap would have
        changed nothing in some state since then. ``told``: the toast. A toast that asks the person to wait or
        to tap again says that the tap did not count.
        """
        data = tapped(update)
        not_yet = told in _NOT_NOW or told.startswith(TAP_AGAIN)
        if data is None or self.counted(update["update_id"]) or not_yet:
            return
        verb, *numbers = data[1].split("|")
        if verb != "answer":
            return
        match, question, choice = (int(n) for n in numbers[1:])
        states = self._states.get(room, [])
        first = max(0, bisect_right(states, since, key=lambda state: state.since) - 1)
        if all(state.takes(data[0], match, question, choice) for state in states[first:]) and states:
            self._fail(f"{room}: an answer was acknowledged and is lost")


def decided(match: Match, now: Json) -> list[Reply]:
    """Return the answers that computers have given since a game was stored, if the question is still open."""
    before, after = match.game.question, now["game"]["question"]
    if before is None or after is None or before.number != after["number"]:
        return []
    given = zip(before.seats, before.answers, after["answers"], strict=True)
    fresh = [Reply(seat, before.number, choice) for seat, had, choice in given if had != choice]
    # Computers do not take answers back.
    own = all(reply.seat in match.computer_seats and reply.choice is not None for reply in fresh)
    return fresh if own else []


def decided_replies(match: Match) -> list[Reply]:
    """Return the decided answers of computers that are not given yet, in the order of seats."""
    question = match.game.question
    assert question is not None
    return [
        Reply(seat, question.number, match.computer_choices[seat])
        for seat, given in zip(question.seats, question.answers, strict=True)
        if given is None and seat in match.computer_choices and seat in match.computer_seats
    ]


def _answered(game: Game, replies: list[Reply]) -> tuple[Game, tuple[Any, ...]]:
    """Apply answers until the question closes; return the game and the events."""
    told: tuple[Any, ...] = ()
    for reply in replies:
        if game.asked == reply.question:
            game, events = answer(game, reply)
            told += tuple(events)
    return game, told


def tapped(update: Mapping[str, Any] | None) -> tuple[int, str] | None:
    """Return (user id, callback data) of a tap, or None for any other update."""
    query = (update or {}).get("callback_query")
    return None if query is None else (query["from"]["id"], query.get("data", ""))


def body_of(item: Mapping[str, Any]) -> Json:
    """Return the body of a room's item. It is cached, so the caller must not change it."""
    return _parsed(item["body"]["B"]) if item.get("body") else {}


@lru_cache(maxsize=8)
def _parsed(body: bytes) -> Json:
    parsed: Json = from_json(zlib.decompress(body))
    return parsed
