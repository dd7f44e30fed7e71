"""Who may use the managers' commands, and where a digest can be posted."""

from typing import Any

import discord
from discord import app_commands

from bot.client import PaperRound
from bot.errors import NotPermitted

Channel = app_commands.AppCommandChannel | app_commands.AppCommandThread


class _Postable(app_commands.Transformer):
    """A channel option that offers only where digests can be posted, and takes what the bot cannot see.

    discord.py's own channel options refuse a channel that is not cached without saying why.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        """Return that the option is a channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Return the kinds of channels that Discord offers."""
        return [
            discord.ChannelType.text,
            discord.ChannelType.news,
            discord.ChannelType.public_thread,
            discord.ChannelType.private_thread,
            discord.ChannelType.news_thread,
        ]

    async def transform(self, interaction: discord.Interaction[Any], value: Channel, /) -> Channel:
        """Return the channel as Discord described it."""
        return value


PostableChannel = app_commands.Transform[Channel, _Postable]
"""The annotation of such an option."""


def managed_guild(interaction: discord.Interaction[PaperRound]) -> discord.Guild:
    """Return the guild, once it is known that the person may manage it.

    Discord hides the managers' commands from others, but a server's admins can show them to
    anybody; so the permission is checked here too.

    Raises:
        NotPermitted: outside a server, or without Manage Server, or where the bot itself is not a member.
    """
    if interaction.guild_id is None:
        raise NotPermitted("This works in a server only, not in private messages.")
    if not interaction.permissions.manage_guild:
        raise NotPermitted("You need **Manage Server** in this server to do that.")
    guild = interaction.guild
    if guild is None or guild.me is None:  # pyright: ignore[reportUnnecessaryComparison] -- None when not cached
        raise NotPermitted("I am not a member of this server. Ask an admin to add me, not only my commands.")
    return guild


def postable(guild: discord.Guild, chosen: Channel) -> discord.abc.GuildChannel | discord.Thread:
    """Return the chosen channel, once it is known that a digest can be posted in it.

    Raises:
        NotPermitted: the bot lacks a permission there; the sentence names it.
    """
    channel = guild.get_channel_or_thread(chosen.id)
    if channel is None:
        raise NotPermitted(
            f"I cannot see {chosen.mention}. Give me **View Channel** there; add me to it if it is a private thread."
        )
    mine = channel.permissions_for(guild.me)
    sending = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    needed = {"view_channel": "View Channel", sending: sending.replace("_", " ").title(), "embed_links": "Embed Links"}
    missing = [f"**{words}**" for name, words in needed.items() if not getattr(mine, name)]
    if missing:
        raise NotPermitted(
            f"I need {' and '.join(missing)} in {chosen.mention}. Ask an admin to grant it, then try again."
        )
    return channel


async def operated(interaction: discord.Interaction[PaperRound]) -> None:
    """See that the person runs the bot: the owner of its Discord application, or a member of its team.

    Raises:
        NotPermitted: anybody else asks.
    """
    if not await interaction.client.is_owner(interaction.user):
        raise NotPermitted("Only whoever runs this bot may do that: the owner of its Discord application.")
