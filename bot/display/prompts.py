"""Texts of questions, names of options, and the line that says for whom the group is waiting."""

from collections.abc import Collection, Sequence

from markupsafe import Markup

from bot.display.board import board_line, piles_line, shown_to_all, temporary_marks
from bot.display.buttons import LONGEST, latest
from bot.display.expansions import SHOWN
from bot.display.telling import Telling, called, seat_mark
from bot.display.words import Words, bold, italic, plain_name, shown_length
from bot.rooms.model import Player
from bot.rooms.rounds import CHANCELLOR, HANDS, PARTY, PRESIDENT, contradictions, rounds_of
from engine import Question, Seat, in_hitler_zone, ruleset
from engine.board import PARTIES
from engine.claim import Claim, colour
from engine.facts import CandidacyPassed, Voted
from engine.question import CARD, JA, NEIN, PERSON, Option
from engine.rulesets.red_dawn import smear
from engine.steps.legislation import VETO
from engine.tiles import kind, power

# --- seat knowledge -----------------------------------------------------------------------------------------
# Recall in a prompt what is known about other seats: public facts, parties that the reader was shown, claims.
# No line may give the reader's role away just by being there. So what the reader knows from the deal, or from
# a meeting of Communists, is only on the covered cards of /role. That a seat was shown a party is public.


def known_lines(
    telling: Telling,
    seats: Collection[Seat],
    claims: Sequence[Claim],
    *,
    listed: bool = False,
    most: int | None = None,
) -> list[Markup]:
    """Return a line for each of these seats about which something is known, except the reader's own.

    It recalls the seat's governments, what they enacted, and what the seat claimed about them. ``listed``:
    make lines shorter, for many seats. Names are cut, and the other member of a government has only a number.
    ``most``: recall only a seat's latest governments, at most so many.
    """
    # Besides the options, names are short and not bold.
    seen = _seen(telling.compact, claims)
    past = _governed(telling.compact, seats, claims, listed=listed)
    named = telling.compact if listed else telling
    lines = []
    for seat in seats:
        governments = past.get(seat, [])
        shown = governments if most is None else governments[max(0, len(governments) - most) :]
        marks = [telling.html("mark.not-hitler")] if seat in telling.not_hitler else []
        marks += [*temporary_marks(telling, seat), *seen.get(seat, ()), *shown]
        if marks and seat != telling.view.seat:
            known = Markup(" · ").join(marks)
            lines.append(telling.html("players.line", seat=named.seat(seat), marks=known))
    told = "".join(lines)
    explained = [telling.html(key) for sign, key in EXPLAINED.items() if sign in told]
    return [*lines, italic(Markup(" · ").join(explained))] if explained else lines


#: The keys of the texts that explain signs. Each text begins with its sign.
EXPLAINED = {
    "🎩": "mark.president",
    "📜": "mark.chancellor",
    "💬": "known.key.claim",
    "⚡": "known.key.clash",
}


def _governed(
    t: Telling, seats: Collection[Seat], claims: Sequence[Claim], *, listed: bool
) -> dict[Seat, list[Markup]]:
    """Return these seats' governments: a seat's office, what they enacted (✋: a veto), and with whom.

    Both claims about the session are added, and marked if they contradict each other or its tile.
    ``listed``: the other member has only a number.
    """
    claimed = {(one.seat, one.round): one for one in claims if one.kind in (PRESIDENT, CHANCELLOR)}
    found: dict[Seat, list[Markup]] = {}
    rounds = rounds_of(t.view)
    # Only clashes of claims that stand beside each other here: a clash with a peek would not be understood.
    wrong = [
        one
        for clashes in contradictions(rounds, [*claimed.values()]).values()
        for clash in clashes
        if len({each.round for each in clash}) == 1
        for one in clash
    ]
    for round_ in rounds:
        governed = round_.vetoed or (round_.enacted and not round_.chaos)
        if round_.chancellor is None or not governed:
            continue
        pair = round_.president, round_.chancellor
        sides = [side for side in (pair, pair[::-1]) if side[0] in seats]
        if not sides:
            continue
        enacted = Markup("✋") if round_.vetoed else t.colours(map(colour, round_.enacted))
        for seat, other in sides:
            shown = seat_mark(other) if listed else t.seat(other)
            claim = claimed.get((seat, round_.number))
            told = enacted if claim is None else Markup("{} 💬{}").format(enacted, t.colours(claim.said))
            key = "known.governed.you" if other == t.view.seat else "known.governed"
            told = t.html(key, enacted=told, seat=shown)
            theirs = claimed.get((other, round_.number))
            if theirs is not None:
                told = Markup("{} 💬{}").format(told, t.colours(theirs.said))
            office = "🎩" if seat == round_.president else "📜"
            clash = " ⚡" if claim in wrong else ""
            found.setdefault(seat, []).append(Markup("{} {}{}").format(office, told, clash))
    return found


