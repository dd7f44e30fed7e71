"""What went wrong with a digest, in words and with what to do."""

_PAUSES = {
    "asked": "a manager paused it",
    "no_access": "I cannot see the channel or write in it; give me View Channel, Send Messages and Embed Links there",
    "channel_gone": "the channel no longer exists",
    "wrong_channel": "a digest cannot be posted in a channel of this kind",
    "thread_closed": "the thread is closed; open it again",
    "left_server": "I was removed from the server",
    "dms_closed": "the person takes no private messages from me",
    "automod": "AutoMod blocked the digest; let me through in the server's AutoMod settings",
}


def pause_words(reason: str | None) -> str:
    """Return why a subscription is paused."""
    return _PAUSES.get(reason or "", (reason or "unknown").replace("_", " "))
