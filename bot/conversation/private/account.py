"""The private chat's own pages: help, language, statistics, being forgotten.

Each is one message with buttons. A tap changes a setting, and the message shows it.
"""

from bot.conversation.incoming import Person
from bot.conversation.outcome import Post
from bot.conversation.posting import group_url
from bot.conversation.recipients import Private
from bot.display.buttons import Button, Row, data
from bot.display.guide import HOW_TO, Guide, add_button
from bot.display.help import private_help
from bot.display.rules_pages import guide_text
from bot.display.statistics import own_statistics_text
from bot.display.words import Html, Words, languages
from bot.records.profile import Profile
from bot.rooms.names import RoomName
from engine import OFFERED

NOTHING = Html("")
#: The numbers in ``fair``: back to help, why a deal is fair, what is kept about people; ``guide`` has how to
#: play.
HELP, FAIR, PRIVACY = 0, 1, 3
#: The number in ``language`` that follows Telegram's language.
AUTOMATIC = 0


def help_menu(words: Words, person: Person, username: str, before: Html = NOTHING) -> Post:
    """Say what the bot is and list its commands, after ``before``.

    Buttons lead to practice, to how it is played, into a group, to why a deal is fair, and to privacy.
    """
    play = Button(words.plain("button.howto"), data(RoomName(person.id), "fair", HOW_TO))
    fair = Button(words.plain("button.fair"), data(RoomName(person.id), "fair", FAIR))
    kept = Button(words.plain("button.privacy"), data(RoomName(person.id), "fair", PRIVACY))
    rows = ((practice_button(words, person),), (play,), (add_button(words, username),), (fair,), (kept,))
    return Post(Private(person.id), Html(f"{before}{private_help(words)}"), rows)


def practice_button(words: Words, person: Person) -> Button:
    """Return the button that opens a practice table."""
    return Button(words.plain("button.practice"), data(RoomName(person.id), "practice", 0, 0))


def how_to(words: Words, person: Person, guide: Guide, username: str) -> Post:
    """Return the five lines, with buttons to the rules in pages, to a new group, and back to the group."""
    words = Words(words.language, guide.theme)
    rules = Button(words.plain("button.rules"), data(RoomName(person.id), "own-rules", guide.which, 0, 0))
    rows: list[Row] = [(practice_button(words, person),), (rules,), (add_button(words, username),)]
    url = None if guide.room is None else group_url(guide.room)
    if url is not None:
        rows.append((Button(words.plain("button.group"), url=url),))
    return Post(Private(person.id), guide_text(words, OFFERED[guide.which - 1].id), tuple(rows))


def fairness(words: Words, person: Person) -> Post:
    """Why a deal is fair, in five lines. More of it: docs/fairness.md."""
    back = Button(words.plain("button.back"), data(RoomName(person.id), "fair", HELP))
    return Post(Private(person.id), words.html("fair"), ((back,),))


def privacy(words: Words, person: Person) -> Post:
    """Say what is kept of people, for how long, and who can see it. docs/privacy.md has more."""
    back = Button(words.plain("button.back"), data(RoomName(person.id), "fair", HELP))
    return Post(Private(person.id), words.html("privacy"), ((back,),))


def language_menu(words: Words, person: Person, profile: Profile) -> Post:
    """Return all languages, each in its own words, and the one that is on."""

    def button(code: str | None, text: str) -> Button:
        sign = "●" if profile.language == code else "○"
        number = AUTOMATIC if code is None else _number(code)
        return Button(f"{sign} {text}", data(RoomName(person.id), "language", number))

    buttons = [button(code, Words(code).plain("language")) for code in languages()]
    rows = [tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2)]
    automatic = button(None, words.plain("language.automatic"))
    return Post(Private(person.id), words.html("language.ask"), ((automatic,), *rows))


def language_of(number: int) -> str | None:
    """Return a button's language; None follows Telegram. Raises ValueError for a forged one."""
    for code in languages():
        if number == _number(code):
            return code
    if number != AUTOMATIC:
        raise ValueError("no such language")
    return None


def own_statistics(words: Words, person: Person, profile: Profile) -> Post:
    """Return one's own statistics; buttons show the rating's curve, and end or resume counting."""
    counted = profile.counted
    text = words.plain("button.stats-off" if counted else "button.stats-on")
    switch = Button(text, data(RoomName(person.id), "counted", 0 if counted else 1))
    curve = Button(words.plain("button.curve"), data(RoomName(person.id), "curve", 0))
    rows: tuple[Row, ...] = ((curve,), (switch,)) if len(profile.record.curve) > 1 else ((switch,),)
    return Post(Private(person.id), own_statistics_text(words, profile), rows)


def forget_question(words: Words, person: Person, profile: Profile) -> Post:
    """Say what being forgotten means, and ask whether it is meant."""
    where = RoomName(person.id)
    yes = Button(words.plain("button.forget"), data(where, "forget", 1))
    no = Button(words.plain("button.keep"), data(where, "forget", 0))
    return Post(Private(person.id), words.html("forget.ask"), ((yes,), (no,)))


def forget_answer(words: Words, person: Person, gone: bool) -> Post:
    """Return the result of the question."""
    key = "forget.done" if gone else "forget.kept"
    return Post(Private(person.id), Html(words.html(key)))


def _number(code: str) -> int:
    """Return a language as a number for a button. It stays when languages are added, unlike its place."""
    return int.from_bytes(code.encode(), "big")