def _seen(t: Telling, claims: Sequence[Claim]) -> dict[Seat, list[Markup]]:
    """Return, by seat, who was shown its party, and what the reader saw or others claim to have seen."""
    claimed = {(claim.seat, claim.round): claim.said[0] for claim in claims if claim.kind == PARTY}
    found: dict[Seat, list[Markup]] = {}
    number = 0
    for fact in t.view.facts:
        number += isinstance(fact, CandidacyPassed)
        if (showing := SHOWN.showings.get(type(fact))) is not None:
            who, whose, party = showing(fact)
            told = None if who is None else claimed.get((who, number))
            if who is None:
                mark = t.html("known.all", party=t.html(f"party.{party}"))
            elif who == t.view.seat and party is not None:
                mark = t.html("known.you", party=t.html(f"party.{party}"))
                if told not in (None, party):
                    mark += Markup(" · ") + t.html("known.you.told", party=t.html(f"party.{told}"))
            elif told is not None:
                mark = t.html("known.claimed", seat=t.seat(who), party=t.html(f"party.{told}"))
            else:
                mark = t.html("known.other", seat=t.seat(who))
            found.setdefault(whose, []).append(mark)
    return found


# --- prompts ------------------------------------------------------------------------------------------------

#: The questions of an election and a session. The others are about powers.
_BEFORE_POWERS = ("nominate", "ballot", *HANDS, "veto", "sealed-veto")
#: Questions about a veto, besides those that offer one among other options.
_VETOES = ("veto", "sealed-veto")
#: The most governments of a seat in a prompt that would otherwise be too long.
_GOVERNMENTS = 5
#: Room for a prompt's heading, in UTF-16 units.
_HEADING = 150


def prompt(
    telling: Telling,
    question: Question,
    claims: Sequence[Claim] = (),
    *,
    board: Sequence[Markup],
    news: Sequence[Markup] = (),
    advice: Sequence[Markup] = (),
    last: bool = False,
    until: int | None = None,
) -> Markup:
    """Return the question as the asked seat reads it, in a group's game and in practice.

    Args:
        claims: all claims of the game.
        board: see ``board_lines``.
        news: lines about what has happened since the seat was last asked. The latest that fit are shown.
        advice: lines of advice for a newcomer.
        last: True if all others answer only after this seat, so that its answer is final.
        until: when a meeting ends, in seconds since 1970. Other prompts do not tell their deadline.
    """
    t = telling
    blind = [t.html("ask.blind")] if question.blind else []
    asked = _asked(t, question, last=last)
    who_meets = _who_meets(t, question, until) if question.meeting else []
    veto = [t.html("board.veto")] if question.step in ("nominate", "ballot") and t.view.table.veto else []
    limits = _limits(t, question) if question.step in ("nominate", "investigate") else []
    above = [*board, *who_meets, asked, *veto, *limits]
    picks = _picks(t, question) if question.meeting else []
    under = [*picks, *blind, *_explained(t, question), *advice]
    seats, below, left = about(t, question), Markup(), 0
    for most in (None, *range(_GOVERNMENTS, -1, -1)):
        known = known_lines(t, seats, claims, listed=question.step != "ballot", most=most)
        below = Markup("\n").join([*above, *known, *under])
        left = LONGEST - _HEADING - shown_length(below)
        if left >= 0:
            break
    fitting = latest(news, left)
    return Markup("\n").join([*fitting, "", below]) if fitting else below


def board_lines(telling: Telling, question: Question) -> list[Markup]:
    """Return the lines above a question: the board, and what may happen now.

    They are the same from the group's view as from a seat's.
    """
    # While a power is used, readers would take the next power for it.
    powers = question.step in _BEFORE_POWERS
    return [board_line(telling, powers=powers), *danger_lines(telling, question)]


