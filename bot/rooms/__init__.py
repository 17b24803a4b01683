"""Rooms: everything one chat, or one forum topic, owns; and how rooms are named and stored."""
