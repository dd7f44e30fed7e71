"""All that exists on the stand-in, and what may happen to it; every change is told to the gateway.

Everything is synchronous and may be called before the server is started as well as while bots are
connected.
"""

from collections.abc import Callable, Iterable

from tests.discord_server import errors, payloads, permissions
from tests.discord_server.permissions import Permission
from tests.discord_server.snowflakes import Now, Snowflakes
from tests.discord_server.state import (
    Channel,
    ChannelKind,
    Guild,
    Json,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)

Tell = Callable[[str, Json, int | None], None]
"""Takes an event's name, its data and its guild's id (None: a direct message or no guild)."""


class World:
    """Users, guilds, channels and messages around one bot.

    Attributes:
        bot: the bot's own user; its id is the application's id.
        owner: who owns the application, and every guild that is given no owner of its own.
        tell: where events go; the gateway sets it.
    """

    def __init__(self, now: Now) -> None:
        self.now = now
        self.new_id = Snowflakes(now)
        self.tell: Tell = lambda _name, _data, _guild_id: None
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.users: dict[int, User] = {}
        self.history: dict[int, dict[int, Message]] = {}
        self.bot = self.add_user("paperround", bot=True)
        self.owner = self.add_user("owner")

    # What exists.

    @property
    def messages(self) -> list[Message]:
        """Every message that stands in any channel and is not ephemeral, oldest first."""
        everywhere = [message for channel in self.history.values() for message in channel.values()]
        return sorted((one for one in everywhere if one.visible_to is None), key=lambda one: one.id)

    def messages_in(self, channel: Channel) -> list[Message]:
        """The messages of one channel, oldest first, without the ephemeral ones."""
        return [one for one in self.history.get(channel.id, {}).values() if one.visible_to is None]

    # What a test makes happen.

    def add_user(self, name: str, *, bot: bool = False) -> User:
        user = User(id=self.new_id(), name=name, bot=bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str = "Lab", *, owner: User | None = None, everyone: int = permissions.USUAL) -> Guild:
        """Make a guild with the bot in it; ``everyone`` is what @everyone may do."""
        guild = Guild(id=self.new_id(), name=name, owner_id=(owner or self.owner).id, created_at=self.now())
        guild.roles[guild.id] = Role(id=guild.id, guild_id=guild.id, name="@everyone", permissions=everyone)
        self.guilds[guild.id] = guild
        for user in (owner or self.owner, self.bot):
            guild.members[user.id] = Member(user=user, joined_at=self.now())
        self.tell("GUILD_CREATE", payloads.guild(guild, seen_by=self.bot.id), guild.id)
        return guild

    def add_channel(self, guild: Guild, name: str, *, kind: ChannelKind = ChannelKind.TEXT) -> Channel:
        channel = Channel(
            id=self.new_id(),
            kind=kind,
            name=name,
            guild_id=guild.id,
            position=len(guild.channels),
            created_at=self.now(),
        )
        self._keep(guild, channel)
        self.tell("CHANNEL_CREATE", payloads.channel(channel), guild.id)
        return channel

    def add_thread(self, parent: Channel, name: str, *, owner: User, auto_archive_minutes: int = 1440) -> Channel:
        guild = self.guild_of(parent)
        thread = Channel(
            id=self.new_id(),
            kind=ChannelKind.PUBLIC_THREAD,
            name=name,
            guild_id=guild.id,
            parent_id=parent.id,
            owner_id=owner.id,
            auto_archive_minutes=auto_archive_minutes,
            created_at=self.now(),
        )
        self._keep(guild, thread)
        self.tell("THREAD_CREATE", payloads.channel(thread) | {"newly_created": True}, guild.id)
        return thread

    def direct_messages_with(self, user: User) -> Channel:
        """Return the one direct message channel between the bot and ``user``, made at need."""
        for channel in self.channels.values():
            if channel.kind is ChannelKind.DM and channel.recipient is user:
                return channel
        channel = Channel(id=self.new_id(), kind=ChannelKind.DM, name="", recipient=user, created_at=self.now())
        self.channels[channel.id] = channel
        return channel

    def add_role(self, guild: Guild, name: str, *, permissions: int = 0, mentionable: bool = False) -> Role:
        role = Role(
            id=self.new_id(),
            guild_id=guild.id,
            name=name,
            permissions=permissions,
            position=len(guild.roles),
            mentionable=mentionable,
        )
        guild.roles[role.id] = role
        self.tell("GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": payloads.role(role)}, guild.id)
        return role

    def add_member(self, guild: Guild, user: User, *, roles: Iterable[Role] = ()) -> Member:
        member = Member(user=user, joined_at=self.now(), role_ids={role.id for role in roles})
        guild.members[user.id] = member
        self.tell("GUILD_MEMBER_ADD", payloads.member(member) | {"guild_id": str(guild.id)}, guild.id)
        return member

    def give_role(self, user: User, role: Role) -> None:
        self._with_roles(user, role.guild_id, self.guilds[role.guild_id].members[user.id].role_ids | {role.id})

    def overwrite(self, channel: Channel, target: Role | User, *, allow: int = 0, deny: int = 0) -> None:
        """Set what a channel adds and takes for a role or one member; replaces what was set for them."""
        channel.overwrites[target.id] = Overwrite(allow=allow, deny=deny, for_member=isinstance(target, User))
        self.tell("CHANNEL_UPDATE", payloads.channel(channel), channel.guild_id)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread with its messages, and the threads below it."""
        guild = self.guild_of(channel)
        for thread in [one for one in guild.channels.values() if one.parent_id == channel.id]:
            self.delete_channel(thread)
        for places in (guild.channels, self.channels):
            del places[channel.id]
        self.history.pop(channel.id, None)
        self.tell("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", payloads.channel(channel), guild.id)

    def archive(self, thread: Channel, *, archived: bool = True) -> None:
        thread.archived = archived
        self.tell("THREAD_UPDATE", payloads.channel(thread), thread.guild_id)

    def remove_bot(self, guild: Guild) -> None:
        """Kick the bot; the guild goes on without it."""
        guild.members.pop(self.bot.id, None)
        self.tell("GUILD_DELETE", {"id": str(guild.id)}, guild.id)

    def return_bot(self, guild: Guild) -> None:
        """Invite the bot again, with no roles."""
        guild.members[self.bot.id] = Member(user=self.bot, joined_at=self.now())
        # Only a guild that was unavailable says that it no longer is; by that discord.py tells a join from a return.
        joined = payloads.guild(guild, seen_by=self.bot.id)
        del joined["unavailable"]
        self.tell("GUILD_CREATE", joined, guild.id)

    def begin_outage(self, guild: Guild) -> None:
        """Let the guild be unavailable on the gateway."""
        guild.available = False
        self.tell("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild.id)

    def end_outage(self, guild: Guild) -> None:
        guild.available = True
        self.tell("GUILD_CREATE", payloads.guild(guild, seen_by=self.bot.id), guild.id)

    # What the rules ask.

    def guild_of(self, channel: Channel) -> Guild:
        if channel.guild_id is None:
            raise LookupError(f"channel {channel.id} is a direct message")
        return self.guilds[channel.guild_id]

    def granted(self, channel: Channel, user: User) -> int:
        """Return what a user may do in a channel; in a direct message, what everybody may."""
        if channel.guild_id is None:
            return permissions.IN_DIRECT_MESSAGES
        return permissions.in_channel(self.guild_of(channel), channel, user.id)

    def reach(self, channel_id: int, *needed: Permission) -> Channel:
        """Return a channel that the bot sees and in which it has what is ``needed``.

        Raises:
            ApiError: 404 10003 there is none; 403 50001 the bot does not see it; 403 50013 a permission is missing.
        """
        channel = self.channels.get(channel_id)
        if channel is None:
            raise errors.unknown_channel()
        granted = self.granted(channel, self.bot)
        if not granted & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        if any(not granted & one for one in needed):
            raise errors.missing_permissions()
        return channel

    def author_of(self, message: Message) -> Member | None:
        """Return the membership of a message's author in its guild, if there is one."""
        guild = self.guilds.get(message.guild_id) if message.guild_id else None
        return guild.members.get(message.author.id) if guild else None

    def _keep(self, guild: Guild, channel: Channel) -> None:
        guild.channels[channel.id] = self.channels[channel.id] = channel

    def _with_roles(self, user: User, guild_id: int, role_ids: set[int]) -> None:
        member = self.guilds[guild_id].members[user.id]
        member.role_ids = role_ids
        self.tell("GUILD_MEMBER_UPDATE", payloads.member(member) | {"guild_id": str(guild_id)}, guild_id)
