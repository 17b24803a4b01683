"""Answer commands in the private chat, each with one message."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from markupsafe import Markup

from bot.conversation.game.info import READABLE, game_in, read_in_private, role_in
from bot.conversation.game.notes import role_rows
from bot.conversation.group import rules
from bot.conversation.incoming import Command, Person
from bot.conversation.outcome import Post, Private
from bot.conversation.posting import group_url
from bot.conversation.private import finished
from bot.display import guide
from bot.display.buttons import Button, Row, Verb, data, pages
from bot.display.commands import GROUP, PRIVATE
from bot.display.guide import HOW_TO, Guide, add_button, help_text
from bot.display.rules_pages import HERE, guide_text
from bot.display.statistics import own_statistics_text
from bot.display.words import Words, closest, languages
from bot.records.own_record import Profile
from bot.rooms.model import Room
from bot.rooms.names import private_room
from engine import OFFERED

#: The verbs of buttons that the private chat answers itself.
TAPS: tuple[Verb, ...] = (
    *("language", "counted", "curve", "forget", "fair", "own-rules", "note"),
    *finished.TAPS,
)
#: Answers a command: takes the words, the command, the rooms that know the person, and their profile.
Answer = Callable[[Words, Command, Sequence[Room], Profile], Post]


def respond_in_private(
    incoming: Command,
    rooms: Sequence[Room],
    profile: Profile,
    username: str,
    origin: Room | None = None,
) -> Post:
    """Answer a private command.

    Args:
        rooms: those that know the person, the latest first.
        username: the bot's.
        origin: the room that a link to how to play names, if the person may see its rules.
    """
    words = Words(closest(incoming.person.language))
    if incoming.name in COMMANDS:
        return COMMANDS[incoming.name](words, incoming, rooms, profile)
    if incoming.name in READABLE and (
        told := [*filter(None, (read_in_private(room, incoming) for room in rooms))]
    ):
        return _as_one(incoming.person, told)
    if incoming.name == "start" and (asked := guide.guide_of(incoming.argument)) is not None:
        return how_to(words, incoming.person, asked, username, origin)
    above = words.html("welcome") if incoming.name == "start" else Markup()
    if incoming.name in GROUP and incoming.name not in PRIVATE:
        key = "private.no-table" if incoming.name in READABLE else "private.in-group"
        above = words.html(key, command=incoming.name)
        if any(not room.private for room in rooms):
            return Post(Private(incoming.person.id), above)
    return help_menu(words, incoming.person, username, above)


def _roles(words: Words, incoming: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    """Show the person's roles in all running games and, as far as it fits, what their seats learned."""
    shown = [posts for room in rooms if (posts := role_in(room, incoming.person.id))]
    if not shown:
        return Post(Private(incoming.person.id), words.html("games.none"), protect=True)
    cards = [card.text for card, *_ in shown]
    learned = [post.text for _, *posts in shown for post in posts]
    post = _as_one(incoming.person, (*cards, words.html("note.ask"), *learned))
    return replace(post, keyboard=role_rows(rooms, incoming.person.id), protect=True)


def _as_one(person: Person, told: Sequence[str]) -> Post:
    """Return one message with these texts. If they do not all fit, it ends with three dots."""
    page, *others = pages(Markup(), [Markup("{}\n").format(text) for text in told])
    return Post(Private(person.id), Markup("\n").join([*page, *(["…"] if others else [])]))


