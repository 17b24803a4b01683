"""Before a game: the lobby, its seats and its setup, the sealed start, and the deal."""
