"""The answers Discord gives instead of what was asked for, by name."""

from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """An answer of 4xx or 5xx with Discord's own body.

    Args:
        code: Discord's JSON error code; 0 where it has none.
        errors: what is wrong with which field, nested as Discord nests it.
        extra: further keys of the body (``retry_after``, ``global``).
    """

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: Json | None = None,
        headers: dict[str, str] | None = None,
        extra: Json | None = None,
    ) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.headers = headers or {}
        self.body: Json = {"message": message, "code": code, **(extra or {})}
        if errors:
            self.body["errors"] = errors


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def already_crossposted() -> ApiError:
    return ApiError(400, 40033, "This message has already been crossposted")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def not_yours_to_edit() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def cannot_send_to_user() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def wrong_channel_type() -> ApiError:
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def token_expired() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def archived_thread() -> ApiError:
    return ApiError(400, 50083, "Thread is archived")


def invalid_body(errors: Json) -> ApiError:
    """Return Discord's refusal of a form; ``errors`` as ``complaint`` nests them."""
    return ApiError(400, 50035, "Invalid Form Body", errors=errors)


def complaint(errors: Json, path: str, code: str, message: str) -> None:
    """Add one complaint to ``errors`` at a dotted ``path`` such as ``embeds.0.title``."""
    place = errors
    for step in path.split("."):
        place = place.setdefault(step, {})
    place.setdefault("_errors", []).append({"code": code, "message": message})
