"""Discord's own OpenAPI document as the judge of requests and answers, where the document is at hand."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema.exceptions

Json = dict[str, Any]

_NAME = "discord_openapi.json"
_JSON_TYPE = "application/json"
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}

# discord.py 2.7.1 deviates in these; the specification's README says that Discord reads both forms.
_QUERIES_BESIDE = frozenset({"use_nested_fields"})
_IDS_AS_NUMBERS = ("recipient_id",)


def find_document() -> Path | None:
    """Return where the OpenAPI document is, or None; ``PAPERROUND_TEST_DATA`` may name its folder."""
    named = os.environ.get("PAPERROUND_TEST_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "data"
    path = folder / _NAME
    return path if path.is_file() else None


class Judge:
    """Says what Discord's document has against a request or an answer."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._validators: dict[str, Any] = {}

    @classmethod
    def read(cls, path: Path) -> "Judge":
        """Return a judge by the document in a file; 1.2 MB take some 20 ms."""
        return cls(json.loads(path.read_bytes()))

    def of_request(
        self, method: str, template: str, query: Mapping[str, str], body: Any, *, multipart: bool = False
    ) -> list[str]:
        """Return what is wrong with a request, one sentence each; empty when nothing is."""
        operation = self._operation(method, template)
        if operation is None:
            return [f"{method} {template} is not in the document"]
        found = self._of_query(operation, template, query)
        content = operation.get("requestBody", {}).get("content", {})
        if body is None:
            if operation.get("requestBody", {}).get("required"):
                found.append("a body is required")
        elif _JSON_TYPE in content and not multipart:
            found += self._check(f"{method} {template} body", content[_JSON_TYPE]["schema"], _as_discord_reads(body))
        return found

    def of_answer(self, method: str, template: str, status: int, body: Any) -> list[str]:
        """Return what is wrong with an answer of the stand-in, one sentence each."""
        operation = self._operation(method, template)
        if operation is None:
            return [f"{method} {template} is not in the document"]
        answers = operation["responses"]
        told = answers.get(str(status)) or answers.get(f"{status // 100}XX")
        if told is None:
            return [f"no answer with status {status} is in the document"]
        content = self._resolved(told).get("content", {})
        if _JSON_TYPE not in content:
            return [] if body is None else [f"an answer with status {status} has no body"]
        return self._check(f"{method} {template} {status}", content[_JSON_TYPE]["schema"], body)

    def _operation(self, method: str, template: str) -> Json | None:
        return self._document["paths"].get(template, {}).get(method.lower())

    def _of_query(self, operation: Json, template: str, query: Mapping[str, str]) -> list[str]:
        known = {
            one["name"]: one["schema"]
            for one in [*self._document["paths"][template].get("parameters", []), *operation.get("parameters", [])]
            if one["in"] == "query"
        }
        found: list[str] = []
        for name, value in query.items():
            if name in known:
                found += self._check(f"query {template} {name}", known[name], self._read(known[name], value))
            elif name not in _QUERIES_BESIDE:
                found.append(f"query {name} is not in the document")
        return found

    def _read(self, schema: Json, text: str) -> Any:
        kind = self._resolved(schema).get("type")
        if kind == "boolean":
            return _BOOLEANS.get(text.lower(), text)
        if kind == "integer" and text.lstrip("-").isdigit():
            return int(text)
        return text

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            place: Any = self._document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            schema = place
        return schema

    def _check(self, key: str, schema: Json, value: Any) -> list[str]:
        validator = self._validators.get(key)
        if validator is None:
            # The components travel along, so that references into the document find them.
            whole = {**schema, "components": self._document["components"]}
            validator = self._validators[key] = jsonschema.Draft202012Validator(whole)
        return [
            f"{key}: {deepest.json_path}: {deepest.message[:300]}"
            for error in validator.iter_errors(value)
            if (deepest := jsonschema.exceptions.best_match([error])) is not None
        ]


def _as_discord_reads(body: Any) -> Any:
    """Return the body with the numbers that Discord takes for ids written as ids."""
    if not isinstance(body, dict):
        return body
    read: Json = dict(body)
    for name in _IDS_AS_NUMBERS:
        if isinstance(read.get(name), int):
            read[name] = str(read[name])
    if isinstance(read.get("attachments"), list):
        read["attachments"] = [
            {**one, "id": str(one["id"])} if isinstance(one.get("id"), int) else one for one in read["attachments"]
        ]
    if isinstance(read.get("allowed_mentions"), dict):
        mentions: Json = dict(read["allowed_mentions"])
        for kind in ("roles", "users"):
            if isinstance(mentions.get(kind), list):
                mentions[kind] = [str(one) for one in mentions[kind]]
        read["allowed_mentions"] = mentions
    if isinstance(read.get("data"), dict):
        read["data"] = _as_discord_reads(read["data"])
    return read
