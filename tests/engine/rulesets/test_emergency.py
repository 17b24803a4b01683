"""Emergency cards. XL handbook, "Emergency powers". Marks and pardons: ``test_marks``."""

from typing import Any

import pytest

from engine import Seat
from engine.board import Party
from engine.events import seen
from engine.facts import Enacted, Killed, Peeked, PowerLapsed, Shuffled, VetoUnlocked
from engine.rulesets.xl.anti_policies import TileRemoved
from engine.rulesets.xl.emergency import Impeached, NoConfidence, TopDiscarded, TopKept
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, xl

ON = {"emergency-powers": "more"}
#: Sixteen players: Liberals 0–6, Fascists 7–10, Hitler 11, Communists 12–15. Enough tiles for any hand.
HITLER = 11
CARDS = {"article-48:?": 3, "enabling-act:?": 3, "anti-communist": 1}
PROPAGANDA, PEEK, KILL = "article-48:propaganda", "enabling-act:peek", "enabling-act:kill"
DISTRUST = "enabling-act:no-confidence"


def game(deck: str, **more: Any) -> Play:
    """Return a game of sixteen with emergency cards; slots have no powers unless tracks are given."""
    quiet = {"fascist": (None,) * 6, "communist": (None,) * 6, **more.pop("tracks", {})}
    tiles = {"liberal": 12, "fascist": 12, "communist": 9, **CARDS}
    return xl(16, deck, board=board("xl@1", 16, ON, tracks=quiet, deck=tiles), options=ON, **more)


def distrust(discarded: str, deck: str = "", **more: Any) -> Play:
    """President 0 discards a tile, and Chancellor 1's vote of no confidence turns it up again."""
    play = game(f"{discarded} {DISTRUST} l {deck}", **more).elect(1)
    return play.discard(discarded).enact(DISTRUST)


@pytest.mark.rule("R5.24")
def test_an_emergency_card_lies_on_no_track_and_leaves_the_game() -> None:
    play = game(f"{PROPAGANDA} ll").reject().govern(PROPAGANDA)
    assert play.told(Enacted) == [Enacted(PROPAGANDA, None)]
    assert play.table.tracker == 0
    assert play.table.removed == (PROPAGANDA,)
    assert play.table.tracks == {"liberal": (), "fascist": (), "communist": ()}


@pytest.mark.rule("R5.24", "R5.27")
@pytest.mark.parametrize(("card", "holder"), [("article-48:peek", 0), ("enabling-act:peek", 1)])
def test_emergency_powers_belong_to_their_offices(card: str, holder: int) -> None:
    play = game(f"{card} ll fcl").govern(card, 1)
    assert play.event(Peeked).fact == Peeked(Seat(holder), ("fascist", "communist", "liberal"))
    assert play.event(Peeked).to == (holder,)


@pytest.mark.rule("R5.23")
def test_whoever_holds_a_card_sees_its_power() -> None:
    play = game(f"{PROPAGANDA} ll").elect(1)
    assert PROPAGANDA in play.view(0).table.hand
    play.discard("l")
    assert PROPAGANDA in play.view(1).table.hand
    assert play.view(2).table.hand == ("?", "?")


@pytest.mark.rule("R5.25")
def test_in_chaos_a_card_has_no_effect_and_leaves_the_game() -> None:
    play = game(f"{KILL} lll").chaos()
    assert play.told(Enacted) == [Enacted(KILL, None, True)]
    assert play.table.removed == (KILL,)
    assert play.table.tracker == 0
    assert play.step == "nominate"
    assert distrust("fascist").track("fascist") == 1
    assert not game(f"{DISTRUST} lll").chaos().told(NoConfidence)


@pytest.mark.rule("R5.25")
def test_a_discarded_or_vetoed_card_goes_to_the_discard_pile() -> None:
    play = game(f"{KILL} ll").elect(1).discard(KILL)
    assert play.table.discards == (KILL,)
    play = game(f"{KILL} ll").doctored(veto=True).elect(1).discard("l").ask_veto().veto(True)
    assert sorted(play.table.discards) == sorted(("liberal", KILL, "liberal"))
    assert play.table.removed == ()


