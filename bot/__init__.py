"""The bot's words and deeds: pure functions from a room, an update and a context to an outcome."""
