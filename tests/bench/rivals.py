"""What the search is compared with: RapidFuzz over all titles, FTS5 alone, and tantivy with fuzzy terms.

Each is built once over the papers and answers a query with at most ten of their numbers, best first.
"""

import importlib.util
import re
import sqlite3
from collections.abc import Callable, Sequence

from libraries import Row
from rapidfuzz import fuzz, process, utils

Answer = Callable[[str], list[int]]
MOST = 10
SLOW = frozenset({"WRatio", "token_set_ratio"})
"""They look at every title for each query and get fewer queries."""

_WORD = re.compile(r"[^\W_]+")
_COMMON = frozenset("a an the of in on for to and or with by from at as is are be via using towards toward".split())


def rivals(rows: Sequence[Row]) -> dict[str, Answer]:
    """Return the rivals by name; where tantivy is not installed, say so and leave it out."""
    found = {
        "WRatio": _rapidfuzz(rows, fuzz.WRatio),
        "token_set_ratio": _rapidfuzz(rows, fuzz.token_set_ratio),
        "FTS5": _fts5(rows),
    }
    if importlib.util.find_spec("tantivy") is None:
        print("NOT MEASURED: tantivy is not installed (pip install tantivy).")
        return found
    return found | {"tantivy": _tantivy(rows)}


def _rapidfuzz(rows: Sequence[Row], scorer: Callable[..., float]) -> Answer:
    titles = {row.id: utils.default_process(row.title) for row in rows}

    def answer(query: str) -> list[int]:
        return [one[2] for one in process.extract(utils.default_process(query), titles, scorer=scorer, limit=MOST)]

    return answer


def _words(query: str) -> list[str]:
    words = _WORD.findall(query.lower())
    return [word for word in words if word not in _COMMON] or words


def _fts5(rows: Sequence[Row]) -> Answer:
    """Stemmed title, authors and abstract by BM25: the papers with all the words, then those with some."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute(
        "CREATE VIRTUAL TABLE texts USING fts5 (title, authors, abstract, tokenize = 'porter unicode61')"
    )
    connection.executemany(
        "INSERT INTO texts (rowid, title, authors, abstract) VALUES (?, ?, ?, ?)",
        [(row.id, row.title, " ".join(row.authors), row.abstract) for row in rows],
    )

    def answer(query: str) -> list[int]:
        found: list[int] = []
        for joint in (" AND ", " OR "):
            match = joint.join(f'"{word}"' for word in _words(query))
            if match and len(found) < MOST:
                found += connection.execute(
                    "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 8, 4, 1) LIMIT ?", (match, MOST)
                ).fetchall()
        return list(dict.fromkeys(paper_id for (paper_id,) in found))[:MOST]

    return answer


def _tantivy(rows: Sequence[Row]) -> Answer:
    """Words of all fields that are at most one slip away, whole ones by BM25 besides."""
    import tantivy  # noqa: PLC0415 - need not be installed

    building = tantivy.SchemaBuilder()
    building.add_integer_field("id", stored=True)
    for name in ("title", "authors", "abstract"):
        building.add_text_field(name)
    schema = building.build()
    index = tantivy.Index(schema)
    writer = index.writer(100_000_000, 1)
    for row in rows:
        document = tantivy.Document()
        document.add_integer("id", row.id)
        document.add_text("title", row.title)
        document.add_text("authors", " ".join(row.authors))
        document.add_text("abstract", row.abstract or "")
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    boosts = {"title": 4.0, "authors": 3.0, "abstract": 1.0}

    def answer(query: str) -> list[int]:
        parts = []
        for word in _words(query):
            for name, boost in boosts.items():
                exact = tantivy.Query.term_query(schema, name, word)
                parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(exact, boost)))
                if len(word) >= 4:
                    near = tantivy.Query.fuzzy_term_query(schema, name, word, 1, True, False)
                    parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(near, boost)))
        if not parts:
            return []
        hits = searcher.search(tantivy.Query.boolean_query(parts), MOST).hits
        return [searcher.doc(address)["id"][0] for _, address in hits]

    return answer
