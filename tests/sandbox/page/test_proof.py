"""The proof on the page: seal, round, deal and opening, each with its numbers."""

from engine.proof import commitment
from sandbox.harness import harness_in_memory
from sandbox.page.proof import Json, proof_steps
from tests.system.table import Table


def told(table: Table) -> list[Json]:
    """Return the steps so far."""
    return proof_steps(table.room(), table.harness.beacon.beacon, table.harness.clock())


def test_the_proof_shows_nothing_before_its_time() -> None:
    with harness_in_memory() as harness:
        table = Table(harness)
        assert proof_steps(None, harness.beacon.beacon, harness.clock()) == []
        table.gather(5)
        assert told(table) == []
        table.press(table.people[0], "start")
        sealed, round = told(table)
        assert (sealed["name"], round["name"], round["done"]) == ("Sealed", "The round", False)
        assert "is out in" in round["said"]
        room = table.room()
        assert room.sealed is not None
        seed = room.sealed.proof.seed
        assert sealed["numbers"]["seal"] == commitment(bytes.fromhex(seed))
        table.wait_for_deal()
        running = told(table)
        assert [step["name"] for step in running] == ["Sealed", "The round", "Dealt"]
        number = int(running[1]["numbers"]["round"])
        assert running[1]["numbers"]["randomness"] == harness.beacon.randomness(number).hex()
        assert seed not in repr(running), "it is opened at the end"
        table.finish()
        opened = told(table)[-1]
        assert (opened["name"], opened["done"], opened["numbers"]["seed"]) == ("Opened", True, seed)
        assert '"scheme":1' in opened["numbers"]["mixed with it"]
