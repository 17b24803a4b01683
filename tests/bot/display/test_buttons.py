"""Callback data comes back as it was sent, in Telegram's 64 bytes, whatever the ids."""

import pytest

from bot.conversation.incoming import Person
from bot.conversation.private.commands import language_menu, language_of
from bot.display.buttons import IN_GROUPS, IN_PRIVATE, MAX_BYTES, VERBS, Verb, data, read
from bot.display.words import Words, languages
from bot.records.own_record import Profile
from bot.rooms.names import ChatId, RoomName, UserId
from scripts.catalogues import compile_all

compile_all()

#: The longest ids of Telegram: of a supergroup, a topic and a person (52 bits).
SUPERGROUP, TOPIC, USER = ChatId(-1_009_999_999_999), 2**31 - 1, UserId(2**52 - 1)


def test_every_language_of_the_menu_can_be_chosen_by_its_button() -> None:
    menu = language_menu(Words("en"), Person(USER, "Anna"), Profile())
    chosen = []
    for button in (button for row in menu.keyboard for button in row):
        said = read(button.data or "")
        assert said is not None, button.text
        chosen.append(language_of(said[2][0]))
    assert chosen == [None, *languages()]


@pytest.mark.parametrize("verb", VERBS)
def test_buttons_with_the_longest_ids_fit_telegrams_64_bytes(verb: Verb) -> None:
    room = RoomName(SUPERGROUP, TOPIC)
    args = (999_999, USER) if verb in ("host", "remove") else (9_999,) * VERBS[verb]
    said = data(room, verb, *args)
    assert len(said.encode()) <= MAX_BYTES
    assert read(said) == (room, verb, args)


def test_a_button_that_could_not_be_read_back_is_not_made() -> None:
    with pytest.raises(ValueError, match="too large"):
        data(RoomName(ChatId(1)), "language", 10**17)


def test_of_every_verb_it_is_said_where_its_buttons_lie() -> None:
    assert {*VERBS} == IN_GROUPS | IN_PRIVATE
