"""Words that were once wrong in one language, checked in whole games."""

import random
import re
from dataclasses import replace
from functools import cache

import pytest

from bot.display.expansion_parts import Tables
from bot.display.rules_pages import power_line
from bot.display.words import Words
from engine import Chance, Setup
from engine.facts import Investigated
from sandbox.harness import harness_in_memory
from sandbox.telegram import Message, VirtualClock
from tests.system.table import Prompt, Table

pytestmark = pytest.mark.thorough

PLAYERS = 12
#: The seed of a game of XL with an investigation, and with a recruitment that fails.
SEED = 0

#: By language: words shown in that game, and old words that must appear nowhere.
MENDED = [
    ("de", ": Faschisten", r": (Liberal|Faschistisch|Kommunistisch)\b"),
    ("ru", "У тебя есть место", "Тебе заняли место"),
    ("ru", "партия проверена", "проверка была"),
    ("es", "Habéis intentado reclutar a", "Has intentado reclutar"),
    ("es", "quien organiza", "anfitrión"),
    ("es", "Ha habido un intento de hacerte comunista", "Alguien ha intentado"),
    ("en", "Together you tried to recruit", "You tried to recruit"),
    ("en", "There was an attempt to make you a Communist", "Somebody tried to make you"),
    ("en", "Hitler knows nobody.", "knows nobody, The"),
    ("fr", "Vous avez essayé de recruter", "Tu as essayé de recruter"),
    ("it", "Hanno provato a farti diventare comunista", "Qualcuno ha provato"),
]


@cache
def everything_shown(language: str, seed: int = SEED) -> tuple[str, ...]:
    """Return everything that anybody was shown in a game from its lobby to its end."""
    with harness_in_memory(VirtualClock()) as harness:
        table = Table(harness)
        for number in range(PLAYERS):
            table.person(f"P{number}", language_code=language.replace("_", "-"))
        table.say(table.people[0], "/settings")
        room = table.room()
        table.rewrite(replace(room, settings=replace(room.settings, language=language)))
        table.gather(PLAYERS, Setup("xl@1", PLAYERS + 1))
        late = table.person("Late", started=False, language_code=language.replace("_", "-"))
        opened = table.press(late, "join").answer
        assert opened is not None
        harness.telegram.open_link(late, opened.url or "")
        harness.settle()
        table.press(table.people[1], "start")
        table.start(Chance(f"{seed:02x}" * 32))
        rng = random.Random(seed)
        while not table.match().over:
            table.step_on(rng)
            if any(isinstance(event.fact, Investigated) for event in table.match().log[-3:]):
                table.say(table.people[0], "/players")
        return tuple(str(call) for call in harness.telegram.journal)


@pytest.mark.parametrize(("language", "right", "wrong"), MENDED)
def test_what_was_worded_wrong_is_mended_where_it_is_shown(language, right, wrong) -> None:
    shown = everything_shown(language)
    assert any(right in text for text in shown)
    assert [text for text in shown if re.search(wrong, text)] == []


