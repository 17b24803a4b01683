"""The Telegram bot: Lambda's entries here, what it does in ``conversation``, what it shows in ``display``."""