@pytest.mark.rule("R5.26")
@pytest.mark.parametrize("tile", ["fascist", "liberal"])
def test_propaganda_may_discard_the_top_tile(tile: str) -> None:
    play = game(f"{PROPAGANDA} ll {tile[0]}cc").govern(PROPAGANDA, 1)
    assert (play.step, play.asked) == ("propaganda", (0,))
    assert play.event(Peeked).fact == Peeked(Seat(0), (tile,))
    assert play.choices == ("discard", "put-back")
    play.say("discard")
    assert play.event(TopDiscarded).fact == TopDiscarded(Seat(0), tile)
    assert play.event(TopDiscarded).to == (0,)
    assert TopDiscarded(Seat(0), "?") in seen(play.new, Seat(1))
    assert play.table.discards[-1] == tile
    assert play.table.pile[:2] == ("communist", "communist")


@pytest.mark.rule("R5.26")
def test_propaganda_may_put_the_top_tile_back() -> None:
    play = game(f"{PROPAGANDA} ll fcc").govern(PROPAGANDA, 1).say("put-back")
    assert play.told(TopKept) == [TopKept(Seat(0))]
    assert play.table.pile[:3] == ("fascist", "communist", "communist")


@pytest.mark.rule("R5.26", "R1.23")
def test_a_reshuffle_check_follows_the_discarded_top_tile() -> None:
    play = game(f"{PROPAGANDA} ll").elect(1).discard("l")
    pile = play.table.pile
    play.doctored(pile=pile[:3], discards=(*play.table.discards, *pile[3:])).enact(PROPAGANDA)
    assert not play.told(Shuffled)
    play.say("discard")
    assert play.kinds()[:2] == ["TopDiscarded", "Shuffled"]
    assert len(play.table.pile) > 3


@pytest.mark.rule("R5.27", "R1.36", "R5.9")
def test_an_execution_by_the_chancellor_may_kill_hitler() -> None:
    play = game(f"{KILL} ll").govern(KILL, 1)
    assert (play.step, play.asked) == ("kill", (1,))
    assert 1 not in play.choices
    play.target(HITLER)
    assert play.told(Killed) == [Killed(Seat(HITLER), Seat(1), "execution")]
    assert play.table.winners == ("liberal", "communist")


@pytest.mark.rule("R5.28")
@pytest.mark.parametrize(("kind", "holder", "target"), [("article-48", 0, 12), ("enabling-act", 12, 0)])
def test_impeachment_shows_a_party_to_a_third_player(kind: str, holder: int, target: int) -> None:
    card = f"{kind}:impeachment"
    play = game(f"{card} ll").govern(card, 12)
    assert (play.step, play.asked) == ("impeachment", (holder,))
    assert set(play.choices) == set(range(16)) - {0, 12}
    play.target(5)
    party: Party = "communist" if target == 12 else "liberal"
    assert play.event(Impeached).fact == Impeached(Seat(holder), Seat(target), Seat(5), party)
    assert play.event(Impeached).to == (5,)
    assert play.view(5).table.parties[target] == party
    (public,) = [fact for fact in play.view(None).facts if isinstance(fact, Impeached)]
    assert public == Impeached(Seat(holder), Seat(target), Seat(5), None)
    assert play.table.tagged("investigated") == {}


@pytest.mark.rule("R5.28", "R1.28")
def test_with_nobody_to_look_the_impeachment_lapses() -> None:
    play = game("article-48:impeachment ll").elect(1).discard("l")
    play.doctored(alive=(True, True, *[False] * 14)).enact("article-48:impeachment")
    assert play.told(PowerLapsed) == [PowerLapsed("impeachment")]


@pytest.mark.rule("R5.31")
def test_no_confidence_enacts_what_the_president_discarded() -> None:
    play = distrust("fascist")
    assert play.event(NoConfidence).fact == NoConfidence(Seat(1), "fascist")
    assert play.event(NoConfidence).to is None
    assert play.told(Enacted) == [Enacted(DISTRUST, None), Enacted("fascist", "fascist")]
    assert play.table.discards == ("liberal",)
    assert play.view(5).table.discards == ("?",)
    assert play.view(1).table.discards == ("liberal",)
    assert play.table.removed == (DISTRUST,)


