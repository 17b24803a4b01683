"""Groups' own boards as values: inherited parts, numbers of players, and JSON."""

import pytest

from bot.display.expansion_parts import numbers
from bot.display.words import Words
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Lobby, Room
from bot.rooms.names import ChatId, UserId
from bot.rooms.own_board import OwnBoard, from_json
from engine import Illegal, Setup, board_of


def own(text: str) -> OwnBoard:
    return from_json(text, "Ours", 1)


def test_a_board_inherits_what_it_leaves_out() -> None:
    board = own('{"ruleset":"red-dawn@1","zone":2}')
    assert board.sizes() == tuple(range(5, 13))
    for players in board.sizes():
        assert board.board(players).roles == board_of(Setup("red-dawn@1", players)).roles
        assert board.board(players).zone == 2


def test_options_shape_what_it_inherits() -> None:
    board = own('{"ruleset":"red-dawn@1","zone":2}')
    assert board.board(7, {"deck": "balanced"}).deck["fascist"] == 11
    assert board.sizes({"secret-roles": "on"}) == tuple(range(6, 13))
    assert own('{"ruleset":"xl@1"}').sizes({"emergency-powers": "more"}) == tuple(range(11, 17))


def test_the_order_of_pasted_roles_makes_no_other_deal() -> None:
    pasted = own('{"ruleset":"classic@1","roles":{"hitler":1,"fascist":1,"liberal":4},"zone":2}')
    assert list(pasted.board().roles) == list(board_of(Setup("classic@1", 6)).roles)


def test_an_edit_that_is_taken_back_leaves_nothing_behind() -> None:
    board = own('{"ruleset":"classic@1","players":7,"zone":2}')
    assert board.size == 7
    assert board.edited(board.printed()).changes == {}


@pytest.mark.parametrize("text", ["[]", "5", "null", '"{"', "{", '{"ruleset":"classic@1","players":true}'])
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(Illegal, match="malformed-board"):
        own(text)


def test_a_room_keeps_its_boards_and_its_lobbys() -> None:
    board = own('{"ruleset":"classic@1","tracks":{"fascist":["kill",null,null,null,null,null]}}')
    lobby = Lobby(1, UserId(7), Setup("classic@1", 0), own=board)
    room = Room(ChatId(-100), boards=(board,), lobby=lobby)
    assert decode(encode(room), SCHEMA) == room


def test_a_lobby_seats_as_many_as_its_board_and_options_allow() -> None:
    assert tuple(Lobby(1, UserId(7), Setup("classic@1", 0)).sizes) == tuple(range(5, 11))
    six = own('{"ruleset":"classic@1","roles":{"liberal":3,"fascist":2,"hitler":1}}')
    on_six = Lobby(1, UserId(7), Setup("classic@1", 0), own=six)
    assert tuple(on_six.sizes) == (6,)
    assert on_six.setup_for(6).board == six.board()
    with pytest.raises(Illegal, match="roles-not-players"):
        on_six.setup_for(7)
    with pytest.raises(Illegal, match="too-few-players"):
        on_six.setup_for(4)


def test_numbers_are_said_as_ranges() -> None:
    assert numbers(Words(), (5, 6, 7, 9, 11, 12)) == "5–7, 9, 11–12"
    assert numbers(Words("zh_Hans"), (5, 6, 7, 9, 11, 12)) == "5–7、9、11–12"
    assert numbers(Words(), (6,)) == "6"
    assert numbers(Words(), ()) == ""
