"""A stand-in for Discord on loopback, for driving real discord.py over a real wire.

    async with DiscordServer() as server:
        guild = server.world.add_guild()
        papers = server.world.add_channel(guild, "papers")
        with server.class_attributes():
            ...  # start a bot with server.token
        assert len(server.messages) == 1

Not played: voice, reactions, polls, stickers, webhooks of channels, audit logs, bans, invites.
"""

from tests.discord_server.buckets import UNLIMITED, Limit
from tests.discord_server.interactions import Callback, Interaction
from tests.discord_server.people import NotOffered
from tests.discord_server.permissions import Permission
from tests.discord_server.server import DiscordServer
from tests.discord_server.state import Channel, ChannelKind, Guild, Member, Message, Role, User
from tests.discord_server.waiting import until

__all__ = [
    "UNLIMITED",
    "Callback",
    "Channel",
    "ChannelKind",
    "DiscordServer",
    "Guild",
    "Interaction",
    "Limit",
    "Member",
    "Message",
    "NotOffered",
    "Permission",
    "Role",
    "User",
    "until",
]
