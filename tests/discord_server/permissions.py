"""Who may do what in a channel, computed as Discord computes it.

Discord, Permissions, "Permission Overwrites" and "Implicit Permissions".
"""

from collections.abc import Iterable
from enum import IntFlag

from tests.discord_server.state import Channel, Guild


class Permission(IntFlag):
    """The permissions the stand-in looks at; the others are carried along unread."""

    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38


ALL = (1 << 53) - 1

USUAL = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What @everyone may do in a new guild, as far as the stand-in plays it."""

IN_DIRECT_MESSAGES = USUAL & ~int(Permission.CREATE_PUBLIC_THREADS)

_NEEDS_SENDING = int(
    Permission.MENTION_EVERYONE | Permission.SEND_TTS_MESSAGES | Permission.ATTACH_FILES | Permission.EMBED_LINKS
)


def in_guild(guild: Guild, user_id: int) -> int:
    """Return what a user may do in a guild before any channel has its say; 0 for who is not in it."""
    member = guild.members.get(user_id)
    if member is None:
        return 0
    if guild.owner_id == user_id:
        return ALL
    granted = guild.everyone.permissions
    for role_id in member.role_ids:
        granted |= guild.roles[role_id].permissions
    return ALL if granted & Permission.ADMINISTRATOR else granted


def in_channel(guild: Guild, channel: Channel, user_id: int) -> int:
    """Return what a user may do in a channel or thread of ``guild``."""
    granted = in_guild(guild, user_id)
    if granted in (0, ALL):
        return granted
    place = guild.channels.get(channel.parent_id, channel) if channel.is_thread and channel.parent_id else channel
    granted = _overwritten(granted, guild, place, user_id)
    if not granted & Permission.VIEW_CHANNEL:
        return 0
    sending = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    return granted if granted & sending else granted & ~_NEEDS_SENDING


def _overwritten(granted: int, guild: Guild, channel: Channel, user_id: int) -> int:
    """Apply the channel's overwrites: @everyone first, then all roles together, then the member."""
    own = channel.overwrites.get(user_id)
    of_roles = [channel.overwrites[id_] for id_ in guild.members[user_id].role_ids if id_ in channel.overwrites]
    steps = [
        (everyone.deny, everyone.allow) if (everyone := channel.overwrites.get(guild.id)) else (0, 0),
        (_union(one.deny for one in of_roles), _union(one.allow for one in of_roles)),
        (own.deny, own.allow) if own else (0, 0),
    ]
    for deny, allow in steps:
        granted = granted & ~deny | allow
    return granted


def _union(bits: Iterable[int]) -> int:
    total = 0
    for one in bits:
        total |= one
    return total
