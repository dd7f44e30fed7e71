"""``/settings``: what this server's managers chose."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds
from cogs import choices
from cogs.access import managed_guild


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.default_permissions(manage_guild=True)
class Admin(commands.GroupCog, name="settings", description="Paper Round's settings in this server"):
    """Guild settings."""

    @app_commands.command(name="timezone", description="The time zone of digests subscribed from now on")
    @app_commands.describe(zone="Such as Europe/Berlin; it completes while you type")
    @app_commands.autocomplete(zone=choices.zones)
    async def timezone(
        self, interaction: discord.Interaction[PaperRound], zone: app_commands.Range[str, 1, 60]
    ) -> None:
        """Set the server's zone."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        services = interaction.client.services
        chosen = await services.subscriptions.set_zone(guild.id, zone)
        await interaction.edit_original_response(**embeds.zone_set(chosen, services.now()).edit_arguments())

    @app_commands.command(name="show", description="The settings in effect, and what I may do here")
    async def show(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Show the server's settings."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        services = interaction.client.services
        chosen = await services.subscriptions.settings_of(guild.id)
        found = await services.subscriptions.list_for(guild.id)
        await interaction.edit_original_response(
            **embeds.settings(chosen, services.now(), subscriptions=len(found)).edit_arguments()
        )


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Admin())
