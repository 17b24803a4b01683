"""Themes: the same games with other names, and no theme's names in another's games."""

import re

import pytest
from babel.messages.pofile import read_po

from bot.display.role_card import FIGURES
from bot.display.words import LOCALES, Words
from engine import ruleset
from sandbox.game import GroupGame
from sandbox.harness import harness_in_memory
from tests.system.table import Table
from tests.system.whole import COLD_WAR, COLD_WAR_GAMES, WEIMAR, said, sound, strange


def whole_game(rules: str, players: int, options: str, theme: str, seed: int) -> list[str]:
    """Return all texts from the choice of a theme in the lobby to the end. People use all commands."""
    with harness_in_memory(seed=seed) as harness:
        top = GroupGame(harness, players, seed)
        top.say(top.people[0], "/newgame")
        top.choose("theme", theme)
        since = len(harness.telegram.journal)
        top.open(rules, options)
        questions = ("/status", "/board", "/players", "/history", "/settings", "/help", "/rules")
        for question in questions:
            top.say(top.people[0], question)
        for person in top.people:
            top.press(person, "role")
            harness.telegram.send(person, harness.telegram.private(person), "/role")
            harness.settle()
        top.play()
        for question in questions:
            harness.clock.advance(60)  # type: ignore[attr-defined]
            top.say(top.people[0], question)
        sound(top)
        return list(said(harness, since))


@pytest.mark.rule("R0.2", "R3.4")
@pytest.mark.parametrize(("rules", "players"), COLD_WAR_GAMES)
@pytest.mark.quick("red-dawn-6")
def test_a_cold_war_game_never_names_anything_of_weimar(rules: str, players: int) -> None:
    texts = whole_game(rules, players, COLD_WAR_GAMES[rules, players], "cold-war", 1)
    assert strange(WEIMAR, texts) == set()
    assert any("Stalin's Secret Agent" in text for text in texts)


@pytest.mark.rule("R0.2")
@pytest.mark.thorough
def test_weimar_never_names_the_cold_war() -> None:
    texts = whole_game("xl", 8, "all", "weimar", 2)
    assert strange(COLD_WAR, texts) == set()
    assert any("Hitler" in text for text in texts)


@pytest.mark.rule("R3.5")
def test_with_a_third_party_the_names_move_along() -> None:
    words, weimar = Words("en", "cold-war"), Words("en", "weimar")
    parties = [words.plain(f"party.{party}") for party in ("liberal", "fascist", "communist")]
    assert parties == ["Democrat", "Communist", "Anarchist"]
    assert words.plain("role.anarchist") == "Saboteur"
    assert words.plain("role.kgb") == "Informer"
    assert "General strike" in words.plain("power.five-year-plan")
    assert "Anti-Anarchist" in words.plain("tile.anti-communist")
    assert "Anti-Communist" in words.plain("tile.anti-fascist")
    assert words.plain("role.monarchist") == weimar.plain("role.monarchist")


@pytest.mark.rule("R3.4")
def test_every_word_of_the_published_game_has_its_other_name() -> None:
    words = Words("en", "cold-war")
    roles = [words.plain(f"role.{role}") for role in ("liberal", "fascist", "hitler")]
    assert roles == ["Democrat", "Communist agent", "Stalin's Secret Agent"]
    assert [words.plain(f"option.{ballot}") for ballot in ("ja", "nein")] == ["👍 For", "👎 Against"]
    assert "Investigate allegiance" in words.plain("power.investigate")
    assert "Assassination" in words.plain("power.kill")
    assert "DEFCON 3" in words.plain("tracker", value=1, of=3, level=3)
    assert "Nuclear war" in words.plain("enacted.chaos", tile="")


def texts(theme: str, language: str) -> dict[str, str]:
    with open(LOCALES / language / "LC_MESSAGES" / f"{theme}.po", "rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file) if one.id}


#: Texts about the bot or about people's own records, which are the same in every theme.
OF_NO_THEME = {"help.private", "stats.own.votes", "stats.own.shots", "profile.description", "profile.about"}


def test_every_text_with_a_name_of_weimar_has_another_one() -> None:
    weimar, cold_war = texts("weimar", "en"), texts("cold-war", "en")
    name = re.compile(r"\b(Communist|Fascist|Liberal|Hitler|[Pp]residen|Chancellor|Reichstag)")
    named = {key for key, text in weimar.items() if name.search(re.sub(r"{\w+}", "", text))}
    assert named - cold_war.keys() == OF_NO_THEME


def figures() -> set[str]:
    words = Words("en", "cold-war")
    return {words.plain(f"figure.{key}") for keys in FIGURES.values() for key in keys}


def cold_war(table: Table, players: int = 7, **deal: object) -> Table:
    table.gather(players).say(table.owner, "/settings")
    message, _ = table.button("set")
    table.pass_time()
    table.tap(table.owner, message, f"set|{table.name.short}|2|2")
    assert table.room().settings.theme == "cold-war"
    return table


@pytest.mark.rule("R3.2", "R3.3")
def test_a_figure_is_on_its_own_card_and_shown_at_the_end(table: Table) -> None:
    cold_war(table)
    table.start()
    for seat in range(7):
        table.seat(seat).say("/role")
    table.say(table.people[0], "/players").finish()
    match = table.match()
    mine = {}
    for seat in range(7):
        texts = table.seat(seat).texts()
        cards = [text for text in texts if "Your role" in text and "allegiance:" in text]
        named = {name for text in texts for name in figures() if name in text}
        assert named == {name for name in figures() if name in cards[0]}, "nobody else's"
        assert len(named) == (0 if match.game.table.roles[seat] == "hitler" else 1)
        mine[seat] = named
    before_end = [text for text in table.group_texts() if "Who was who" not in text]
    assert not any(name in text for text in before_end for name in figures())
    end = next(text for text in table.group_texts() if "Who was who" in text)
    lines = [line for line in end.splitlines() if re.match(r"\u2068#\d+\s", line)]
    assert len(lines) == 7
    for seat, line in enumerate(lines):
        assert {name for name in figures() if name in line} == mine[seat]


def test_every_ruleset_has_a_name_of_its_own_in_both_themes() -> None:
    for theme in ("weimar", "cold-war"):
        named = {Words("en", theme).plain(f"ruleset.{rules}") for rules in ("classic", "online", "xl")}
        assert len(named) == 3
    assert ruleset("red-dawn@1").name == "red-dawn"
