"""The cloud side. Nothing in this package knows the game: it stores bytes and attributes and calls methods.

``store`` keeps, ``telegram`` calls, ``outbox`` sends what is kept through it. At the top stands what all of
them need, or the entries: clients of AWS, configuration, secrets, the queue, observability.
"""
