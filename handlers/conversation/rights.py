"""Who may do what. Asked anew at every tap: a former admin's old menu is worth nothing."""

from handlers.conversation.incoming import Person
from handlers.conversation.outcome import Known, Unknown


def may_lead(host: int, person: Person, known: Known) -> bool:
    """Whether a person may lead a lobby or a game: its host, or an admin of the group."""
    return person.id == host or is_admin(known)


def is_admin(known: Known) -> bool:
    """Whether who spoke is an admin of the group. Raises Unknown where that must be found out."""
    if known.is_admin is None:
        raise Unknown("is_admin")
    return known.is_admin
