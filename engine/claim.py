"""What a seat says that it saw. No rule depends on it: people and computers claim, and both read claims."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """What a seat says that it saw in a round; nobody has to tell the truth."""

    seat: int
    #: The round, counted from 1.
    round: int
    #: "president" and "chancellor" of their hands, "peek", or "party" of an investigation.
    kind: str
    #: Colours of tiles in any order, or one party.
    said: tuple[str, ...]
    #: How many facts the group's view held when it was made: its first ones, so many, are what all knew then.
    at: int
