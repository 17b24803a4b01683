"""Before a game: the lobby, taking a seat, setting up, the sealed start and the deal."""
