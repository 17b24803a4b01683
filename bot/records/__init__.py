"""Finished games: how they are archived, and what is counted and rated from them."""
