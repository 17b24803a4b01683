"""What the bot shows: words from catalogues, lines for facts, prompts for questions, the board, the lobby."""
