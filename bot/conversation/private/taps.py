"""The buttons in private that are about the person."""

#: Their verbs.
TAPS = ("language", "counted", "forget", "fair", "own-rules")
