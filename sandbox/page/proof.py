"""Show the proof of a fair deal step by step, beside the game on the page."""

from typing import Any

from bot.rooms.model import Room
from bot.rooms.sealing import Beacon, Proof
from engine import Setup, start
from engine.proof import commitment

Json = dict[str, Any]


def proof_steps(room: Room | None, beacon: Beacon, now: float) -> list[Json]:
    """Return the steps so far (sealed, the round, dealt, opened), each with a sentence and numbers."""
    held = None if room is None else room.sealed or room.match
    if room is None or held is None:
        return []
    match = None if room.sealed else room.match
    proof, setup = held.proof, (room.sealed.setup if room.sealed else held.game.setup)  # type: ignore[union-attr]
    told = [_sealed(proof, setup, held.number)]
    if proof.round is not None:
        told.append(_round(proof, beacon, now))
    if match is not None:
        told.append(_step("Dealt", True, "Roles and decks follow from seed and round." + _doubt(proof), {}))
    if match is not None and match.over:
        _, again = start(setup, proof.chance(setup, match.number))
        holds = commitment(bytes.fromhex(proof.seed)) == told[0]["numbers"]["seal"]
        _, first = start(setup, match.game.chance)
        same = again == first
        mixed = proof.terms(setup, match.number) + (proof.randomness or "")
        numbers = {"seed": proof.seed, "mixed with it": mixed, "key": proof.chance(setup, match.number).key}
        said = "The seed's hash is the seal, and the deal worked out again is the one that was played."
        told.append(
            _step("Opened", holds and same, said if holds and same else "This does not fit.", numbers)
        )
    return told


def _sealed(proof: Proof, setup: Setup, number: int) -> Json:
    agreed = commitment(proof.terms(setup, number).encode())
    numbers = {"seal": commitment(bytes.fromhex(proof.seed)), "terms": agreed}
    said = "the seal is posted and forwarded." if proof.fixed else "the seal is posted, and not fixed."
    return _step("Sealed", True, f"Attempt {proof.attempt}: {said}", numbers)


def _round(proof: Proof, beacon: Beacon, now: float) -> Json:
    assert proof.round is not None
    numbers = {"round": str(proof.round), "address": beacon.addresses_of(proof.round)[0]}
    left = beacon.time_of(proof.round) - now
    if proof.randomness is None:
        said = f"The round is out in {left:.0f} s." if left > 0 else "The round is out; it is fetched."
        return _step("The round", False, said, numbers)
    return _step("The round", True, "It is out.", {**numbers, "randomness": proof.randomness})


def _doubt(proof: Proof) -> str:
    return "" if proof.unproven_reason is None else " Not proven: no beacon's round was mixed in."


def _step(name: str, done: bool, said: str, numbers: dict[str, str]) -> Json:
    return {"name": name, "done": done, "said": said, "numbers": numbers}
