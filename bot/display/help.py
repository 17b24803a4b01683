"""/help: a few sentences, then every command that these have not named."""

from collections.abc import Sequence

from bot.display.commands import GROUP, PRIVATE
from bot.display.words import Html, Words

#: Commands that the reader has used already.
_KNOWN = ("help", "start")


def group_help(words: Words) -> Html:
    """Say what the bot is, and list its commands in groups."""
    return _with_commands(words, words.html("help.group"), GROUP, "command.")


def private_help(words: Words) -> Html:
    """Say what the bot is, and list its commands in private."""
    return _with_commands(words, words.html("help.private"), PRIVATE, "command.private.")


def _with_commands(words: Words, text: Html, commands: Sequence[str], prefix: str) -> Html:
    lines = [
        words.html("help.line", command=command, what=words.html(f"{prefix}{command}"))
        for command in commands
        if command not in _KNOWN and f"/{command}" not in text
    ]
    return Html("\n".join([text, "", *lines]))
