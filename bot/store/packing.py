"""How the long texts of a paper are kept: its abstract and what sources brought, deflated together.

What a source brought repeats the abstract nearly word for word, so that in one stream it costs a tenth of
its size; the abstract stands first, and reading it alone costs no more than itself. A preset dictionary of the
words that papers and records share (``phrases.txt``, by their number of occurrences) saves another sixth. It belongs
to the format: whatever was packed with it is unreadable without it, so it never changes.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from bot.errors import StoreError

_LEVEL = 6
_KEYS = (
    "published_on track year venue keywords url openreview arxiv doi https://openreview.net/forum?id= "
    'https://arxiv.org/abs/ "}"]][[" {\\"id\\":\\" \\",\\"url\\":\\"https:// \\",\\"venue\\":\\" \\",\\"year\\":20 '
    ',\\"keywords\\":[\\" \\"],\\"authors\\":[\\" \\",\\"title\\":\\" \\",\\"abstract\\":\\"'
)
_DICTIONARY = resources.files("bot.store").joinpath("phrases.txt").read_bytes() + _KEYS.encode()
_ORIGINALS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_RAW_STREAM = -14  # zlib, deflateInit2: no header, a window of 16 KiB
_LITTLE_MEMORY = 7
# A copy costs half of what it takes to learn the dictionary anew.
_READY = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW_STREAM, _LITTLE_MEMORY, zdict=_DICTIONARY)


@dataclass(frozen=True, kw_only=True)
class Original:
    """What one source brought for a paper.

    Attributes:
        source: its name.
        record: the record as it came, as JSON text.
    """

    source: str
    record: str


def pack(abstract: str | None, originals: Sequence[Original]) -> tuple[int | None, bytes]:
    """Return the abstract's size in bytes, or None where there is none, and everything packed."""
    head = None if abstract is None else abstract.encode("utf-8")
    tail = _ORIGINALS.encode([[one.source, one.record] for one in originals])
    packer = _READY.copy()
    packed = packer.compress((head or b"") + tail.encode("utf-8")) + packer.flush()
    return None if head is None else len(head), packed


def unpack_abstract(size: int | None, packed: bytes) -> str | None:
    """Return the abstract alone.

    Raises:
        StoreError: the bytes are damaged.
    """
    if size is None:
        return None
    return _inflated(packed, size).decode("utf-8") if size else ""


def unpack(size: int | None, packed: bytes) -> tuple[str | None, tuple[Original, ...]]:
    """Return the abstract and the originals.

    Raises:
        StoreError: the bytes are damaged.
    """
    content = _inflated(packed, 0)
    start = size or 0
    originals = tuple(Original(source=source, record=record) for source, record in json.loads(content[start:]))
    return None if size is None else content[:start].decode("utf-8"), originals


def _inflated(packed: bytes, most: int) -> bytes:
    """Return the first ``most`` bytes that were packed, or all when it is 0."""
    unpacker = zlib.decompressobj(_RAW_STREAM, zdict=_DICTIONARY)
    try:
        content = unpacker.decompress(packed, most)
        if len(content) < most or (most == 0 and not unpacker.eof):
            raise zlib.error("it ends too early")
    except zlib.error as error:
        raise StoreError(
            f"The library is damaged: a paper's text cannot be read ({error}). Restore a backup."
        ) from error
    return content
