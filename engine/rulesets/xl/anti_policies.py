"""Tiles that take another one off a track. Source: XL handbook, "Anti-policies"."""

from engine import tiles
from engine.board import Party
from engine.facts import Fact, PowerLapsed, fact
from engine.question import Answers, Seat, asks
from engine.table import COVERED, TAKEN, Table
from engine.turn import Turn

#: The track that loses a tile, by kind of tile. For the social-democratic tile the President chooses it.
TAKES_FROM = {"anti-communist": "communist", "anti-fascist": "fascist"}
SOCIAL_DEMOCRATIC = "social-democratic"
KINDS = (
    tiles.TileKind("anti-communist", "fascist", takes_off=True),
    tiles.TileKind("anti-fascist", "communist", takes_off=True),
    tiles.TileKind(SOCIAL_DEMOCRATIC, "liberal", takes_off=True),
)


@fact("xl/tile-removed")
class TileRemoved(Fact):
    """The last tile came off a track. It went to the discard pile, or out of the game if ``gone``."""

    track: Party
    tile: str
    gone: bool

    def fold(self, table: Table) -> None:
        # The track gets shorter, but the counts of covered slots and laid tiles stay the same.
        covered, taken = f"{COVERED}{self.track}", f"{TAKEN}{self.track}"
        table.count(**{covered: table.covered(self.track), taken: table.counters.get(taken, 0) + 1})
        table.tracks = {**table.tracks, self.track: table.tracks[self.track][:-1]}
        if self.gone:
            table.removed = (*table.removed, self.tile)
        else:
            table.discards = (*table.discards, self.tile)


def anti_policy(turn: Turn, tile: str) -> None:
    """If the enacted tile is an anti-policy, take a tile off another track."""
    kind = tiles.kind(tile)
    if kind == SOCIAL_DEMOCRATIC:
        turn.then(("use-power", kind, turn.table.president))
    elif kind in TAKES_FROM:
        turn.then(("take-off", TAKES_FROM[kind], kind))


def take_off(turn: Turn, track: Party, kind: str) -> None:
    """Take the last tile off a track. From an empty track, nothing comes off."""
    lies = turn.table.tracks.get(track)
    if lies:
        turn.tell(TileRemoved(track, lies[-1], not tiles.ordinary(lies[-1])))
    else:
        turn.tell(PowerLapsed(kind))


@asks(SOCIAL_DEMOCRATIC)
def social_democratic(turn: Turn, holder: Seat) -> None:
    """Let the President choose between the tracks that are not empty, if there are two."""
    tracks = [track for track in ("fascist", "communist") if turn.table.tracks.get(track)]
    if len(tracks) > 1:
        turn.ask_one(holder, tracks, cards=len(tracks))
    else:
        turn.then(("take-off", tracks[0] if tracks else "", SOCIAL_DEMOCRATIC))


def choose_track(turn: Turn, answers: Answers) -> None:
    """Take the last tile off the chosen track."""
    (track,) = answers.values()
    turn.then(("take-off", track, SOCIAL_DEMOCRATIC))


STEPS = {
    "anti-policy": anti_policy,
    "take-off": take_off,
    f"power/{SOCIAL_DEMOCRATIC}": social_democratic,
    SOCIAL_DEMOCRATIC: choose_track,
}
