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


_DELIVERIES = {
    "late": "it could not be posted in time",
    "paused": "the subscription was paused before it was posted",
    "refused": "Discord refused the message; this is my fault, and it is in the log",
    "answered_already": "another process of this bot posted in its place",
    "rate_limited": "Discord asked me to wait",
    "token_refused": "Discord refused my token; whoever runs me has to renew it",
    "banned": "Discord lets my host send nothing for a while",
    "discord_down": "Discord had trouble of its own",
    "discord_busy": "Discord had trouble of its own",
    "no_answer": "Discord did not answer",
    "not_ready": "the server was not reachable",
    "fault": "something went wrong on my side, and it is in the log",
    "unreadable": "I cannot tell whether it was posted: give me Read Message History, and I can look",
    "deleted_since": "it was posted, and somebody deleted it",
    "skipped": "an earlier part of it was not posted",
    "failed": "an earlier part of it was not posted",
}


def delivery_words(why: str | None) -> str:
    """Return what kept a message, or what holds it up."""
    return _DELIVERIES.get(why or "") or pause_words(why)
