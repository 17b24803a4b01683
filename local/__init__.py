"""The bot on one machine: Lambda's entries fed by long polling, on a table that survives a restart."""
