"""A page in Debian's Chromium, for `make test-browser`; a plain `make test` skips what needs it."""

import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest


@pytest.fixture
async def page() -> AsyncIterator[Any]:
    """A Playwright page; where a browser was asked for and cannot be had, that is a failure."""
    if not os.environ.get("PAPERROUND_TEST_BROWSER"):
        pytest.skip("needs Chromium and Playwright; run `make test-browser`")
    from playwright.async_api import async_playwright  # noqa: PLC0415 -- in the lock of this target only

    found = [path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))]
    if not found:
        pytest.fail("Chromium is not installed. On Debian: apt install chromium.")
    async with async_playwright() as playwright:
        # Chromium's sandbox does not work for root, which is who runs it in a container.
        browser = await playwright.chromium.launch(
            executable_path=found[0], args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield await browser.new_page(viewport={"width": 1280, "height": 900})
        await browser.close()
