"""Updates of every kind, odd and broken, against whole tables: none may raise, none changes what it may not.

python -m tests.fuzz 0:100000      # updates by number; a range can be resumed anywhere
python -m tests.fuzz --only 4711   # that one again, in the world that it found
"""
