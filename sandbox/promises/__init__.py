"""Promises of a bot's writes and messages: among faults in virtual time, and in a crowd.

invocation  one run of an entry, which is judged
history     every version of a room follows from the one before by one legal step
in_turn     computers that acted at once did so one after the other
deals       each game is sealed, waits untouched, and is dealt once, from the sealed round
rest        what must hold once nothing is under way
signs       what a call shows, to hold what was posted against what was written down
"""
