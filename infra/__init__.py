"""The cloud side. Nothing in this package knows the game: it stores bytes and attributes and calls methods.

``store`` keeps data, ``telegram`` makes calls, ``outbox`` sends what is stored. The modules at the top are
for all of them and for the entries: clients of AWS, configuration, secrets, the queue, observability.
"""
