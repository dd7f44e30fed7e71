"""Discord's own OpenAPI document as the judge, where it is at hand; that it judges, and what it lets pass."""

from pathlib import Path
from typing import Any

import pytest

from tests.discord_server.schema import Judge

MESSAGES = "/channels/{channel_id}/messages"


@pytest.fixture(scope="module")
def judge(shared_data: Path) -> Judge:
    return Judge.read(shared_data / "discord_openapi.json")


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 4001},
        {"embeds": [{"title": "x" * 257}]},
        {"embeds": [{}] * 11},
        {"nonce": "x" * 26},
        {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x" * 101}]}]},
    ],
    ids=["content", "title", "embeds", "nonce", "custom id"],
)
def test_a_message_against_the_document_is_found_out(judge: Judge, body: dict[str, Any]) -> None:
    assert judge.of_request("POST", MESSAGES, {}, body) != []


def test_a_message_as_discord_py_sends_it_passes(judge: Judge) -> None:
    body = {"content": "hello", "tts": False, "nonce": "1", "enforce_nonce": True, "attachments": [{"id": 0}]}
    assert judge.of_request("POST", MESSAGES, {}, body) == []


def test_an_answer_without_a_required_field_is_found_out(judge: Judge) -> None:
    assert judge.of_answer("POST", MESSAGES, 200, {"id": "1"}) != []


def test_a_query_that_the_document_does_not_know_is_found_out(judge: Judge) -> None:
    assert judge.of_request("GET", MESSAGES, {"limit": "100", "after": "1"}, None) == []
    assert judge.of_request("GET", MESSAGES, {"limit": "101"}, None) != []
    assert judge.of_request("GET", MESSAGES, {"newest": "1"}, None) != []


def test_a_route_that_does_not_exist_is_found_out(judge: Judge) -> None:
    assert judge.of_request("POST", "/nowhere", {}, {}) != []
