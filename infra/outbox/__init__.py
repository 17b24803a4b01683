"""Send the messages that rooms have waiting.

``plan`` decides which goes out when, ``send`` makes the calls, and ``outbox_sender`` holds the room's lease,
takes send slots and stores the results.
"""
