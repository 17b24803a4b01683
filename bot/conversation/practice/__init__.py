"""Practice: a person alone against computers, in their own chat with the bot."""
