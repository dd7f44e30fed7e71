"""What the bot may ask of users, guilds, channels, messages and commands."""

import re

from tests.discord_server import errors, payloads
from tests.discord_server.errors import complaint
from tests.discord_server.limits import check_message
from tests.discord_server.permissions import Permission
from tests.discord_server.posting import Posting
from tests.discord_server.rest import Call, Route
from tests.discord_server.state import Channel, ChannelKind, Json, Message
from tests.discord_server.world import World

_MOST_COMMANDS = 100
_CHAT_INPUT = 1
_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")

Answered = tuple[int, Json | list[Json] | None]


class Routes:
    """The routes that carry the bot's token.

    Attributes:
        commands: what is registered, by guild (None: for all guilds), in the order of the PUT.
        gateway_url: where GET /gateway/bot sends a client.
    """

    def __init__(self, world: World, posting: Posting) -> None:
        self._world = world
        self._posting = posting
        self.commands: dict[int | None, list[Json]] = {}
        self.gateway_url = ""

    def table(self) -> list[Route]:
        messages = "/channels/{channel_id}/messages"
        one_message = messages + "/{message_id}"
        everywhere = "/applications/{application_id}/commands"
        in_guild = "/applications/{application_id}/guilds/{guild_id}/commands"
        rows = [
            ("GET", "/users/@me", self._me),
            ("GET", "/users/{user_id}", self._user),
            ("POST", "/users/@me/channels", self._open_direct_messages),
            ("DELETE", "/users/@me/guilds/{guild_id}", self._leave_guild),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self._member),
            ("GET", "/channels/{channel_id}", self._channel),
            ("PATCH", "/channels/{channel_id}", self._edit_thread),
            ("POST", "/channels/{channel_id}/typing", self._typing),
            ("POST", "/channels/{channel_id}/threads", self._start_thread),
            ("GET", messages, self._list_messages),
            ("POST", messages, self._create_message),
            ("GET", one_message, self._get_message),
            ("PATCH", one_message, self._edit_message),
            ("DELETE", one_message, self._delete_message),
            ("POST", one_message + "/crosspost", self._crosspost),
            ("GET", everywhere, self._list_commands),
            ("PUT", everywhere, self._replace_commands),
            ("GET", in_guild, self._list_commands),
            ("PUT", in_guild, self._replace_commands),
        ]
        return [Route(method=method, template=template, act=act) for method, template, act in rows]

    # Users and guilds.

    def _me(self, _call: Call) -> Answered:
        own = {"mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None, "verified": True}
        return 200, payloads.user(self._world.bot) | own

    def _user(self, call: Call) -> Answered:
        user = self._world.users.get(call.id("user_id"))
        if user is None:
            raise errors.unknown_user()
        return 200, payloads.user(user)

    def _open_direct_messages(self, call: Call) -> Answered:
        user = self._world.users.get(int(call.form["recipient_id"]))
        if user is None:
            raise errors.unknown_user()
        return 200, payloads.channel(self._world.direct_messages_with(user))

    def _leave_guild(self, call: Call) -> Answered:
        guild = self._world.guilds.get(call.id("guild_id"))
        if guild is None or self._world.bot.id not in guild.members:
            raise errors.unknown_guild()
        self._world.remove_bot(guild)
        return 204, None

    def _member(self, call: Call) -> Answered:
        guild = self._world.guilds.get(call.id("guild_id"))
        if guild is None:
            raise errors.unknown_guild()
        if self._world.bot.id not in guild.members:
            raise errors.missing_access()
        member = guild.members.get(call.id("user_id"))
        if member is None:
            raise errors.unknown_member()
        return 200, payloads.member(member)

    def _application(self, _call: Call) -> Answered:
        return 200, payloads.application(self._world.bot, self._world.owner, guilds=len(self._world.guilds))

    def _gateway(self, _call: Call) -> Answered:
        starts = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return 200, {"url": self.gateway_url, "shards": 1, "session_start_limit": starts}

    # Channels and messages.

    def _channel(self, call: Call) -> Answered:
        return 200, payloads.channel(self._world.reach(call.id("channel_id")))

    def _edit_thread(self, call: Call) -> Answered:
        """Archive, reopen, lock or rename a thread; channels cannot be changed here."""
        thread = self._world.reach(call.id("channel_id"))
        if not thread.is_thread:
            raise errors.missing_permissions()
        manages = self._world.granted(thread, self._world.bot) & Permission.MANAGE_THREADS
        changes = call.form.keys() & {"archived", "locked", "name"}
        reopens = changes == {"archived"} and not thread.locked
        if not (manages or reopens or (thread.owner_id == self._world.bot.id and not thread.locked)):
            raise errors.missing_permissions()
        thread.name = call.form.get("name", thread.name)
        thread.locked = call.form.get("locked", thread.locked)
        self._world.archive(thread, archived=call.form.get("archived", thread.archived))
        return 200, payloads.channel(thread)

    def _typing(self, call: Call) -> Answered:
        self._writable(call)
        return 204, None

    def _create_message(self, call: Call) -> Answered:
        channel = self._writable(call)
        if channel.recipient is not None and not channel.recipient.accepts_messages:
            raise errors.cannot_send_to_user()
        message = self._posting.send(channel, call.form, files=call.files)
        return 200, payloads.message(message, with_nonce=True)

    def _list_messages(self, call: Call) -> Answered:
        channel = self._world.reach(call.id("channel_id"))
        if not self._world.granted(channel, self._world.bot) & Permission.READ_MESSAGE_HISTORY:
            return 200, []
        limit = int(call.query.get("limit", "50"))
        if not 1 <= limit <= 100:
            found: Json = {}
            complaint(found, "limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            raise errors.invalid_body(found)
        return 200, [self._seen(one) for one in _page(self._world.messages_in(channel), call.query, limit)]

    def _get_message(self, call: Call) -> Answered:
        return 200, self._seen(self._message(call, Permission.READ_MESSAGE_HISTORY))

    def _edit_message(self, call: Call) -> Answered:
        message = self._message(call)
        if message.author is not self._world.bot:
            raise errors.not_yours_to_edit()
        return 200, payloads.message(self._posting.edit(message, call.form))

    def _delete_message(self, call: Call) -> Answered:
        message = self._message(call)
        if message.author is not self._world.bot:
            self._world.reach(message.channel_id, Permission.MANAGE_MESSAGES)
        self._posting.delete(message)
        return 204, None

    def _crosspost(self, call: Call) -> Answered:
        message = self._message(call, Permission.SEND_MESSAGES)
        if self._world.channels[message.channel_id].kind is not ChannelKind.ANNOUNCEMENT:
            raise errors.wrong_channel_type()
        return 200, payloads.message(self._posting.crosspost(message))

    def _start_thread(self, call: Call) -> Answered:
        parent = self._world.reach(call.id("channel_id"), Permission.SEND_MESSAGES)
        first = call.form.get("message")
        if (parent.kind is ChannelKind.FORUM) != (first is not None):
            raise errors.wrong_channel_type()
        if first is None:
            self._world.reach(parent.id, Permission.CREATE_PUBLIC_THREADS)
        else:
            check_message({**first, "attachments": call.files})
        thread = self._world.add_thread(
            parent,
            call.form["name"],
            owner=self._world.bot,
            auto_archive_minutes=call.form.get("auto_archive_duration") or 1440,
        )
        shown = payloads.channel(thread)
        if first is not None:
            message = self._posting.send(thread, first, files=call.files, message_id=thread.id)
            shown["message"] = payloads.message(message)
        return 201, shown

    def _writable(self, call: Call) -> Channel:
        channel = self._world.reach(call.id("channel_id"))
        if channel.kind in (ChannelKind.FORUM, ChannelKind.CATEGORY):
            raise errors.wrong_channel_type()
        if channel.archived:
            raise errors.archived_thread()
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        return self._world.reach(channel.id, needed)

    def _message(self, call: Call, *needed: Permission) -> Message:
        channel = self._world.reach(call.id("channel_id"), *needed)
        message = self._world.history.get(channel.id, {}).get(call.id("message_id"))
        if message is None or message.visible_to is not None:
            raise errors.unknown_message()
        return message

    def _seen(self, message: Message) -> Json:
        """Return a message as the bot sees it, which has no message content intent."""
        shown = payloads.message(message)
        whole = message.author is self._world.bot or message.guild_id is None or self._world.bot in message.pinged_users
        return shown if whole else payloads.without_content(shown)

    # Commands.

    def _list_commands(self, call: Call) -> Answered:
        return 200, self.commands.get(self._scope(call), [])

    def _replace_commands(self, call: Call) -> Answered:
        scope = self._scope(call)
        known = {_key(one): one for one in self.commands.get(scope, [])}
        _check_commands(call.body)
        self.commands[scope] = [self._registered(scope, one, known.get(_key(one))) for one in call.body]
        return 200, self.commands[scope]

    def _registered(self, scope: int | None, told: Json, known: Json | None) -> Json:
        """Return a command as Discord keeps it: the id stays with the name, the version with the definition."""
        shown: Json = {
            "application_id": str(self._world.bot.id),
            "type": _CHAT_INPUT,
            "description": "",
            "default_member_permissions": None,
            "nsfw": False,
            **({"dm_permission": True} if scope is None else {"guild_id": str(scope)}),
            **{key: value for key, value in told.items() if value is not None or key != "integration_types"},
        }
        needed = shown["default_member_permissions"]
        shown["default_member_permissions"] = None if needed is None else str(needed)
        if known is not None and {**known, **shown} == known:
            return known
        return {
            **shown,
            "id": known["id"] if known else str(self._world.new_id()),
            "version": str(self._world.new_id()),
        }

    def _scope(self, call: Call) -> int | None:
        if call.id("application_id") != self._world.bot.id:
            raise errors.missing_access()
        return call.id("guild_id") if "guild_id" in call.names else None


def _page(messages: list[Message], query: dict[str, str], limit: int) -> list[Message]:
    """Return a page of the history, newest first; ``after`` takes the ones right after it, as Discord does."""
    if "after" in query:
        return [one for one in messages if one.id > int(query["after"])][:limit][::-1]
    if "around" in query:
        middle = int(query["around"])
        older = [one for one in messages if one.id <= middle][-(limit // 2 + 1) :]
        newer = [one for one in messages if one.id > middle][: limit // 2]
        return (older + newer)[-limit:][::-1]
    before = int(query["before"]) if "before" in query else None
    return [one for one in messages if before is None or one.id < before][-limit:][::-1]


def _key(command: Json) -> tuple[int, str]:
    return command.get("type", _CHAT_INPUT), command["name"]


def _check_commands(told: list[Json]) -> None:
    found: Json = {}
    if len(told) > _MOST_COMMANDS:
        complaint(found, "_", "BASE_TYPE_MAX_LENGTH", f"Must be {_MOST_COMMANDS} or fewer in length.")
    keys = [_key(one) for one in told]
    for number, (kind, name) in enumerate(keys):
        if kind == _CHAT_INPUT and (not _COMMAND_NAME.fullmatch(name) or name != name.lower()):
            complaint(found, f"{number}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        if keys.index((kind, name)) != number:
            complaint(
                found,
                f"{number}.name",
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
    if found:
        raise errors.invalid_body(found)
