"""Whether a person is in statistics."""

from infra.store.people import UserItem

#: The option of a person that keeps them out of all statistics, when it is False.
COUNTED = "statistics"


def is_counted(kept: UserItem) -> bool:
    """Whether a person is in statistics: everyone is who did not say otherwise."""
    return kept.options.get(COUNTED) is not False
