"""Words that were once wrong, checked on the pages where people read them."""

import re
from dataclasses import replace

import pytest

from bot.display.guide import rules_payload
from bot.display.pictures.svg import DIGITS
from bot.display.rules_pages import GUIDE, all_pages, guide_text, page_text, shown_setup
from bot.display.words import Words, languages
from engine import OFFERED, Setup
from sandbox.telegram import Message
from tests.system.table import Seat, Table

#: The number of a ruleset's own rules in buttons.
WHICH = {rules.id: number for number, rules in enumerate(OFFERED, start=1)}
#: A page number that is too high becomes the last one.
LAST = 99


def speaking(table: Table, language: str, theme: str = "weimar") -> Table:
    """Return a lobby in a group with this language and theme, and a reader with its rules open in private."""
    if not table.people:
        table.gather(5)
    table.people.append(table.person("Reader", language_code=language.replace("_", "-")))
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, language=language, theme=theme)))
    return opened(table)


def opened(table: Table) -> Table:
    """Open the group's rules in private, as the last person."""
    table.tg.open_link(
        table.people[-1], f"https://t.me/{table.tg.bot.username}?start={rules_payload(table.name)}"
    )
    table.harness.settle()
    return table


def shown(table: Table) -> Message:
    """Return the reader's newest message with pages of rules."""
    views = Seat(table, table.people[-1]).views()
    return next(
        view.source
        for view in reversed(views)
        if any(b.get("callback_data", "").startswith("own-rules|") for b in view.source.buttons())
    )


def turned(table: Table, which: int, page: int) -> str:
    """Return the text of a page, once the reader has turned to it."""
    table.pass_time(15)
    data = f"own-rules|{table.name.short}|{which}|{page}|0"
    table.tg.tap(table.people[-1], shown(table), data, forged=True)
    table.harness.settle()
    return shown(table).text


def read(table: Table, which: int) -> list[str]:
    """Return all pages of a ruleset, from the first to the last that a button reaches."""
    texts = [turned(table, which, 0)]
    while (text := turned(table, which, len(texts))) != texts[-1]:
        texts.append(text)
    return texts


# --- rules of a ruleset from the list (12) --------------------------------------------------------------


def test_red_dawns_pages_show_all_of_its_options(table: Table) -> None:
    speaking(table, "en")
    texts = read(table, WHICH["red-dawn@1"])
    titles = [text.splitlines()[0].rpartition(" · ")[2] for text in texts]
    assert titles[6:] == [
        *("Communists", "secret roles", "Article 48", "options"),
        "when somebody does not answer",
    ]
    assert "⚙️ Option" in texts[8]
    assert "The Communists win: 4–6 🔶 policies / Hitler hit by a smear campaign" in texts[0]
    assert "sealed veto" in texts[5]
    assert "may veto" in texts[5]


def test_xls_pages_show_all_of_its_options(table: Table) -> None:
    speaking(table, "en")
    texts = read(table, WHICH["xl@1"])
    titles = [text.splitlines()[0].rpartition(" · ")[2] for text in texts]
    assert titles[6:] == [
        *("Communists", "anti-policies", "emergency powers", "Oktoberfest", "roles that win apart"),
        "options",
        "when somebody does not answer",
    ]
    assert "Anti-Fascist" in texts[7]
    assert "Social Democratic goes on" in texts[7]


def test_red_dawn_with_five_names_no_communists(table: Table) -> None:
    table.gather(5)
    table.play_by(Setup("red-dawn@1", 5))
    opened(table)
    texts = read(table, 0)
    assert "With 5 players" in texts[0]
    assert not any("Communist" in text for text in texts)


# --- 13: the kill ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "theme", "role"),
    [
        ("en", "weimar", "victim's role stays secret"),
        ("en", "cold-war", "victim's role stays secret"),
        ("de", "weimar", "Die Rolle bleibt geheim"),
        ("de", "cold-war", "Die Rolle bleibt geheim"),
        ("tr", "weimar", "Ölenin rolü"),
        ("tr", "cold-war", "Ölenin rolü"),
        ("pl", "cold-war", "Jej rola zostaje tajna"),
        ("ru", "cold-war", "Его роль остаётся тайной"),
        ("uk", "cold-war", "Його роль лишається таємною"),
    ],
)
def test_it_is_the_role_of_the_dead_that_stays_secret(
    table: Table, language: str, theme: str, role: str
) -> None:
    speaking(table, language, theme)
    assert role in turned(table, WHICH["classic@1"], 4)


