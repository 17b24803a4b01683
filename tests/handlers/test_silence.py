"""Whose messages are taken away in a silent group: the dead's, until they are back."""

import pytest

from engine.rulesets.red_dawn.secret_roles import Returned
from handlers.conversation.incoming import Chatter, Person
from handlers.conversation.outcome import Known
from handlers.conversation.silence import chatter
from handlers.rooms.model import Match, Player, Room, Settings
from handlers.rooms.names import RoomName
from sandbox.game import NAMES
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, red_dawn

KILLS = {"fascist": ("kill", None, None, None, None, None)}


def quiet(play: Play, seat: int) -> bool:
    """Whether what a seat writes in the group is taken away."""
    players = tuple(Player(number, NAMES[number], "en") for number in range(play.setup.players))
    match = Match(1, 0, "00", players, (), play.game, tuple(play.events))
    room = Room(-100, settings=Settings(silence="on"), match=match)
    said = Chatter(Person(seat, NAMES[seat], "en"), RoomName(-100), 7)
    return chatter(room, said, Known(0, "00", "bot", b"key")).delete is not None


@pytest.mark.rule("R2.6", "R4.34")
def test_silence_ends_for_a_monarchist_who_returns() -> None:
    options = {"secret-roles": "on"}
    killing = board("red-dawn@1", 6, options, tracks=KILLS)
    roles = "liberal:monarchist liberal liberal fascist hitler communist"
    play = red_dawn(6, "fll fll", roles, first=1, options=options, board=killing).govern("f").target(0)
    assert quiet(play, 0)
    assert not quiet(play, 2)
    play.reject()
    assert quiet(play, 0)
    play.reject()
    assert play.told(Returned)
    assert not quiet(play, 0)
