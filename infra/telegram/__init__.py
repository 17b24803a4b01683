"""The wire to Telegram.

``gateway`` calls methods, ``errors`` says what can become of one, ``loop`` runs them.
"""
