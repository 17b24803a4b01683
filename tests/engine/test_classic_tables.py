"""The printed tables of the classic game, as literal data written from the rule book."""

import pytest

from engine import Setup, board_of
from tests.engine.builders import Play

SIZES = range(5, 11)

#: Players: Liberals, Fascists, Hitler. Rule book, "Set up".
ROLES = {5: (3, 1, 1), 6: (4, 1, 1), 7: (4, 2, 1), 8: (5, 2, 1), 9: (5, 3, 1), 10: (6, 3, 1)}

#: Players: what the slots 1 to 6 of the Fascist track give; the sixth wins. The three printed boards.
FASCIST_TRACK = {
    5: "- - peek kill kill WIN", 6: "- - peek kill kill WIN", 7: "- investigate special kill kill WIN",
    8: "- investigate special kill kill WIN", 9: "investigate investigate special kill kill WIN",
    10: "investigate investigate special kill kill WIN",
}  # fmt: skip

#: Players: does Hitler know the Fascists? Rule book, the two directions for opening one's eyes.
HITLER_KNOWS = {5: True, 6: True, 7: False, 8: False, 9: False, 10: False}


@pytest.mark.rule("R1.2")
@pytest.mark.parametrize("players", SIZES)
def test_the_roles_are_those_of_the_table(players: int) -> None:
    dealt = Play(players, roles=(), key="5eed").table.roles
    assert tuple(dealt.count(role) for role in ("liberal", "fascist", "hitler")) == ROLES[players]


@pytest.mark.rule("R1.2")
@pytest.mark.parametrize("players", SIZES)
def test_party_follows_the_role_and_hitler_is_a_fascist(players: int) -> None:
    table = Play(players, roles=(), key="5eed").table
    card = {"liberal": "liberal", "fascist": "fascist", "hitler": "fascist"}
    assert table.parties == tuple(card[role] for role in table.roles)


@pytest.mark.rule("R1.1")
@pytest.mark.parametrize("players", SIZES)
def test_the_deck_has_six_liberal_and_eleven_fascist_tiles(players: int) -> None:
    pile = Play(players, deck="").table.pile
    assert (pile.count("liberal"), pile.count("fascist"), len(pile)) == (6, 11, 17)


@pytest.mark.rule("R1.3")
@pytest.mark.parametrize("players", SIZES)
def test_the_tracks_are_the_printed_ones(players: int) -> None:
    tracks = board_of(Setup("classic@1", players)).tracks
    assert list(tracks) == ["liberal", "fascist"]
    assert tracks["liberal"] == (None, None, None, None, None)
    printed = [None if slot in ("-", "WIN") else slot for slot in FASCIST_TRACK[players].split()]
    assert list(tracks["fascist"]) == printed


@pytest.mark.rule("R1.3", "R1.27")
@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("slot", range(1, 6))
def test_each_slot_gives_the_power_printed_on_it(players: int, slot: int) -> None:
    play = Play(players).until_fascist(slot)
    power = FASCIST_TRACK[players].split()[slot - 1]
    if power == "-":
        assert play.kinds()[-2:] == ["RoundEnded", "CandidacyPassed"]
    elif power == "peek":
        assert "Peeked" in play.kinds()
    else:
        assert play.step == power
        assert play.asked == (play.table.president,)


@pytest.mark.rule("R1.14", "R1.17", "R1.38")
@pytest.mark.parametrize("players", SIZES)
def test_zone_veto_and_chaos_open_at_their_numbers(players: int) -> None:
    board = board_of(Setup("classic@1", players))
    assert (board.zone, board.veto, board.chaos, board.few) == (3, 5, 3, 5)


@pytest.mark.rule("R1.4")
@pytest.mark.parametrize("players", SIZES)
def test_who_knows_whom_from_the_start(players: int) -> None:
    play = Play(players)
    liberals, fascists, _ = ROLES[players]
    party = set(range(liberals, players))
    hitler = players - 1
    assert play.table.roles[hitler] == "hitler"
    for seat in range(players):
        view = play.view(seat).table
        known = {other for other in range(players) if view.parties[other] is not None}
        hitlers = {other for other in range(players) if view.roles[other] == "hitler"}
        if seat < liberals:
            assert (known, hitlers) == ({seat}, set())
        elif seat < liberals + fascists:
            assert (known, hitlers) == (party, {hitler})
        else:
            assert known == (party if HITLER_KNOWS[players] else {hitler})
        assert view.roles[seat] == play.table.roles[seat]
        assert all(view.parties[other] in (None, play.table.parties[other]) for other in range(players))


def test_the_group_knows_nobody_and_no_tile() -> None:
    view = Play(10).view(None).table
    assert set(view.parties) == set(view.roles) == {None}
    assert set(view.pile) == {"?"}
    assert len(view.pile) == 17
