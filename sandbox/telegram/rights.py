"""Telegram's names for the rights of admins and the permissions of members."""

from __future__ import annotations

from telegram import ChatAdministratorRights, ChatPermissions

#: The rights of a group's admins: those that the library knows, without those that only channels have.
ADMIN_RIGHTS = tuple(
    sorted(
        {*ChatAdministratorRights.__slots__, "can_send_welcome_messages"}
        - {"is_anonymous", "can_post_messages", "can_edit_messages"}
        - {"can_manage_direct_messages", "can_manage_tags"}
    )
)
PERMISSIONS = tuple(ChatPermissions.__slots__)


def checked(rights: dict[str, bool], known: tuple[str, ...]) -> dict[str, bool]:
    """Return the same rights. Raises ``ValueError`` for a name that Telegram does not have."""
    for name in rights:
        if name not in known:
            raise ValueError(f"no such right: {name}")
    return rights
