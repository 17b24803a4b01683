"""The private chat: its commands, a person's own settings and statistics, and finished games."""
