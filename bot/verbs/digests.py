"""Verbs about digests: ``digest preview`` and ``digest due``."""

import argparse
import json

from bot import app
from bot.errors import NotFound
from bot.models import Subscription
from bot.rendering.terminal import as_text
from bot.store import subscriptions
from bot.verbs.arguments import Verbs, between
from config.settings import Settings


def add_verbs(verbs: Verbs, common: argparse.ArgumentParser) -> None:
    """Add the verbs of this room to the parser."""
    digest = verbs.add_parser("digest", help="what subscriptions will post, and when")
    kinds = digest.add_subparsers(title="verbs", metavar="VERB", required=True)

    preview = kinds.add_parser("preview", parents=[common], help="what a subscription would post next")
    preview.add_argument("subscription", type=between(1, 2**31), help="its number in `paperround digest due`")
    preview.set_defaults(verb=_preview)

    due = kinds.add_parser("due", parents=[common], help="every subscription and when it is due")
    due.add_argument("--json", action="store_true", help="one JSON array instead of text")
    due.set_defaults(verb=_due)


async def _preview(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        every = await services.database.read(subscriptions.list_all)
        subscription = next((one for one in every if one.id == chosen.subscription), None)
        if subscription is None:
            raise NotFound(f"There is no subscription {chosen.subscription}. paperround digest due lists them.")
        for message in await services.composer.preview(subscription):
            print(as_text(message))
    return 0


async def _due(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        every = sorted(await services.database.read(subscriptions.list_all), key=_when)
    if chosen.json:
        print(json.dumps([_record(one) for one in every], ensure_ascii=False))
        return 0
    for one in every:
        when = f"{one.next_due_at:%Y-%m-%d %H:%M} UTC" if one.next_due_at else f"paused ({one.pause_reason})"
        print(f"{one.id:5}  {when:22}  channel {one.channel_id}  {one.topic.query or 'every paper'}")
    if not every:
        print("No subscriptions. In Discord: /digest subscribe.")
    return 0


def _when(subscription: Subscription) -> tuple[bool, float, int]:
    due = subscription.next_due_at
    return (due is None, due.timestamp() if due else 0.0, subscription.id)


def _record(subscription: Subscription) -> dict[str, object]:
    due = subscription.next_due_at
    return {
        "id": subscription.id,
        "guild_id": subscription.guild_id,
        "channel_id": subscription.channel_id,
        "topic": subscription.topic.query,
        "due_at": due.isoformat() if due else None,
        "paused": subscription.pause_reason,
    }
