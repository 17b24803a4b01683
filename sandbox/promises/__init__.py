"""Check promises of the bot: what must be true of its writes and messages, whatever fails.

``sandbox.faults`` and ``sandbox.crowd`` use these checks.

history         every version of a room follows from the one before by one legal step
answers         find the answers that lead to a log, such as several steps of computers in one write
deals           each game is sealed, stays unchanged, and is dealt once, from the sealed round
"""
