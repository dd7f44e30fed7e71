"""What an error means for a delivery: pure, one row for each thing Discord says.

The codes are those of Discord's documentation, "Opcodes and Status Codes", JSON error codes.
"""

from dataclasses import dataclass
from enum import StrEnum

import aiohttp
import discord


class Outcome(StrEnum):
    """What becomes of the delivery."""

    SENT = "sent"
    RETRY = "retry"
    FAILED = "failed"
    SKIPPED = "skipped"


class Blocked(Exception):
    """The bot cannot post in the channel as things stand; known without asking Discord.

    Attributes:
        reason: a code of ``Verdict.pause``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unsendable(Exception):
    """What the outbox kept cannot be made into a message."""


class NotReady(Exception):
    """What must be known of the channel is not there yet, as during an outage of its guild."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What to do after an error.

    Attributes:
        why: a code for ``/digest why`` and the log.
        in_doubt: whether the message may be in the channel all the same.
        wait_seconds: how long to wait before the next try, where Discord said so.
        counts: whether the try counts towards the most there may be.
        pause: why the subscription is to be paused, or None.
        quiet_seconds: how long nothing at all may be sent, 0 for no such time.
        mend: whether a plainer message may get through.
        ours: whether the fault is ours, so that the operator has to know.
    """

    outcome: Outcome
    why: str
    in_doubt: bool = False
    wait_seconds: float | None = None
    counts: bool = True
    pause: str | None = None
    quiet_seconds: float = 0
    mend: bool = False
    ours: bool = False


_QUIET_SECONDS = 900
_SERVER_ERRORS = 500

_DELETED_SINCE = {10008}
_GONE = {10003, 10004, 10015}
_NO_ACCESS = {50001, 50013}
_WRONG_CHANNEL = {50008, 40058, 50024, 40067}
_THREAD_CLOSED = {160005, 50083}
_FILTERED = {200000, 200001, 240000}
_DMS_CLOSED = {50007, 50278}
_RATE = {20016, 20028, 20029, 40062}
_TOKEN = {40001, 50014}
_CLOUDFLARE = {40333}
_LATER = {40004, 40006, 110000, 130000}
_OTHER_PROCESS = {40060, 10062}
_PUBLISHED_ALREADY = {40033}

_IN_DOUBT = Verdict(outcome=Outcome.RETRY, why="no_answer", in_doubt=True)


def judge(error: BaseException) -> Verdict:
    """Return what an error raised while sending means.

    What nobody foresaw counts as ours and as in doubt: it may have been raised after the message was made.
    """
    if isinstance(error, Blocked):
        return Verdict(outcome=Outcome.SKIPPED, why=error.reason, pause=error.reason)
    if isinstance(error, Unsendable):
        return Verdict(outcome=Outcome.FAILED, why="refused", ours=True)
    if isinstance(error, NotReady):
        return Verdict(outcome=Outcome.RETRY, why="not_ready", counts=False)
    if isinstance(error, discord.RateLimited):
        return _rate(error.retry_after)
    if isinstance(error, discord.HTTPException):
        return _answered(error)
    if isinstance(error, TimeoutError | OSError | ValueError | aiohttp.ClientError):
        return _IN_DOUBT
    return Verdict(outcome=Outcome.RETRY, why="fault", in_doubt=True, ours=True)


def _answered(error: discord.HTTPException) -> Verdict:
    status, code = error.status, error.code
    if status >= _SERVER_ERRORS:
        return Verdict(outcome=Outcome.RETRY, why="discord_down", in_doubt=True)
    if status == 401 or code in _TOKEN:
        return Verdict(
            outcome=Outcome.RETRY, why="token_refused", counts=False, quiet_seconds=_QUIET_SECONDS, ours=True
        )
    if code in _CLOUDFLARE or (status == 429 and "Via" not in error.response.headers):
        return Verdict(outcome=Outcome.RETRY, why="banned", counts=False, quiet_seconds=_QUIET_SECONDS, ours=True)
    if status == 429 or code in _RATE:
        return _rate(_retry_after(error))
    if code in _DELETED_SINCE or code in _PUBLISHED_ALREADY:
        # Answered to a message that is made anew: it was delivered, then somebody deleted it
        # (discord/discord-api-docs#6647).
        return Verdict(outcome=Outcome.SENT, why="deleted_since" if code in _DELETED_SINCE else "published_already")
    if code in _LATER:
        return Verdict(outcome=Outcome.RETRY, why="discord_busy")
    return _refused(status, code)


def _refused(status: int, code: int) -> Verdict:
    if code in _GONE:
        return Verdict(outcome=Outcome.FAILED, why="channel_gone", pause="channel_gone")
    if code in _NO_ACCESS:
        return Verdict(outcome=Outcome.SKIPPED, why="no_access", pause="no_access")
    if code in _WRONG_CHANNEL:
        return Verdict(outcome=Outcome.FAILED, why="wrong_channel", pause="wrong_channel")
    if code in _THREAD_CLOSED:
        return Verdict(outcome=Outcome.FAILED, why="thread_closed", pause="thread_closed")
    if code in _DMS_CLOSED:
        return Verdict(outcome=Outcome.FAILED, why="dms_closed", pause="dms_closed")
    if code in _FILTERED:
        return Verdict(outcome=Outcome.FAILED, why="automod", mend=True)
    if code in _OTHER_PROCESS:
        return Verdict(outcome=Outcome.FAILED, why="answered_already")
    if status == 403:
        return Verdict(outcome=Outcome.SKIPPED, why="no_access", pause="no_access")
    # 50035, 50006, 50109, 40005, 50045, 413 and whatever is new: the message cannot be made as it is.
    return Verdict(outcome=Outcome.FAILED, why="refused", mend=True, ours=True)


def _rate(seconds: float | None) -> Verdict:
    return Verdict(outcome=Outcome.RETRY, why="rate_limited", wait_seconds=seconds, counts=False)


def _retry_after(error: discord.HTTPException) -> float | None:
    try:
        return float(error.response.headers["Retry-After"])
    except (KeyError, ValueError):
        return None
