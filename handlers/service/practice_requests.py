"""What somebody wants of practice, by a command, a link or a button in their own chat."""

from dataclasses import replace

from bot.conversation.incoming import Command, Practise, Tap
from bot.conversation.lobby.own_room import OPEN
from bot.conversation.person import own_language
from infra.store.people import Users


def practice_request(users: Users, said: Command | Tap) -> Practise | None:
    """The wish to practise, by the rules that a link names; None where something else is wanted."""
    if isinstance(said, Tap) and (said.verb != "practice" or said.args[0] != OPEN):
        return None
    from bot.display import guide  # most taps want something else, and do without it

    wanted: guide.Guide | None = guide.Guide(which=0, theme="")
    if isinstance(said, Command) and said.name != "practice":
        wanted = guide.practice_of(said.argument) if said.name == "start" else None
    if wanted is None:
        return None
    kept = users.load(said.person.id)
    person = replace(said.person, language=own_language(kept.language, said.person))
    return Practise(person, wanted.which, wanted.theme, newcomer=not kept.counts)