# --- 14 ----------------------------------------------------------------------------------------------------

BLIND = {
    "en": "also in a sealed veto",
    "de": "bei einem verdeckten Veto stimmen auch diese beiden blind ab",
    "es": "en un veto secreto también se vota a ciegas",
    "fr": "lors d’un veto secret, on vote aussi à l’aveugle",
    "it": "in un veto segreto anche il voto è alla cieca",
    "pt_BR": "num veto secreto, também se vota às cegas",
    "ru": "при закрытом вето голосуют тоже вслепую",
    "uk": "за закритого вето голосують теж наосліп",
    "fa": "در وتوی مُهرشده هم رأی ندیده",
    "tr": "mühürlü vetoda oylar da görmeden",
    "pl": "przy tajnym wecie też głosuje się w ciemno",
    "id": "pada veto tersegel, suara juga diberikan tanpa melihat",
    "zh_Hans": "密票否决的票也是盲投",
}
#: Once in each session of a government.
ONCE = {
    "en": "may ask for it once",
    "de": "einmal je Sitzung",
    "es": "una vez por sesión",
    "fr": "une fois par session",
    "it": "una volta per sessione",
    "pt_BR": "uma vez por sessão",
    "ru": "один раз за заседание",
    "uk": "один раз за засідання",
    "fa": "در هر نشست یک بار",
    "tr": "her oturumda bir kez",
    "pl": "raz na posiedzenie",
    "id": "satu kali tiap sidang",
    "zh_Hans": "每次立法限一次",
}


def test_three_odd_rules_are_told_as_they_are(table: Table) -> None:
    for language in languages():
        speaking(table, language)
        assert BLIND[language] in turned(table, WHICH["xl@1"], 9)
        assert ONCE[language] in turned(table, WHICH["xl@1"], 5)
        back = Words(language).plain("rules.time.propaganda")
        assert back in turned(table, WHICH["xl@1"], LAST)
        assert back not in turned(table, WHICH["classic@1"], LAST)


@pytest.mark.parametrize("theme", ["weimar", "cold-war"])
def test_red_dawns_special_election_calls_nobody_who_sits_out(table: Table, theme: str) -> None:
    for language in languages():
        speaking(table, language, theme)
        classic = turned(table, WHICH["classic@1"], 4)
        red_dawn = turned(table, WHICH["red-dawn@1"], 4)
        assert classic != red_dawn
        assert language != "en" or "who is not sitting out" in red_dawn


def test_every_way_of_winning_has_its_verb(table: Table) -> None:
    verbs = {
        "en": "win:",
        "pt_BR": "vencem:",
        "ru": "побеждают:",
        "uk": "перемагають:",
        "fa": "می‌برند:",
        "tr": "kazanır:",
        "pl": "wygrywają:",
        "id": "menang:",
        "zh_Hans": "获胜：",
        "de": "Sieg für",
        "es": "Ganan",
        "it": "Vincono",
        "fr": "Victoire pour",
    }
    for language in languages():
        speaking(table, language)
        first = turned(table, WHICH["classic@1"], 0)
        won = [line for line in first.splitlines() if line.startswith("🏆")]
        assert len(won) == 2
        assert all(verbs[language] in line for line in won)
        assert not any(line.startswith("·") for line in first.splitlines())
        assert first.rstrip()[-1] in ".。"


# --- 15: numbers and hours ---------------------------------------------------------------------------------


def test_a_persian_game_is_told_in_the_pictures_digits(table: Table) -> None:
    table.open(11, ruleset="xl@1", options={"emergency-powers": "more", "anti-policies": "on"})
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, language="fa", clock="relaxed")))
    before = len(table.group_views())
    opened(table)
    for page in range(10):
        turned(table, 0, page)
    table.say(table.people[0], "/players")
    table.finish()
    told = [view.source.html for view in table.group_views()[before:]]
    assert [digit for text in told for digit in re.findall(r"\d", text) if digit not in DIGITS] == []
    assert any("11" in text for text in told)