def danger_lines(telling: Telling, question: Question) -> list[Markup]:
    """Return a line for each thing that may end the game now, or enact the top tile unseen."""
    t, table, board = telling, telling.view.table, telling.board
    elects, last_failure = question.step in ("nominate", "ballot"), table.tracker + 1 >= board.chaos
    vetoes = last_failure and (question.step in _VETOES or any(VETO in each for each in question.options))
    lines = []
    # The target of a special election nominates next.
    elects_hitler = (elects or question.step == "special") and in_hitler_zone(table, board)
    if elects_hitler and question.step == "ballot":
        # Unless everybody knows that this Chancellor is not Hitler. Hitler always stays a Fascist.
        shown = {party for whose, party in shown_to_all(t) if whose == table.chancellor}
        elects_hitler = table.chancellor not in t.not_hitler and shown <= {"fascist"}
    if elects_hitler:
        lines.append(t.html("board.zone"))
    if last_failure and elects:
        lines.append(t.html("danger.chaos"))
    elif vetoes:
        lines.append(t.html("danger.veto"))
    if question.step == "smear" and smear.ENDING in board.endings:
        lines.append(Markup("⚠️ {}").format(t.html("rules.power.smear.wins")))
    ends = [t.html(f"danger.last.{colour}") for colour in t.nearly_full]
    told = [bold(line) for line in [*lines, *ends]]
    # The sizes of the piles help to guess which policies may come.
    return [*told, piles_line(t)] if ends or vetoes or (last_failure and elects) else told


def about(t: Telling, question: Question) -> Sequence[Seat]:
    """Return the seats that a question is about: those to choose from, or in a ballot the government."""
    table = t.view.table
    if question.step == "ballot":
        return [seat for seat in (table.president, table.chancellor) if seat is not None]
    # In a meeting each seat has options of its own.
    own = 0 if t.view.seat is None else question.seats.index(t.view.seat)
    return [option for option in question.options[own] if isinstance(option, int)]


def _asked(t: Telling, question: Question, *, last: bool = False) -> Markup:
    """Return the question's text, with the names of the candidates or the government.

    For a ballot, add that it may be changed, unless the seat is the ``last`` to vote. A person who votes only
    with computers always is.
    """
    government = []
    for seat in (t.view.table.president, t.view.table.chancellor):
        name = Markup() if seat is None else t.seat(seat)
        government.append(t.html("ask.you", seat=name) if seat is not None and seat == t.view.seat else name)
    president, chancellor = government
    asked = t.html(f"ask.{question.step}", president=president, chancellor=chancellor)
    people = [seat for seat in question.seats if not t.players[seat].computer]
    if question.step != "ballot" or last or len(people) < 2:
        return asked
    return Markup("{}\n{}").format(asked, t.html("ask.ballot.change"))


def _limits(t: Telling, question: Question) -> list[Markup]:
    """Return who cannot be chosen: after a term of office, or because of an earlier investigation."""
    table = t.view.table
    able = table.able() if question.step == "nominate" else table.living()
    barred = [seat for seat in able if seat not in (*question.options[0], t.view.seat)]
    lines = [t.html(f"ask.{question.step}.barred", seats=t.seats(barred))] if barred else []
    # A smeared seat, for example, is not among those that may hold office.
    out = [seat for seat in table.living() if seat not in (*able, t.view.seat)]
    marked = ((seat, Markup(" · ").join(temporary_marks(t, seat))) for seat in out)
    return [*lines, *(t.html("players.line", seat=t.seat(seat), marks=marks) for seat, marks in marked)]


def _who_meets(t: Telling, question: Question, until: int | None) -> list[Markup]:
    """Say who else meets, and until when, as one of them reads it."""
    others = [seat for seat in question.seats if seat != t.view.seat]
    told = t.html("convened", seats=t.seats(others)) if others else _meeting(t, question)
    # The prompt may stay when the meeting is over, so its time does not count down.
    return [told if until is None else _with_deadline(t, told, moment(t.words, until, "T"))]


def _meeting(t: Telling, question: Question) -> Markup:
    return t.html(f"waiting.{question.step}", power=t.html(f"power.{question.step}"))


def _explained(t: Telling, question: Question) -> list[Markup]:
    """Explain the powers that the tiles of a hand carry, or the question's power if only tiles carry it."""
    step = question.step
    if step in HANDS:
        tiles = () if question.blind else question.options[0]
        powers = [*dict.fromkeys([power(str(tile)) for tile in tiles])]
    else:
        on_tiles = set[str]().union(*ruleset(t.view.setup.ruleset).tiles.values())
        on_tracks = set[str | None]().union(*t.board.tracks.values())
        powers = [step] if step in on_tiles - on_tracks else []
    named = [one for one in powers if one and t.words.has(f"rules.power.{one}")]
    return [t.html("named", name=t.html(f"power.{one}"), value=t.html(f"rules.power.{one}")) for one in named]


