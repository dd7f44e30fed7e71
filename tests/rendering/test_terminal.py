"""A message as plain text: what a person reads, without the signs of Markdown."""

import discord

from bot.models import Paper
from bot.rendering import embeds
from bot.rendering.messages import Button, Message
from bot.rendering.terminal import as_text


def text(description: str) -> str:
    return as_text(Message(embeds=(discord.Embed(description=description),)))


def test_links_keep_their_words_and_emphasis_goes():
    assert text("**1.** [Ducks \\[Re\\]](https://x.org/a) *Ada et al.*") == "│ 1. Ducks [Re] Ada et al."


def test_an_escaped_sign_stays():
    assert text("A\\*: L\\_0 and `x`") == "│ A*: L_0 and x"


def test_an_instant_is_a_date_in_utc_and_one_out_of_range_stays():
    assert text("<t:1772442000:F>") == "│ Mon 02 Mar 2026 09:00 UTC"
    assert text("<t:99999999999999999:F>") == "│ <t:99999999999999999:F>"


def test_long_lines_are_wrapped_behind_the_bar():
    assert all(len(line) <= 98 and line.startswith("│ ") for line in text("word " * 100).splitlines())


def test_a_title_full_of_signs_is_read_as_it_is(nasty: str):
    shown = as_text(embeds.paper(Paper(id=1, title=nasty, abstract="Text.")))
    assert "\\" not in shown or "\\" in nasty
    assert "@" not in nasty or "@" in shown


def test_content_stands_before_the_embeds_and_buttons_are_left_out():
    message = Message(
        content="Hello", embeds=(discord.Embed(title="T"),), buttons=(Button(label="Open", url="https://x.org"),)
    )
    assert as_text(message) == "Hello\n│ T"
