"""Answers to commands: from our nouns to a ``Message``; every function is pure."""

import datetime as dt
from collections.abc import Sequence

import discord

from bot.models import (
    Delivery,
    DeliveryState,
    Edition,
    EditionState,
    Findings,
    GuildSettings,
    Hit,
    ImportReport,
    LibraryCounts,
    Paper,
    SourceStatus,
    Subscription,
    Summary,
    SummaryOf,
    Why,
)
from bot.rendering import buttons, limits, lines
from bot.rendering.markdown import escape, escaped, marked, safe_address, sentence
from bot.rendering.messages import Button, Message
from bot.rendering.provenance import interval
from bot.rendering.schedules import moment, topic_words, wall_time, when_words
from bot.rendering.troubles import delivery_words, pause_words

ACCENT = 0x3B6EA5

_QUERY = 120
_SNIPPET = 240
_ABSTRACT = 1600
_SYNOPSIS_LABEL = "Synopsis by Paper Round, not the authors' abstract"


def hits(findings: Findings) -> Message:
    """Return what a search found, with a button for each paper."""
    query = f"“{escaped(findings.query, _QUERY)}”"
    if not findings.hits:
        return _note(f"No paper matches {query}.", _closest(findings))
    head: list[str] = []
    if findings.corrections:
        head.append("Showing results for " + ", ".join(f"**{escape(used)}**" for _, used in findings.corrections) + ".")
    if not findings.exact:
        head.append(f"No exact match for {query}. The nearest papers:")
    entries = [_hit(number, hit) for number, hit in enumerate(findings.hits[:10], start=1)]
    title = f"Papers for {query}" if findings.exact else "Nearest papers"
    return Message(
        embeds=(_embed(title=title, description="\n\n".join(_fitting([*head, *entries]))),),
        buttons=tuple(
            Button(label=str(number), custom_id=buttons.paper(hit.paper.id))
            for number, hit in enumerate(findings.hits[:10], start=1)
        ),
    )


def similar(paper: Paper, alike: Sequence[Hit]) -> Message:
    """Return the papers like one, with a button for each."""
    if not alike:
        return _note(
            f"No paper is much like “{escaped(paper.title, _QUERY)}”.",
            "The library may hold nothing else on its subject.",
        )
    entries = [_hit(number, hit) for number, hit in enumerate(alike[:10], start=1)]
    title = limits.cut(f"Papers like “{escaped(paper.title, _QUERY)}”", limits.EMBED_TITLE)
    return Message(
        embeds=(_embed(title=title, description="\n\n".join(_fitting(entries))),),
        buttons=tuple(
            Button(label=str(number), custom_id=buttons.paper(hit.paper.id))
            for number, hit in enumerate(alike[:10], start=1)
        ),
    )


def paper(paper: Paper) -> Message:
    """Return a paper with its abstract, or the synopsis labelled as such."""
    return Message(embeds=(_paper_embed(paper),), buttons=_paper_buttons(paper, "Random paper", ""))


def random_paper(paper: Paper, summary: Summary, query: str) -> Message:
    """Return a paper that was picked by chance, in short, with a button for another."""
    embed = _embed(
        title=escaped(paper.title, limits.EMBED_TITLE),
        url=safe_address(paper.url),
        description="\n".join(part for part in (_small(lines.byline(paper)), _summary_text(summary)) if part),
        footer=lines.origin(summary) if summary.sentences else None,
    )
    return Message(embeds=(embed,), buttons=_paper_buttons(paper, "Another", query))


def summary(paper: Paper, summary: Summary) -> Message:
    """Return a paper's summary, saying what it was drawn from and how."""
    footer = f"{lines.origin(summary)}, chosen by {summary.ranker}" if summary.sentences else None
    return Message(
        embeds=(
            _embed(
                title=escaped(paper.title, limits.EMBED_TITLE),
                url=safe_address(paper.url),
                description="\n".join(part for part in (_small(lines.byline(paper)), _summary_text(summary)) if part),
                footer=footer,
            ),
        ),
        buttons=(Button(label="Whole paper", custom_id=buttons.paper(paper.id)), *_open(paper)),
    )


