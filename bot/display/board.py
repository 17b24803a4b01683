"""The board and the seats in words and signs. Signs differ in shape, not only in colour."""

from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from bot.display.expansions import SHOWN
from bot.display.telling import Telling, seat_mark
from bot.display.words import shown_length
from bot.rooms.rounds import rounds_of, term_limited
from engine import Seat, in_hitler_zone
from engine.board import Party
from engine.table import INVESTIGATED, SITS_OUT, Table

#: The signs for an empty slot, for a slot without a power, and for the last slot of a track.
EMPTY, POWERLESS, LAST = "▫️", "–", "🏁"


def board_text(telling: Telling) -> Markup:
    """Return what everybody sees on the board: tracks, next powers, tracker, piles, warnings.

    After the end there are no next powers and no warnings.
    """
    t, table = telling, telling.view.table
    board, goes_on = t.board, table.winners is None
    lines = []
    for colour, slots in board.tracks.items():
        placed = len(table.tracks.get(colour, ()))
        empty = EMPTY * (len(slots) - placed - 1) + (LAST if placed < len(slots) else "")
        signs = f"{t.words.plain(f'sign.{colour}') * placed}{empty}"
        party = t.html(f"party.{colour}")
        lines.append(t.html("board.track", party=party, signs=signs, lies=placed, slots=len(slots)))
        if goes_on and (power := _next_power(table, colour, slots)):
            lines.append(t.html("board.next-power", power=t.html(f"power.{power}")))
    lines.append(t.html("board.tracker", **_tracker(t)))
    lines.append(piles_line(telling))
    lines += warning_lines(telling)
    if goes_on and table.veto:
        lines.append(t.html("board.veto"))
    return Markup("\n").join(lines)


def piles_line(telling: Telling) -> Markup:
    """Return the sizes of the draw pile and the discard pile."""
    table = telling.view.table
    return telling.html("board.piles", pile=len(table.pile), discards=len(table.discards))


def warning_lines(telling: Telling, *, zone: bool = True) -> list[Markup]:
    """Return the warnings that a running game may end soon, by electing Hitler or by one more policy.

    Without ``zone``, leave out the warning about Hitler.
    """
    table, board = telling.view.table, telling.board
    if table.winners is not None:
        return []
    hitler = [telling.html("board.zone")] if zone and in_hitler_zone(table, board) else []
    return [*hitler, *[telling.html(f"danger.last.{colour}") for colour in telling.nearly_full]]


def marked_text(telling: Telling, room: int) -> Markup:
    """Return the marks on seats, a line each: barred, not Hitler, investigated, dead, and temporary ones.

    Seats are named if the names fit into ``room`` UTF-16 units. Otherwise they have their numbers only. After
    the end, when roles are shown, there are no marks.
    """
    t, table = telling, telling.view.table
    borne: dict[Markup, Sequence[Seat]] = {
        t.html("mark.limited"): sorted(term_limited(t.view)),
        t.html("mark.not-hitler"): _alive(table, t.not_hitler),
        t.html("mark.investigated"): _alive(table, table.tagged(INVESTIGATED)),
        t.html("mark.dead"): [seat for seat in table.all_seats() if not table.alive[seat]],
    }
    for seat in table.living():
        for mark in temporary_marks(t, seat):
            borne[mark] = [*borne.get(mark, ()), seat]

    def lines(called: Callable[[Seat], str]) -> Markup:
        listed = {mark: t.words.listed(map(called, seats)) for mark, seats in borne.items() if seats}
        return Markup("\n").join(
            (t.html("board.marked", mark=mark, seats=them) for mark, them in listed.items())
        )

    if table.winners is not None:
        return Markup()
    named = lines(t.seat)
    return named if shown_length(named) <= room else lines(seat_mark)


def shown_to_all(telling: Telling) -> set[tuple[Seat, str | None]]:
    """Return the seats whose party everybody was shown, each with that party."""
    showings = [
        SHOWN.showings[kind](fact) for fact in telling.view.facts if (kind := type(fact)) in SHOWN.showings
    ]
    return {(whose, party) for who, whose, party in showings if who is None}


def _alive(table: Table, seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in sorted(seats) if table.alive[seat]]


def board_line(telling: Telling, *, powers: bool) -> Markup:
    """Return the board in one line for prompts: the round, the tracks, the tracker unless it is at 0.

    With ``powers``, each track names the power of its next slot.
    """
    t, table = telling, telling.view.table
    tracks = []
    for colour, slots in t.board.tracks.items():
        placed = len(table.tracks.get(colour, ()))
        track = Markup("{} {}/{}").format(t.html(f"sign.{colour}"), placed, len(slots))
        power = _next_power(table, colour, slots) if powers else None
        if power:
            # The next slot's number says that its power is not being used now.
            track = Markup("{} → {}: {}").format(track, placed + 1, t.html(f"power.{power}"))
        tracks.append(track)
    number = t.html("round", round=len(rounds_of(t.view)))
    failed = [t.html("board.tracker", **_tracker(t))] if table.tracker else []
    return t.html("board.line", round=number, tracks=Markup("  ").join([*tracks, *failed]))


def _next_power(table: Table, colour: Party, slots: Sequence[str | None]) -> str | None:
    """Return the power of a track's next slot. A slot that was covered before has no power left."""
    placed = len(table.tracks.get(colour, ()))
    return slots[placed] if table.covered(colour) <= placed < len(slots) else None


def _tracker(telling: Telling) -> dict[str, int]:
    """Return the election tracker's value, its maximum, and its level, which counts down to 1."""
    value, of = telling.view.table.tracker, telling.board.chaos
    return {"value": value, "of": of, "level": 1 + of - value}


def players_text(telling: Telling, *, running: bool = True) -> Markup:
    """Return the seats in order, with what everybody knows of them. If ``running``, mark who governs."""
    t, table = telling, telling.view.table
    limited, running = term_limited(t.view), running and table.winners is None
    cleared = t.not_hitler
    rounds = rounds_of(t.view)
    elected = bool(rounds) and rounds[-1].elected
    voting = bool(rounds) and not rounds[-1].ballots
    lines = []
    for seat in table.all_seats():
        marks = [
            t.html(key)
            for key, holds in (
                ("mark.president" if elected else "mark.candidate", running and seat == table.president),
                ("mark.chancellor", running and elected and seat == table.chancellor),
                ("mark.nominee", running and voting and seat == table.chancellor),
                ("mark.dead", not table.alive[seat]),
                ("mark.limited", seat in limited),
                ("mark.not-hitler", table.alive[seat] and seat in cleared),
                ("mark.investigated", table.alive[seat] and seat in table.tagged(INVESTIGATED)),
            )
            if holds
        ]
        marks += temporary_marks(t, seat)
        marked = Markup(" · ").join(marks)
        lines.append(t.html("players.line", seat=t.seat(seat), marks=marked) if marks else t.seat(seat))
    return Markup("\n").join(lines)


def temporary_marks(telling: Telling, seat: Seat) -> list[Markup]:
    """Return a living seat's temporary marks, with how long each still lasts."""
    table, marks = telling.view.table, []
    if not table.alive[seat] or not table.tags:
        return []
    until = table.tagged(SITS_OUT).get(seat)
    if until is not None:
        marks.append(telling.html("mark.sits-out", left=until - table.elections))
    for mark in SHOWN.marks:
        borne = table.tagged(mark.tag).get(seat)
        if borne is not None:
            marks.append(telling.html(f"mark.{mark.tag}", left=mark.left(table, borne)))
    return marks
