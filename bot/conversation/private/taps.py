"""The verbs of buttons that the private chat answers itself."""

from bot.display.buttons import Verb

#: ``FINISHED`` has the verbs about finished games, ``TAPS`` all verbs.
FINISHED: tuple[Verb, ...] = ("step", "lookback", "opened")
TAPS: tuple[Verb, ...] = ("language", "counted", "curve", "forget", "fair", "own-rules", "note", *FINISHED)
