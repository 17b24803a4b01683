"""The table: rooms with their outbox, people, finished games.

From the bottom up: ``keys`` and ``ids``; ``entries`` (an outbox entry) and ``items`` (a room as stored);
``table`` (one request and its errors) and ``writing`` (a change as one update). The rest of the program uses
``rooms``, ``moving``, ``people``, ``archives`` and ``set_aside``. The last one holds recordings of finished
games, erasures and messages that were set aside. The whole bot shares ``pace`` (when the next message may
go out), ``orders`` (the operator's orders), ``audit`` (the operator's acts) and ``cursor`` (the progress of a
pass over the table).
"""
