"""Sending what rooms have waiting.

``outbox_sender`` holds the room's lease and ``flush`` goes once through the entries. ``calls`` turns an entry
into a call and says what of its result is remembered. ``budget`` keeps a group's minute.
"""
