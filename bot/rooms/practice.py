"""A game of one person against computers, in their own chat with the bot."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Practice:
    """What is different where somebody practises. Nothing of such a game is recorded."""

    #: Whether each prompt has a line of advice.
    advice: bool
