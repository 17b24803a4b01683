"""Storage, calls to Telegram, and sending. A bot on one machine (package ``local``) uses most of it, too.

This package does not know the rules of the game. It stores bytes and calls Bot API methods.

``store`` keeps data, ``telegram`` calls the Bot API, ``outbox`` sends stored messages. These packages and
``handlers`` share the modules at the top, for example AWS clients, configuration, secrets, the queue and
observability.
"""
