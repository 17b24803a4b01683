"""Dead players, and nobody else, see all cards if the group's settings allow it."""

import random
from dataclasses import replace

import pytest
from markupsafe import Markup

from bot.display.buttons import data, entity_count
from bot.display.history import open_text
from bot.display.telling import Telling
from bot.display.words import Words, languages, shown_length
from bot.rooms.model import Match, Player, Switch
from bot.rooms.names import UserId
from bot.rooms.sealing import Proof
from engine import OFFERED, Ruleset, Setup, dead_may_return
from sandbox.random_games import every_setup, play_random_game
from sandbox.telegram import Message, Query
from tests.system.table import Table, answered
from tests.system.test_game import to_the_execution

REFUSED = "Only the dead see all cards, and only where the group allows it."
#: The seat that is executed; of the seven, seat 3 is Hitler, 4 and 5 are Fascists.
DEAD = 1


def allow(table: Table, value: Switch = "on") -> None:
    settings = replace(table.room().settings, open_cards=value)
    table.rewrite(replace(table.room(), settings=settings))


def executed(table: Table, *, allowed: bool = True) -> Table:
    to_the_execution(table)
    if allowed:
        allow(table)
    return table.target(DEAD)


def offer(table: Table) -> Message:
    """Return the message to Ben when he died."""
    (found,) = [view for view in table.seat(DEAD).views() if "You are dead" in view.text]
    return found


def watch(table: Table, seat: int = DEAD) -> Query:
    """Tap the button as a seat, whether or not it has one."""
    user = table.people[seat]
    table.pass_time()
    message = table.seat(DEAD).views()[-1]
    return table.tap(user, message, data(table.name, "watch", table.match().number), forged=True)


def shown(table: Table) -> str:
    """Return the present text of that message."""
    (found,) = [text for text in table.seat(DEAD).texts() if "You see all cards" in text]
    return found


def test_nobody_is_offered_it_unless_the_group_has_set_it(table: Table) -> None:
    executed(table, allowed=False)
    text = table.seat(DEAD).text()
    assert "You are dead" in text
    assert "all cards" not in text
    assert answered(watch(table)) == REFUSED
    assert table.match().watching == ()


def test_who_dies_reads_what_it_means_before_they_tap(table: Table) -> None:
    executed(table)
    message = offer(table)
    assert "can't take it back" in message.text
    assert "take an open seat in this game" in message.text
    assert message.protected
    assert "Hitler" not in message.text


def test_a_tap_opens_every_role_and_hand_in_one_message(table: Table) -> None:
    executed(table)
    before = len(table.seat(DEAD).views())
    watch(table)
    assert len(table.seat(DEAD).views()) == before, "no further message"
    text = shown(table)
    assert "Who is who" in text, "the game goes on"
    for seat, role in enumerate(("Liberal",) * 3 + ("Hitler", "Fascist", "Fascist", "Liberal")):
        assert f"{table.people[seat].first_name}⁩: {role}" in text
    assert text.count("🔵") >= 4, "four sessions, with what each President drew"
    others = [text for seat in range(7) if seat != DEAD for text in table.seat(seat).texts()]
    assert all("All cards" not in text for text in (*others, *table.group_texts()))


def test_hands_are_followed_and_ballots_only_once_shown(table: Table) -> None:
    executed(table)
    watch(table)
    table.nominate(5)
    before = shown(table)
    table.vote("jjjjj.")
    assert shown(table) == before
    table.vote("n")
    after = shown(table)
    assert "Nein (1)" in after
    hand = table.match().game.table.hand
    drawn = "".join({"liberal": "🔵", "fascist": "🟥"}[tile] for tile in hand)
    assert drawn in after.splitlines()[-1], "the President's three tiles, before anything is discarded"


def test_a_round_edits_four_times_at_most(table: Table) -> None:
    executed(table)
    watch(table)
    calls, private = len(list(table.tg.journal)), table.people[DEAD].id
    table.nominate(5).vote("j" * len(table.waiting())).choose().choose()
    made = [call.method for call in list(table.tg.journal)[calls:] if call.chat == private]
    assert set(made) == {"editMessageText"}
    assert len(made) <= 4


