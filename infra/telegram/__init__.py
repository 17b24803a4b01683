"""Calls to Telegram. ``gateway`` calls methods, and ``errors`` lists the ways in which a call can fail."""
