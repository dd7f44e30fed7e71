"""What Discord refuses in a message beyond what its OpenAPI document says.

Figures: Discord, Create Message; Embed Limits; Component Reference.
"""

from collections.abc import Iterator

from tests.discord_server import errors
from tests.discord_server.errors import complaint
from tests.discord_server.state import Json, MessageFlag

_CONTENT = 2000
_EMBEDS = 10
_ALL_EMBEDS = 6000
_FIELDS = 25
_EMBED_TEXTS = {"title": 256, "description": 4096, "footer.text": 2048, "author.name": 256}
_FIELD_TEXTS = {"name": 256, "value": 1024}
_ROWS = 5
_COMPONENTS = 40
_BUTTONS_IN_ROW = 5
_CUSTOM_ID = 100
_LABEL = 80

_ROW, _BUTTON = 1, 2
_LINK, _PREMIUM = 5, 6


def check_message(body: Json) -> None:
    """Refuse a message that Discord would not take.

    Raises:
        ApiError: 400 50035 with nested complaints, or 50006 for a message with nothing in it.
    """
    found: Json = {}
    if len(body.get("content") or "") > _CONTENT:
        complaint(found, "content", "BASE_TYPE_MAX_LENGTH", f"Must be {_CONTENT} or fewer in length.")
    _check_embeds(found, body.get("embeds") or [])
    _check_components(found, body)
    if found:
        raise errors.invalid_body(found)
    if not any(body.get(part) for part in ("content", "embeds", "components", "attachments")):
        raise errors.empty_message()


def check_choices(choices: list[Json]) -> None:
    """Refuse more autocomplete choices than Discord shows, and ones that are too long.

    Raises:
        ApiError: 400 50035.
    """
    found: Json = {}
    if len(choices) > 25:
        complaint(found, "data.choices", "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 25 in length.")
    for number, choice in enumerate(choices):
        if not 1 <= len(choice["name"]) <= 100:
            complaint(
                found, f"data.choices.{number}.name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
            )
        if isinstance(choice["value"], str) and len(choice["value"]) > 100:
            complaint(found, f"data.choices.{number}.value", "BASE_TYPE_MAX_LENGTH", "Must be 100 or fewer in length.")
    if found:
        raise errors.invalid_body(found)


def numbered(components: list[Json]) -> list[Json]:
    """Return the components with the ids that Discord gives to each one that has none."""
    taken = {one["id"] for one in _all(components) if one.get("id")}
    free = (number for number in range(1, _COMPONENTS * 3) if number not in taken)

    def numbered_one(one: Json) -> Json:
        shown = {**one, "id": one.get("id") or next(free)}
        if "components" in one:
            shown["components"] = [numbered_one(child) for child in one["components"]]
        if "accessory" in one:
            shown["accessory"] = numbered_one(one["accessory"])
        return shown

    return [numbered_one(one) for one in components]


def _check_embeds(found: Json, embeds: list[Json]) -> None:
    if len(embeds) > _EMBEDS:
        complaint(found, "embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {_EMBEDS} or fewer in length.")
    for number, embed in enumerate(embeds):
        for path, most in _EMBED_TEXTS.items():
            _check_text(found, f"embeds.{number}.{path}", _text(embed, path), most)
        fields = embed.get("fields") or []
        if len(fields) > _FIELDS:
            complaint(
                found, f"embeds.{number}.fields", "BASE_TYPE_MAX_LENGTH", f"Must be {_FIELDS} or fewer in length."
            )
        for place, field in enumerate(fields):
            for part, most in _FIELD_TEXTS.items():
                path = f"embeds.{number}.fields.{place}.{part}"
                if not field.get(part):
                    complaint(found, path, "BASE_TYPE_REQUIRED", "This field is required")
                _check_text(found, path, field.get(part) or "", most)
    if sum(map(_embed_length, embeds)) > _ALL_EMBEDS:
        complaint(found, "embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {_ALL_EMBEDS}")


def _check_text(found: Json, path: str, text: str, most: int) -> None:
    # Discord trims before it counts.
    if len(text.strip()) > most:
        complaint(found, path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _text(embed: Json, path: str) -> str:
    place, _, rest = path.partition(".")
    if rest:
        return (embed.get(place) or {}).get(rest) or ""
    return embed.get(place) or ""


def _embed_length(embed: Json) -> int:
    texts = [_text(embed, path) for path in _EMBED_TEXTS]
    texts += [str(field.get(part) or "") for field in embed.get("fields") or [] for part in _FIELD_TEXTS]
    return sum(len(text.strip()) for text in texts)


def _check_components(found: Json, body: Json) -> None:
    components = body.get("components") or []
    seen: set[str] = set()
    for one in _all(components):
        custom_id = one.get("custom_id")
        if custom_id is not None:
            if custom_id in seen:
                complaint(
                    found, "components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
                )
            seen.add(custom_id)
            _check_text(found, "components", custom_id, _CUSTOM_ID)
        if one["type"] == _BUTTON:
            _check_button(found, one)
        if one["type"] == _ROW and len(one["components"]) > _BUTTONS_IN_ROW:
            complaint(found, "components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    if int(body.get("flags") or 0) & MessageFlag.COMPONENTS_V2:
        if any(body.get(part) for part in ("content", "embeds")):
            complaint(
                found,
                "content",
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                "The 'content' and 'embeds' fields cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
        if sum(1 for _ in _all(components)) > _COMPONENTS:
            complaint(found, "components", "COMPONENT_MAX_TOTAL", f"Must be {_COMPONENTS} or fewer in total.")
    elif len(components) > _ROWS:
        complaint(found, "components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {_ROWS} in length.")


def _check_button(found: Json, button: Json) -> None:
    _check_text(found, "components", button.get("label") or "", _LABEL)
    if button["style"] not in {_LINK, _PREMIUM} and not button.get("custom_id"):
        complaint(found, "components", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id required")
    if button["style"] == _LINK and not button.get("url"):
        complaint(found, "components", "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")


def _all(components: list[Json]) -> Iterator[Json]:
    for one in components:
        yield one
        yield from _all(one.get("components") or [])
        if "accessory" in one:
            yield from _all([one["accessory"]])
