"""Check that each game is sealed, stays unchanged, and is dealt once, from the sealed round."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from bot.rooms.names import from_key
from engine import Setup
from engine.proof import chance, seal, terms
from infra.store.items import read_remembered
from sandbox.beacon import StandinBeacon
from sandbox.cloud.network import Invocation
from sandbox.telegram import Telegram

from .history import body_of

Json = dict[str, Any]
_SETUP = TypeAdapter(Setup)

#: Fields that may change while a game is sealed: the time of the next try, whether the host was asked
#: whether to wait, and whether the seal can be forwarded.
_WAITING = ("next_try_at", "asked", "fixed")
#: Fields that a new attempt changes.
_ATTEMPT = ("proof", "given_up", "at", "previous")


class Deals:
    """Follow all rooms from the lobby to the game. ``fail`` gets each broken promise."""

    def __init__(
        self,
        clock: Callable[[], float],
        beacon: StandinBeacon,
        telegram: Telegram,
        fail: Callable[[str], None],
    ) -> None:
        self._clock = clock
        self._beacon = beacon
        self._telegram = telegram
        self._fail = fail
        self._bodies: dict[str, Json] = {}
        #: The number of games dealt with proof.
        self.proven = 0

    def changed(
        self, room: str, before: Mapping[str, Any] | None, after: Mapping[str, Any], by: Invocation | None
    ) -> None:
        """Check a write of a room's item by an invocation (None: by a fault, or before the run)."""
        if "moved_to" in after or not after.get("body") or from_key(room).private:
            return  # practice needs no proof of a fair deal
        now = body_of(after)
        old = after["moved_from"]["S"] if before is None and "moved_from" in after else room
        was = self._bodies.pop(old, {})
        self._bodies[room] = now
        sealed, later, match = was.get("sealed"), now.get("sealed"), now.get("match")
        dealt = match is not None and match["number"] != (was.get("match") or {}).get("number")
        if match is not None and not dealt and match["proof"] != was["match"]["proof"]:
            self._fail(f"{room}: a proof was changed after the deal")
        if sealed is None:
            if dealt:
                self._fail(f"{room}: a game was dealt that was never sealed")
            if later is not None:
                self._sealed(room, was, later, by)
        elif later is not None:
            self._waited(room, sealed, later, after, by)
            self._untouched(room, was, now)
        elif match is not None and dealt:
            self._dealt(room, sealed, match, by)
        elif now.get("lobby") is None:
            self._fail(f"{room}: a sealed game is gone")
        elif _ids(now["lobby"]) != _ids(sealed) or now["lobby"]["given_up"][-1:] != [sealed["proof"]["seed"]]:
            self._fail(f"{room}: a seal that could not be posted was not given up, or its lobby changed")

    def _sealed(self, room: str, was: Json, sealed: Json, by: Invocation | None) -> None:
        lobby = was.get("lobby") or {}
        if lobby.get("number") != sealed["number"] or _ids(lobby) != _ids(sealed):
            self._fail(f"{room}: the sealed game differs from its lobby")
        self._check_round_is_future(room, sealed, by)

    def _waited(
        self, room: str, was: Json, now: Json, after: Mapping[str, Any], by: Invocation | None
    ) -> None:
        """Check a write between seal and deal: no change, or a new attempt that replaces a late seal."""
        if was["proof"] == now["proof"]:
            if _without(was, *_WAITING) != _without(now, *_WAITING):
                self._fail(f"{room}: a sealed game was changed")
            return
        if self._posted(room, was) is None or self._known(was, after) < was["at"]:
            self._fail(f"{room}: a seal that came in time was thrown away")
        counted = now["proof"]["attempt"] == was["proof"]["attempt"] + 1
        if not counted or now["given_up"] != [*was["given_up"], was["proof"]["seed"]]:
            self._fail(f"{room}: a new attempt was not counted, or its old seed not opened")
        if _without(was, *_ATTEMPT, *_WAITING) != _without(now, *_ATTEMPT, *_WAITING):
            self._fail(f"{room}: a sealed game was changed with its seal")
        self._check_round_is_future(room, now, by)

    def _check_round_is_future(self, room: str, sealed: Json, by: Invocation | None) -> None:
        """Check that the round was not published yet when the invocation began.

        If the seal is then written too late, it is void.
        """
        if sealed["at"] <= (self._clock() if by is None else by.began):
            self._fail(f"{room}: the round was published before its seal")

    def _untouched(self, room: str, was: Json, now: Json) -> None:
        if now.get("lobby") is not None:
            self._fail(f"{room}: a lobby opened while a game was sealed")
        for name in ("settings", "boards"):
            if was[name] != now[name]:
                self._fail(f"{room}: {name} were changed while a game was sealed")

    def _dealt(self, room: str, sealed: Json, match: Json, by: Invocation | None) -> None:
        if match["number"] != sealed["number"] or _ids(match) != _ids(sealed):
            self._fail(f"{room}: the dealt game has other players than the sealed one")
        if match["game"]["setup"] != sealed["setup"]:
            self._fail(f"{room}: the dealt game has another setup than the sealed one")
        was, proof = sealed["proof"], match["proof"]
        if (was["seed"], was["attempt"]) != (proof["seed"], proof["attempt"]):
            self._fail(f"{room}: the game was dealt from another seed than the sealed one")
        value = None
        if proof["unproven_reason"] is None:
            self.proven += 1
            value = self._beacon.randomness(was["round"])
            if (proof["round"], proof["randomness"]) != (was["round"], value.hex()):
                self._fail(f"{room}: the deal is not the sealed round's")
            if (posted := self._posted(room, sealed)) is None or posted >= sealed["at"]:
                self._fail(f"{room}: the game was dealt though its seal was not posted before the round")
        else:
            tapped = by is not None and by.update is not None and "callback_query" in by.update
            if not (sealed["asked"] and tapped):
                self._fail(f"{room}: a deal without proof that the host did not ask for")
        key = chance(
            bytes.fromhex(was["seed"]),
            _SETUP.validate_python(sealed["setup"]),
            game=sealed["number"],
            attempt=was["attempt"],
            round=was["round"],
            randomness=value,
        ).key
        if match["game"]["chance"]["key"] != key:
            self._fail(f"{room}: the deal does not follow from seed and round")

    def _known(self, sealed: Json, after: Mapping[str, Any]) -> float:
        """Return the date of the seal's message as the room remembers it, or 0 if it does not."""
        name = "seal-forward" if sealed["fixed"] else "seal"
        mark, date = read_remembered(after["remembered"]["M"]).post_dates.get(name, ("", 0))
        return float(date) if mark == f"{sealed['number']}.{sealed['proof']['attempt']}" else 0.0

    def _posted(self, room: str, sealed: Json) -> int | None:
        """Return the date of the seal's first forward in the group, or of its post if it is not forwarded."""
        line = _seal(sealed)
        chat = self._telegram.chats[from_key(room).chat]
        chats = [chat, *(old for old in self._telegram.chats.values() if old.migrated_to == chat.id)]
        seals = [m for each in chats for m in each.messages.values() if line in m.text]
        return min((int(m.date) for m in seals if m.forwarded or not sealed["fixed"]), default=None)


def _seal(sealed: Json) -> str:
    """Compute the line that seals a game from the stored room."""
    proof, number = sealed["proof"], sealed["number"]
    sealed_as = {"game": number, "attempt": proof["attempt"], "round": proof["round"]}
    agreed = terms(_SETUP.validate_python(sealed["setup"]), **sealed_as)
    chain = proof["beacon"].rpartition("/")[2]
    seed, previous = bytes.fromhex(proof["seed"]), sealed["previous"] or None
    return seal(seed, agreed, **sealed_as, chain=chain, previous=previous)


def _ids(table: Json) -> list[int]:
    """Return the ids of the people by seat."""
    return [player["id"] for player in table.get("players", ())]


def _without(value: Json, *names: str) -> Json:
    return {name: inner for name, inner in from_json(to_json(value)).items() if name not in names}
