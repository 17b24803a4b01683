"""During a game: answers, messages about them, claims, the clock, seats that change their player."""
