"""``paperround try``: the whole bot in a simulated Discord, with a tour and a page in the browser.

The bot, its commands, its store, the composer, the outbox and discord.py are the real ones; only
Discord itself is `simcord`'s. The clock can be moved forward, so that a digest meant for tomorrow
morning arrives while one watches.
"""

import asyncio
import contextlib
import datetime as dt
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import discord
import simcord
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.preview import Preview
from simcord.results import InteractionResult

from bot import app
from bot.errors import PaperRoundError
from bot.rendering.messages import Message
from bot.rendering.terminal import as_text
from config.settings import Settings

Say = Callable[[str], None]

_TICK_SECONDS = 1.0
_DIGEST_WAIT_SECONDS = 20.0
_LOOK_SECONDS = 0.1


class MovableClock:
    """The host's clock, plus what it was moved forward by."""

    def __init__(self) -> None:
        self._ahead = dt.timedelta()

    def __call__(self) -> dt.datetime:
        """Return the present instant, as the ``Now`` port."""
        return app.utc_now() + self._ahead

    def move_to(self, instant: dt.datetime) -> None:
        """Go forward to ``instant``; a moment that has passed changes nothing."""
        self._ahead += max(dt.timedelta(), instant - self())


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A simulated server with one channel, its manager and a plain member."""

    env: Env
    running: app.Running
    clock: MovableClock
    papers: ChannelHandle
    ada: MemberActor
    ben: MemberActor
    seen: dict[str, int] = field(default_factory=dict[str, int])


async def play(settings: Settings, *, once: bool, port: int | None, say: Say) -> None:
    """Give the tour, then serve the channel as a page until Ctrl-C; with ``once``, end after the tour.

    The store is a temporary one, so that nothing that is tried stays behind.

    Raises:
        PaperRoundError: a step of the tour did not give what it should.
    """
    with tempfile.TemporaryDirectory(prefix="paperround-") as folder:
        clock = MovableClock()
        trial = replace(
            settings.with_store(Path(folder) / "library.db"),
            digests=replace(settings.digests, tick_seconds=_TICK_SECONDS),
        )
        async with app.opened(trial, now=clock) as services:
            running = app.Running(services)
            async with simcord.run(running.client) as env:
                stage = await _set_up(env, running, clock)
                running.ticker.start()
                try:
                    await _tour(stage, say)
                    if not once:
                        await _serve(stage, port, say)
                finally:
                    running.ticker.stop()
                    await running.outbox.stop()


async def _set_up(env: Env, running: app.Running, clock: MovableClock) -> Stage:
    # simcord's world begins at a fixed instant; messages are to carry today's date.
    await env.advance_time(max(0.0, (clock() - env.now()).total_seconds()))
    guild = env.create_guild(name="Your lab")
    papers = guild.create_text_channel("papers")
    managers = guild.create_role("Lab managers", permissions=discord.Permissions(manage_guild=True))
    ada = guild.add_member(env.create_user("Ada"), roles=[managers])
    ben = guild.add_member(env.create_user("Ben"))
    await env.settle()
    if running.client.user is not None:
        await running.client.user.edit(username="Paper Round")
    return Stage(env=env, running=running, clock=clock, papers=papers, ada=ada, ben=ben)


async def _tour(stage: Stage, say: Say) -> None:
    say("Paper Round in a simulated Discord: the real bot, the ICLR 2024 starter library, no token.\n")
    await _show(stage, say, stage.ben, "search", query="lets verfy stepp by step")
    await _show(stage, say, stage.ben, "summary", paper="AutomaTikZ", sentences=2)
    await _show(stage, say, stage.ben, "random")
    await _show(stage, say, stage.ada, "digest subscribe", channel=stage.papers, days="daily", time="09:00", size=3)
    await _digest(stage, say)


async def _show(stage: Stage, say: Say, actor: MemberActor, command: str, **options: object) -> None:
    typed = " ".join(f"{name}: {_typed(value)}" for name, value in options.items())
    say(f"{actor.name} types  /{command} {typed}".rstrip())
    result = await actor.slash(stage.papers, command, **options)
    say(_answer(result) + "\n")


async def _digest(stage: Stage, say: Say) -> None:
    """Move the clock to the morning the subscription waits for and wait for its digest to be posted."""
    subscription = (await stage.running.services.subscriptions.list_for(stage.ada.guild.id))[0]
    if subscription.next_due_at is None:
        raise PaperRoundError("The subscription of the tour is paused.")
    before = {message.id for message in stage.papers.history()}
    say(f"The clock moves on to {subscription.next_due_at:%A %d %B, %H:%M} UTC, and in #papers arrives:")
    await stage.env.advance_time(max(0.0, (subscription.next_due_at - stage.env.now()).total_seconds()))
    stage.clock.move_to(subscription.next_due_at)
    for _ in range(round(_DIGEST_WAIT_SECONDS / _LOOK_SECONDS)):
        fresh = [message for message in stage.papers.history() if message.id not in before]
        if fresh:
            for message in fresh:
                say(_text_of(message) + "\n")
            return
        await asyncio.sleep(_LOOK_SECONDS)
    raise PaperRoundError("The digest of the tour did not arrive.")


async def _serve(stage: Stage, port: int | None, say: Say) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    async with stage.env.preview(stage.papers, viewers=[stage.ada, stage.ben], layout="channel", port=port) as page:
        say(f"Now it is your turn: {page.url}")
        say("Type / in the message box for the commands. Ctrl-C ends it.")
        closed = asyncio.create_task(page.wait_closed(), name="page closed")
        closed.add_done_callback(lambda _task: told.set())
        while not told.is_set():
            await _show_what_came(stage, page)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await told.wait()
        closed.cancel()
    say("Ended. Nothing was kept.")


async def _show_what_came(stage: Stage, page: Preview) -> None:
    """Bring the page up to date when the bot has posted by itself; what a person does there shows at once."""
    last = stage.papers.last_message
    if last is None or last.id == stage.seen.get("last"):
        return
    with contextlib.suppress(SetupError):  # somebody is just pressing something: the next look will do
        await page.refresh()
        stage.seen["last"] = last.id


def _answer(result: InteractionResult) -> str:
    response = result.response
    if response is None:
        raise PaperRoundError("The bot did not answer a command of the tour.")
    return _text_of(response.message)


def _text_of(message: discord.Message) -> str:
    rows = (row.children for row in message.components if isinstance(row, discord.ActionRow))
    labels = [f"[{part.label}]" for row in rows for part in row if isinstance(part, discord.Button)]
    return "\n".join(
        [as_text(Message(content=message.content, embeds=tuple(message.embeds))), " ".join(labels)]
    ).rstrip()


def _typed(value: object) -> str:
    return f"#{value.name}" if isinstance(value, ChannelHandle) else str(value)
