"""Beliefs of seats and of the table."""

from itertools import permutations, product

import pytest

import ai
from ai import likelihoods, memory, sessions, worlds
from engine import Chance, Seat, Setup, View, fold, start, view
from engine.claim import Claim
from engine.facts import Peeked
from sandbox.computer_games import SEASONED, play_computer_game
from tests.engine.builders import Play, seats


def of(play: Play, seat: Seat | None = None, claims: tuple[Claim, ...] = ()) -> ai.Beliefs:
    return ai.beliefs(view(play.events, seat), claims)


def earlier(whole: View, facts: int) -> View:
    """Return the same viewer's view after this many facts."""
    return View(whole.seat, fold(whole.facts[:facts]), whole.facts[:facts])


@pytest.fixture(autouse=True)
def _unprejudiced() -> None:
    memory.forget()


def test_at_first_the_table_knows_only_the_numbers() -> None:
    believed = of(Play(7))
    for seat in range(7):
        assert believed.party(Seat(seat)) == pytest.approx({"liberal": 4 / 7, "fascist": 3 / 7})
        expected = {"liberal": 4 / 7, "fascist": 2 / 7, "hitler": 1 / 7}
        assert believed.role(Seat(seat)) == pytest.approx(expected)


def test_a_liberal_knows_itself_and_spreads_the_rest_evenly() -> None:
    believed = of(Play(7, roles="llllffh"), Seat(0))
    assert believed.party(Seat(0))["liberal"] == 1
    assert believed.party(Seat(1)) == pytest.approx({"liberal": 0.5, "fascist": 0.5})
    assert believed.role(Seat(3))["hitler"] == pytest.approx(1 / 6)


def test_at_seven_fascists_know_all_and_hitler_only_itself() -> None:
    play = Play(7, roles="llllffh")
    fascist, hitler = of(play, Seat(4)), of(play, Seat(6))
    assert [fascist.party(Seat(seat))["fascist"] for seat in range(7)] == pytest.approx([0, 0, 0, 0, 1, 1, 1])
    assert fascist.role(Seat(6))["hitler"] == pytest.approx(1)
    assert hitler.party(Seat(0))["fascist"] == pytest.approx(2 / 6)


def test_with_five_hitler_knows_the_fascist() -> None:
    assert of(Play(5, roles="lllfh"), Seat(4)).role(Seat(3))["fascist"] == pytest.approx(1)


def test_a_president_who_passed_a_liberal_reads_the_chancellor() -> None:
    play = Play(7, roles="llllffh", deck="lff lff lff lff lff lf").elect(4).discard("f").enact("f")
    assert of(play, Seat(0)).party(Seat(4))["fascist"] > 0.95
    # A viewer who only saw a Fascist policy suspects both a little.
    table = of(play)
    assert 3 / 7 < table.party(Seat(0))["fascist"] < 0.75
    assert table.party(Seat(4))["fascist"] > 3 / 7


def test_enacted_policies_speak_for_and_against_governments() -> None:
    liberal = Play(7, deck="llf fff lff fff lll ff").elect(1).discard("f").enact("l")
    fascist = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    for seat in (0, 1):
        assert of(liberal).party(Seat(seat))["fascist"] < 3 / 7 < of(fascist).party(Seat(seat))["fascist"]


def conflict(play: Play, said: str = "president chancellor") -> tuple[Claim, ...]:
    at = len(view(play.events, None).facts)
    claims = (
        Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), at),
        Claim(Seat(1), 1, "chancellor", ("fascist", "fascist"), at),
    )
    return tuple(claim for claim in claims if claim.kind in said)


def piles(play: Play, seat: int) -> set[tuple[int, ...]]:
    """Return how many Liberal and Fascist tiles a seat thinks may be in the draw pile."""
    return set(memory.read_view(view(play.events, Seat(seat)), ()).state.pile)


