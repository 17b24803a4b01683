"""An outcome, read by parts: its toast, posts, edits and buttons."""

from bot.conversation.incoming import Person
from bot.conversation.outcome import GROUP, Edit, Outcome, Post, Private, ToSeat
from bot.display.buttons import Button
from bot.display.buttons import read as carried
from bot.rooms.model import Room
from engine import Seat
from tests.bot.conversation.texts import plain


def toast(after: Outcome) -> str:
    assert after.toast is not None, "the tap is not answered"
    return after.toast.text


def posts(after: Outcome) -> list[str]:
    """Return the texts of posts in the group."""
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == GROUP]


def edits(after: Outcome) -> dict[str, str]:
    """Return the new texts of the group's messages, by name."""
    return {e.name: e.text for e in after.effects if isinstance(e, Edit) and e.to == GROUP}


def tells(after: Outcome, seat: int) -> list[str]:
    """Return the texts of posts to a seat in private."""
    return [e.text for e in after.effects if isinstance(e, Post) and e.to == ToSeat(Seat(seat))]


def told(after: Outcome) -> set[int]:
    """Return the seats with posts in private."""
    return {e.to.number for e in after.effects if isinstance(e, Post) and isinstance(e.to, ToSeat)}


def writes(after: Outcome, who: Person) -> list[str]:
    """Return the texts of posts to a person in private, without regard to their seat."""
    to = Private(who.id)
    return [effect.text for effect in after.effects if isinstance(effect, Post) and effect.to == to]


def buttons(after: Outcome, verb: str) -> list[tuple[int, ...]]:
    """Return the numbers of all buttons with this verb."""
    found = [carried(button.data) for button in keys(after) if button.data is not None]
    return [args for _, does, args in filter(None, found) if does == verb]


def keys(after: Outcome) -> list[Button]:
    rows = [row for effect in after.effects if isinstance(effect, Post | Edit) for row in effect.keyboard]
    return [button for row in rows for button in row]


def unchanged(after: Outcome, before: Room) -> bool:
    """Return True if nothing happened, except perhaps an answer to the person."""
    return after.room == before and not after.effects


def refuses(after: Outcome, before: Room, key: str, **values: object) -> None:
    """Check that nothing happened, and that the toast says why."""
    assert unchanged(after, before)
    assert toast(after) == plain(key, **values)
