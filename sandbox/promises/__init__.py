"""Promises that the bot's writes and messages must keep, with faults in virtual time and in a crowd.

invocation  one run of an entry
history     every version of a room follows from the one before by one legal step
in_turn     computers that acted at once did so one after the other
deals       each game is sealed, waits unchanged, and is dealt once, from the sealed round
rest        what must be true once nothing is under way
fingerprint a short form of a call's content, to compare posts with outbox entries
"""