def test_a_chancellor_reads_the_pile_from_its_two_tiles() -> None:
    play = Play(7, deck="fff lff lff lff lff ll").elect(1).discard("f").enact("f")
    assert piles(play, 0) == {(6, 8)}, "the President saw all three"
    assert piles(play, 1) == {(6, 8), (5, 9)}, "of three tiles it held two Fascist ones"
    assert piles(play, 2) == {(6, 8), (5, 9), (4, 10)}
    play = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("l")
    assert piles(play, 1) == {(5, 9), (4, 10)}, "of three tiles it held a Liberal and a Fascist one"
    assert piles(play, 2) == {(5, 9), (4, 10), (3, 11)}


def test_a_peek_tells_what_the_next_president_drew() -> None:
    play = Play(5, roles="lllfh", deck="fff fff fff lff lll ll").until_fascist(3)
    peeker = next(fact.seat for fact in play.all(Peeked))
    assert play.step == "nominate"
    play.govern("f", play.harmless)
    pair = play.table.last_elected
    assert peeker not in pair
    shares = [[of(play, viewer).party(seat)["fascist"] for seat in pair] for viewer in (peeker, None)]
    other = next(seat for seat in range(5) if seat not in (peeker, *pair))
    blind = [of(play, Seat(other)).party(seat)["fascist"] for seat in pair]
    assert sum(shares[0]) > sum(blind) + 0.1, "one of the two buried the Liberal tile that it saw"


def test_two_who_contradict_each_other_are_not_both_liberals() -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    silent, told = of(play), of(play, claims=conflict(play))
    both = [each.party(Seat(0))["fascist"] + each.party(Seat(1))["fascist"] for each in (silent, told)]
    assert both[0] + 0.05 < both[1]
    assert both[1] > 1


def test_a_chancellor_in_the_zone_who_does_not_win_is_not_hitler() -> None:
    play = Play(7, roles="llllffh").ready(3).elect(1)
    assert of(play).role(Seat(1))["hitler"] == 0
    assert sum(of(play).role(Seat(seat))["hitler"] for seat in range(7)) == pytest.approx(1)


def test_an_inspector_is_believed_by_party() -> None:
    play = Play(7, roles="llllffh").until_fascist(2)
    inspector = play.game.table.president
    assert inspector is not None
    target = next(seat for seat in play.choices if play.game.table.roles[seat] == "fascist")
    play.target(target)
    assert of(play, inspector).party(target)["fascist"] == pytest.approx(1)
    number = view(play.events, None).table.round
    at = len(view(play.events, None).facts)
    # The round may have gone on to the next candidacy already.
    investigated = number - 1 if play.step == "nominate" else number
    told = Claim(inspector, investigated, "party", ("fascist",), at)
    believed, silent = of(play, None, (told,)), of(play)
    for seat in (inspector, target):
        assert silent.party(seat)["fascist"] < believed.party(seat)["fascist"] < 0.95


def test_the_exact_belief_is_that_of_every_assignment_there_is() -> None:
    assert len(worlds.worlds((4, 2, 1, 0), (15,) * 7)) == 105
    assert len(worlds.worlds((6, 3, 1, 0), (15,) * 10)) == 840
    rows = {bytes(row) for row in permutations((0, 0, 0, 1, 2))}
    assert set(worlds.worlds((3, 1, 1, 0), (15,) * 5).rows) == rows


