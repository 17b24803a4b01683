"""Computers at a table: the options they take and what they claim. Their mind is the package ``ai``."""
