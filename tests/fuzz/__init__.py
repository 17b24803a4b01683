"""Send odd and broken updates of every kind to the bot: none may raise, or change what it may not change.

python -m tests.fuzz 0:100000      # send the updates with these numbers; a range can begin anywhere
python -m tests.fuzz --only 4711   # send this one again, to the world that it met
"""
