"""The private chat: what a person can ask there. Each answer is one message."""

from collections.abc import Callable, Sequence

from handlers.conversation import personal, rules
from handlers.conversation.incoming import Command, Person
from handlers.conversation.info import game_in, role_in
from handlers.conversation.outcome import Post
from handlers.display.help import private_help
from handlers.display.words import Html, Words, closest
from handlers.rooms.model import Room
from infra.people import UserItem

#: What is asked about oneself.
OWN: dict[str, Callable[[Words, Person, UserItem], Post]] = {
    "language": personal.language_menu,
    "stats": personal.figures,
    "forget": personal.forget_question,
}


def respond_in_private(said: Command, rooms: Sequence[Room], kept: UserItem) -> Post:
    """The answer to a private command, of a person who is known in these rooms and of whom this is kept."""
    words = Words(closest(said.person.language))
    if said.name in OWN:
        return OWN[said.name](words, said.person, kept)
    if said.name == "rules":
        return rules.in_private(said.person, rooms)
    answers = {"start": _welcome, "role": _roles, "games": _games}
    text = answers.get(said.name, _help)(words, said, rooms)
    return Post(said.person.id, text, protect=said.name == "role")


def _welcome(words: Words, said: Command, rooms: Sequence[Room]) -> Html:
    return Html(f"{words.html('welcome')}\n\n{private_help(words)}")


def _help(words: Words, said: Command, rooms: Sequence[Room]) -> Html:
    return private_help(words)


def _roles(words: Words, said: Command, rooms: Sequence[Room]) -> Html:
    cards = [card.text for room in rooms if (card := role_in(room, said.person.id))]
    return Html("\n\n".join(cards)) if cards else words.html("games.none")


def _games(words: Words, said: Command, rooms: Sequence[Room]) -> Html:
    lines = [told for room in rooms if (told := game_in(room, said))]
    return Html("\n".join(lines)) if lines else words.html("games.none")
