"""The whole bot inside a simulated Discord: real commands, real permissions, a clock that moves when told."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.results import InteractionResult

from bot import app
from bot.errors import UserError
from bot.rendering.messages import Message
from bot.rendering.terminal import as_text
from bot.services import Services
from bot.store import subscriptions
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
    fault_expected: bool = False

    @property
    def services(self) -> Services:
        return self.running.services

    async def ask(self, who: MemberActor, command: str, **options: Any) -> str:
        """Type a slash command in #papers and return the answer as a person reads it."""
        return self.read(await who.slash(self.papers, command, **options))

    async def subscribe(self, **options: Any) -> str:
        """Let Ada subscribe #papers, every day at 09:00 unless told otherwise."""
        chosen = {"channel": self.papers, "days": "daily", "time": "09:00", **options}
        return await self.ask(self.ada, "digest subscribe", **chosen)

    async def next_digest(self) -> None:
        """Let the clock reach the moment the next edition is meant for, and look once."""
        every = await self.services.database.read(subscriptions.list_all)
        self.clock.instant = min(one.next_due_at for one in every if one.next_due_at is not None)
        await self.running.tick()

    async def restart(self) -> None:
        """Put a new bot in the old one's place, as a new process would, on the same store."""
        await self.running.outbox.stop()
        self.running = app.Running(self.services)
        await self.env.restart_bot(self.running.client)

    async def press(self, who: MemberActor, message: discord.Message, label: str) -> InteractionResult:
        """Press the button with this label."""
        return await who.click(message, label=label)

    def read(self, result: InteractionResult) -> str:
        assert result.response is not None, "the bot did not answer"
        return "\n".join(self.text_of(one.message) for one in [result.response, *result.followups])

    @staticmethod
    def text_of(message: discord.Message) -> str:
        return as_text(Message(content=message.content, embeds=tuple(message.embeds)))

    def posted(self) -> list[discord.Message]:
        """What the bot posted in #papers by itself, oldest first."""
        return [one for one in self.papers.history() if one.interaction_metadata is None]


@pytest.fixture
async def running(tmp_path: Path, clock: Any) -> AsyncIterator[app.Running]:
    settings = configuration.load(None, {}).with_store(tmp_path / "library.db")
    async with app.opened(settings, now=clock) as services:
        bot = app.Running(services)
        yield bot
        await bot.outbox.stop()


@pytest.fixture
def simcord_bot(running: app.Running) -> discord.Client:
    return running.client


@pytest.fixture
async def lab(simcord_env: Env, running: app.Running, clock: Any) -> AsyncIterator[Lab]:
    guild = simcord_env.create_guild(name="Lab")
    papers = guild.create_text_channel("papers")
    managers = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    ada = guild.add_member(simcord_env.create_user("Ada"), roles=[managers])
    ben = guild.add_member(simcord_env.create_user("Ben"))
    await simcord_env.settle()
    made = Lab(env=simcord_env, running=running, clock=clock, guild=guild, papers=papers, ada=ada, ben=ben)
    yield made
    # simcord records every error, also those that the bot explained; what a person typed wrong is none of ours.
    causes = [getattr(error, "original", error) for error in simcord_env.errors]
    unforeseen = [cause for cause in causes if not isinstance(cause, UserError)]
    assert made.fault_expected == bool(unforeseen), unforeseen
