"""Characters: small offsets, the same for every role, so that computers play like different people."""

from hashlib import sha256
from struct import unpack

from engine.frozen import frozen

#: The largest offset of each trait: see ``Character``.
JA, ACCUSES, BOLD = 0.3, 0.9, 0.15


@frozen
class Character:
    """A computer's traits. The default has no offsets: it plays exactly at people's rates."""

    #: Log-odds added to a vote for Ja: above 0 trusting, below 0 cautious.
    ja: float = 0.0
    #: Added to the log-weight with which a President who is not Liberal accuses the Chancellor: after a tile
    #: that is not Liberal, it claims to have drawn one Liberal tile.
    accuses: float = 0.0
    #: The probability added to playing one's own tile over a Liberal one.
    bold: float = 0.0


#: No character.
PLAIN = Character()


def character_of(name: str) -> Character:
    """Return the character of a computer with this name: the same in every game."""
    traits = unpack(">3H", sha256(name.encode()).digest()[:6])
    ja, accuses, bold = (2 * trait / 0xFFFF - 1 for trait in traits)
    return Character(JA * ja, ACCUSES * accuses, BOLD * bold)
