"""Storage, calls to Telegram, and sending. A bot at home uses most of it, too.

Nothing in this package knows the game: it stores bytes and calls Bot API methods.

``store`` keeps data, ``telegram`` calls the Bot API, ``outbox`` sends stored messages. These packages and
``handlers`` share the modules at the top: AWS clients, configuration, secrets, the queue, observability.
"""
