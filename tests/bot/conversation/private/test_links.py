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


LEADS = {
    "a lobby's link leads to a seat in it": (start(sign_lobby(ROOM, 3, KEY)), ToLobby(ROOM, 3)),
    "a finished game's link leads to its proof": (start(PROOF + sign_lobby(ROOM, 3, KEY)), ToProof(ROOM, 3)),
    "anybody may write a link to the rules of a room": (start(rules_payload(ROOM)), ToRules(ROOM)),
    "only start follows a link": (start(sign_lobby(ROOM, 3, KEY), "role"), None),
    **{
        f"signed with another key: {prefix or 'lobby'}": (
            start(prefix + sign_lobby(ROOM, 3, b"another")),
            None,
        )
        for prefix in ("", PROOF)
    },
    **{f"no link: {text}": (start(text), None) for text in ("", "hello", PROOF, "rules_", "ä", "a" * 64)},
}


@pytest.mark.parametrize(("said", "leads"), LEADS.values(), ids=LEADS.keys())
def test_where_a_link_leads(said: Command, leads: object) -> None:
    assert destination(said, KEY) == leads


def test_a_finished_games_link_leads_to_it_or_to_what_decided_it() -> None:
    for prefix, decided in ((REPLAY, False), (DECIDED, True)):
        for ended in (1_900_000_000, 2**32 - 1, 1):
            link = prefix + sign_game(ROOM, 3, ended, KEY)
            assert len(link) <= 64, "Telegram takes no more"
            assert destination(start(link), KEY) == ToFinished(ROOM, 3, ended, decided)
            assert destination(start(link), b"another") is None
        assert destination(start(prefix + "ä"), KEY) is None
        assert destination(start(prefix), KEY) is None
