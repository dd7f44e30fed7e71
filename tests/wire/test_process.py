"""The stand-in as a process of its own, as the tests that kill a bot use it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from tests.discord_server.pointing import class_attributes
from tests.wire.conftest import Online, SmallBot

_PACKAGE = Path(__file__).resolve().parents[1] / "discord_server"


@pytest.fixture
async def apart() -> AsyncIterator[dict[str, Any]]:
    """The addresses of a stand-in in another process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(_PACKAGE / "__main__.py"),
        "--channel",
        "papers",
        "--token",
        "apart",
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        yield json.loads(await asyncio.wait_for(process.stdout.readline(), 10))
    finally:
        process.terminate()
        assert await process.wait() == 0


async def test_a_bot_posts_once_to_a_stand_in_in_another_process(apart: dict[str, Any], online: Online) -> None:
    async with aiohttp.ClientSession() as control:

        async def ask(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
            async with control.request(method, apart["control"] + path, json=body) as answer:
                assert answer.status == 200, await answer.text()
                return await answer.json()

        with class_attributes(apart["api_base"], apart["gateway"]):
            async with online(SmallBot(), apart["token"]) as bot:
                channel = bot.get_channel(int(apart["channels"]["papers"]))
                assert isinstance(channel, discord.TextChannel)
                fault = {"method": "POST", "path": "/channels/*/messages", "kind": "drop", "when": "after"}
                await ask("POST", "/faults", fault)
                with pytest.raises(aiohttp.ServerDisconnectedError):
                    await channel.send("one", nonce="edition-1")
                await channel.send("one", nonce="edition-1")
                command = {"channel_id": apart["channels"]["papers"], "command": "echo", "options": {"text": "two"}}
                said = await ask("POST", "/slash", command)

        messages = await ask("GET", "/messages")
        requests = await ask("GET", "/requests")
        assert [message["content"] for message in messages] == ["one", "two"]
        assert said["answer"]["content"] == "two"
        assert [call["fault"] for call in requests if call["path"].endswith("/messages")] == ["drop", None]
        assert await ask("GET", "/complaints") == []


async def test_the_control_endpoint_says_what_it_did_not_understand(apart: dict[str, Any]) -> None:
    async with aiohttp.ClientSession() as control:
        answer = await control.post(
            apart["control"] + "/faults", json={"method": "POST", "path": "/", "kind": "explode"}
        )
        assert answer.status == 400
        assert "no such fault" in (await answer.json())["error"]
