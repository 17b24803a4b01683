"""The table: rooms with their outbox, people, finished games.

From below: ``keys``, ``ids`` and ``packing``; ``entries`` (what waits to be sent) and ``items`` (a room as
stored); ``table`` (one request, its errors sorted) and ``writing`` (a change as one update); then what the
rest of the program uses: ``rooms``, ``moving``, ``people``, ``archives``. Beside them lies what belongs to
the whole bot: ``pace`` (when the next message may go out), ``orders`` (what the operator ordered), ``audit``
(what the operator did) and ``cursor`` (how far a pass over the table has come).
"""