def test_a_sample_comes_close_to_the_exact_belief(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play_computer_game(Setup("classic@1", 8), Chance("07" * 32), [SEASONED] * 8)
    known = view(played.events[:-1], None)
    exact = ai.beliefs(known, played.claims)
    monkeypatch.setattr(worlds, "MOST_WAYS_FOR_EXACT", 1)
    worlds.worlds.cache_clear()
    memory.forget()
    sampled = ai.beliefs(known, played.claims)
    worlds.worlds.cache_clear()
    memory.forget()
    assert sampled != exact
    for seat in range(8):
        expected = pytest.approx(exact.party(Seat(seat))["fascist"], abs=0.15)
        assert sampled.party(Seat(seat))["fascist"] == expected


@pytest.mark.parametrize(
    "setup",
    [Setup("classic@1", 10), Setup("red-dawn@1", 12), Setup("xl@1", 16)],
    ids=lambda setup: setup.ruleset,
)
@pytest.mark.quick("classic@1")
def test_nothing_kept_changes_a_belief(setup: Setup) -> None:
    played = play_computer_game(setup, Chance("0b" * 32), [SEASONED] * setup.players)
    for viewer in (None, Seat(0), Seat(3)):
        whole = view(played.events[:-1], viewer)
        counts = range(len(whole.facts) // 3, len(whole.facts), 60)
        step_by_step = [ai.beliefs(earlier(whole, count), played.claims) for count in counts]
        for believed, count in zip(step_by_step, counts, strict=True):
            memory.forget()
            assert ai.beliefs(earlier(whole, count), played.claims) == believed


def test_what_is_kept_is_bounded() -> None:
    for number in range(12):
        play = Play(5, chance=Chance(f"{number:064x}"))
        for seat in (None, *seats(0, 1, 2)):
            of(play, seat)
    assert len(memory._cache) <= memory.VIEWERS
    play = Play(5).elect(1)
    for number in range(20):
        of(play, Seat(0), (Claim(Seat(2), 1, "president", ("liberal",) * 3, number),))
    assert all(len(remembered.cached) <= memory.VARIANTS for _, _, remembered in memory._cache)


@pytest.mark.parametrize("players", range(6, 17))
def test_probabilities_add_up_to_the_roles_of_every_size(players: int) -> None:
    _, events = start(Setup("xl@1", players), Chance("0c" * 32))
    believed = ai.beliefs(view(events, None), ())
    assert sum(believed.role(Seat(seat))["hitler"] for seat in range(players)) == pytest.approx(1)
    for seat in range(players):
        assert sum(believed.party(Seat(seat)).values()) == pytest.approx(1)


def test_secret_roles_are_spread_over_those_who_may_hold_them() -> None:
    _, events = start(Setup("red-dawn@1", 10, {"secret-roles": "on"}), Chance("0d" * 32))
    believed = ai.beliefs(view(events, None), ())
    for role in ("monarchist", "anarchist", "capitalist", "kgb"):
        assert sum(believed.role(Seat(seat))[role] for seat in range(10)) == pytest.approx(1, abs=0.02)


def test_likelihoods_are_what_was_measured() -> None:
    assert likelihoods.DISCARDS_ONLY_LIBERAL[:3] == (0.0134, 0.6921, 0.582)
    assert likelihoods.DISCARDS_SPARE_LIBERAL[:3] == (0.2611, 0.5297, 0.5233)
    assert likelihoods.ENACTS_AGAINST_LIBERAL["fascist"][:3] == (0.0062, 0.4495, 0.3846)
    assert likelihoods.SAYS_FASCIST_OF_LIBERAL[:3] == (0.0213, 0.5146, 0.4912)
    assert likelihoods.SAYS_LIBERAL_OF_HITLER == 0.9688
    assert likelihoods.BALLOT_SLOPE[:3] == (8.72, 5.9, 6.79)
    for rows in (*likelihoods.PRESIDENT_CLAIMS.values(), *likelihoods.CHANCELLOR_CLAIMS.values()):
        for row in rows:
            assert sum(row) == pytest.approx(1, abs=0.002)


def test_accusing_the_chancellor_is_no_admission() -> None:
    """A President that says "I drew one" of a Fascist policy is suspected about as one that says "none"."""
    play = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    at = len(view(play.events, None).facts)
    hands = (("liberal", "fascist", "fascist"), ("fascist",) * 3)
    accuses, denies = (of(play, claims=(Claim(Seat(0), 1, "president", said, at),)) for said in hands)
    assert accuses.party(Seat(1))["fascist"] > denies.party(Seat(1))["fascist"]
    assert abs(accuses.party(Seat(0))["fascist"] - denies.party(Seat(0))["fascist"]) < 0.2


def test_claims_of_more_colours_name_the_others_mostly_truly() -> None:
    colours = ("liberal", "fascist", "communist")
    rates = [sessions.claim_row("president", (1, one, 2 - one), (1, 1, 1), 1, 2, colours) for one in range(3)]
    assert max(rates, key=lambda row: row[0]) == rates[1]
    hands = [hand for hand in product(range(4), repeat=3) if sum(hand) == 3]
    whole = [sessions.claim_row("president", said, (1, 1, 1), 1, 2, colours)[0] for said in hands]
    assert sum(whole) == pytest.approx(1, abs=0.01)
