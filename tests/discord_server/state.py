"""The nouns of the stand-in: users, guilds, channels, messages. No rules and no JSON."""

import datetime as dt
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any

Json = dict[str, Any]


class ChannelKind(IntEnum):
    """Discord's channel types, as far as the stand-in plays them."""

    TEXT = 0
    DM = 1
    CATEGORY = 4
    ANNOUNCEMENT = 5
    PUBLIC_THREAD = 11
    FORUM = 15


class MessageFlag(IntFlag):
    """Discord's message flags, as far as the stand-in knows them."""

    CROSSPOSTED = 1 << 0
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    COMPONENTS_V2 = 1 << 15


@dataclass(kw_only=True)
class User:
    """A person or the bot."""

    id: int
    name: str
    bot: bool = False
    accepts_messages: bool = True


@dataclass(kw_only=True)
class Role:
    """A role; the one with the guild's own id is @everyone."""

    id: int
    guild_id: int
    name: str
    permissions: int = 0
    position: int = 0
    mentionable: bool = False


@dataclass(kw_only=True)
class Overwrite:
    """What a channel adds to or takes from one role or one member."""

    allow: int = 0
    deny: int = 0
    for_member: bool = False


@dataclass(kw_only=True)
class Member:
    """A user in a guild."""

    user: User
    joined_at: dt.datetime
    role_ids: set[int] = field(default_factory=set[int])


@dataclass(kw_only=True)
class Channel:
    """A channel, a thread (``parent_id`` is its channel) or a direct message (no ``guild_id``)."""

    id: int
    kind: ChannelKind
    name: str
    created_at: dt.datetime
    guild_id: int | None = None
    parent_id: int | None = None
    position: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict[int, Overwrite])
    recipient: User | None = None
    owner_id: int | None = None
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    last_message_id: int | None = None

    @property
    def is_thread(self) -> bool:
        """Whether it borrows its permissions from a parent."""
        return self.kind is ChannelKind.PUBLIC_THREAD


@dataclass(kw_only=True)
class Guild:
    """A server with everything in it; ``available`` is False during an outage."""

    id: int
    name: str
    owner_id: int
    created_at: dt.datetime
    roles: dict[int, Role] = field(default_factory=dict[int, Role])
    members: dict[int, Member] = field(default_factory=dict[int, Member])
    channels: dict[int, Channel] = field(default_factory=dict[int, Channel])
    available: bool = True
    system_channel_id: int | None = None

    @property
    def everyone(self) -> Role:
        """The role that every member has."""
        return self.roles[self.id]


@dataclass(kw_only=True)
class Message:
    """A message as it stands in a channel.

    Attributes:
        nonce: what its author sent along; Discord shows it at creation only, never in the history.
        visible_to: the one user who sees it, where it is ephemeral.
        pinged_roles: the roles that were really notified, after allowed_mentions and permissions.
    """

    id: int
    channel_id: int
    guild_id: int | None
    author: User
    created_at: dt.datetime
    content: str = ""
    embeds: list[Json] = field(default_factory=list[Json])
    components: list[Json] = field(default_factory=list[Json])
    attachments: list[Json] = field(default_factory=list[Json])
    flags: int = 0
    kind: int = 0
    edited_at: dt.datetime | None = None
    nonce: str | int | None = None
    visible_to: int | None = None
    application_id: int | None = None
    interaction_metadata: Json | None = None
    pinged_users: list[User] = field(default_factory=list[User])
    pinged_roles: list[int] = field(default_factory=list[int])
    pinged_everyone: bool = False

    @property
    def is_loading(self) -> bool:
        """Whether it is only "the bot is thinking" so far."""
        return bool(self.flags & MessageFlag.LOADING)
