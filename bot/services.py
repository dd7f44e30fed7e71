"""What the commands may ask for, in one frozen bundle that ``bot.app`` fills once."""

from dataclasses import dataclass

from bot.digests.composer import Composer
from bot.digests.subscriptions import Subscriptions
from bot.models import Now
from bot.search.picker import Picker
from bot.search.searcher import Searcher
from bot.sources.importer import Importer
from bot.sources.watching import Sites
from bot.store.database import Database
from bot.summaries.summarizer import Summarizer
from config.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Services:
    """Everything a command or a verb needs, ready to use; nothing here knows Discord."""

    settings: Settings
    now: Now
    database: Database
    searcher: Searcher
    picker: Picker
    summarizer: Summarizer
    importer: Importer
    sites: Sites
    subscriptions: Subscriptions
    composer: Composer
