"""A picture's name stays the same while it looks the same, so that it is uploaded once."""

from dataclasses import replace

from bot.display.board_picture import Picture, picture_of
from bot.rooms.model import Room, Settings
from engine.steps.legislation import VETO
from tests.bot.conversation.acts import choose, elected
from tests.bot.conversation.rooms import changed, game, playing
from tests.engine.builders import open_question, with_veto


def picture(room: Room) -> Picture:
    found = picture_of(room, playing(room))
    assert found is not None
    return found


def test_a_traceless_event_leaves_the_picture() -> None:
    room = game(play=with_veto())
    room = elected(room, int(open_question(playing(room).game).options[0][0]))
    room = choose(room, playing(room).game.table.hand[0]).room
    asked = choose(room, VETO).room
    assert picture(asked).events > picture(room).events
    assert picture(asked).name == picture(room).name
    assert picture(choose(asked, "nein").room).name == picture(room).name


def test_what_shows_gives_it_another_name() -> None:
    room = game(roles="lllfh")
    cold_war = replace(room, settings=Settings(theme="cold-war"))
    others = [choose(room, 1).room, elected(room, 1), game(6), cold_war]
    names = [picture(each).name for each in (room, *others)]
    opened = picture_of(room, playing(changed(room, cancelled=True)), opened=True)
    assert opened is not None
    assert len({*names, opened.name}) == len(names) + 1


def test_neither_roles_nor_games_rename_a_picture() -> None:
    names = {picture(each).name for each in (game(roles="lllfh"), game(roles="hflll"), game(number=7))}
    assert len(names) == 1
