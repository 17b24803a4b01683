"""The end: all roles, the replay of every session, and how to check that the deal was fair."""

from engine import facts as f
from engine.proof import commitment
from handlers.display.telling import Telling
from handlers.display.words import Html
from handlers.rooms.model import Match


def roles_text(telling: Telling) -> Html:
    """Every seat's role, and whose side won."""
    t, table = telling, telling.view.table
    lines = [t.html("reveal.roles")]
    for seat in range(table.seats):
        won = table.parties[seat] in (table.winners or ())
        lines.append(
            t.html(
                "reveal.role.won" if won else "reveal.role",
                number=seat + 1,
                seat=t.seat(seat),
                role=t.role(table.roles[seat]),
            )
        )
    return Html("\n".join(lines))


def replay_text(telling: Telling) -> Html:
    """Round by round, what the government held, discarded and enacted."""
    t = telling
    lines = [t.html("replay.title")]
    number = 0
    for fact in t.view.facts:
        if isinstance(fact, f.CandidacyPassed):
            number += 1
        elif isinstance(fact, f.Drew):
            lines.append(
                t.html("replay.drew", round=number, seat=t.seat(fact.seat), tiles=t.tiles(fact.hand))
            )
        elif isinstance(fact, f.Discarded):
            lines.append(t.html("replay.discarded", seat=t.seat(fact.seat), tile=t.tile(fact.tile)))
        elif isinstance(fact, f.Enacted):
            key = "replay.chaos" if fact.chaos else "replay.enacted"
            lines.append(t.html(key, round=number, tile=t.tile(fact.tile)))
        elif isinstance(fact, f.Vetoed):
            lines.append(t.html("replay.vetoed", tiles=t.tiles(fact.tiles)))
        elif isinstance(fact, f.Investigated):
            lines.append(
                t.html(
                    "replay.investigated",
                    seat=t.seat(fact.seat),
                    target=t.seat(fact.target),
                    party=t.party(fact.party),
                )
            )
    return Html("\n".join(lines))


def proof_text(telling: Telling, match: Match) -> Html:
    """The seed, and the command with which anyone recomputes the deal from it."""
    setup = telling.view.setup
    options = "".join(f" --option {key}={value}" for key, value in sorted(setup.options.items()))
    command = (
        f"python -m engine.proof --seed {match.seed} --shakes {','.join(map(str, match.shakes))}"
        f" --ruleset {setup.ruleset} --players {setup.players}{options}"
    )
    return telling.html("reveal.proof", seal=commitment(bytes.fromhex(match.seed)), command=command)
