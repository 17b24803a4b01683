"""Who may do what. Asked anew at every tap: a former admin's old menu is worth nothing."""

from bot.conversation.incoming import Person
from bot.conversation.outcome import Context, Need, found
from bot.rooms.model import Match


def may_lead(host: int | None, person: Person, context: Context) -> bool:
    """Whether a person may lead a lobby or a game: its host, or an admin of the group."""
    return person.id == host or is_admin(context)


def may_call_off(match: Match, person: Person, context: Context) -> bool:
    """Whether a person may call a running game off: an admin of the group, or its host, who must play it."""
    plays = person.id in match.present.values()
    return (person.id == match.host and plays) or is_admin(context)


def plays_or_leads(match: Match, person: Person, context: Context) -> bool:
    """Whether a person plays this game (and has not got up from it), or is an admin of the group."""
    return person.id in match.present.values() or is_admin(context)


def is_admin(context: Context) -> bool:
    """Whether who spoke is an admin of the group. Raises Needs where that must be found out."""
    return found(context.is_admin, Need.IS_ADMIN)
