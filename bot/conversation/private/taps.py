"""The verbs of buttons that the private chat answers itself."""

#: ``FINISHED`` has the verbs about finished games, ``TAPS`` all verbs.
FINISHED = ("step", "lookback", "opened")
TAPS = ("language", "counted", "curve", "forget", "fair", "own-rules", "note", *FINISHED)