def _picks(t: Telling, question: Question) -> list[Markup]:
    picks = [
        t.html("ask.pick", seat=t.seat(seat), choice=label(t.words, t.players, option))
        for seat, option in question.chosen().items()
        if option is not None
    ]
    return [t.html("ask.picks", picks=t.words.listed(picks))] if picks else []


def label(words: Words, players: tuple[Player, ...], option: Option) -> str:
    """Return an option's name on a button."""
    if isinstance(option, int):
        return plain_name(called(players[option], option))
    if option in SHOWN.verbs:
        return words.plain(f"option.{option}")
    if option in PARTIES:
        return words.plain(f"tile.{option}")
    if option.startswith(CARD):
        return words.plain("option.card", number=int(option.removeprefix(CARD)) + 1)
    if option.startswith(PERSON):
        return words.plain("option.seat-blind", number=int(option.removeprefix(PERSON)) + 1)
    tile = words.plain(f"tile.{kind(option)}")
    carried = power(option)
    if carried is None:
        return tile
    return words.plain("tile.with-power", tile=tile, power=words.plain(f"power.{carried}"))


def trace(words: Words, voted: Voted, seat: Seat) -> str | None:
    """Say what a seat voted, and how the ballot ended; None if it cast no ballot."""
    ballot = voted.ballots[seat]
    if ballot is None:
        return None
    counts = {"ja": voted.ballots.count(JA), "nein": voted.ballots.count(NEIN)}
    result = "trace.elected" if voted.passed else "trace.rejected"
    return words.plain(result, choice=words.plain(f"option.{ballot}"), **counts)


def ballot_over(words: Words, voted: Voted, seat: Seat) -> str:
    """Say how a ballot ended and what the seat voted, for a toast."""
    if (own := trace(words, voted, seat)) is not None:
        return own
    counts = []
    for ballot in (JA, NEIN):
        option, count = words.plain(f"option.{ballot}"), voted.ballots.count(ballot)
        counts.append(words.plain("ballot.count", ballot=option, count=count))
    return words.plain("toast.ballot-over", counts=" · ".join(counts))


def record(telling: Telling, question: Question, option: Option) -> Markup:
    """Return the record that replaces an answered prompt: the hand that was seen, and the choice."""
    t = telling
    chosen = t.html(f"answered.{question.step}", choice=bold(label(t.words, t.players, option)))
    return Markup("\n").join([*hand_seen(t, question), chosen])


def hand_seen(telling: Telling, question: Question) -> list[Markup]:
    """Return the line that recalls a question's hand; nothing if it had none, or if cards are face down."""
    if question.step not in HANDS or question.blind:
        return []
    tiles = [str(option) for option in question.options[0] if option not in SHOWN.verbs]
    return [telling.html(f"seen.{HANDS[question.step]}", tiles=telling.hand(tiles))]


def waiting(
    telling: Telling,
    question: Question | None,
    until: int | None,
    *,
    in_group: bool = False,
    nominated: bool = False,
) -> Markup | None:
    """Say who must act and until when. For a meeting, say only that there is one.

    ``in_group``: the question's buttons are below this message; ``nominated``: it has already named the
    candidates.
    """
    if question is None:
        return None
    if in_group and question.step == "ballot":
        waiting = telling.html("waiting.ballot.here") if nominated else _asked(telling, question)
    elif question.meeting:
        waiting = _meeting(telling, question)
    elif question.step == "nominate" and telling.is_back_in_turn():
        waiting = telling.html("waiting.nominate.back", seats=telling.seats(question.seats))
    else:
        waiting = telling.html(f"waiting.{question.step}", seats=telling.seats(question.seats))
    return waiting if until is None else _with_deadline(telling, waiting, moment(telling.words, until))


def _with_deadline(telling: Telling, told: Markup, until: Markup) -> Markup:
    return telling.html("waiting.until", waiting=told, until=until)


def moment(words: Words, seconds: int, form: str = "r") -> Markup:
    """Return a time that Telegram shows relative to now. Older clients show the time of day in UTC.

    ``form``: Telegram's format. ``"r"`` is relative and counts down, ``"T"`` is the reader's time of day.
    """
    return Markup('<tg-time unix="{}" format="{}">{}</tg-time>').format(seconds, form, words.clock(seconds))
