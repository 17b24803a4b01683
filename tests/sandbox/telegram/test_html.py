"""Telegram's HTML is understood as Telegram does it, and refused."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Message

from sandbox.telegram import Refusal
from sandbox.telegram.html import parse


@pytest.mark.parametrize(("source", "text", "entities"), [
    ("plain", "plain", []),
    ("a &lt; b &amp;&amp; c &#65;&#x42;", "a < b && c AB", []),
    ("&nbsp; stays", "&nbsp; stays", []),
    ("<b>bold</b> rest", "bold rest", [("bold", 0, 4)]),
    ("<STRONG>x</STRONG>", "x", [("bold", 0, 1)]),
    ("<b>b<i>i</i></b>", "bi", [("bold", 0, 2), ("italic", 1, 1)]),
    ("🦅<u>x</u>", "🦅x", [("underline", 2, 1)]),
    ("<b></b>empty", "empty", []),
    ("  <b>trimmed  </b>\n", "trimmed", [("bold", 0, 7)]),
    ("<tg-spoiler>s</tg-spoiler>", "s", [("spoiler", 0, 1)]),
    ("<blockquote>q</blockquote>", "q", [("blockquote", 0, 1)]),
    ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", 0, 1)]),
    ("<pre>p</pre><code>c</code>", "pc", [("pre", 0, 1), ("code", 1, 1)]),
    ("<a href='https://t.me/x?a=1&amp;b=2'>l</a>", "l", [("text_link", 0, 1)]),
    ('<a href="no link">l</a>', "l", []),
    ("a > b", "a > b", []),
])  # fmt: skip
def test_markup_gives_text_and_entities(source: str, text: str, entities: list[tuple[str, int, int]]) -> None:
    got, found = parse(source)
    assert got == text
    assert [(e["type"], e["offset"], e["length"]) for e in found] == entities


def test_a_relative_time_carries_its_moment_and_format() -> None:
    _, entities = parse('<tg-time unix="1647531900" format="r">soon</tg-time>')
    placed = {"type": "date_time", "offset": 0, "length": 4}
    assert entities == [{**placed, "unix_time": 1647531900, "date_time_format": "r"}]


@pytest.mark.parametrize(("source", "complaint"), [
    ("<b>open", 'Can\'t find end tag corresponding to start tag "b"'),
    ("ü<div>", 'Unsupported start tag "div"'), ("1 < 2", "Unsupported tag in '< 2'"),
    ("</b>", 'Unexpected end tag "b"'), ("<b>x</i>", 'Unexpected end tag "i"'),
    ('<a href="x>y</a>', "Unsupported tag"), ("<b bold>x</b>", "Unsupported tag"),
    ('<tg-time format="r">x</tg-time>', "Invalid date specified"),
    ('<tg-time unix="5" format="q">x</tg-time>', "Invalid date format specified"),
])  # fmt: skip
def test_broken_markup_is_refused(source: str, complaint: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse(source)
    assert refusal.value.code == 400
    assert refusal.value.description.startswith(f"Bad Request: can't parse entities: {complaint}")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_escaped_name_comes_back_as_it_was(name: str) -> None:
    assert parse(f"<b>.{escape(name)}.</b>")[0] == f".{name}."


@given(st.text(alphabet="<>/ab&;=\"' 🦅\n", max_size=40))
def test_any_text_is_either_understood_or_refused(source: str) -> None:
    try:
        text, entities = parse(source)
    except Refusal:
        return
    for entity in entities:
        assert entity["offset"] >= 0
        assert 0 < entity["length"] <= len(text.encode("utf-16-le")) // 2 - entity["offset"]


def test_the_library_writes_the_same_html_back() -> None:
    source = (
        '<b>Ja</b> &amp; <i>Nein</i> <tg-spoiler>role</tg-spoiler> <a href="https://t.me/x">link</a> '
        '<tg-time unix="1647531900" format="r">soon</tg-time>'
    )
    text, entities = parse(source)
    shown = {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}, "text": text}
    message = Message.de_json(shown | {"entities": entities}, None)
    expected = source.replace("<tg-spoiler>", '<span class="tg-spoiler">').replace("</tg-spoiler>", "</span>")
    assert message is not None
    assert message.text_html == expected


def test_entities_beyond_a_hundred_are_ignored() -> None:
    assert len(parse("<b>x</b> " * 120)[1]) == 100
