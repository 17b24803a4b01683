"""Every word that a person sees comes from a catalogue, and the catalogue has neither gaps nor leftovers."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from markupsafe import Markup

from bot.conversation import routing
from bot.conversation.practice import table
from bot.conversation.private import commands
from bot.display.buttons import VERBS
from bot.display.commands import GROUP, ONLY_PRIVATE, PRIVATE
from bot.display.expansions import SHOWN
from bot.display.pictures.svg import DIGITS
from bot.display.words import LOCALES, THEMES, Words, closest, languages, name, plain_name
from engine import KNOWN
from engine.facts import Fact
from engine.ruleset import Ruleset
from sandbox.telegram.html import detect

ROOT = Path(__file__).parents[3]
SOURCES = sorted(path for package in ("bot", "handlers") for path in (ROOT / package).rglob("*.py"))
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
SAYING = ("html", "plain", "counted")


@cache
def catalogue(theme: str = "weimar", language: str = "en") -> dict[str, Message]:
    with (LOCALES / language / "LC_MESSAGES" / f"{theme}.po").open("rb") as file:
        return {key_of(message): message for message in read_po(file) if message.id}


def key_of(message: Message) -> str:
    """Return a message's key; one with plural forms has it twice."""
    return message.id if isinstance(message.id, str) else message.id[0]


KEYS = catalogue()

#: Keys whose first part is chosen separately from the rest.
CHOSEN_APART = ("sign.",)


@cache
def trees() -> list[tuple[Path, ast.AST]]:
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES]


def said() -> Iterator[tuple[Path, ast.expr]]:
    """Yield the first argument of everything that is said: ``words.html("key")``."""
    for path, tree in trees():
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in SAYING and node.args:  # type: ignore[attr-defined]
                yield from ((path, arm) for arm in arms(node.args[0]))  # type: ignore[attr-defined]


