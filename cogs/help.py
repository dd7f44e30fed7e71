"""``/help``: what can be typed."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds


class Help(commands.Cog):
    """The list of commands, drawn from the commands themselves."""

    @app_commands.command(name="help", description="What I can do, and how")
    async def help(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Answer with every command that this person may use here."""
        manages = interaction.guild_id is not None and interaction.permissions.manage_guild
        lines = [
            (command.qualified_name, command.description)
            for command in interaction.client.tree.walk_commands()
            if isinstance(command, app_commands.Command) and (manages or command.parent is None)
        ]
        await interaction.response.send_message(**embeds.help_page(lines).arguments(), ephemeral=True)


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Help())
