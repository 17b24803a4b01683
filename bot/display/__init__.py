"""Everything that the bot shows: texts from catalogues, lines for facts, prompts, the board, the lobby."""
