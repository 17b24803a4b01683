"""During a game: answers, announcements, claims, the clock, and seats that change their player."""
