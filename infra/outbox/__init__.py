"""Sending what rooms have waiting.

``plan`` decides what goes out when, ``send`` makes the calls, and ``outbox_sender`` holds the room's lease,
takes send slots and stores what became of it.
"""
