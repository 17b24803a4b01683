"""The audit of operators' acts."""

from __future__ import annotations

from infra.store.orders import Audit
from infra.store.table import DynamoTable
from tests.infra.conftest import NOW, Clock


def test_records_are_kept_beside_each_other_the_newest_first(table: DynamoTable, clock: Clock) -> None:
    audit = Audit(table, clock)
    audit.record("anna", "reveal", "room#-1")
    audit.record("ben", "purge", "room#-2")
    clock.now = NOW + 60
    audit.record("anna", "reveal", "room#-3")
    assert [record["whom"] for record in audit.records()] == ["room#-3", "room#-2", "room#-1"]
    assert audit.records(1) == [{"at": NOW + 60, "who": "anna", "what": "reveal", "whom": "room#-3"}]
