"""A message before it is sent: content, embeds and buttons, checked against Discord's limits."""

import json
from dataclasses import dataclass, replace
from typing import Any, Self

import discord

from bot.rendering import limits


@dataclass(frozen=True, kw_only=True)
class Button:
    """A button: one that the bot answers has a ``custom_id``, one that opens a page has a ``url``."""

    label: str
    custom_id: str | None = None
    url: str | None = None


@dataclass(frozen=True, kw_only=True)
class Message:
    """What one message shows, ready for discord.py and for the outbox.

    Attributes:
        content: text above the embeds, escaped already.
        buttons: at most 25, laid out five in a row.
        role_id: the only thing the message may mention; its mention is put before the content.
        fallback: what is sent instead of the embeds where the bot may not embed links.
    """

    content: str = ""
    embeds: tuple[discord.Embed, ...] = ()
    buttons: tuple[Button, ...] = ()
    role_id: int | None = None
    fallback: str = ""

    def __post_init__(self) -> None:
        check(self)

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments for sending it with discord.py."""
        allowed = discord.AllowedMentions.none()
        if self.role_id is not None:
            allowed.roles = [discord.Object(self.role_id)]
        arguments: dict[str, Any] = {
            "content": self._mentioning_content() or None,
            "embeds": list(self.embeds),
            "allowed_mentions": allowed,
        }
        if self.buttons:
            arguments["view"] = self._view()
        return arguments

    def edit_arguments(self) -> dict[str, Any]:
        """Return the keyword arguments for editing an answer into it; without buttons, old ones go."""
        return {"view": None, **self.arguments()}

    def plain(self) -> Self:
        """Return the same message without embeds, for channels where the bot may not embed links."""
        if not self.embeds:
            return self
        joined = "\n".join(part for part in (self.content, self.fallback) if part)
        return replace(self, content=limits.cut(joined, limits.CONTENT - 100), embeds=(), fallback="")

    def without_mention(self) -> Self:
        """Return the same message, mentioning nobody."""
        return replace(self, role_id=None)

    def to_json(self) -> str:
        """Return the message as text that ``from_json`` reads; equal messages give equal text."""
        return json.dumps(
            {
                "content": self.content,
                "embeds": [embed.to_dict() for embed in self.embeds],
                "buttons": [[button.label, button.custom_id, button.url] for button in self.buttons],
                "role_id": self.role_id,
                "fallback": self.fallback,
            },
            ensure_ascii=False,
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the message that ``to_json`` wrote.

        Raises:
            ValueError: ``text`` is not that.
        """
        raw: Any = json.loads(text)
        try:
            return cls(
                content=raw["content"],
                embeds=tuple(discord.Embed.from_dict(embed) for embed in raw["embeds"]),
                buttons=tuple(Button(label=label, custom_id=own, url=url) for label, own, url in raw["buttons"]),
                role_id=raw["role_id"],
                fallback=raw["fallback"],
            )
        except (KeyError, TypeError) as error:
            raise ValueError("this is not a message") from error

    def _mentioning_content(self) -> str:
        return f"<@&{self.role_id}> {self.content}".rstrip() if self.role_id is not None else self.content

    def _view(self) -> discord.ui.View:
        # timeout=None and no callbacks: the DynamicItems that the cogs registered answer.
        view = discord.ui.View(timeout=None)
        for number, button in enumerate(self.buttons):
            view.add_item(
                discord.ui.Button[discord.ui.View](
                    label=button.label,
                    custom_id=button.custom_id,
                    url=button.url,
                    style=discord.ButtonStyle.secondary,
                    row=number // limits.BUTTONS_IN_A_ROW,
                )
            )
        return view


def check(message: Message) -> None:
    """See that Discord will take the message; what does not fit is our own fault.

    Raises:
        ValueError: a limit is passed; the text names it.
    """
    content = message._mentioning_content()  # pyright: ignore[reportPrivateUsage] -- one room
    faults = [
        _over("content", content, limits.CONTENT),
        _more("embeds", len(message.embeds), limits.EMBEDS),
        _more("buttons", len(message.buttons), limits.ROWS * limits.BUTTONS_IN_A_ROW),
        _more("embed text", sum(_size(embed) for embed in message.embeds), limits.EMBEDS_TOGETHER),
    ]
    for embed in message.embeds:
        faults += [
            _over("embed title", embed.title, limits.EMBED_TITLE),
            _over("embed description", embed.description, limits.EMBED_DESCRIPTION),
            _over("embed author", embed.author.name, limits.EMBED_AUTHOR),
            _over("embed footer", embed.footer.text, limits.EMBED_FOOTER),
            _more("embed fields", len(embed.fields), limits.EMBED_FIELDS),
        ]
        for field in embed.fields:
            faults += [
                _over("field name", field.name, limits.EMBED_FIELD_NAME),
                _over("field value", field.value, limits.EMBED_FIELD_VALUE),
            ]
    for button in message.buttons:
        faults += [
            _over("button label", button.label, limits.BUTTON_LABEL),
            _over("custom id", button.custom_id, limits.CUSTOM_ID),
            _over("button url", button.url, limits.BUTTON_URL),
            None if (button.custom_id is None) != (button.url is None) else "a button has one of custom_id and url",
        ]
    identities = [button.custom_id for button in message.buttons if button.custom_id is not None]
    if len(set(identities)) != len(identities):
        faults.append("two buttons with one custom id")
    if not content and not message.embeds:
        faults.append("nothing to show")
    found = [fault for fault in faults if fault]
    if found:
        raise ValueError(f"Discord would refuse this message: {'; '.join(found)}")


def _over(what: str, text: str | None, limit: int) -> str | None:
    return _more(what, limits.units(text or ""), limit)


def _more(what: str, number: int, limit: int) -> str | None:
    return f"{what} {number} of at most {limit}" if number > limit else None


def _size(embed: discord.Embed) -> int:
    texts = [embed.title, embed.description, embed.author.name, embed.footer.text]
    texts += [text for field in embed.fields for text in (field.name, field.value)]
    return sum(limits.units(text or "") for text in texts)