def subscribed(subscription: Subscription) -> Message:
    """Return the confirmation of a new subscription."""
    return _note(
        f"Subscribed: no. {subscription.number}",
        f"<#{subscription.channel_id}> gets up to {subscription.size} papers, {when_words(subscription.schedule)}.",
        f"Topic: {escaped(topic_words(subscription.topic), _QUERY)}",
        _next(subscription),
        _small(f"/digest preview {subscription.number} shows it now; /digest now {subscription.number} posts it now."),
    )


def subscriptions(found: Sequence[Subscription]) -> list[Message]:
    """Return the list of a server's subscriptions, in as many messages as it takes; at least one."""
    if not found:
        return [_note("No subscriptions yet", "/digest subscribe makes one.")]
    pages: list[list[str]] = [[]]
    for one in found:
        entry = _subscription(one)
        if limits.units("\n\n".join([*pages[-1], entry])) > limits.EMBED_DESCRIPTION:
            pages.append([])
        pages[-1].append(entry)
    return [Message(embeds=(_embed(title="Subscriptions", description="\n\n".join(page)),)) for page in pages]


def composed_now(subscription: Subscription, edition: Edition) -> Message:
    """Return what became of an edition that was asked for out of turn."""
    count = len(edition.paper_ids)
    papers = "1 paper is" if count == 1 else f"{count} papers are"
    return _note("On its way", f"No. {edition.number}: {papers} on the way to <#{subscription.channel_id}>.")


def paused(subscription: Subscription) -> Message:
    """Return the confirmation of a pause."""
    return _note(
        f"Paused: no. {subscription.number}", f"/digest resume {subscription.number} wakes it; no backlog is posted."
    )


def resumed(subscription: Subscription) -> Message:
    """Return the confirmation that a subscription is awake again."""
    return _note(f"Resumed: no. {subscription.number}", _next(subscription))


def removed(subscription: Subscription) -> Message:
    """Return the confirmation of a removal."""
    return _note(
        f"Removed: no. {subscription.number}",
        f"<#{subscription.channel_id}> gets no more papers on {escaped(topic_words(subscription.topic), _QUERY)}.",
    )


def why(answer: Why) -> Message:
    """Return what became of a subscription's latest edition, and when the next one comes."""
    subscription, edition = answer.subscription, answer.edition
    title = f"Digest no. {subscription.number}"
    if edition is None:
        return _note(title, "It has not had an edition yet.", _next(subscription))
    meant = f"The latest was meant for {moment(edition.due_at)}."
    if edition.state is EditionState.SKIPPED:
        fate = "It was skipped: I was not running then, and it was too late when I came back."
    elif edition.state is EditionState.EMPTY:
        fate = "No paper was left that matches the topic and that the channel has not had already."
    else:
        fate = "\n".join(_fate(one, subscription) for one in answer.deliveries)
    return _note(title, meant, fate, _next(subscription))


def zone_set(chosen: GuildSettings, now: dt.datetime) -> Message:
    """Return the confirmation of a server's new zone."""
    return _note(
        f"Time zone: {escape(chosen.zone)}",
        f"It is {wall_time(chosen.zone, now)} there now.",
        "Subscriptions made from now on use it; older ones keep theirs.",
    )


def settings(chosen: GuildSettings, now: dt.datetime, *, subscriptions: int) -> Message:
    """Return a server's settings."""
    return _note(
        "Settings of this server",
        f"Time zone: {escape(chosen.zone)}, where it is {wall_time(chosen.zone, now)}. /settings timezone changes it.",
        f"Subscriptions: {subscriptions}. /digest list shows them.",
    )


