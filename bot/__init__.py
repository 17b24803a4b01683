"""What the bot says and does: pure functions from a room, an update and a context to an outcome."""
