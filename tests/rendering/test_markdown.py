"""What comes from outside is shown and does nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.rendering import limits
from bot.rendering.markdown import escape, escaped, link, marked, safe_address, sentence

ALIVE = re.compile(
    r"@everyone|@here|<@[!&]?\d|(?<!\\)<#\d|(?<!\\)<t:-?\d|(?<!\\)<a?:\w+:\d|(?<!\\)</\w|(?<!\\)\[[^\]]*(?<!\\)\]\(",
    re.IGNORECASE,
)
SPECIAL = st.text(alphabet="@everyoneh<>#&!:t0123[]()*_~`|\\/\n -+.a👍", max_size=80)


@given(SPECIAL)
def test_no_mention_or_link_survives(text: str):
    assert not ALIVE.search(escape(text))


@given(SPECIAL, st.integers(2, 90))
def test_escaped_text_keeps_its_limit(text: str, limit: int):
    assert limits.units(escaped(text, limit)) <= limit


def test_nasty_titles_render_to_themselves(nasty: str):
    """CommonMark is close to Discord's Markdown in links, emphasis, code, headings, lists and quotes."""
    text = " ".join(nasty.split())
    html = MarkdownIt("commonmark", {"html": False}).renderInline(escape(text))
    assert not re.search(r"<(a|em|strong|code)\b", html)
    assert not ALIVE.search(escape(nasty))


@pytest.mark.parametrize(
    "line", ["# big", "### small", "-# tiny", "- item", "+ item", "1. one", "12) twelve", "> said", "```"]
)
def test_what_begins_a_block_is_only_text(line: str):
    html = MarkdownIt("commonmark").render(escape(line))
    assert html.startswith("<p>")


@pytest.mark.parametrize(
    "plain",
    [
        "Attention Is All You Need",
        "RLCD: Learning (with 3.5% less)",
        "O(md × md^(ω−1))",
        "GPT-4 & Claude 2 - a study",
        "C++ in 2024",
    ],
)
def test_a_plain_title_is_left_alone(plain: str):
    assert escape(plain) == plain


@pytest.mark.parametrize("piece", ["[a](", "_", "@everyone ", "# a\n", "https://"])
def test_the_cost_of_escaping_grows_with_the_text(grows_with_its_input, piece: str):
    """discord.utils.escape_markdown takes minutes for the first."""
    grows_with_its_input(lambda size: escape(piece * (size // len(piece))), 16_000)
    grows_with_its_input(lambda size: escaped(piece * (size // len(piece)), 4000), 16_000)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://x.org/a_b_(c)_d", "https://x.org/a_b_%28c%29_d"),
        ("https://x.org/a b?q=[1]#ü", "https://x.org/a%20b?q=%5B1%5D#%C3%BC"),
        ("https://x.org/a%20b", "https://x.org/a%20b"),
        ("HTTPS://x.org/", "https://x.org/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("javascript:alert(1)", None),
        ("ftp://x.org/", None),
        ("//x.org/a", None),
        ("/relative", None),
        ("https://x.org)evil/", None),
        ("https://[::1", None),
        ("https://x.org/" + "a" * 600, None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_is_absolute_http_and_cannot_end_its_link(address: str | None, safe: str | None):
    assert safe_address(address) == safe


def test_a_link_without_an_address_is_its_text():
    assert link("Title *x*", "javascript:x") == "Title \\*x\\*"
    assert link("[Re] x](http://evil)", "https://x.org/") == "[\\[Re\\] x\\](http\u2060://evil)](https://x.org/)"


def test_marks_of_a_snippet_become_bold_and_the_rest_is_escaped():
    assert marked("a \x02duck\x03 *is* \x02\x03 here", 100) == "a **duck** \\*is\\*  here"


@given(st.text(alphabet="ab *_\x02\x03[", max_size=60), st.integers(2, 60))
def test_a_marked_snippet_keeps_its_limit(snippet: str, limit: int):
    assert limits.units(marked(snippet, limit)) <= limit


def test_a_sentence_keeps_our_words_and_disarms_the_echo():
    words = "I need **Send Messages** in <#5>. You typed “@everyone <@1> [x](http://evil) `c`”."
    result = sentence(words)
    assert "**Send Messages** in <#5>" in result
    assert not re.search(r"@everyone|(?<!\\)<@|(?<!\\)\[x|(?<!\\)`", result)
