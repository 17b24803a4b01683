"""How computers play: each party's wins, and levels of computers against each other and beside people."""
