"""The private chat: what a person can ask there. Each answer is one message."""

from collections.abc import Callable, Sequence

from bot.conversation.game.info import game_in, role_in
from bot.conversation.game.notes import role_rows
from bot.conversation.group import rules
from bot.conversation.incoming import Command, Person
from bot.conversation.outcome import Post
from bot.conversation.private import account
from bot.conversation.recipients import Private
from bot.display import guide
from bot.display.commands import GROUP, PRIVATE
from bot.display.pages import pages
from bot.display.words import Html, Words, closest
from bot.records.profile import Profile
from bot.rooms.model import Room

#: Words, command, the rooms in which the person is known, and their profile → the answer.
Answer = Callable[[Words, Command, Sequence[Room], Profile], Post]


def respond_in_private(said: Command, rooms: Sequence[Room], profile: Profile, username: str) -> Post:
    """Answer a private command. ``username`` is the bot's.

    The person is known in these rooms (the latest first).
    """
    words = Words(closest(said.person.language))
    if said.name in COMMANDS:
        return COMMANDS[said.name](words, said, rooms, profile)
    if said.name != "start":
        in_group = said.name in GROUP and said.name not in PRIVATE
        elsewhere = words.html("private.in-group", command=said.name) if in_group else Html("")
        above = Html(f"{elsewhere}\n\n") if elsewhere else elsewhere
        return account.help_menu(words, said.person, username, above)
    if (asked := guide.guide_of(said.argument)) is not None:
        return account.how_to(words, said.person, asked, username)
    return account.help_menu(words, said.person, username, Html(f"{words.html('welcome')}\n\n"))


def _roles(words: Words, said: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    """Show the roles in all running games, and below them, if there is room, what the seats learned."""
    shown = [posts for room in rooms if (posts := role_in(room, said.person.id))]
    if not shown:
        return Post(Private(said.person.id), words.html("games.none"), protect=True)
    cards = [card.text for card, *_ in shown]
    learned = [post.text for _, *posts in shown for post in posts]
    told = (*cards, words.html("note.ask"), *learned)
    page, *others = pages(Html(""), [Html(f"{text}\n") for text in told])
    text = Html("\n".join([*page, *(["…"] if others else [])]))
    return Post(Private(said.person.id), text, role_rows(rooms, said.person.id), protect=True)


def _games(words: Words, said: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    lines = [told for room in rooms if (told := game_in(room, said))]
    return Post(Private(said.person.id), Html("\n".join(lines)) if lines else words.html("games.none"))


def _rules(words: Words, said: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    return rules.in_private(said.person, rooms)


def _advice(words: Words, said: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    """Say if prompts come with advice now, and how to change that."""
    return Post(Private(said.person.id), words.html("advice.on" if profile.advised else "advice.off"))


def _confirm(words: Words, said: Command, rooms: Sequence[Room], profile: Profile) -> Post:
    """Say which answers take a second tap, and how to change that."""
    return Post(Private(said.person.id), words.html("confirm.on" if profile.confirms else "confirm.off"))


def _own(answer: Callable[[Words, Person, Profile], Post]) -> Answer:
    """Return an answer that depends only on the person."""
    return lambda words, said, rooms, profile: answer(words, said.person, profile)


#: Whatever else is said is answered like a call for help, or as a link asks.
COMMANDS: dict[str, Answer] = {
    "role": _roles,
    "games": _games,
    "language": _own(account.language_menu),
    "advice": _advice,
    "confirm": _confirm,
    "stats": _own(account.own_statistics),
    "forget": _own(account.forget_question),
    "rules": _rules,
}
