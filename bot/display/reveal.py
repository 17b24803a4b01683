"""The end of a game: all roles, how to check that the deal was fair, and the results of guessers."""

import json
import shlex
from dataclasses import replace

from markupsafe import Markup

from bot.display.buttons import Button, Row, data, expandable
from bot.display.role_card import revealed
from bot.display.telling import Telling, called, seat_mark
from bot.display.words import bold, name, plain_name
from bot.rooms.model import Match
from bot.rooms.names import RoomName
from bot.rooms.player import PARTY, Guess, Guesser, Score
from engine import Seat, Setup, board_of, side_of
from engine.custom import changes
from engine.proof import ADDRESSES, commitment


def roles_text(telling: Telling, match: Match) -> Markup:
    """Return every seat's role. If the game is won, mark the seats whose side won.

    Add the party if the role does not say it, and the figure in a theme that has figures.
    """
    t, table = telling, telling.view.table
    lines = [t.html("reveal.roles" if match.over else "watch.roles")]
    for seat in table.all_seats():
        won = side_of(t.view.setup, table, seat) in (table.winners or ())
        role = revealed(t.words, match, seat, t.envelope(table.roles[seat], table.parties[seat]))
        lines.append(t.html("reveal.role.won" if won else "reveal.role", seat=t.seat(seat), role=role))
    return Markup("\n").join(lines)


def ending_text(telling: Telling, match: Match, seat: Seat) -> Markup:
    """Say how a game has ended for one seat: won, lost, or called off."""
    table = telling.view.table
    role, party = table.roles[seat], table.parties[seat]
    shown = revealed(telling.words, match, seat, telling.envelope(role, party))
    if match.cancelled:
        return telling.html("ending.cancelled", role=shown)
    won = side_of(telling.view.setup, table, seat) in (table.winners or ())
    return telling.html("ending.won" if won else "ending.lost", role=shown)


def hitler_line(telling: Telling) -> Markup:
    """Say who was Hitler."""
    hitler = Seat(telling.view.table.roles.index("hitler"))
    return telling.html("named", name=telling.html("role.hitler"), value=telling.seat(hitler))


def proof_text(telling: Telling, match: Match) -> Markup:
    """Return the opened seal, folded: the seed, the beacon's round, and how to recompute the deal.

    Without a proof, say why.
    """
    # A folded text still shows its first lines, so these are words.
    reason = match.proof.unproven_reason
    words = "reveal.proof" if reason is None else f"proof.{reason}"
    return expandable(Markup("\n").join([telling.html(words), *_opened(telling, match)]))


def proof_page(telling: Telling, match: Match) -> Markup:
    """Return a page that says why a deal is fair, and has everything for checking this one."""
    reason = match.proof.unproven_reason
    unproven = [] if reason is None else [telling.html(f"proof.{reason}")]
    return Markup("\n\n").join([telling.html("fair"), *unproven, *_opened(telling, match)])


def _opened(telling: Telling, match: Match) -> list[Markup]:
    proof = match.proof
    seal = commitment(bytes.fromhex(proof.seed))
    lines = [telling.html("reveal.seal", seal=seal, seed=proof.seed, attempt=proof.attempt)]
    if not proof.fixed and proof.unproven_reason is None:
        lines.append(telling.html("proof.not-fixed"))
    if proof.randomness is not None:
        address = f"{proof.beacon or ADDRESSES[0]}/public/{proof.round}"
        values = {"round": proof.round, "randomness": proof.randomness, "address": address}
        lines.append(telling.html("reveal.beacon", **values))
    agreed = proof.terms(telling.view.setup, match.number)
    lines.append(telling.html("reveal.terms", terms=agreed, hash=commitment(agreed.encode("ascii"))))
    lines.append(telling.html("reveal.command", command=_command(match, telling.view.setup)))
    return lines


def _command(match: Match, setup: Setup) -> str:
    proof, board = match.proof, ""
    if setup.board is not None:
        own = changes(setup.board, board_of(replace(setup, board=None)))
        board = f" --board {shlex.quote(json.dumps(own, separators=(',', ':')))}"
    drawn = "" if proof.round is None else f" --round {proof.round}"
    drawn += f" --randomness {proof.randomness}" if proof.randomness else ""
    options = "".join(f" --option {key}={value}" for key, value in sorted(setup.options.items()))
    drawn += f" --beacon {proof.beacon}" if drawn and proof.beacon else ""
    return (
        f"python -m engine.proof --seed {proof.seed}{drawn} --ruleset {setup.ruleset}"
        f" --players {setup.players} --game {match.number} --attempt {proof.attempt}{options}{board}"
    )


# --- guessing -----------------------------------------------------------------------------------------------
# A guesser's prompt, toasts and result.

#: The most letters of a name on a button.
_ON_BUTTON = 24


def prompt(telling: Telling, group: Markup, count: int, guesses: tuple[Guess, ...]) -> Markup:
    """Say how many seats of which party to look for, and show the guesses so far."""
    party, hitler = telling.html(f"party.{PARTY}"), telling.html("role.hitler")
    lines = [
        telling.html("guess.title", group=group),
        telling.html("guess.ask", party=party, hitler=hitler, count=count),
        *(
            telling.html("guess.made", policies=guess.policies, seats=telling.seats(guess.seats))
            for guess in guesses
        ),
    ]
    return Markup("\n").join(lines)


def seat_rows(telling: Telling, where: RoomName, match: Match) -> tuple[Row, ...]:
    """Return a button for every seat, two in a row."""
    buttons = []
    for seat in match.seats:
        label = plain_name(called(match.players[seat], seat), _ON_BUTTON)
        buttons.append(Button(label, data(where, "guess", match.number, seat)))
    return tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))


def picked_toast(telling: Telling, guesser: Guesser, count: int) -> str:
    """Say which seats are picked, and how many are left to pick."""
    numbers = _numbers(telling, guesser.picked)
    return telling.words.plain("guess.picked", seats=numbers, left=count - len(guesser.picked))


def made_toast(telling: Telling, guess: Guess) -> str:
    """Say that a guess is made."""
    return telling.words.plain("guess.locked", seats=_numbers(telling, guess.seats), policies=guess.policies)


def best_line(telling: Telling, guesser: Guesser, score: Score) -> Markup:
    """Name the best guesser, and how the computer would have done."""
    assert guesser.player is not None
    who = bold(name(guesser.player.name))
    return telling.html("guess.best", who=who, right=score.right, all=score.all, computer=score.computer)


def result_text(telling: Telling, group: Markup, score: Score) -> Markup:
    """Tell a guesser how well they did."""
    result = telling.html("guess.result", right=score.right, all=score.all, computer=score.computer)
    return Markup("{}\n{}").format(telling.html("guess.title", group=group), result)


def _numbers(telling: Telling, seats: tuple[Seat, ...]) -> str:
    return str(telling.words.listed(map(seat_mark, seats))) or "–"
