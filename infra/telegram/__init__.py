"""Calls to Telegram.

``gateway`` calls methods, ``errors`` lists the ways in which a call can fail, ``loop`` runs calls.
"""
