"""The end: all roles, and how to check that the deal was fair."""

import json
import shlex
from dataclasses import replace

from engine import Setup, board_of
from engine.custom import changes
from engine.proof import commitment
from engine.steps.dealing import PARTY
from handlers.display.figures import revealed
from handlers.display.telling import Telling
from handlers.display.words import Html
from handlers.rooms.model import Match


def roles_text(telling: Telling, match: Match) -> Html:
    """Every seat's role (with its party, where the role does not say it; with its figure, in a theme that
    has some), and whose side won."""
    t, table = telling, telling.view.table
    lines = [t.html("reveal.roles")]
    for seat in range(table.seats):
        won = table.parties[seat] in (table.winners or ())
        lines.append(
            t.html(
                "reveal.role.won" if won else "reveal.role",
                number=seat + 1,
                seat=t.seat(seat),
                role=revealed(t.words, match, seat, _role(t, seat)),
            )
        )
    return Html("\n".join(lines))


def _role(t: Telling, seat: int) -> Html:
    """A seat's role; with the party at the end where that is not the role's own: secret roles, converts."""
    role, party = t.view.table.roles[seat], t.view.table.parties[seat]
    shown = t.role(role)
    own = role if role is None else PARTY.get(role, role)
    return shown if party == own else t.html("own.secret-role", role=shown, party=t.party(party))


def proof_text(telling: Telling, match: Match) -> Html:
    """The seed, and the command with which anyone recomputes the deal from it."""
    setup = telling.view.setup
    options = "".join(f" --option {key}={value}" for key, value in sorted(setup.options.items()))
    command = (
        f"python -m engine.proof --seed {match.seed} --shakes {','.join(map(str, match.shakes))}"
        f" --ruleset {setup.ruleset} --players {setup.players}{options}{_board(setup)}"
    )
    return telling.html("reveal.proof", seal=commitment(bytes.fromhex(match.seed)), command=command)


def _board(setup: Setup) -> str:
    """What a board of one's own differs by from the printed one, as the command takes it."""
    if setup.board is None:
        return ""
    own = changes(setup.board, board_of(replace(setup, board=None)))
    return f" --board {shlex.quote(json.dumps(own, separators=(',', ':')))}"
