"""One process at a time delivers from a store."""

from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from bot.errors import StoreError


class Claim:
    """The right to run the bot on a store, held while the context is open.

    The operating system frees it when the process ends, however it ends. Reading and importing
    need no claim.
    """

    def __init__(self, store: Path) -> None:
        self._store = store
        self._lock = FileLock(store.with_name(f"{store.name}.lock"), timeout=0)

    def __enter__(self) -> Self:
        """Take the claim.

        Raises:
            StoreError: another process holds it, or the folder cannot be written.
        """
        try:
            self._store.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise StoreError(
                f"Another Paper Round is running on {self._store}. Stop it first, or give this one its own --store."
            ) from error
        except OSError as error:
            raise StoreError(f"The folder of {self._store} cannot be written: {error}.") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
