"""Facts, audiences, views and tables."""

import sys
from dataclasses import fields, is_dataclass

import pytest

from engine import Event, Seat, Setup, fold, tiles, view
from engine import facts as f
from engine.board import Role
from engine.events import EVERYONE, NOBODY, seen
from engine.rulesets.xl.marks import Marked
from engine.table import Table
from tests.engine.builders import Play, seats

PLAIN = (int, str, bool, type(None), Setup)


def test_every_kind_of_fact_is_known_by_its_id_and_is_in_use() -> None:
    for name, kind in f.Fact.kinds.items():
        assert kind.id == name, "there are no former ids yet"
        assert is_dataclass(kind)
    assert f.Fact.kinds["enacted"] is f.Enacted
    assert f.Fact.kinds["xl/marked"] is Marked
    # A dataclass with slots is a second class, so check that its module has the one that is read.
    assert all(getattr(sys.modules[kind.__module__], kind.__name__) is kind for kind in f.Fact.kinds.values())


def test_the_facts_of_an_expansion_bear_its_name() -> None:
    for kind in f.Fact.kinds.values():
        _, place, *rest = kind.__module__.split(".")
        if place != "steps":
            expected = rest[0].replace("_", "-") if place == "rulesets" else ""
            assert kind.id.rpartition("/")[0] == expected, kind


@pytest.mark.parametrize("name", ["enacted", "xl/marked"])
def test_two_kinds_of_facts_with_one_id_are_refused(name: str) -> None:
    before = dict(f.Fact.kinds)
    with pytest.raises(ValueError, match=rf"{name}.*{f.Fact.kinds[name].__name__}.*Another"):

        @f.fact(name)
        class Another(f.Fact):
            seat: int

    with pytest.raises(ValueError, match=f"{name}.*Renamed"):

        @f.fact("another", name)
        class Renamed(f.Fact):
            seat: int

    assert f.Fact.kinds == before, "and what is stored is read as before"


def test_two_kinds_of_fact_may_share_a_class_name() -> None:
    @f.fact("audit/marked")
    class Marked(f.Fact):
        seat: int

    try:
        assert f.Fact.kinds["audit/marked"] is Marked
        assert f.Fact.kinds["xl/marked"] is not Marked
    finally:
        del f.Fact.kinds["audit/marked"]


def test_a_renamed_kind_of_fact_is_found_by_its_former_ids() -> None:
    @f.fact("audit/compared", "audit/audited", "audited")
    class Compared(f.Fact):
        seat: int

    try:
        assert Compared.id == "audit/compared"
        assert [f.Fact.kinds[name] for name in ("audit/compared", "audit/audited", "audited")] == [
            Compared
        ] * 3
    finally:
        for name in ("audit/compared", "audit/audited", "audited"):
            del f.Fact.kinds[name]


def test_fields_of_facts_are_plain_data() -> None:
    for event in Play(9).ready(4).events:
        for field in fields(event.fact):
            value = getattr(event.fact, field.name)
            values = value if isinstance(value, tuple) else (value,)
            assert all(isinstance(part, PLAIN) for part in values), event.fact


def test_later_sight_is_the_end_of_all_sight() -> None:
    play = Play(7, "red-dawn@1", key="0c").chaos()
    middle, over = play.events, [*play.events, Event(f.GameOver(("liberal",), "liberal-track"))]
    for events in (middle, over):
        for seat in (None, Seat(0), Seat(6)):
            whole = seen(events, seat)
            for first in range(len(events) + 1):
                later = seen(events, seat, first)
                assert later == whole[len(whole) - len(later) :]
                if events is middle:
                    assert len(later) == len(whole) - len(seen(events[:first], seat))


def test_a_fact_for_everyone_is_seen_whole_by_all() -> None:
    events = (Event(f.TrackerAdvanced(1), EVERYONE),)
    assert seen(events, None) == seen(events, Seat(3)) == (f.TrackerAdvanced(1),)


def test_a_private_fact_is_scrubbed_for_others() -> None:
    events = (Event(f.Discarded(Seat(0), "liberal"), seats(0, 2)),)
    assert seen(events, Seat(2)) == (f.Discarded(Seat(0), "liberal"),)
    assert seen(events, Seat(1)) == seen(events, None) == (f.Discarded(Seat(0), "?"),)


def test_a_fact_of_which_nothing_is_left_is_not_seen_at_all() -> None:
    events = (Event(f.Dealt(Seat(0), "liberal", Role("liberal")), seats(0)),)
    assert seen(events, Seat(1)) == ()


