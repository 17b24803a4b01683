"""A seat's role: the same offer to everybody, a pop-up after a tap, and the long form for /role."""

import re
from dataclasses import replace

import pytest

from bot.conversation.game.announce import role_card, role_offer
from bot.conversation.game.info import role_tap
from bot.conversation.incoming import Person, Tap
from bot.conversation.posting import telling_for_seat
from bot.display.role_card import POPUP, role_popup
from bot.display.telling import seat_mark
from bot.display.words import Words, languages
from bot.rooms.model import Match, Player, Room, Settings
from bot.rooms.names import ChatId, UserId
from bot.rooms.sealing import Proof
from engine import Chance, Event, Seat, Setup, board_of, start
from engine.facts import Recognised
from engine.steps.communists import PartyChanged
from sandbox.random_games import every_setup
from tests.bot.conversation.acts import context
from tests.engine.builders import seats

#: Short, long, wide and foreign ones.
NAMES = (
    "Jo", "Maximiliane-Katharina von W.", "W" * 64, "Ольга Константинопольская", "李小龙", "آناهیتا",
    "🦊" * 32,
)  # fmt: skip


def alike(setup: Setup) -> object:
    """Return what a setup's roles depend on."""
    board = board_of(setup)
    roles = (tuple(board.roles.items()), board.hitler_knows, board.communists_know, board.secret_roles)
    return (setup.ruleset, roles, tuple(board.tracks), tuple(board.endings.items()), board.zone)


SETUPS = tuple({alike(setup): setup for setup in every_setup()}.values())


def match_of(setup: Setup, language: str, seed: int = 0) -> Match:
    """Return a game that was just dealt, with players of short, long, wide and foreign names."""
    key = seed.to_bytes(32, "big").hex()
    players = tuple(Player(UserId(n), NAMES[(n + seed) % len(NAMES)], language) for n in range(setup.players))
    return Match(1, UserId(0), Proof(key), players, *start(setup, Chance(key)))


def test_every_seat_of_every_setup_is_sent_the_same_message() -> None:
    for setup in SETUPS:
        match = match_of(setup, "en", 2)
        room, board = Room(ChatId(-1), title="The Reichstag"), board_of(setup)
        offers = [role_offer(room, match, Seat(seat)) for seat in range(setup.players)]
        (offer,) = {(post.text, post.keyboard) for post in offers}
        text, ((button,),) = offer
        assert button.text == "🎭 Show my role"
        assert f"{board.roles['liberal']} Liberal" in text
        assert ("Communist" in text) == bool(board.roles.get("communist")), "a Liberal of XL learns of them"


@pytest.mark.parametrize("theme", ["weimar", "cold-war"])
@pytest.mark.parametrize("language", languages())
def test_pop_ups_fit_and_keep_role_party_and_numbers(language: str, theme: str) -> None:
    room = Room(ChatId(-1), title="The Reichstag", settings=Settings(language, theme))
    words = Words(language, theme)
    for number, setup in enumerate(SETUPS):
        match = match_of(setup, language, number)
        for seat in range(setup.players):
            telling = telling_for_seat(room, match, Seat(seat))
            text = role_popup(telling)
            assert len(text.encode("utf-16-le")) // 2 <= POPUP, text
            table = telling.view.table
            assert words.plain(f"role.{table.roles[seat]}") in text
            assert words.plain(f"party.{table.parties[seat]}") in text
            assert text.splitlines()[-1].startswith(words.plain("popup.win", ways="").strip())
            for fact in telling.view.facts:
                if isinstance(fact, Recognised):
                    assert seat_mark(fact.seat) in text


def test_a_pop_up_names_whom_a_fascist_knows_and_how_to_win() -> None:
    match = match_of(Setup("classic@1", 7), "en")
    players = tuple(replace(player, name=f"Player{n}") for n, player in enumerate(match.players))
    match = replace(match, players=players)
    seat = match.game.table.roles.index("fascist")
    lines = role_popup(telling_for_seat(Room(ChatId(-1)), match, Seat(seat))).splitlines()
    assert lines[:2] == ["🎭 Fascist", "Party: Fascist"]
    assert lines[-1] == "You win with: 6 🟥 policies / Hitler elected Chancellor after 3 🟥"
    hitler, other = match.game.table.roles.index("hitler"), match.game.table.roles.index("fascist", seat + 1)
    assert f"Hitler: \u2068#{hitler + 1}\u00a0Player{hitler}" in lines[2:-1][0] + lines[2:-1][1]
    assert f"Fascist: \u2068#{other + 1}\u00a0Player{other}" in lines[2:-1][0] + lines[2:-1][1]


def test_only_the_tapper_reads_the_pop_up_and_strangers_none() -> None:
    match = match_of(Setup("classic@1", 7), "en")
    room = Room(ChatId(-100), match=match)
    for user in range(7):
        outcome = role_tap(room, Tap(Person(UserId(user), "x"), room.name, "q", "role", (1,)), context())
        assert outcome.toast is not None
        assert outcome.toast.alert
        assert outcome.toast.text == role_popup(telling_for_seat(room, match, Seat(user)))
        assert not outcome.effects
    stranger = role_tap(room, Tap(Person(UserId(99), "x"), room.name, "q", "role", (1,)), context())
    assert stranger.toast is not None
    assert "🎭" not in stranger.toast.text


def test_a_role_at_length_has_all_that_its_seat_knows() -> None:
    for setup in SETUPS:
        match = match_of(setup, "en", 3)
        room = Room(ChatId(-1), title="The Reichstag")
        for seat in range(setup.players):
            text = role_card(room, match, Seat(seat)).text
            assert "xxx" not in text
            assert not re.search(r"\.{2,}", text)
            table = match.view(Seat(seat)).table
            known = [other for other, party in enumerate(table.parties) if party and other != seat]
            told = re.findall("<b>\u2068#(\\d+)\u00a0", text)
            assert [int(number) - 1 for number in told] == sorted(known, key=[*known].index)


def test_whoever_became_a_communist_is_told_so() -> None:
    room = Room(ChatId(-1), title="The Reichstag")
    for setup in (Setup("xl@1", 12), Setup("red-dawn@1", 9, {"secret-roles": "on"})):
        match = match_of(setup, "en")
        seat = match.game.table.parties.index("liberal")
        told = Event(PartyChanged(Seat(seat), "communist"), seats(seat))
        changed = replace(match, log=type(match.log)((*match.log, told)))
        assert "Party: Communist" in role_popup(telling_for_seat(room, changed, Seat(seat)))
        assert "party: Communist" in role_card(room, changed, Seat(seat)).text


@pytest.mark.parametrize(("players", "alone"), [(8, True), (9, False)])
def test_the_only_communist_is_not_sent_to_meet_others(players: int, alone: bool) -> None:
    match = match_of(Setup("red-dawn@1", players), "en")
    seat = next(seat for seat, role in enumerate(match.game.table.roles) if role == "communist")
    text = role_card(Room(ChatId(-1), None), match, Seat(seat)).text
    assert ("only one of your party" in text) == alone
    assert ("Whenever the Communists meet in private" in text) != alone
