"""Sending what rooms have waiting: ``courier`` under the room's lease, ``flush`` once through the entries.

Below: ``calls`` (an entry as a call, and what of its result is remembered), ``budget`` (a group's minute).
"""
