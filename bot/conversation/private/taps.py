"""The verbs of buttons that the private chat answers itself."""

#: Those about finished games, and all of them.
FINISHED = ("step", "lookback", "opened")
TAPS = ("language", "counted", "curve", "forget", "fair", "own-rules", "note", *FINISHED)
