"""Measurements: each module measures one thing and says how."""
