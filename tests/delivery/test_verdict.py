from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery.verdict import Blocked, NotReady, Outcome, Unsendable, judge


def answer(status: int, code: int = 0, **headers: str) -> discord.HTTPException:
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="", headers=headers)
    return kind(response, {"code": code, "message": "no"})


@pytest.mark.parametrize(
    ("error", "outcome", "pause"),
    [
        (answer(404, 10008), Outcome.SENT, None),
        (answer(400, 40033), Outcome.SENT, None),
        (answer(404, 10003), Outcome.FAILED, "channel_gone"),
        (answer(404, 10004), Outcome.FAILED, "channel_gone"),
        (answer(404, 10015), Outcome.FAILED, "channel_gone"),
        (answer(403, 50001), Outcome.SKIPPED, "no_access"),
        (answer(403, 50013), Outcome.SKIPPED, "no_access"),
        (answer(403, 999999), Outcome.SKIPPED, "no_access"),
        (Blocked("no_access"), Outcome.SKIPPED, "no_access"),
        (answer(400, 50008), Outcome.FAILED, "wrong_channel"),
        (answer(400, 40058), Outcome.FAILED, "wrong_channel"),
        (answer(400, 50024), Outcome.FAILED, "wrong_channel"),
        (answer(400, 40067), Outcome.FAILED, "wrong_channel"),
        (answer(403, 160005), Outcome.FAILED, "thread_closed"),
        (answer(400, 50083), Outcome.FAILED, "thread_closed"),
        (answer(403, 50007), Outcome.FAILED, "dms_closed"),
        (answer(400, 50278), Outcome.FAILED, "dms_closed"),
        (answer(400, 40060), Outcome.FAILED, None),
        (answer(404, 10062), Outcome.FAILED, None),
    ],
)
def test_what_is_decided_is_not_tried_again(error: Exception, outcome: Outcome, pause: str | None) -> None:
    verdict = judge(error)
    assert (verdict.outcome, verdict.pause, verdict.in_doubt, verdict.quiet_seconds) == (outcome, pause, False, 0)


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, 50035), (400, 50006), (400, 50109), (413, 40005), (400, 50045), (413, 0), (400, 987654), (404, 0)],
)
def test_a_message_that_discord_cannot_take_may_be_mended_and_is_our_fault(status: int, code: int) -> None:
    verdict = judge(answer(status, code))
    assert verdict.outcome is Outcome.FAILED
    assert verdict.mend
    assert verdict.ours
    assert verdict.pause is None


@pytest.mark.parametrize("code", [200000, 200001, 240000])
def test_a_filtered_message_may_be_mended_and_is_not_our_fault(code: int) -> None:
    verdict = judge(answer(400, code))
    assert (verdict.why, verdict.mend, verdict.ours) == ("automod", True, False)


@pytest.mark.parametrize(
    "error",
    [answer(429, 0, Via="1.1 google"), answer(400, 20016), answer(400, 20028), answer(400, 20029), answer(400, 40062)],
)
def test_a_limit_waits_and_costs_no_attempt(error: Exception) -> None:
    verdict = judge(error)
    assert (verdict.outcome, verdict.counts, verdict.in_doubt) == (Outcome.RETRY, False, False)


def test_a_limit_waits_as_long_as_discord_says() -> None:
    assert judge(discord.RateLimited(73.5)).wait_seconds == 73.5
    assert judge(answer(429, 0, **{"Via": "1.1 google", "Retry-After": "64.2"})).wait_seconds == 64.2
    assert judge(answer(429, 0, **{"Via": "1.1 google", "Retry-After": "soon"})).wait_seconds is None


@pytest.mark.parametrize(
    "error", [answer(401), answer(403, 40001), answer(401, 50014), answer(429), answer(403, 40333)]
)
def test_a_refused_token_or_a_ban_quiets_everything(error: Exception) -> None:
    verdict = judge(error)
    assert (verdict.outcome, verdict.counts, verdict.in_doubt) == (Outcome.RETRY, False, False)
    assert verdict.quiet_seconds >= 900
    assert verdict.ours


@pytest.mark.parametrize("code", [40004, 40006, 110000, 130000])
def test_a_busy_discord_is_tried_again_without_doubt(code: int) -> None:
    verdict = judge(answer(400, code))
    assert (verdict.outcome, verdict.in_doubt) == (Outcome.RETRY, False)


@pytest.mark.parametrize(
    "error",
    [
        answer(500),
        answer(502),
        answer(503),
        answer(520),
        TimeoutError(),
        ConnectionResetError(104, "reset"),
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientPayloadError(),
        ValueError("JSON"),
    ],
    ids=repr,
)
def test_without_an_answer_it_is_in_doubt(error: Exception) -> None:
    verdict = judge(error)
    assert (verdict.outcome, verdict.in_doubt, verdict.ours) == (Outcome.RETRY, True, False)


def test_what_nobody_foresaw_is_in_doubt_and_ours() -> None:
    verdict = judge(KeyError("id"))
    assert (verdict.outcome, verdict.in_doubt, verdict.ours) == (Outcome.RETRY, True, True)


def test_a_payload_that_is_no_message_fails_at_once() -> None:
    verdict = judge(Unsendable("no JSON"))
    assert (verdict.outcome, verdict.in_doubt, verdict.ours, verdict.pause) == (Outcome.FAILED, False, True, None)


def test_a_guild_in_an_outage_costs_no_attempt() -> None:
    assert not judge(NotReady("guild")).counts
