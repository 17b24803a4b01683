"""The bot on one machine: the Lambda handlers, fed by long polling, on a table that survives a restart."""
