"""Verbs that read the library: ``search``, ``show``, ``similar``, ``random``, ``summarize``, ``text``."""

import argparse
import json
import sys
from typing import Any

from bot import app
from bot.errors import InvalidInput
from bot.models import Findings, Hit
from bot.rendering import embeds
from bot.rendering.terminal import as_text
from bot.services import Services
from bot.summaries.summarizer import Summarizer
from bot.text.clean import clean_text
from bot.text.latex import readable
from bot.verbs import batches
from bot.verbs.arguments import Verbs, between
from config.settings import Settings

_TERMINAL = 0
"""The channel number under which a terminal's random picks are remembered."""


def add_verbs(verbs: Verbs, common: argparse.ArgumentParser) -> None:
    """Add the verbs of this room to the parser."""
    search = verbs.add_parser("search", parents=[common], help="find papers, typos forgiven")
    search.add_argument("query", nargs="*", help="words, an author, an identifier or an address")
    search.add_argument("--limit", type=between(1, 100), default=5, metavar="N", help="hits at most (default: 5)")
    search.add_argument("--json", action="store_true", help="one JSON object instead of text")
    search.add_argument("--batch", metavar="FILE", help='JSON Lines with "query"; - is standard input')
    search.set_defaults(verb=_search)

    show = verbs.add_parser("show", parents=[common], help="show one paper")
    show.add_argument("paper", help="a title, an identifier, or #number")
    show.set_defaults(verb=_show)

    similar = verbs.add_parser("similar", parents=[common], help="find papers like one paper")
    similar.add_argument("paper", help="a title, an identifier, or #number")
    similar.add_argument("--limit", type=between(1, 100), default=5, metavar="N", help="papers at most (default: 5)")
    similar.add_argument("--json", action="store_true", help="one JSON object instead of text")
    similar.set_defaults(verb=_similar)

    pick = verbs.add_parser("random", parents=[common], help="pick a paper; none twice until all were shown")
    pick.add_argument("query", nargs="*", help="pick among the papers that match this")
    pick.set_defaults(verb=_random)

    summarize = verbs.add_parser("summarize", parents=[common], help="summarise a paper, or text from standard input")
    summarize.add_argument("paper", nargs="?", help="a title, an identifier, #number, or - for standard input")
    summarize.add_argument(
        "--sentences", type=between(1, 10), metavar="N", help="sentences (default: as in the settings)"
    )
    summarize.add_argument("--ranker", metavar="NAME", help="how sentences are chosen (default: as in the settings)")
    summarize.add_argument("--batch", metavar="FILE", help='JSON Lines with "title" and "abstract" or "sentences"')
    summarize.set_defaults(verb=_summarize)

    text = verbs.add_parser("text", parents=[common], help="TeX, HTML and broken characters → readable text")
    text.add_argument("input", nargs="?", choices=["-"], help="- for standard input")
    text.add_argument("--batch", metavar="FILE", help='JSON Lines with "text"')
    text.set_defaults(verb=_text)


def record_of(hit: Hit) -> dict[str, Any]:
    """Return a hit as a batch prints it."""
    return {
        "id": hit.paper.id,
        "identifiers": list(hit.paper.identifiers),
        "title": hit.paper.title,
        "score": round(hit.score, 1),
    }


async def _search(settings: Settings, chosen: argparse.Namespace) -> int:
    query = " ".join(chosen.query)
    if chosen.batch is None and not query:
        raise InvalidInput("Say what to search for: paperround search QUERY.")
    async with app.opened(settings) as services:

        async def found(query: str) -> Findings:
            return await services.searcher.search(query, limit=chosen.limit)

        def record(findings: Findings) -> dict[str, Any]:
            hits = [record_of(hit) for hit in findings.hits]
            return {"query": findings.query, "exact": findings.exact, "hits": hits}

        async def answer(line: dict[str, Any]) -> dict[str, Any]:
            return record(await found(batches.text_of(line, "query")))

        if chosen.batch is not None:
            return await batches.run(chosen.batch, answer)
        findings = await found(query)
        if chosen.json:
            print(json.dumps(record(findings), ensure_ascii=False))
        else:
            print(as_text(embeds.hits(findings)))
        return 0 if findings.hits else 1


async def _show(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        paper = await services.searcher.get(chosen.paper)
        print(as_text(embeds.paper(paper)))
    return 0


async def _similar(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        paper = await services.searcher.get(chosen.paper)
        alike = await services.searcher.similar(paper, limit=chosen.limit)
        if chosen.json:
            print(json.dumps({"paper": paper.id, "hits": [record_of(hit) for hit in alike]}, ensure_ascii=False))
        else:
            print(as_text(embeds.similar(paper, alike)))
    return 0 if alike else 1


async def _random(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        paper = await services.picker.pick(_TERMINAL, " ".join(chosen.query))
        print(as_text(embeds.paper(paper)))
    return 0


async def _summarize(settings: Settings, chosen: argparse.Namespace) -> int:
    count: int = chosen.sentences or settings.summaries.sentences
    summarizer = Summarizer(settings.summaries.ranker)
    if chosen.batch is not None:

        async def answer(line: dict[str, Any]) -> dict[str, Any]:
            source = _sentences_or_abstract(line)
            title = batches.text_of(line, "title", required=False) or None
            indexes, sentences = summarizer.summarize_text(title, source, count=count, ranker=chosen.ranker)
            return {"indexes": list(indexes), "sentences": list(sentences)}

        return await batches.run(chosen.batch, answer)
    if chosen.paper == "-":
        cleaned = readable(clean_text(_standard_input()))
        _, sentences = summarizer.summarize_text(None, cleaned, count=count, ranker=chosen.ranker)
        print(" ".join(sentences))
        return 0
    if chosen.paper is None:
        raise InvalidInput("Say what to summarise: a paper, or - for standard input.")
    async with app.opened(settings) as services:
        return await _summarize_paper(services, chosen, count)


async def _summarize_paper(services: Services, chosen: argparse.Namespace, count: int) -> int:
    paper = await services.searcher.get(chosen.paper)
    summary = services.summarizer.summarize(paper, sentences=count, ranker=chosen.ranker)
    print(as_text(embeds.summary(paper, summary)))
    return 0


async def _text(_settings: Settings, chosen: argparse.Namespace) -> int:
    async def answer(line: dict[str, Any]) -> dict[str, Any]:
        return {"text": readable(clean_text(batches.text_of(line, "text")))}

    if chosen.batch is not None:
        return await batches.run(chosen.batch, answer)
    print(readable(clean_text(_standard_input())))
    return 0


def _standard_input() -> str:
    return sys.stdin.buffer.read().decode("utf-8", errors="replace")


def _sentences_or_abstract(line: dict[str, Any]) -> str | list[str]:
    sentences: Any = line.get("sentences")
    if sentences is None:
        return batches.text_of(line, "abstract")
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):  # pyright: ignore[reportUnknownVariableType]
        raise InvalidInput("“sentences” must be a list of text.")
    return sentences  # pyright: ignore[reportUnknownVariableType]