def arms(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression, or both sides of ``a if b else c``."""
    if isinstance(node, ast.IfExp):
        yield from arms(node.body)
        yield from arms(node.orelse)
    else:
        yield node


def pattern(node: ast.JoinedStr) -> str | None:
    """Return a regular expression for an f-string's values.

    None if the f-string does not begin with literal text.
    """
    parts = [
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w?-]+" for part in node.values
    ]
    return "".join(parts) if isinstance(node.values[0], ast.Constant) else None


def forms(message: Message) -> list[str]:
    """Return the words of a message: one text, or one for each plural form."""
    found = message.string or ""
    return [found] if isinstance(found, str) else list(found)


def literals() -> set[str]:
    nodes = [node for _, tree in trees() for node in ast.walk(tree)]
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def families() -> set[str]:
    """Return the regular expressions of all keys that are put together."""
    texts = [node for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    return {found for node in texts if (found := pattern(node)) and "\\." in found}


def test_every_key_that_is_said_is_in_the_catalogue() -> None:
    constants = [(path, node.value) for path, node in said() if isinstance(node, ast.Constant)]
    missing = {f"{path.relative_to(ROOT)}: {value!r}" for path, value in constants if value not in KEYS}
    assert missing == set()


def test_every_key_that_is_put_together_has_words_for_some_value() -> None:
    empty = {
        found
        for _, node in said()
        if isinstance(node, ast.JoinedStr) and (found := pattern(node))
        if not any(re.fullmatch(found, key) for key in (*KEYS, *catalogue("cold-war")))
    }
    assert empty == set()


def test_every_key_of_the_catalogue_is_said_somewhere() -> None:
    written, put_together = literals(), families()
    unwritten = [key for key in KEYS if key not in written and not key.startswith(CHOSEN_APART)]
    leftover = {key for key in unwritten if not any(re.fullmatch(family, key) for family in put_together)}
    assert leftover == set()


def test_every_fact_is_told_or_quiet_on_purpose() -> None:
    told, quiet = set(SHOWN.lines), set(SHOWN.without_line)
    assert told & quiet == set()
    ours = {kind for kind in Fact.kinds.values() if kind.__module__.startswith("engine.")}
    assert ours - told - quiet == set(), "facts that nobody thought of"
    assert (told | quiet) - ours == set(), "facts that do not exist"


def questions(rules: Ruleset) -> set[str]:
    """Return the steps that take answers: everything that can be asked."""
    return {step for step, run in rules.steps.items() if "answers" in inspect.signature(run).parameters}


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_every_question_has_its_words(rules: Ruleset) -> None:
    asked = questions(rules)
    assert {"nominate", "ballot", "discard", "enact", "kill"} <= asked
    for step in asked:
        assert f"ask.{step}" in KEYS
        assert f"waiting.{step}" in KEYS


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_every_question_that_leaves_a_record_has_words_for_it(rules: Ruleset) -> None:
    kept = questions(rules) - SHOWN.without_record
    assert {f"answered.{step}" for step in kept} - set(KEYS) == set()


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_everything_that_a_ruleset_names_has_words(rules: Ruleset) -> None:
    names = {f"ruleset.{rules.name}"}
    names |= {f"power.{power}" for power in rules.powers}
    names |= {f"tile.{kind}" for kind in rules.tiles}
    names |= {f"power.{power}" for powers in rules.tiles.values() for power in powers}
    names |= {f"role.{role}" for role in rules.secret_roles}
    names |= {f"role.{role}.about" for role in rules.secret_roles}
    for players in rules.players:
        board = rules.board(players, {option: c.default(players) for option, c in rules.options.items()})
        names |= {f"party.{colour}" for colour in board.tracks}
        names |= {f"reason.{colour}-track" for colour in board.tracks}
        names |= {f"reason.{ending}" for ending in board.endings}
        names |= {f"role.{role}" for role in board.roles} | {f"role.{role}.about" for role in board.roles}
    for option, choice in rules.options.items():
        names |= {f"setup.{option}"} | {f"value.{value}" for value in choice.values}
    assert names - set(KEYS) == set()


def test_every_reason_for_a_refusal_has_words() -> None:
    reasons: set[str] = set()
    for path in ENGINE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Illegal":
                reasons |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    assert {"over", "closed", "not-asked"} <= reasons
    # No button leads to these: they would be a mistake of the bot's own.
    unseen = {"unknown-ruleset", "unknown-option"}
    assert {f"illegal.{reason}" for reason in reasons - unseen} - set(KEYS) == set()


def test_every_button_is_dealt_with() -> None:
    alone = {"practice", "advise"}
    # The private chat takes notes, and passes them on to the room.
    assert sorted((*routing.TAPS, *commands.TAPS, *alone, "again")) == sorted((*VERBS, "note"))
    assert table.TAPS.keys() >= alone


def test_exactly_the_registered_commands_are_answered() -> None:
    assert sorted((*GROUP, *ONLY_PRIVATE)) == sorted(routing.COMMANDS)
    assert set(PRIVATE) == {*commands.COMMANDS, "start", "help", "practice"}


# --- no sentence in code ------------------------------------------------------------------------------

#: A capital, or several words: anything that a person could read. Keys, names of fields and formats are
#: neither.
SENTENCE = re.compile(r"[A-ZÄÖÜ]?[a-zäöü']+(?:,? [A-Za-zäöü']+)+[.!?…:]?|[A-Z][a-zäöü]{2,}[.!?…]")
#: Texts for developers: in exceptions, assertions, docstrings, log events.
DEVELOPERS = (ast.Raise, ast.Assert)


def user_visible(path: Path) -> Iterator[str]:
    """Yield string constants of a module that are neither docstrings nor for developers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, DEVELOPERS):
            skipped |= {id(inner) for inner in ast.walk(node)}
        if isinstance(node, ast.Call) and "struct" in ast.dump(node.func).lower():
            skipped |= {id(inner) for inner in ast.walk(node)}
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("error", "warning", "info"):
            skipped |= {id(inner) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


#: Fixed texts that people type, and markup.
TYPED = ("/", "python -m", "<")

#: Conversation and display, which make everything that people see.
SHOWING = [path for path in SOURCES if path.parent.name in ("conversation", "display")]


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.stem)
def test_no_list_is_separated_by_code(path: Path) -> None:
    """Persian and Chinese have commas of their own."""
    assert re.findall(r"""["'](?:[,;] |،|、)["']\.join""", path.read_text()) == []