@pytest.mark.rule("R5.31")
def test_a_tile_of_no_confidence_brings_its_slot_s_power() -> None:
    play = distrust("fascist", tracks={"fascist": ("investigate", *[None] * 5)})
    assert (play.step, play.asked) == ("investigate", (0,))


@pytest.mark.rule("R5.31")
def test_a_tile_of_no_confidence_unlocks_the_veto_and_may_win() -> None:
    play = game(f"f {DISTRUST} l").elect(1).discard("f")
    play.doctored(tracks={"liberal": (), "fascist": ("fascist",) * 4, "communist": ()}).enact(DISTRUST)
    assert play.told(VetoUnlocked)
    play = game(f"f {DISTRUST} l").elect(1).discard("f")
    play.doctored(tracks={"liberal": (), "fascist": ("fascist",) * 5, "communist": ()}).enact(DISTRUST)
    assert play.table.winners == ("fascist",)
    assert play.kinds()[-1] == "GameOver"


@pytest.mark.rule("R5.31")
def test_a_no_confidence_tile_of_any_kind_has_its_effect() -> None:
    play = game(f"anti-communist {DISTRUST} l").elect(1).discard("anti-communist")
    play.doctored(tracks={"liberal": (), "fascist": (), "communist": ("communist",)}).enact(DISTRUST)
    assert play.told(TileRemoved) == [TileRemoved("communist", "communist", False)]
    play = distrust("article-48:peek", "fff")
    assert play.told(Peeked) == [Peeked(Seat(0), ("fascist",) * 3)]
    assert sorted(play.table.removed) == sorted((DISTRUST, "article-48:peek"))


@pytest.mark.rule("R5.31", "R5.32", "R1.23")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_the_reshuffle_comes_before_the_tile_of_no_confidence(left: int) -> None:
    play = game(f"f {DISTRUST} l", tracks={"fascist": ("peek", *[None] * 5)}).elect(1).discard("f")
    pile = play.table.pile
    play.doctored(pile=pile[:left], discards=(*pile[left:], *play.table.discards)).enact(DISTRUST)
    kinds = play.kinds()
    assert kinds.index("NoConfidence") < kinds.index("Shuffled") < kinds.index("Peeked")
    assert play.told(Enacted) == [Enacted(DISTRUST, None), Enacted("fascist", "fascist")]
    (looked,) = play.told(Peeked)
    assert looked.pile == play.table.pile[:3]
    assert len(looked.pile) == 3
    assert play.told(Shuffled)[0].pile == play.table.pile


@pytest.mark.rule("R5.31")
def test_a_tile_set_aside_is_not_shuffled_in() -> None:
    play = game(f"f {DISTRUST} l").elect(1).discard("f")
    play.doctored(pile=(), discards=("liberal", "communist", "communist", *play.table.discards))
    play.enact(DISTRUST)
    assert sorted(play.told(Shuffled)[0].pile) == ["communist", "communist", "liberal", "liberal"]
    assert play.track("fascist") == 1


@pytest.mark.rule("R5.31", "R5.32", "R5.26")
def test_propaganda_of_no_confidence_finds_a_tile() -> None:
    card = "article-48:propaganda"
    play = game(f"{card} {DISTRUST} l").elect(1).discard(card)
    pile = play.table.pile
    play.doctored(pile=(), discards=(*pile, *play.table.discards)).enact(DISTRUST)
    assert (play.step, play.asked) == ("propaganda", (0,))
    assert play.told(Peeked) == [Peeked(Seat(0), play.table.pile[:1])]


@pytest.mark.rule("R5.31")
def test_an_ordinary_card_turns_nothing_up() -> None:
    assert not game(f"{PEEK} ll").govern(PEEK, 1).told(NoConfidence)


@pytest.mark.rule("R7.3")
def test_the_clock_puts_the_top_tile_back() -> None:
    for key in range(10):
        play = game(f"{PROPAGANDA} ll f", key=f"{key:02x}").govern(PROPAGANDA, 1).clock()
        assert play.told(TopKept)


@pytest.mark.rule("R7.2")
def test_the_clock_picks_a_viewer() -> None:
    card = "article-48:impeachment"
    games = [game(f"{card} ll", key=f"{k:02x}").govern(card, 1) for k in range(150)]
    assert {play.clock().told(Impeached)[0].viewer for play in games} == set(range(2, 16))
