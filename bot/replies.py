"""The one place where an error becomes a sentence for a person.

Whatever escapes a command, a button or an autocompletion arrives here once. A person gets one
sentence that says what to do; what we did not foresee is logged with its traceback under a short
reference that the sentence carries too.
"""

import logging
import secrets
from collections.abc import Awaitable
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.errors import PaperRoundError, UserError
from bot.rendering.embeds import failure

log = logging.getLogger(__name__)

_UNFORESEEN = "Something went wrong on my side, and it is in the log. Please try again in a moment."
_TRY_LATER = "That did not work just now. Please try again in a moment."
_ALREADY_ANSWERED = 40060
_TOO_LATE = 10062
_TOKEN_EXPIRED = 50027
_UNKNOWN_WEBHOOK = 10015


def sentence_for(error: BaseException) -> tuple[str, str | None]:
    """Return the sentence that a person gets, and the reference under which the fault is logged.

    The reference is None when there is no fault: the sentence then says all there is to say.
    """
    cause = _cause(error)
    if isinstance(cause, UserError):
        return cause.sentence, None
    if isinstance(cause, PaperRoundError):
        return _TRY_LATER, secrets.token_hex(3)
    if isinstance(cause, app_commands.MissingPermissions):
        return f"You need {_names(cause.missing_permissions)} in this server to do that.", None
    if isinstance(cause, app_commands.BotMissingPermissions):
        return f"I need {_names(cause.missing_permissions)} here to do that. Ask an admin to grant it.", None
    if isinstance(cause, app_commands.NoPrivateMessage):
        return "This works in a server only, not in private messages.", None
    if isinstance(cause, app_commands.CommandOnCooldown):
        return f"Too fast. Please try again in {max(1, round(cause.retry_after))} seconds.", None
    if isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return "This command has changed. Reload Discord (Ctrl+R) and try again.", None
    if isinstance(cause, app_commands.TransformerError):
        return "One of the options cannot be read. Please choose it from the list.", None
    if isinstance(cause, app_commands.CheckFailure):
        return "You may not do that here.", None
    return _UNFORESEEN, secrets.token_hex(3)


async def explain(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the person what went wrong, only to them, and log what we did not foresee. Never raises."""
    cause = _cause(error)
    if _nobody_waits(cause):
        log.info("interaction was gone", extra={"command": _name_of(interaction), "reason": type(cause).__name__})
        return
    sentence, reference = sentence_for(error)
    if reference is not None:
        log.error(
            "interaction failed",
            extra={"command": _name_of(interaction), "reference": reference, "code": _code_of(cause)},
            exc_info=(type(cause), cause, cause.__traceback__),
        )
    if interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        arguments = failure(sentence, reference).arguments()
        if interaction.response.is_done():
            await interaction.followup.send(**arguments, ephemeral=True)
        else:
            await interaction.response.send_message(**arguments, ephemeral=True)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as lost:
        log.info("explanation was not delivered", extra={"reason": type(lost).__name__})


async def explained(interaction: discord.Interaction[Any], answer: Awaitable[None]) -> None:
    """Await a button's answer and explain its errors; discord.py would only log those of a ``DynamicItem``."""
    try:
        await answer
    except Exception as error:  # noqa: BLE001 -- the edge: every error becomes a sentence here
        await explain(interaction, error)


def _cause(error: BaseException) -> BaseException:
    while isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    return error


def _nobody_waits(error: BaseException) -> bool:
    return isinstance(error, discord.HTTPException) and error.code in {
        _ALREADY_ANSWERED,
        _TOO_LATE,
        _TOKEN_EXPIRED,
        _UNKNOWN_WEBHOOK,
    }


def _name_of(interaction: discord.Interaction[Any]) -> str:
    if interaction.command is not None:
        return interaction.command.qualified_name
    return interaction.type.name


def _code_of(error: BaseException) -> str:
    return error.code if isinstance(error, PaperRoundError) else type(error).__name__


def _names(permissions: list[str]) -> str:
    titles = [f"**{name.replace('_', ' ').replace('guild', 'server').title()}**" for name in permissions]
    return " and ".join(titles)