def test_a_list_is_separated_as_its_language_does_it() -> None:
    names = [Markup("<b>Anna</b>"), Markup("<b>Ben</b>")]
    said = {language: Words(language).listed(names) for language in languages()}
    assert said["fa"] == "<b>Anna</b>، <b>Ben</b>"
    assert said["zh_Hans"] == "<b>Anna</b>、<b>Ben</b>"
    others = {said[language] for language in said if language not in ("fa", "zh_Hans")}
    assert others == {"<b>Anna</b>, <b>Ben</b>"}


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.stem)
def test_no_sentence_stands_in_code(path: Path) -> None:
    sentences = [text for text in user_visible(path) if SENTENCE.search(text) and not text.startswith(TYPED)]
    assert sentences == []


def test_the_search_for_sentences_finds_them() -> None:
    for text in ("You're in.", "no game here", "Hello!", "Join the lobby"):
        assert SENTENCE.search(text)
    for text in ("lobby.closed", "already-in", "%H:%M UTC", "can_pin", "liberal"):
        assert not SENTENCE.search(text)


# --- words themselves ---------------------------------------------------------------------------------


def test_values_are_escaped_unless_they_are_html_already() -> None:
    words = Words()
    assert "&lt;b&gt;" in words.html("anonymous.done") + words.html("lobby.player", seat="<b>")
    assert "<b>" in words.html("lobby.player", seat=Markup("<b>x</b>"))


def test_names_are_isolated_and_cut_on_buttons() -> None:
    assert name("<&>") == "⁨&lt;&amp;&gt;⁩"
    assert plain_name("x" * 65) == "⁨" + "x" * 63 + "…⁩"
    assert plain_name("<&>") == "⁨<&>⁩"


@pytest.mark.parametrize(("code", "ours"), [
    ("en-GB", "en"), (None, "en"), ("tlh-QO", "en"), ("in", "id"), ("in-ID", "id"),
    ("pt-br", "pt_BR"), ("pt", "pt_BR"), ("zh-hans", "zh_Hans"), ("zh-CN", "zh_Hans"),
    ("zh-TW", "zh_Hans"), ("fa-IR", "fa"), ("de-AT", "de"), ("es_419", "es"),
])  # fmt: skip
def test_every_way_to_write_a_language_finds_ours(code: str | None, ours: str) -> None:
    assert closest(code) == ours


def test_placeholders_of_a_text_are_named_and_plural_forms_agree() -> None:
    for key, message in KEYS.items():
        for text in forms(message):
            assert text, f"{key} has no words"
            assert not re.search(r"\{\}|\{\d", text), f"{key} has a nameless placeholder"


def test_toasts_are_short_enough_for_telegram() -> None:
    shown = {key for key in KEYS if key.startswith(("toast.", "illegal.", "claim.", "seat.", "clock."))}
    for key in shown - {"claim.ask"}:  # which is in a message
        for text in forms(KEYS[key]):
            assert len(re.sub(r"\{\w+\}", "", text)) <= 130, f"{key} leaves no room for what goes into it"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", sorted(languages()))
def test_texts_have_the_digits_that_the_picture_draws(language: str, theme: str) -> None:
    said = "".join("".join(forms(message)) for message in catalogue(theme, language).values())
    assert set(re.findall(r"\d", said)) <= set(DIGITS)
    words = Words(language, theme)
    shown = words.html("lobby.seats", taken=1234567890, most=1) + words.clock(0)
    assert set(re.findall(r"\d", shown)) == set(DIGITS)


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_command_in_a_text_can_be_tapped(language: str) -> None:
    """Telegram finds no command next to a letter, and Chinese writes no spaces."""
    names = "|".join({*GROUP, *PRIVATE, *ONLY_PRIVATE})
    for theme in THEMES:
        for text in (text for message in catalogue(theme, language).values() for text in forms(message)):
            plain = re.sub(r"<[^>]+>", "", re.sub(r"<code>.*?</code>", "", text))
            named = re.findall(rf"/(?:{names})\b", plain, re.ASCII)
            assert len(named) <= len([found for found in detect(plain) if found["type"] == "bot_command"])
