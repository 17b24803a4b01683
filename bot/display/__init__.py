"""Everything the bot shows: words from catalogues, lines for facts, prompts, the board, the lobby."""