def library(counts: LibraryCounts) -> Message:
    """Return what the library holds."""
    venues = ", ".join(f"{escape(limits.cut(name, 60))} {number:,}" for name, number in counts.venues)
    first, last = counts.years or (None, None)
    years = "" if first is None else f"All are of {first}." if first == last else f"Years: {first} to {last}."
    return _note(
        "The library",
        f"{counts.papers:,} papers, {counts.with_abstract:,} of them with their authors\u2019 abstract. "
        f"{counts.added_lately:,} came in the last seven days.",
        f"Most are from: {venues}." if venues else "",
        years,
    )


def sources(found: Sequence[SourceStatus]) -> Message:
    """Return where papers come from and how each source fares."""
    entries = [_source(status) for status in found]
    if not entries:
        return _note("Sources", "Nothing has been imported yet beside the starter library.")
    return _note("Sources", *_fitting(entries))


def imported(name: str, report: ImportReport) -> Message:
    """Return what an import did, with the first reasons of what was refused."""
    counts = (
        f"{report.added:,} added, {report.merged:,} merged, {report.unchanged:,} unchanged, {report.refused:,} refused"
    )
    reasons = [
        f"{escape(limits.cut(one.where, 80))}: {escape(limits.cut(one.why, 200))}" for one in report.refusals[:5]
    ]
    more = f"… and {report.refused - 5:,} more." if report.refused > 5 else ""
    return _note(f"{limits.cut(name, 80)}: {report.read:,} read", f"{counts}.", *reasons, more)


def help_page(commands: Sequence[tuple[str, str]]) -> Message:
    """Return the list of commands, each with what it does."""
    entries = [f"**/{name}** — {escape(words)}" for name, words in sorted(commands)]
    return Message(
        embeds=(
            _embed(
                title="Paper Round",
                description="\n".join(["Research papers: search, summaries and digests.", "", *_fitting(entries)]),
                footer="Typos are forgiven. Nothing you type is kept.",
            ),
        )
    )


def failure(words: str, reference: str | None = None) -> Message:
    """Return a sentence that says what is wrong; ``reference`` is what the log knows the fault by."""
    text = sentence(words)
    return Message(content=limits.cut(f"{text} (reference {reference})" if reference else text, limits.CONTENT))


def _embed(
    *, title: str | None = None, url: str | None = None, description: str | None = None, footer: str | None = None
) -> discord.Embed:
    embed = discord.Embed(
        title=limits.cut(title, limits.EMBED_TITLE) if title else None, url=url, description=description, colour=ACCENT
    )
    if footer:
        embed.set_footer(text=limits.cut(footer, limits.EMBED_FOOTER))
    return embed


def _source(status: SourceStatus) -> str:
    record = status.record
    every = f", every {interval(status.every)}" if status.every else ""
    told = [f"**{escape(limits.cut(record.name, 100))}** — {status.freshness.value}{every}"]
    if record.failing_since is not None:
        told.append(f"failing since {moment(record.failing_since)}: {escape(limits.cut(record.error or '', 200))}")
    if record.answered_at is not None:
        new = f"last new paper {moment(record.new_paper_at)}" if record.new_paper_at else "no new paper yet"
        told.append(f"answered {moment(record.answered_at)}, {new}")
    elif record.read_at is not None:
        told.append(f"{record.records:,} papers, read {moment(record.read_at)}")
    return "\n".join(told)


def _note(title: str, *paragraphs: str) -> Message:
    body = "\n".join(part for part in paragraphs if part)
    return Message(embeds=(_embed(title=title, description=body or None),))


def _hit(number: int, hit: Hit) -> str:
    snippet = marked(hit.snippet, _SNIPPET).replace("\n", " ")
    parts = [
        f"**{number}.** {lines.title(hit.paper)}",
        _small(lines.byline(hit.paper)),
        f"> {snippet}" if snippet else "",
    ]
    return "\n".join(part for part in parts if part)


