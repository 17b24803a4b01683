"""Decide: pure functions from a room and an incoming value to the next room and its effects."""
