"""The Telegram bot. The three entries of Lambda; the rooms behind them: docs/architecture.md."""
