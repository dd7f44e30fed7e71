"""The errors of Paper Round.

    PaperRoundError
    ├── UserError            the sentence is shown to the person who asked
    │   ├── InvalidInput     what was typed cannot be used
    │   ├── NotFound         what was asked for is not there
    │   ├── NotPermitted     the person, or the bot, may not do this here
    │   └── Conflict         it collides with something that exists already
    ├── Unavailable          it may work later
    ├── StoreError           the database cannot be used
    └── SourceError          a site that papers come from cannot be read

``config.settings.SettingsError`` stands outside the tree: settings are read before anything of ours runs.

Each class has a ``code``, which is its label in the log and the metrics.
"""

import datetime as dt
from typing import ClassVar

MAX_SENTENCE = 200
"""Longest sentence of a ``UserError``, in characters."""


class PaperRoundError(Exception):
    """Whatever Paper Round itself refuses or fails to do; its text is one sentence."""

    code: ClassVar[str] = "error"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class UserError(PaperRoundError):
    """A sentence for the person who asked: what is wrong and what to do.

    A sentence longer than ``MAX_SENTENCE`` is cut, so that echoing what was typed can never
    flood a channel.
    """

    code = "user_error"

    def __init__(self, sentence: str) -> None:
        if len(sentence) > MAX_SENTENCE:
            sentence = sentence[: MAX_SENTENCE - 1].rstrip() + "…"
        super().__init__(sentence)


class InvalidInput(UserError):
    """What was typed cannot be used as it stands."""

    code = "invalid_input"


class NotFound(UserError):
    """What was asked for is not there."""

    code = "not_found"


class NotPermitted(UserError):
    """The person, or the bot, may not do this here."""

    code = "not_permitted"


class Conflict(UserError):
    """It collides with something that exists already."""

    code = "conflict"


class Unavailable(PaperRoundError):
    """It cannot be done now and may work later."""

    code = "unavailable"


class StoreError(PaperRoundError):
    """The database cannot be opened, is not ours, or is newer than this version."""

    code = "store"


class SourceError(PaperRoundError):
    """A site cannot be read; the sentence says which one, why, and when to try again.

    Attributes:
        status: the HTTP status that it answered with last, if it answered.
        come_back_at: the earliest instant at which it may be asked again, where that is known.
    """

    code = "source"

    def __init__(self, sentence: str, *, status: int | None = None, come_back_at: dt.datetime | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.come_back_at = come_back_at
