"""The Telegram bot. Lambda's entries, one of them (alarm) the operator's; the rooms: docs/architecture.md."""
