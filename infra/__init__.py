"""The cloud side: the store, the queue, the wire to Telegram, settings and observability.

Nothing in this package knows the game. It stores bytes and attributes and sends method calls.
"""