def _games(words: Words, incoming: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    lines = [told for room in rooms if (told := game_in(room, incoming))]
    return Post(Private(incoming.person.id), Markup("\n").join(lines) if lines else words.html("games.none"))


def _rules(words: Words, incoming: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    return rules.in_private(incoming.person, rooms)


def _advice(words: Words, incoming: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    return Post(Private(incoming.person.id), words.html("advice.on" if profile.advised else "advice.off"))


def _confirm(words: Words, incoming: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    return Post(Private(incoming.person.id), words.html("confirm.on" if profile.confirms else "confirm.off"))


def _own(answer: Callable[[Words, Person, Profile], Post]) -> Answer:
    return lambda words, incoming, rooms, profile: answer(words, incoming.person, profile)


# --- account ------------------------------------------------------------------------------------------------
# Help, language, statistics and /forget. Each is one message with buttons. A tap changes a setting, and the
# message shows the change.

NOTHING = Markup()
#: Numbers in the button ``fair``: back to help, why a deal is fair, what is stored about people. ``guide``
#: has the numbers for how to play.
HELP, FAIR, PRIVACY = 0, 1, 3
#: The number in the button ``language`` that follows Telegram's language.
AUTOMATIC = 0


def help_menu(words: Words, person: Person, username: str, above: Markup = NOTHING) -> Post:
    """Say what the bot is and list its commands, below the text ``above``.

    Buttons open practice, explain how to play, add the bot to a group, and explain fairness and privacy.
    """
    play = Button(words.plain("button.howto"), data(private_room(person.id), "fair", HOW_TO))
    fair = Button(words.plain("button.fair"), data(private_room(person.id), "fair", FAIR))
    kept = Button(words.plain("button.privacy"), data(private_room(person.id), "fair", PRIVACY))
    rows = ((practice_button(words, person),), (play,), (add_button(words, username),), (fair,), (kept,))
    text = Markup("\n\n").join(filter(None, (above, help_text(words, private=True))))
    return Post(Private(person.id), text, rows)


def practice_button(words: Words, person: Person) -> Button:
    """Return the button that opens a practice table."""
    return Button(words.plain("button.practice"), data(private_room(person.id), "practice", 0, 0))


def how_to(words: Words, person: Person, guide: Guide, username: str, origin: Room | None = None) -> Post:
    """Explain in five lines how to play.

    Buttons open practice and the rules, add the bot to a group, and lead back to the person's group.
    ``origin`` is the room from which the person comes. If its game still has the ruleset of the link, the
    numbers and the rules are those of that game.
    """
    words = Words(words.language, guide.theme)
    ruleset_id, setup, pages_of = OFFERED[guide.which - 1].id, None, (private_room(person.id), guide.which)
    if origin is not None and (here := rules.setup_here(origin)).ruleset == ruleset_id:
        setup, pages_of = here, (origin.name, HERE)
    where, which = pages_of
    pages_button = Button(words.plain("button.rules"), data(where, "own-rules", which, 0, 0))
    rows: list[Row] = [(practice_button(words, person),), (pages_button,), (add_button(words, username),)]
    url = None if guide.room is None else group_url(guide.room)
    if url is not None:
        rows.append((Button(words.plain("button.group"), url=url),))
    return Post(Private(person.id), guide_text(words, ruleset_id, setup), tuple(rows))


def explanation(words: Words, person: Person, key: Literal["fair", "privacy"]) -> Post:
    """Explain why a deal is fair, or what is stored about people, for how long, and who can see it.

    docs/fairness.md and docs/privacy.md have more.
    """
    back = Button(words.plain("button.back"), data(private_room(person.id), "fair", HELP))
    return Post(Private(person.id), words.html(key), ((back,),))


def language_menu(words: Words, person: Person, profile: Profile) -> Post:
    """Return a button for each language, named in that language. The chosen one is marked."""

    def button(code: str | None, text: str) -> Button:
        sign = "●" if profile.language == code else "○"
        number = AUTOMATIC if code is None else _number(code)
        return Button(f"{sign} {text}", data(private_room(person.id), "language", number))

    buttons = [button(code, Words(code).plain("language")) for code in languages()]
    rows = [tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2)]
    automatic = button(None, words.plain("language.automatic"))
    return Post(Private(person.id), words.html("language.ask"), ((automatic,), *rows))


def language_of(number: int) -> str | None:
    """Return the language of a button's number; None follows Telegram. Raises ValueError if it is forged."""
    for code in languages():
        if number == _number(code):
            return code
    if number != AUTOMATIC:
        raise ValueError("no such language")
    return None


def own_statistics(words: Words, person: Person, profile: Profile) -> Post:
    """Return a person's own statistics. Buttons show the rating's curve, and stop or resume counting."""
    counted = profile.counted
    text = words.plain("button.stats-off" if counted else "button.stats-on")
    switch = Button(text, data(private_room(person.id), "counted", 0 if counted else 1))
    curve = Button(words.plain("button.curve"), data(private_room(person.id), "curve", 0))
    rows: tuple[Row, ...] = ((curve,), (switch,)) if len(profile.record.curve) > 1 else ((switch,),)
    return Post(Private(person.id), own_statistics_text(words, profile), rows)


def forget_question(words: Words, person: Person, profile: Profile) -> Post:
    """Explain what /forget deletes, and ask for confirmation."""
    where = private_room(person.id)
    yes = Button(words.plain("button.forget"), data(where, "forget", 1))
    no = Button(words.plain("button.keep"), data(where, "forget", 0))
    return Post(Private(person.id), words.html("forget.ask"), ((yes,), (no,)))


def forget_answer(words: Words, person: Person, gone: bool) -> Post:
    """Say whether the person's data was deleted."""
    return Post(Private(person.id), words.html("forget.done" if gone else "forget.kept"))


def _number(code: str) -> int:
    """Return a language as a number for a button. Unlike an index, it stays when languages are added."""
    return int.from_bytes(code.encode(), "big")


#: The answers by command. ``respond_in_private`` answers all other commands itself.
COMMANDS: dict[str, Answer] = {
    "role": _roles,
    "games": _games,
    "language": _own(language_menu),
    "advice": _advice,
    "confirm": _confirm,
    "stats": _own(own_statistics),
    "forget": _own(forget_question),
    "rules": _rules,
}