def _closest(findings: Findings) -> str:
    if not findings.closest_words:
        return "Try other words, an author's name, or fewer words."
    words = ", ".join(f"**{escaped(word, 40)}**" for word in findings.closest_words[:8])
    return f"Closest words in the library: {words}."


def _paper_embed(paper: Paper) -> discord.Embed:
    text = escaped(paper.text, _ABSTRACT) if paper.text else "Nobody has brought this paper's abstract yet."
    label = "" if paper.abstract or not paper.synopsis else _small(_SYNOPSIS_LABEL)
    keywords = f"Keywords: {escaped(', '.join(paper.keywords), 300)}" if paper.keywords else ""
    made = (
        _small("The title is made from the paper's own words; its true title is not known yet.")
        if paper.title_made
        else ""
    )
    authors = lines.authors(paper, most=12)
    head = [_small(part) for part in (authors, lines.where(paper)) if part]
    parts = ["\n".join([*head, made]).strip(), text, "\n".join(part for part in (label, keywords) if part)]
    return _embed(
        title=escaped(paper.title, limits.EMBED_TITLE),
        url=safe_address(paper.url),
        description="\n\n".join(part for part in parts if part),
        footer=lines.identifiers(paper) or None,
    )


def _paper_buttons(paper: Paper, another: str, query: str) -> tuple[Button, ...]:
    return (
        Button(label="Summary", custom_id=buttons.summary(paper.id)),
        Button(label="Similar", custom_id=buttons.similar(paper.id)),
        Button(label=another, custom_id=buttons.random(query)),
        *_open(paper),
    )


def _open(paper: Paper) -> tuple[Button, ...]:
    address = safe_address(paper.url)
    return (Button(label="Open", url=address),) if address else ()


def _summary_text(summary: Summary) -> str:
    if summary.of is SummaryOf.NOTHING or not summary.sentences:
        return "Nobody has brought this paper's abstract yet, so there is nothing to summarise."
    return escaped(summary.text, 3000)


def _subscription(one: Subscription) -> str:
    size = "1 paper" if one.size == 1 else f"up to {one.size} papers"
    role = f" · mentions <@&{one.role_id}>" if one.role_id else ""
    return "\n".join(
        (
            f"**{one.number}.** <#{one.channel_id}> · {when_words(one.schedule)}",
            f"{escaped(topic_words(one.topic), _QUERY)} · {size}{role}",
            _small(_next(one)),
        )
    )


def _fate(delivery: Delivery, subscription: Subscription) -> str:
    name = "It" if delivery.part == 0 else f"Its part {delivery.part + 1}"
    if delivery.state is DeliveryState.SENT and delivery.message_id is not None:
        place = f"{subscription.guild_id}/{delivery.channel_id}/{delivery.message_id}"
        return f"{name} was posted: https://discord.com/channels/{place}"
    if delivery.state is DeliveryState.SENT:
        return f"{name} was posted, and somebody deleted it."
    reason = f": {delivery_words(delivery.why)}" if delivery.why else ""
    if delivery.state in {DeliveryState.PENDING, DeliveryState.SENDING}:
        return f"{name} is on its way{reason}. Next try: {moment(delivery.next_attempt_at, 'R')}."
    if delivery.state is DeliveryState.UNKNOWN:
        return f"{name} may have been posted{reason}."
    return f"{name} was not posted{reason}."


def _next(one: Subscription) -> str:
    if one.next_due_at is None:
        return f"Paused: {pause_words(one.pause_reason)}"
    return f"Next: {moment(one.next_due_at)} ({moment(one.next_due_at, 'R')})"


def _small(text: str) -> str:
    return f"*{text}*" if text else ""


def _fitting(entries: Sequence[str]) -> list[str]:
    """Return the entries, from the first on, that fit into one description together."""
    kept: list[str] = []
    room = limits.EMBED_DESCRIPTION - 200
    for entry in entries:
        room -= limits.units(entry) + 2
        if room < 0:
            break
        kept.append(entry)
    return kept
