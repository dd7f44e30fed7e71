"""``/digest``: who gets which papers when."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds
from cogs import choices
from cogs.access import PostableChannel, managed_guild, postable

Number = app_commands.Range[int, 1, 1_000_000]


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.default_permissions(manage_guild=True)
class Digests(commands.GroupCog, name="digest", description="Digests of papers for this server's channels"):
    """Subscriptions and their editions."""

    @app_commands.command(name="subscribe", description="Post papers to a channel on a schedule")
    @app_commands.describe(
        channel="Where the digest is posted",
        time="When, as 09:00 or 9am",
        days="weekdays, daily, or days such as Monday, Thursday",
        topic="Only papers that match this; as in /search",
        size="Papers in a digest, 1 to 10",
        timezone="Such as Europe/Berlin; this server's if left out",
        role="A role to mention with every digest",
        fill_up="Fill up with older papers when few are new",
        speak_when_empty="Say so when there is nothing to post",
    )
    @app_commands.autocomplete(days=choices.days, timezone=choices.zones)
    async def subscribe(  # noqa: PLR0917 -- Discord's options; discord.py passes them by name
        self,
        interaction: discord.Interaction[PaperRound],
        channel: PostableChannel,
        time: app_commands.Range[str, 1, 20] | None = None,
        days: app_commands.Range[str, 1, 100] | None = None,
        topic: app_commands.Range[str, 0, 300] = "",
        size: app_commands.Range[int, 1, 10] | None = None,
        timezone: app_commands.Range[str, 0, 60] | None = None,
        role: discord.Role | None = None,
        fill_up: bool = True,
        speak_when_empty: bool = False,
    ) -> None:
        """Subscribe a channel and say when its first digest comes."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        target = postable(guild, channel)
        services = interaction.client.services
        usual = services.settings.digests
        subscription = await services.subscriptions.subscribe(
            guild.id,
            target.id,
            interaction.user.id,
            query=topic,
            days=days or usual.days,
            at=time or usual.time,
            zone=timezone,
            size=size or usual.size,
            role_id=role.id if role else None,
            fill_up=fill_up,
            speak_when_empty=speak_when_empty,
        )
        await interaction.edit_original_response(**embeds.subscribed(subscription).edit_arguments())

    @app_commands.command(name="list", description="This server's subscriptions")
    async def list(self, interaction: discord.Interaction[PaperRound]) -> None:
        """List the subscriptions, wherever they post."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        found = await interaction.client.services.subscriptions.list_for(guild.id)
        first, *others = embeds.subscriptions(found)
        await interaction.edit_original_response(**first.edit_arguments())
        for other in others:
            await interaction.followup.send(**other.arguments(), ephemeral=True)

    @app_commands.command(name="preview", description="What a subscription would post next; only you see it")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def preview(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Show the next edition without posting it."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        services = interaction.client.services
        subscription = await services.subscriptions.get(guild.id, number)
        first, *others = await services.composer.preview(subscription)
        await interaction.edit_original_response(**first.without_mention().edit_arguments())
        for other in others:
            await interaction.followup.send(**other.without_mention().arguments(), ephemeral=True)

    @app_commands.command(name="now", description="Post today's digest of a subscription right away")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def now(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Compose today's edition early; it is not posted again at its usual time."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        services = interaction.client.services
        subscription = await services.subscriptions.get(guild.id, number)
        edition = await services.composer.compose_now(subscription)
        interaction.client.tick_soon()
        await interaction.edit_original_response(**embeds.composed_now(subscription, edition).edit_arguments())

    @app_commands.command(name="pause", description="Let a subscription rest; nothing is lost")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def pause(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Pause a subscription."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        paused = await interaction.client.services.subscriptions.pause(guild.id, number)
        await interaction.edit_original_response(**embeds.paused(paused).edit_arguments())

    @app_commands.command(name="resume", description="Wake a paused subscription; it posts no backlog")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def resume(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Resume a subscription."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        resumed = await interaction.client.services.subscriptions.resume(guild.id, number)
        await interaction.edit_original_response(**embeds.resumed(resumed).edit_arguments())

    @app_commands.command(name="remove", description="End a subscription and forget what it had posted")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def remove(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Remove a subscription."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        removed = await interaction.client.services.subscriptions.remove(guild.id, number)
        await interaction.edit_original_response(**embeds.removed(removed).edit_arguments())

    @app_commands.command(name="why", description="What became of a subscription's last digest")
    @app_commands.describe(number="The subscription, as /digest list numbers it")
    @app_commands.autocomplete(number=choices.subscriptions)
    async def why(self, interaction: discord.Interaction[PaperRound], number: Number) -> None:
        """Explain why something came, or why nothing did."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = managed_guild(interaction)
        answer = await interaction.client.services.subscriptions.why(guild.id, number)
        await interaction.edit_original_response(**embeds.why(answer).edit_arguments())


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Digests())
