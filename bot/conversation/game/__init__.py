"""During a game: answers, what is told of them, claims, the clock, seats that change their player."""