def test_a_fact_for_nobody_is_seen_by_all_after_the_end() -> None:
    events = (Event(f.Shuffled(("liberal",)), NOBODY),)
    assert seen(events, Seat(0)) == (f.Shuffled(("?",)),)
    over = (*events, Event(f.GameOver(("liberal",), "liberal-track")))
    assert seen(over, Seat(0)) == (f.Shuffled(("liberal",)), f.GameOver(("liberal",), "liberal-track"))


def test_no_events_are_an_empty_table() -> None:
    assert seen((), Seat(0)) == ()
    assert fold(()) == Table()


def test_a_view_knows_its_seat_and_setup() -> None:
    play = Play(6)
    assert play.view(2).seat == 2
    assert play.view(None).setup == Setup("classic@1", 6)
    assert isinstance(view(play.events, None).facts[0], f.Opened)


def test_the_servers_table_is_the_fold_of_all_facts() -> None:
    play = Play(7).govern("fascist")
    facts = [event.fact for event in play.events]
    assert fold(facts) == play.table
    early = fold(facts[:20])
    assert fold(facts[20:], early) == play.table
    assert early == fold(facts[:20])


def test_a_fact_without_a_mark_on_the_table_changes_nothing() -> None:
    class Toast(f.Fact):
        __slots__ = ()

    table = Table(seats=3)
    Toast().fold(table)
    assert table == Table(seats=3)
    assert Toast().scrub() is None


def test_an_election_without_ballots_ends_a_special_one() -> None:
    table = fold([f.NoElection("no-candidate")], Table(called=Seat(3)))
    assert (table.called, table.elections) == (None, 1)


def test_a_viewers_piles_have_the_right_lengths_all_game_long() -> None:
    play = Play(9, deck="", key="0b")
    while play.step:
        play.clock()
        if play.step is None:
            break
        for seat in (None, 0, 4, 8):
            mine, true = play.view(seat).table, play.table
            for zone in ("pile", "discards", "hand", "removed"):
                assert len(getattr(mine, zone)) == len(getattr(true, zone)), zone
            for zone in ("tracks", "alive", "president", "chancellor", "tracker", "veto", "last_elected"):
                assert getattr(mine, zone) == getattr(true, zone), zone


def test_a_copied_table_changes_without_the_first() -> None:
    table = Table(seats=3, alive=(True,) * 3)
    other = table.copy()
    other.tag("marked", Seat(1), 3)
    other.tag("marked", Seat(2), 1)
    other.tag("marked", Seat(2), None)
    other.tag("marked", Seat(0), None)
    assert other.tagged("marked") == {1: 3}
    assert table.tagged("marked") == {}


def test_the_seats_to_the_left_end_with_the_seat_itself() -> None:
    assert Table(seats=5).left_of(Seat(3)) == (4, 0, 1, 2, 3)


def test_who_sits_out_lives_but_is_not_able() -> None:
    table = Table(seats=4, alive=(True, False, True, True), tags={"sits-out": {Seat(2): 1}})
    assert table.living() == (0, 2, 3)
    assert table.able() == (0, 3)


@pytest.mark.parametrize(("tile", "kind", "power", "track"), [
    ("liberal", "liberal", None, "liberal"),
    ("anti-communist", "anti-communist", None, "fascist"),
    ("article-48:propaganda", "article-48", "propaganda", None),
])  # fmt: skip
def test_a_tile_is_a_kind_with_perhaps_a_power(tile: str, kind: str, power: str | None, track: str) -> None:
    assert (tiles.kind(tile), tiles.power(tile), tiles.track(tile)) == (kind, power, track)


def test_a_hand_is_laid_out_liberal_first_and_by_name() -> None:
    hand = ("zebra", "fascist", "enabling-act:b", "liberal", "enabling-act:a", "?")
    assert tiles.laid_out(hand) == ("liberal", "fascist", "enabling-act:a", "enabling-act:b", "?", "zebra")


def test_an_unknown_tile_is_taken_where_none_is_known() -> None:
    assert tiles.without(("liberal", "fascist", "liberal"), "liberal") == ("fascist", "liberal")
    assert tiles.without(("fascist", "?"), "liberal") == ("fascist",)
    assert tiles.without(("?", "?"), "liberal") == ("?",)
    assert tiles.without(("fascist", "fascist"), "liberal") == ("fascist",)
