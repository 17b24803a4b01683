"""The table: rooms with their outbox, people, finished games.

From the bottom up: ``table`` (requests, errors, keys and values) and ``items`` (a room as stored, with its
outbox entries). The rest of the program uses ``rooms``, ``people``, ``archives`` and ``set_aside``. The last
one holds recordings of finished games, erasures and messages that were set aside. The whole bot shares
``pace`` (when the next message may go out) and ``orders`` (the operator's orders and acts).
"""
