"""XL's own roles, each an option: Capitalist, Anarchist, Monarchist. Source: leaflet "XL mark 3".

Each is dealt to one player of its party. This player still counts as a member of the party, but wins
separately. Red Dawn's roles of the same names are different. In an envelope the role follows the party:
``liberal:xl-capitalist``.
"""

from collections.abc import Mapping

from engine import tiles
from engine.board import Party, Role
from engine.facts import Fact, Shuffled, fact, put
from engine.question import Seat
from engine.ruleset import OwnSide
from engine.steps import powers
from engine.steps.communists import COMMUNIST, TilesAdded
from engine.steps.dealing import shuffled
from engine.table import Table
from engine.turn import Turn

CAPITALIST, ANARCHIST, MONARCHIST = Role("xl-capitalist"), Role("xl-anarchist"), Role("xl-monarchist")
#: The party of the player who gets each role. The option that turns a role on has the role's name.
PARTIES: dict[Role, Party] = {CAPITALIST: "liberal", ANARCHIST: COMMUNIST, MONARCHIST: "fascist"}
#: The kind of tile that the Anarchist adds, and the number of Communist tiles that it replaces.
TILE = "anarchist"
TILES = 2
KINDS = (tiles.TileKind(TILE, COMMUNIST, powerless=True),)


@fact("xl/role-shown")
class RoleShown(Fact):
    """A killed Capitalist's role was shown to all, and with it the party."""

    seat: Seat
    role: Role

    def fold(self, table: Table) -> None:
        table.roles = put(table.roles, self.seat, self.role)
        table.parties = put(table.parties, self.seat, PARTIES[self.role])


def cards(options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the cards of the roles that these options turn on."""
    return tuple(f"{party}:{role}" for role, party in PARTIES.items() if options[role] == "on")


def death(turn: Turn, seat: Seat, by: Seat | None, cause: str) -> None:
    """Kill a seat. A Capitalist's role is shown, and one more Communist tile goes into the draw pile."""
    powers.death(turn, seat, by, cause)
    if turn.table.roles[seat] != CAPITALIST:
        return
    turn.tell(RoleShown(seat, CAPITALIST))
    if COMMUNIST in turn.board.tracks:
        turn.tell(TilesAdded((COMMUNIST,)))
        turn.tell(Shuffled(shuffled(turn, list(turn.table.pile)), discards_kept=True), ())


def _capitalist(table: Table, winners: tuple[Party, ...], reason: str) -> bool:
    return "liberal" in winners or "fascist" in winners


def _anarchist(table: Table, winners: tuple[Party, ...], reason: str) -> bool:
    lies = [tile for tile in table.tracks.get(COMMUNIST, ()) if tiles.kind(tile) == TILE]
    return _hitler_dead(table) or (reason == f"{COMMUNIST}-track" and len(lies) >= TILES)


def _monarchist(table: Table, winners: tuple[Party, ...], reason: str) -> bool:
    # Electing Hitler in the zone ends the game. So if the game ended for another reason, Hitler was never
    # elected in the zone.
    return "fascist" in winners and reason != "hitler-elected" and not _hitler_dead(table)


def _hitler_dead(table: Table) -> bool:
    return not table.alive[table.roles.index("hitler")]


SIDES = {
    CAPITALIST: OwnSide(PARTIES[CAPITALIST], _capitalist),
    ANARCHIST: OwnSide(PARTIES[ANARCHIST], _anarchist),
    MONARCHIST: OwnSide(PARTIES[MONARCHIST], _monarchist),
}
STEPS = {"death": death}
