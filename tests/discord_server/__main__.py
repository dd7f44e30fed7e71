"""The stand-in as a process of its own: ``python -m tests.discord_server``.

Prints one line of JSON with its addresses once it listens, and serves until SIGTERM or SIGINT.
"""

import argparse
import asyncio
import datetime as dt
import json
import signal
import sys
from pathlib import Path

if __package__ in (None, ""):
    # Started as a script: the repository is not on the path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.discord_server.server import DiscordServer


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.discord_server", description="A stand-in for Discord.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--token", default="stand-in.token", help="the bot token that is taken")
    parser.add_argument("--channel", action="append", help="a channel of the first guild; may be repeated")
    parser.add_argument("--nonce-seconds", type=float, default=180.0, help="how long a nonce is remembered")
    parser.add_argument("--unlimited", action="store_true", help="no rate limits")
    return parser.parse_args()


async def serve(arguments: argparse.Namespace) -> None:
    """Serve one guild with the channels asked for until a signal comes."""
    server = DiscordServer(token=arguments.token, port=arguments.port)
    server.nonces.window = dt.timedelta(seconds=arguments.nonce_seconds)
    if arguments.unlimited:
        server.buckets.lift()
    guild = server.world.add_guild()
    channels = [server.world.add_channel(guild, name) for name in arguments.channel or ["papers"]]
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    async with server:
        addresses = {
            "api_base": server.api_base,
            "gateway": server.gateway_url,
            "control": server.control_url,
            "token": server.token,
            "bot_id": str(server.world.bot.id),
            "owner_id": str(server.world.owner.id),
            "guild_id": str(guild.id),
            "channels": {channel.name: str(channel.id) for channel in channels},
        }
        print(json.dumps(addresses), flush=True)
        await told.wait()


if __name__ == "__main__":
    asyncio.run(serve(_arguments()))
