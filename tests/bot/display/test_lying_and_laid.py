"""The group's words for a track that lost a tile follow the rules' own counts."""

from bot.display.board import board_text, players_text
from bot.display.pictures.scene import scene_of
from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Player
from tests.engine.builders import Play
from tests.engine.rulesets import test_anti_policies as anti
from tests.engine.rulesets import test_marks as marks


def telling(play: Play) -> Telling:
    """Return the telling to the group."""
    players = tuple(Player(seat + 1, f"P{seat}", "en") for seat in range(play.table.seats))
    return Telling(play.view(None), players, Words("en"))


def drawn(play: Play) -> tuple[int, int]:
    """Return two counts from the picture's Fascist track: its tiles, and its slots with spent powers."""
    (lane,) = [track for track in scene_of(play.view(None)).tracks if track.colour == "fascist"]
    return len(lane.tiles), lane.covered


def test_a_slot_covered_once_promises_no_power() -> None:
    slots = (None, "peek", "special", None, None, None)
    play = anti.game(f"fll fll {anti.ANTI_F} ll fll", fascist=slots).govern("f").govern("f")
    assert telling(play).power("special") in board_text(telling(play))
    play.govern(anti.ANTI_F)
    shown = board_text(telling(play))
    assert telling(play).power("peek") not in shown, "the second slot is free again, and spent"
    assert telling(play).power("special") not in shown, "and the third is not the next"
    assert drawn(play) == (1, 2)
    play.govern("f")
    assert drawn(play) == (2, 2), "three were laid"
    assert telling(play).power("special") in board_text(telling(play))


def test_a_mark_s_countdown_is_of_tiles_to_be_laid() -> None:
    play = marks.game(f"fll anti-fascist ll {marks.MARK} ll fll fll fll")
    play.govern("f").govern("anti-fascist").govern(marks.MARK).target(5)
    for left in (3, 2, 1):
        assert f"🎯 marked, dies after {left} more 🟥" in players_text(telling(play))
        play.govern("f")
    assert "🎯" not in players_text(telling(play))
    assert not play.table.alive[5]