@pytest.mark.parametrize(
    ("language", "clock"),
    [("fa", "6:05 UTC"), ("id", "06.05 UTC"), ("es", "6:05 UTC"), ("de", "06:05 UTC"), ("en", "06:05 UTC")],
)
def test_an_hour_is_written_as_in_the_language(language: str, clock: str) -> None:
    assert Words(language).clock(6 * 3600 + 5 * 60) == clock


# --- 15: the Cold War ---------------------------------------------------------------------------------------


def test_in_the_cold_war_defcon_counts_down_to_one(table: Table) -> None:
    table.open(5).nominate(1)
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, theme="cold-war")))
    table.vote("nnnnn")
    assert any("DEFCON 3; nuclear war at 1." in text for text in table.group_texts()[-3:])
    table.pass_time(60)
    table.say(table.people[0], "/board")
    assert "DEFCON 3" in table.group_text()
    opened(table)
    assert "DEFCON starts at 4" in turned(table, 0, 2)


def test_in_the_cold_war_a_prompt_counts_as_the_board_does(table: Table) -> None:
    table.open(5).nominate(1)
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, theme="cold-war")))
    table.vote("nnnnn")
    assert "DEFCON 3" in table.asked().text()


def test_the_cold_wars_five_lines_name_its_offices() -> None:
    for language in languages():
        weimar, words = Words(language), Words(language, "cold-war")
        told = re.sub("<[^>]*>", "", guide_text(words, "classic@1"))
        assert re.findall(r"\b(?:Ja|Nein)\b", told) == [], language
        for line in GUIDE:
            if line != "here":
                assert words.plain(f"howto.{line}") in told
                assert weimar.plain(f"howto.{line}") not in told


def test_cold_war_pages_never_name_weimars_laws(table: Table) -> None:
    laws = {"48", "۴۸", "Enabling", "Ermächtigung", "habilitante", "pleins pouvoirs", "pieni poteri"}
    laws |= {"Plenos Poderes", "полномочиях", "повноваження»", "Yetki Yasası", "pełnomocnictw", "授权法"}
    for language in languages():
        words = Words(language, "cold-war")
        for ruleset_id in ("red-dawn@1", "xl@1"):
            every = all_pages(words, ruleset_id, True)
            shown = [page_text(words, shown_setup(ruleset_id), page, 1, 1) for page in every]
            assert [law for law in laws for text in shown if law in text] == [], language


def test_fairness_is_told_in_ones_own_language(table: Table) -> None:
    for language in languages():
        reader = table.person("Reader", language_code=language.replace("_", "-"))
        table.pass_time(60)
        message = Seat(table, reader).say("/help").views()[-1].source
        (fair,) = [b["callback_data"] for b in message.buttons() if b.get("callback_data", "").endswith("|1")]
        table.tg.tap(reader, message, fair)
        table.harness.settle()
        assert "drand" in message.text
        assert len(message.text.splitlines()) == 6
        assert "5." in message.text


def test_red_dawn_opens_with_the_balanced_deck_and_says_why(table: Table) -> None:
    table.gather(6)
    table.play_by(Setup("red-dawn@1", 6))
    table.pass_time(60)
    table.say(table.people[0], "/newgame")
    assert "Deck: balanced" in table.lobby_text()
    assert "hardly ever lose" not in table.lobby_text()
    message, data = table.button("setup")
    told = []
    for label in ("Deck: balanced", "○ as printed", None):
        table.pass_time(60)
        table.tg.tap(table.people[0], message, data)
        table.harness.settle()
        told.append(table.lobby_text())
        data = next((b["callback_data"] for b in message.buttons() if b["text"].startswith(label or "?")), "")
    assert ["then the Liberals hardly ever lose" in text for text in told] == [False, True, False]
    assert "Deck: as printed" in table.lobby_text()
