"""Run, simulate and measure the bot on one machine. Nothing here ships, and only tests import it."""
