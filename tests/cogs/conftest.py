"""The whole bot inside a simulated Discord: real commands, real permissions, a clock that moves when told."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.results import InteractionResult

from bot import app
from bot.rendering.messages import Message
from bot.rendering.terminal import as_text
from config import settings as configuration


@dataclass(kw_only=True)
class Lab:
    """A server with #papers, a manager (Ada) and a member (Ben), and the bot as it runs for real."""

    env: Env
    running: app.Running
    clock: Any
    guild: GuildHandle
    papers: ChannelHandle
    ada: MemberActor
    ben: MemberActor
    said: list[str] = field(default_factory=list)

    async def ask(self, who: MemberActor, command: str, **options: Any) -> str:
        """Type a slash command in #papers and return the answer as a person reads it."""
        return self.read(await who.slash(self.papers, command, **options))

    async def press(self, who: MemberActor, result: InteractionResult, label: str) -> str:
        """Press the button with ``label`` under an answer and return what comes back."""
        assert result.response is not None
        return self.read(await who.click(result.response.message, label=label))

    def read(self, result: InteractionResult) -> str:
        assert result.response is not None, "the bot did not answer"
        shown = [result.response, *result.followups]
        return "\n".join(text_of(one.message) for one in shown)

    def posted(self) -> list[str]:
        """What the bot posted in #papers by itself, oldest first."""
        return [text_of(one) for one in self.papers.history() if one.interaction_metadata is None]


def text_of(message: discord.Message) -> str:
    return as_text(Message(content=message.content, embeds=tuple(message.embeds)))


@pytest.fixture
async def lab(tmp_path: Path, clock: Any) -> AsyncIterator[Lab]:
    settings = configuration.load(None, {}).with_store(tmp_path / "library.db")
    async with app.opened(settings, now=clock) as services:
        running = app.Running(services)
        async with simcord.run(running.client) as env:
            guild = env.create_guild(name="Lab")
            papers = guild.create_text_channel("papers")
            managers = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
            ada = guild.add_member(env.create_user("Ada"), roles=[managers])
            ben = guild.add_member(env.create_user("Ben"))
            await env.settle()
            yield Lab(env=env, running=running, clock=clock, guild=guild, papers=papers, ada=ada, ben=ben)
            await running.outbox.stop()
