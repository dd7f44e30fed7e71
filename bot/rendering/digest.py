"""An edition as it is posted: one message a part, each carrying its delivery's mark.

The mark stands in the footer and in the buttons' custom ids: content and embeds can be lost on the
way (without Embed Links Discord drops an embed silently), buttons are not.
"""

import datetime as dt
from collections.abc import Callable, Sequence

import discord

from bot.models import Paper, Subscription, Summary, SummaryOf
from bot.rendering import buttons, limits, lines
from bot.rendering.embeds import ACCENT
from bot.rendering.markdown import escaped, safe_address
from bot.rendering.messages import Button, Message
from bot.rendering.schedules import date_words, topic_words

Marks = Callable[[int], str]
"""Gives the mark of a part, counted from 0."""

_SUMMARY = 500
_TOPIC = 120
_ROOM = 3800
_FALLBACK = 1500


def edition(
    subscription: Subscription,
    number: int,
    local_date: dt.date,
    papers: Sequence[tuple[Paper, Summary]],
    *,
    marks: Marks,
    late: bool = False,
) -> list[Message]:
    """Return an edition's messages, in the order they are posted.

    Args:
        number: the edition's number.
        local_date: the date it belongs to, in the subscription's zone.
        papers: at least one, at most ten, each with its summary.
        late: whether it is posted after its time; it then says so.
    """
    entries = [_entry(position, paper, summary) for position, (paper, summary) in enumerate(papers, start=1)]
    parts = _parts(entries)
    messages: list[Message] = []
    first = 0
    for part, texts in enumerate(parts):
        mark = marks(part)
        these = papers[first : first + len(texts)]
        messages.append(
            Message(
                embeds=(_embed(_title(subscription, local_date, part, len(parts), late=late), texts, number, mark),),
                buttons=tuple(
                    Button(label=str(first + place), custom_id=buttons.paper(paper.id, mark))
                    for place, (paper, _) in enumerate(these, start=1)
                ),
                role_id=subscription.role_id if part == 0 else None,
                fallback=_fallback(date_words(local_date), these, first, number, mark),
            )
        )
        first += len(texts)
    return messages


def empty(subscription: Subscription, number: int, local_date: dt.date, *, marks: Marks) -> list[Message]:
    """Return the short word of a day without papers; it mentions nobody."""
    mark = marks(0)
    words = f"No paper today that is new to this channel on {escaped(topic_words(subscription.topic), _TOPIC)}."
    embed = _embed(_title(subscription, local_date, 0, 1, late=False), [words], number, mark)
    return [Message(embeds=(embed,), fallback=f"{words}\nNo. {number} · #{mark}")]


def _embed(title: str, texts: Sequence[str], number: int, mark: str) -> discord.Embed:
    embed = discord.Embed(title=title, description="\n\n".join(texts), colour=ACCENT)
    embed.set_footer(text=f"No. {number} · press a number for the whole paper · #{mark}")
    return embed


def _title(subscription: Subscription, local_date: dt.date, part: int, parts: int, *, late: bool) -> str:
    title = f"Papers for {date_words(local_date)}"
    if subscription.topic.query.strip():
        title += f": {escaped(subscription.topic.query.strip(), _TOPIC)}"
    if late:
        title += f" (late; meant for {subscription.schedule.at:%H:%M})"
    if parts > 1:
        title += f" ({part + 1}/{parts})"
    return limits.cut(title, limits.EMBED_TITLE)


def _entry(position: int, paper: Paper, summary: Summary) -> str:
    byline = lines.byline(paper)
    text = escaped(summary.text, _SUMMARY) if summary.sentences else ""
    if text and summary.of is SummaryOf.SYNOPSIS:
        text += " *(our synopsis)*"
    parts = [f"**{position}.** {lines.title(paper)}", f"*{byline}*" if byline else "", text]
    return "\n".join(part for part in parts if part)


def _parts(entries: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for entry in entries:
        if parts[-1] and limits.units("\n\n".join([*parts[-1], entry])) > _ROOM:
            parts.append([])
        parts[-1].append(entry)
    return parts


def _fallback(date: str, papers: Sequence[tuple[Paper, Summary]], before: int, number: int, mark: str) -> str:
    share = max(80, (_FALLBACK - 150) // max(1, len(papers)) - 20)
    entries = [f"**Papers for {date}**"]
    for place, (paper, _) in enumerate(papers, start=before + 1):
        address = safe_address(paper.url)
        tail = f" <{address}>" if address and len(address) < share // 2 else ""
        entries.append(f"{place}. {escaped(paper.title, share - len(tail))}{tail}".replace(". ", "\\. ", 1))
    return "\n".join([*entries, f"No. {number} · #{mark}"])
