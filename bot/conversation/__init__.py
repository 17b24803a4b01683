"""What the bot does: pure functions from a room and what somebody said to the next room and its effects."""
