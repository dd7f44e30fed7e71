"""Messages: made, changed and removed by Discord's rules, wherever they come from."""

import re
from collections.abc import Iterable
from typing import Any

from tests.discord_server import errors, payloads
from tests.discord_server.limits import check_message, numbered
from tests.discord_server.nonces import Nonces
from tests.discord_server.permissions import Permission
from tests.discord_server.state import Channel, Json, Message, MessageFlag, User
from tests.discord_server.world import World

_MENTION = re.compile(r"<@(&?)(\d+)>")


class Posting:
    """What may be done with messages; tells the gateway of each change."""

    def __init__(self, world: World, nonces: Nonces) -> None:
        self._world = world
        self._nonces = nonces

    def send(self, channel: Channel, body: Json, *, files: list[Json], message_id: int | None = None) -> Message:
        """Let the bot post in a channel that it may post in, once for each enforced nonce.

        Args:
            message_id: the id it must have; a forum post's first message shares its thread's.

        Raises:
            ApiError: 400 the body breaks a limit; 403 50013 nothing is left without Embed Links;
                404 10008 the message of this nonce was deleted.
        """
        check_message({**body, "attachments": files})
        nonce = body.get("nonce") if body.get("enforce_nonce") else None
        author = self._world.bot
        if nonce is not None and (made := self._nonces.find(author.id, nonce)):
            message = self._world.history.get(made.channel_id, {}).get(made.message_id)
            if message is None:
                raise errors.unknown_message()
            return message
        message = self.make(channel, author, self._permitted(channel, body, files), files=files, id=message_id)
        if nonce is not None:
            self._nonces.keep(author.id, nonce, message)
        return message

    def say(self, channel: Channel, author: User, content: str) -> Message:
        """Let a person post in a channel."""
        return self.make(channel, author, {"content": content})

    def make(self, channel: Channel, author: User, body: Json, *, files: Iterable[Json] = (), **more: Any) -> Message:
        """Put a message into a channel without asking for permission; ``more`` are fields of ``Message``."""
        world = self._world
        message = Message(
            id=more.pop("id", None) or world.new_id(),
            channel_id=channel.id,
            guild_id=channel.guild_id,
            author=author,
            created_at=world.now(),
            flags=int(body.get("flags") or 0) | more.pop("extra_flags", 0),
            nonce=body.get("nonce"),
            attachments=list(files),
            **more,
        )
        self._fill(channel, message, body)
        if message.flags & MessageFlag.EPHEMERAL and message.visible_to is None:
            message.flags &= ~MessageFlag.EPHEMERAL
        world.history.setdefault(channel.id, {})[message.id] = message
        if message.visible_to is None:
            channel.last_message_id = message.id
            self._tell("MESSAGE_CREATE", message, with_nonce=True)
        return message

    def edit(self, message: Message, body: Json) -> Message:
        """Change what ``body`` names; a loading message becomes a real one.

        Raises:
            ApiError: 400 the message would break a limit.
        """
        merged = {
            "content": message.content,
            "embeds": message.embeds,
            "components": message.components,
            "attachments": message.attachments,
            "flags": message.flags,
        }
        check_message(merged | body)
        self._fill(self._world.channels[message.channel_id], message, merged | body)
        message.flags |= int(body.get("flags") or 0) & MessageFlag.COMPONENTS_V2
        if message.is_loading:
            message.flags &= ~MessageFlag.LOADING
        else:
            message.edited_at = self._world.now()
        if message.visible_to is None:
            self._tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: Message) -> None:
        del self._world.history[message.channel_id][message.id]
        if message.visible_to is not None:
            return
        data = {"id": str(message.id), "channel_id": str(message.channel_id)}
        if message.guild_id is not None:
            data["guild_id"] = str(message.guild_id)
        self._world.tell("MESSAGE_DELETE", data, message.guild_id)

    def crosspost(self, message: Message) -> Message:
        """Publish a message of an announcement channel.

        Raises:
            ApiError: 400 40033 it is published already.
        """
        if message.flags & MessageFlag.CROSSPOSTED:
            raise errors.already_crossposted()
        message.flags |= MessageFlag.CROSSPOSTED
        self._tell("MESSAGE_UPDATE", message)
        return message

    def _permitted(self, channel: Channel, body: Json, files: list[Json]) -> Json:
        """Return the body without embeds where the bot lacks Embed Links; the rest is posted all the same.

        discord/discord-api-docs#2601: with content or components they vanish silently.
        """
        granted = self._world.granted(channel, self._world.bot)
        if files and not granted & Permission.ATTACH_FILES:
            raise errors.missing_permissions()
        if not body.get("embeds") or granted & Permission.EMBED_LINKS:
            return body
        if not (body.get("content") or body.get("components") or files):
            raise errors.missing_permissions()
        return {**body, "embeds": []}

    def _fill(self, channel: Channel, message: Message, body: Json) -> None:
        message.content = (body.get("content") or "").strip()
        message.embeds = [{"type": "rich", **embed} for embed in body.get("embeds") or []]
        message.components = numbered(body.get("components") or [])
        self._ping(channel, message, body.get("allowed_mentions"))

    def _ping(self, channel: Channel, message: Message, allowed: Json | None) -> None:
        """Work out who is notified: what the text mentions, the author allows and the permissions let through."""
        parse = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse") or []
        named = {kind: {int(id_) for id_ in (allowed or {}).get(kind) or ()} for kind in ("users", "roles")}
        loud = bool(self._world.granted(channel, message.author) & Permission.MENTION_EVERYONE)
        roles = self._world.guilds[channel.guild_id].roles if channel.guild_id else {}
        message.pinged_users, message.pinged_roles = [], []
        for of_role, digits in dict.fromkeys(_MENTION.findall(message.content)):
            kind, id_ = "roles" if of_role else "users", int(digits)
            if kind not in parse and id_ not in named[kind]:
                continue
            if of_role and id_ in roles and (loud or roles[id_].mentionable):
                message.pinged_roles.append(id_)
            if not of_role and id_ in self._world.users:
                message.pinged_users.append(self._world.users[id_])
        spoken = any(word in message.content for word in ("@everyone", "@here"))
        message.pinged_everyone = spoken and loud and "everyone" in parse

    def _tell(self, event: str, message: Message, *, with_nonce: bool = False) -> None:
        data = payloads.message_event(message, self._world.author_of(message), with_nonce=with_nonce)
        self._world.tell(event, data, message.guild_id)
