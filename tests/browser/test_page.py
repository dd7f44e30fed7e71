"""The page of ``paperround try`` in a real browser: type a command, read the answer, press its button."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

SCREENSHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"

_START_SECONDS = 60
_STEP_MS = 20_000


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Run the playground as a person does and yield the page's address that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-u",
        "-m",
        "bot",
        "try",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        stdin=asyncio.subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        async with asyncio.timeout(_START_SECONDS):
            while line := (await process.stdout.readline()).decode():
                said.append(line)
                if found := re.search(r"http://127\.0\.0\.1:\d+/#\S+", line):
                    break
            else:
                pytest.fail("the playground printed no address:\n" + "".join(said))
        yield found[0]
    finally:
        process.terminate()
        async with asyncio.timeout(_START_SECONDS):
            await process.communicate()
    assert process.returncode == 0, "a signal ends it cleanly"
    assert not [name for name in os.listdir(tmp_path) if name.startswith("paperround-")], "something was left behind"  # noqa: PTH208


async def type_command(page: Any, command: str, value: str) -> None:
    """Type a slash command and its first option into the message box, and send it."""
    box = page.get_by_placeholder("Message #papers")
    await box.click()
    await box.press_sequentially(f"/{command}")
    await page.locator('[role="option"]').first.wait_for(timeout=_STEP_MS)
    await page.keyboard.press("Enter")
    await page.get_by_text(f"/{command}", exact=True).last.wait_for(timeout=_STEP_MS)
    await page.keyboard.type(value)
    await page.keyboard.press("Enter")


async def test_a_misspelt_title_typed_into_the_page_gives_the_paper_and_its_summary(page: Any, address: str):
    await page.goto(address)
    await type_command(page, "search", "automatikz text guidd syntesis")
    await page.get_by_text("Showing results for").last.wait_for(timeout=_STEP_MS)
    await page.get_by_role("link", name="AutomaTikZ: Text-Guided Synthesis").last.wait_for(timeout=_STEP_MS)

    await page.get_by_role("button", name="1", exact=True).last.click()
    await page.get_by_text("Synopsis by Paper Round, not the authors' abstract").last.wait_for(timeout=_STEP_MS)
    await page.get_by_role("button", name="Summary", exact=True).last.click()
    await page.get_by_text("2 sentences of Paper Round's synopsis").last.wait_for(timeout=_STEP_MS)

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / "summary.png")
    assert (SCREENSHOTS / "summary.png").stat().st_size > 10_000


async def test_a_title_completes_while_it_is_typed(page: Any, address: str):
    await page.goto(address)
    box = page.get_by_placeholder("Message #papers")
    await box.click()
    await box.press_sequentially("/paper")
    await page.locator('[role="option"]').first.wait_for(timeout=_STEP_MS)
    await page.keyboard.press("Enter")
    await page.keyboard.type("gradeint clip")
    await page.locator('[role="option"]', has_text="Pixel-wise Gradient Clipping").first.wait_for(timeout=_STEP_MS)