def test_the_living_cannot_open_all_cards(table: Table) -> None:
    executed(table)
    assert answered(watch(table, seat=4)) == REFUSED
    assert table.match().watching == ()
    stranger = table.person("Zoe")
    table.pass_time()
    message = table.seat(DEAD).views()[-1]
    query = table.tap(stranger, message, data(table.name, "watch", table.match().number), forged=True)
    assert "All cards" not in answered(query)
    assert table.match().watching == ()


def test_who_has_seen_all_cards_can_take_no_open_seat(table: Table) -> None:
    executed(table)
    watch(table)
    ben = table.people[DEAD]
    table.leave(table.people[2])
    sit = table.button("sit")[1]
    assert answered(table.press(ben, "sit")) == "You're in already."
    # The same after somebody else took the dead seat.
    table.leave(ben)
    zoe = table.person("Zoe")
    table.forge(zoe, data(table.name, "sit", table.match().number, DEAD))
    assert table.match().seat_of(UserId(zoe.id)) == DEAD
    assert table.match().watching == (), "who sits there now has not asked for it"
    assert "another seat" in table.forge(ben, sit)
    assert table.match().seat_of(UserId(ben.id)) is None


def test_a_watcher_pressing_start_sees_all_cards_again(table: Table) -> None:
    executed(table)
    watch(table)
    table.seat(DEAD).say("/start")
    views = [view for view in table.seat(DEAD).views() if "You see all cards" in view.text]
    assert len(views) == 2
    assert all(view.protected for view in views)
    table.nominate(5).vote("j" * len(table.waiting()))
    views = [view for view in table.seat(DEAD).views() if "You see all cards" in view.text]
    assert "Ja (6)" in views[-1].text, "and this one goes on"


def test_a_group_that_takes_it_back_stops_what_goes_on(table: Table) -> None:
    executed(table)
    watch(table)
    allow(table, "off")
    before = shown(table)
    table.nominate(5).vote("j" * len(table.waiting()))
    assert shown(table) == before


def test_the_offer_goes_with_the_game(table: Table) -> None:
    executed(table)
    table.hurry()
    (message,) = [view for view in table.seat(DEAD).views() if "You are dead" in view.text]
    assert message.buttons() == []
    assert answered(watch(table)) == "That game is over."


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
def test_open_cards_are_not_offered_where_the_dead_return(rules: Ruleset) -> None:
    back = [setup for setup in every_setup((rules,)) if dead_may_return(setup)]
    assert bool(back) is (rules.name == "red-dawn")
    for setup in back:
        assert "on" in (setup.options.get("secret-roles"), setup.options.get("article-48"))
    assert not dead_may_return(Setup(rules.id, max(rules.players)))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.quick("0")
def test_a_long_game_of_sixteen_fits_telegrams_limits(seed: int) -> None:
    expansions = {"anti-policies": "on", "oktoberfest": "on", "social-democratic": "on"}
    options = {"emergency-powers": "more", **expansions}
    game, events, _ = play_random_game(Setup("xl@1", 16, options), random.Random(seed))
    players = tuple(Player(UserId(100 + seat), "Wolfeschlegelsteinhausen" * 2, "en") for seat in range(16))
    match = Match(1, UserId(100), Proof("5e" * 32), players, game, tuple(events[:-1]))
    for language in languages():
        telling = Telling(match.open_view(), players, Words(language))
        text = open_text(telling, match, Markup("<b>The Reichstag</b>"))
        assert 2500 < shown_length(text) <= 4096
        assert entity_count(text) < 100
        rounds = [f"{number}." in text for number in (1, match.round)]
        assert rounds[-1], "the latest rounds are there, whatever is cut"


def test_no_living_seat_and_not_the_group_is_shown_it(table: Table) -> None:
    executed(table)
    watch(table)
    others = [text for seat in range(7) if seat != DEAD for text in table.seat(seat).texts()]
    assert all("All cards" not in text for text in (*others, *table.group_texts()))
