"""Rooms: everything that belongs to one chat or one forum topic, and how rooms are named and stored."""