@cache
def said_around_two_rounds(language: str) -> str:
    """Return the texts of settings and rules, and of two rounds with Article 48: comrades, then a claim."""
    with harness_in_memory(VirtualClock()) as harness:
        table = Table(harness)
        for number in range(6):
            table.person(f"P{number}", language_code=language.replace("_", "-"))
        table.say(table.people[0], "/settings")
        room = table.room()
        table.rewrite(replace(room, settings=replace(room.settings, language=language)))
        table.say(table.people[0], "/settings")
        tiles = ["communist:comrades", "liberal", "liberal", "fascist:investigate", "liberal", "liberal"]
        table.open(6, roles="lllfhc", deck=tiles, ruleset="red-dawn@1", options={"article-48": "on"})
        table.say(table.owner, "/rules").say(table.owner, "/forget")
        for chancellor, sign in ((1, "🚩"), (2, "🔎")):
            table.elect(chancellor)
            for _ in range(2):
                labels = table.asked().prompt().labels()
                with_power = [place for place, label in enumerate(labels) if sign in label]
                table.choose(with_power[0] if len(labels) == 2 else (with_power[0] + 1) % 3)
            question = table.match().game.question
            if question is not None and question.meeting:
                table.step_on(random.Random(SEED))
        table.choose()
        newest = [view for view in table.seat(2).views() if any("💬" in label for label in view.labels())][-1]
        (label,) = [label for label in newest.labels() if "✅" in label]
        Prompt(table.seat(2), newest.source).tap(label)
        table.elect(0)
        return "\n".join(str(call) for call in harness.telegram.journal)


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("ru", "Игра этой группы — ", "Здесь играют в"),
        ("ru", "Ни одного коммуниста не обнаружено", "Других коммунистов"),
        ("uk", "Гра цієї групи — ", "Тут грають у"),
        ("uk", "Жодного комуніста не виявлено", "Інших комуністів"),
        ("id", "Yang mati boleh melihat semua kartu: nonaktif", ": mati"),
        ("id", "💬 kata ", "mengaku: "),
        ("fa", "🔵 0/5", "🔵 [۰-۹]/"),
        ("fa", "یک بازی در جریان", "بازیِ بازی"),
        ("fr", "Langue\\xa0: Français", "Langue: "),
        ("zh_Hans", "语言：简体中文", "语言: "),
    ],
)
def test_a_table_of_six_is_spoken_of_well(language, right, wrong) -> None:
    said = said_around_two_rounds(language)
    assert right in said
    assert re.search(wrong, said) is None


def rules_read(language: str, setup: Setup) -> str:
    """Return every page of the rules of a lobby, as somebody of this language reads them in private."""
    with harness_in_memory(VirtualClock()) as harness:
        table = Table(harness)
        for number in range(setup.players):
            table.person(f"P{number}", language_code=language.replace("_", "-"))
        table.gather(setup.players, setup)
        table.seat(0).say("/rules")
        read: list[str] = []
        while True:
            (message,) = [view.source for view in table.seat(0).views() if _pages(view.source)][-1:]
            read.append(message.text + " ".join(button["text"] for button in message.buttons()))
            at = len(read)
            further = [data for data in _pages(message) if data.endswith(f"|0|{at}|0")]
            if not further:
                return "\n".join(read)
            table.pass_time()
            harness.telegram.tap(table.people[0], message, further[0])
            harness.settle()


def _pages(message: Message) -> list[str]:
    carried = [button.get("callback_data", "") for button in message.buttons()]
    return [data for data in carried if data.startswith("own-rules|")]


@pytest.mark.parametrize(
    ("language", "ruleset", "options", "right", "wrong"),
    [
        ("de", "xl@1", {}, "Mit 12 am Tisch", "Zu 12"),
        ("ru", "classic@1", {}, "переходит к соседу слева", "идёт по кругу"),
        ("es", "red-dawn@1", {"secret-roles": "on"}, "comunista que conoce a Hitler", "una comunista que"),
        ("zh_Hans", "xl@1", {"emergency-powers": "more"}, "处决标记", "死亡标记"),
    ],
)
def test_the_pages_of_the_rules_say_it_as_it_was_mended(language, ruleset, options, right, wrong) -> None:
    read = rules_read(language, Setup(ruleset, 10 if ruleset == "classic@1" else PLAYERS, options))
    assert right in read
    assert wrong not in read


@pytest.mark.parametrize(
    ("language", "right"),
    [("es", "vaya al tablero fascista"), ("fr", "sur le plateau fasciste"), ("it", "sulla plancia fascista")],
)
def test_a_death_mark_counts_every_tile_on_the_fascist_track(language, right) -> None:
    setup = Setup("xl@1", PLAYERS, {"emergency-powers": "more"})
    assert right in power_line(Words(language), Tables((setup,), (setup,)), "mark")


def test_a_liberal_is_told_to_vote_with_care() -> None:
    about = Words("zh_Hans").plain("role.liberal.about", zone=3)
    assert "慎重投票" in about
    assert "投好票" not in about
