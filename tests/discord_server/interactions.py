"""Interactions on the bot's side: the callback, follow-ups, and the answer under ``@original``.

Discord, Receiving and Responding to Interactions: 3 s for the first answer, 15 minutes for the token.
"""

import asyncio
import datetime as dt
from dataclasses import dataclass, field
from enum import IntEnum

from tests.discord_server import errors, payloads
from tests.discord_server.limits import check_choices, check_message
from tests.discord_server.posting import Posting
from tests.discord_server.rest import Call, Route
from tests.discord_server.routes import Answered
from tests.discord_server.state import Channel, Json, Message, MessageFlag, User
from tests.discord_server.world import World

FIRST_ANSWER = dt.timedelta(seconds=3)
TOKEN_LIFE = dt.timedelta(minutes=15)

_REPLY_TO_COMMAND = 20


class Asked(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """What the bot answers first."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(kw_only=True)
class Interaction:
    """What a person did, and what has come of it so far.

    Attributes:
        callback: how the bot answered first; None until it has.
        original: the answer itself: the bot's message, or the one whose button was pressed.
        followups: further messages, oldest first.
        choices: what an autocompletion offers.
        modal: the form the bot opened.
    """

    id: int
    token: str
    asked: Asked
    user: User
    channel: Channel
    at: dt.datetime
    source: Message | None = None
    callback: Callback | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list[Message])
    choices: list[Json] | None = None
    modal: Json | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    async def answered(self, *, within: float = 5.0) -> Message | None:
        """Wait until there is a real answer, not only "thinking", and return its message if it is one.

        Raises:
            TimeoutError: after ``within`` real seconds; a person sees "The application did not respond".
        """
        try:
            async with asyncio.timeout(within):
                await self.settled.wait()
        except TimeoutError:
            raise TimeoutError(f"the bot did not answer {self.asked.name.lower()} within {within} s") from None
        return self.original


class Interactions:
    """The routes by which a bot answers; their secret is in the path, so they carry no bot token."""

    def __init__(self, world: World, posting: Posting) -> None:
        self._world = world
        self._posting = posting
        self._open: dict[str, Interaction] = {}

    def begin(self, interaction: Interaction) -> None:
        """Take answers to an interaction from now on."""
        self._open[interaction.token] = interaction

    def table(self) -> list[Route]:
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        original, other = hook + "/messages/@original", hook + "/messages/{message_id}"
        rows = [
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", self._call_back),
            ("POST", hook, self._follow_up),
            ("GET", original, self._get),
            ("PATCH", original, self._edit),
            ("DELETE", original, self._delete),
            ("GET", other, self._get),
            ("PATCH", other, self._edit),
            ("DELETE", other, self._delete),
        ]
        return [Route(method=method, template=template, act=act, open=True) for method, template, act in rows]

    def _call_back(self, call: Call) -> Answered:
        interaction = self._open.get(call.names["interaction_token"])
        if interaction is None or interaction.id != call.id("interaction_id"):
            raise errors.unknown_interaction()
        if interaction.callback is not None:
            raise errors.already_acknowledged()
        if self._world.now() - interaction.at > FIRST_ANSWER:
            raise errors.unknown_interaction()
        callback = Callback(call.form["type"])
        data = call.form.get("data") or {}
        self._answer(interaction, callback, data, call.files)
        interaction.callback = callback
        if callback is not Callback.DEFERRED_MESSAGE:
            interaction.settled.set()
        return (200, _told(interaction)) if call.says("with_response") else (204, None)

    def _answer(self, interaction: Interaction, callback: Callback, data: Json, files: list[Json]) -> None:
        match callback:
            case Callback.MESSAGE:
                check_message({**data, "attachments": files})
                interaction.original = self._reply(interaction, data, files=files)
            case Callback.DEFERRED_MESSAGE:
                interaction.original = self._reply(interaction, data, extra_flags=int(MessageFlag.LOADING))
            case Callback.DEFERRED_UPDATE:
                interaction.original = interaction.source
            case Callback.UPDATE:
                interaction.original = interaction.source
                if interaction.source is not None:
                    self._posting.edit(interaction.source, data)
            case Callback.CHOICES:
                choices = data.get("choices") or []
                check_choices(choices)
                interaction.choices = choices
            case Callback.MODAL:
                interaction.modal = data

    def _reply(
        self, interaction: Interaction, data: Json, *, files: list[Json] | None = None, extra_flags: int = 0
    ) -> Message:
        ephemeral = int(data.get("flags") or 0) & MessageFlag.EPHEMERAL
        return self._posting.make(
            interaction.channel,
            self._world.bot,
            data,
            files=files or [],
            extra_flags=extra_flags,
            kind=_REPLY_TO_COMMAND if interaction.asked is Asked.COMMAND else 0,
            visible_to=interaction.user.id if ephemeral else None,
            application_id=self._world.bot.id,
            interaction_metadata=_metadata(interaction),
        )

    def _follow_up(self, call: Call) -> Answered:
        interaction = self._live(call)
        check_message({**call.form, "attachments": call.files})
        original = interaction.original
        if original is not None and original.is_loading:
            # Discord, Create Followup Message: right after a deferral it fills the loading message.
            message = self._posting.edit(original, {**call.form, "flags": original.flags})
        else:
            message = self._reply(interaction, call.form, files=call.files)
            interaction.followups.append(message)
        interaction.settled.set()
        return (200, payloads.message(message)) if call.says("wait") else (204, None)

    def _get(self, call: Call) -> Answered:
        return 200, payloads.message(self._message(call))

    def _edit(self, call: Call) -> Answered:
        message = self._posting.edit(self._message(call), call.form)
        self._live(call).settled.set()
        return 200, payloads.message(message)

    def _delete(self, call: Call) -> Answered:
        self._posting.delete(self._message(call))
        self._live(call).settled.set()
        return 204, None

    def _live(self, call: Call) -> Interaction:
        """Return the interaction of a webhook token.

        Raises:
            ApiError: 404 10015 it is unknown or not yet answered; 401 50027 it is older than 15 minutes.
        """
        interaction = self._open.get(call.names["webhook_token"])
        if interaction is None or interaction.callback is None or call.id("webhook_id") != self._world.bot.id:
            raise errors.unknown_webhook()
        if self._world.now() - interaction.at > TOKEN_LIFE:
            raise errors.token_expired()
        return interaction

    def _message(self, call: Call) -> Message:
        interaction = self._live(call)
        own = [interaction.original, *interaction.followups]
        wanted = interaction.original
        if "message_id" in call.names:
            wanted = next((one for one in own if one and one.id == call.id("message_id")), None)
        if wanted is None or wanted.id not in self._world.history.get(wanted.channel_id, {}):
            raise errors.unknown_message()
        return wanted


def _told(interaction: Interaction) -> Json:
    message = interaction.original
    shown: Json = {
        "id": str(interaction.id),
        "type": int(interaction.asked),
        "response_message_loading": bool(message and message.is_loading),
        "response_message_ephemeral": bool(message and message.visible_to),
    }
    answer: Json = {"interaction": shown}
    if message is not None:
        shown["response_message_id"] = str(message.id)
        if interaction.callback is Callback.MESSAGE or interaction.callback is Callback.UPDATE:
            answer["resource"] = {"type": int(interaction.callback), "message": payloads.message(message)}
    return answer


def _metadata(interaction: Interaction) -> Json:
    shown: Json = {
        "id": str(interaction.id),
        "type": int(interaction.asked),
        "user": payloads.user(interaction.user),
        "authorizing_integration_owners": {"0": str(interaction.channel.guild_id or 0)},
    }
    source = {"interacted_message_id": str(interaction.source.id)} if interaction.source else {}
    if interaction.asked is Asked.MODAL:
        kind = Asked.COMPONENT if interaction.source else Asked.COMMAND
        return {**shown, "triggering_interaction_metadata": {**shown, "type": int(kind), **source}}
    return {**shown, **source}
