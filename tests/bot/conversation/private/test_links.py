"""Links into the bot lead to a seat, a proof or rules; a forged one leads nowhere."""

import pytest

from bot.conversation.game.endings import DECIDED, PROOF, REPLAY
from bot.conversation.incoming import Command
from bot.conversation.private.finished import ToFinished, ToLobby, ToProof, ToRules, destination
from bot.display.guide import rules_payload
from bot.rooms.names import RoomName, sign_game, sign_lobby
from tests.bot.conversation.people import CHAT, person

KEY = b"key"
ROOM = RoomName(CHAT, 7)


def start(argument: str, name: str = "start") -> Command:
    return Command(person(0), None, name, argument)


def test_a_lobbys_link_leads_to_a_seat_in_it() -> None:
    assert destination(start(sign_lobby(ROOM, 3, KEY)), KEY) == ToLobby(ROOM, 3)


def test_a_finished_games_link_leads_to_its_proof() -> None:
    assert destination(start(PROOF + sign_lobby(ROOM, 3, KEY)), KEY) == ToProof(ROOM, 3)


def test_a_finished_games_link_leads_to_it_or_to_what_decided_it() -> None:
    for prefix, decided in ((REPLAY, False), (DECIDED, True)):
        for ended in (1_900_000_000, 2**32 - 1, 1):
            link = prefix + sign_game(ROOM, 3, ended, KEY)
            assert len(link) <= 64, "Telegram takes no more"
            assert destination(start(link), KEY) == ToFinished(ROOM, 3, ended, decided)
            assert destination(start(link), b"another") is None
        assert destination(start(prefix + "ä"), KEY) is None
        assert destination(start(prefix), KEY) is None


def test_anybody_may_write_a_link_to_the_rules_of_a_room() -> None:
    assert destination(start(rules_payload(ROOM)), KEY) == ToRules(ROOM)


@pytest.mark.parametrize("prefix", ["", PROOF])
def test_a_link_that_is_signed_with_another_key_leads_nowhere(prefix: str) -> None:
    assert destination(start(prefix + sign_lobby(ROOM, 3, b"another")), KEY) is None


@pytest.mark.parametrize("argument", ["", "hello", PROOF, "rules_", "ä", "a" * 64])
def test_what_is_no_link_leads_nowhere(argument: str) -> None:
    assert destination(start(argument), KEY) is None


def test_only_start_follows_a_link() -> None:
    assert destination(start(sign_lobby(ROOM, 3, KEY), "role"), KEY) is None
