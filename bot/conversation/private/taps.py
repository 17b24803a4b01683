"""The buttons in private that are about the person."""

#: Their verbs; those about finished games.
FINISHED = ("step", "lookback", "opened")
TAPS = ("language", "counted", "curve", "forget", "fair", "own-rules", "note", *FINISHED)
