"""The look back's picture: a small one for each seat, without words, and never by colour alone."""

import random
from xml.etree import ElementTree

import pytest

from ai.lookback import look_back
from bot.display.lookback import decided_text
from bot.display.pictures.palette import PALETTES
from bot.display.pictures.suspicion import SeatSuspicion, seats_of, suspicion_svg
from bot.display.telling import Telling
from bot.display.words import Words, languages, shown_length
from bot.rooms.model import Player
from engine import Chance, Setup, view
from engine.facts import GameOver
from sandbox.computer_games import SEASONED, play_computer_game
from sandbox.game import NAMES
from sandbox.random_games import every_setup, play_random_game
from tests.bot.pictures.scenes import parts
from tests.bot.pictures.sight import BLINDNESS, apart, contrast

SETUPS = [Setup("classic@1", 5), Setup("online@1", 7), Setup("red-dawn@1", 9), Setup("xl@1", 11)]


def seat(**changes: object) -> SeatSuspicion:
    given = {"party": "liberal", "role": "liberal", "fascist": (0.5, 0.25), "communist": (0.0, 0.0)}
    return SeatSuspicion(**{**given, **changes})  # type: ignore[arg-type]


def drawn(*seats: SeatSuspicion, theme: str = "weimar") -> ElementTree.Element:
    return ElementTree.fromstring(suspicion_svg(seats, theme))


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("players", [5, 10, 16])
def test_every_seat_has_its_picture_with_its_true_side(theme: str, players: int) -> None:
    sides = [("liberal", "liberal"), ("fascist", "hitler"), ("communist", "kgb"), ("fascist", "fascist")]
    taken = [sides[at % len(sides)] for at in range(players)]
    seats = [seat(party=party, role=role) for party, role in taken]
    picture = drawn(*seats, theme=theme)
    assert len(parts(picture, "suspicion")) == players
    truth = [group.get("class") for group in parts(picture, "truth")]
    assert truth == [f"truth {one.party}" for one in seats]
    assert not any(element.tag.endswith("text") for element in picture.iter()), "no words"
    assert picture.get("width") == "1080"


def test_fascists_are_suspected_from_below() -> None:
    """So the two are told apart by place, whatever somebody sees of their colours."""
    both = suspicion_svg([seat(fascist=(0.5,), communist=(0.25,))], "weimar")
    fascist, communist = (PALETTES["weimar"].parties[party].tile for party in ("fascist", "communist"))
    paths = ElementTree.fromstring(both).iter()
    shapes = {path.get("fill"): path.get("d") or "" for path in paths if path.get("d")}
    assert shapes[fascist].startswith("M126 234V139"), "half of the height, up from the base line"
    assert shapes[communist].startswith("M126 44V91.5"), "a quarter, down from the top"


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_columns_stand_out_for_every_kind_of_sight(theme: str, blindness: str) -> None:
    palette = PALETTES[theme]
    ground = palette.parties["liberal"].slot
    for party in ("fascist", "communist"):
        assert apart(palette.parties[party].tile, ground, blindness) >= 20
    assert contrast(palette.dead_ink, palette.ground) >= 4.5, "the rounds' numbers"


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.ruleset)
@pytest.mark.quick("red-dawn@1")
def test_what_decided_a_game_is_told_in_every_language(setup: Setup) -> None:
    played = play_computer_game(setup, Chance("36" * 32), [SEASONED] * setup.players)
    found = look_back(played.events, played.claims)
    players = tuple(Player(None, NAMES[one], "en") for one in range(setup.players))
    shown = view(played.events, None)
    for language in languages():
        for theme in PALETTES:
            words = Words(language, theme)
            for reader in (None, *range(setup.players)):
                text = decided_text(Telling(shown, players, words), played.claims, found, reader)
                assert "decided." not in text
                assert shown_length(text) <= 3900
                assert ("👤" in text) is (reader is not None)
                assert text.count("🏁") == 1
    seats = seats_of(found)
    assert [one.role for one in seats] == list(found.roles)
    assert all(len(one.fascist) == len(found.beliefs) - 1 for one in seats)


@pytest.mark.thorough
def test_every_ending_is_told_with_what_decided_the_game() -> None:
    endings: dict[str, str] = {}
    for seed in range(40):
        played = play_computer_game(Setup("red-dawn@1", 9), Chance(f"{seed:02x}" * 32), [SEASONED] * 9)
        shown = view(played.events, None)
        players = tuple(Player(None, name, "en") for name in NAMES[:9])
        found = look_back(played.events, played.claims)
        text = decided_text(Telling(shown, players, Words("en", "weimar")), played.claims, found, None)
        over = shown.facts[-1]
        assert isinstance(over, GameOver)
        endings[over.reason] = next(part for part in text.split("\n\n") if "🏁" in part)
    assert "Hitler was elected Chancellor." in endings["hitler-elected"]
    assert "👍 Ja (Liberal): " in endings["hitler-elected"]
    assert "executed" in endings["hitler-killed"]
    assert "The Fascist track is full." in endings["fascist-track"]


def test_every_setups_picture_is_drawn() -> None:
    for setup in random.Random(36).sample(list(every_setup()), 10):
        _, events, _ = play_random_game(setup, random.Random(f"{setup}"))
        drawn(*seats_of(look_back(events, ())))
