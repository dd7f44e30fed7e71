"""Summaries: sentences of a paper, verbatim and in their order."""

from collections.abc import Sequence
from functools import lru_cache

from bot.errors import InvalidInput
from bot.models import Paper, Summary, SummaryOf
from bot.summaries.rankers import Lead, Learned, Ranker
from bot.text.sentences import split
from bot.text.words import words

MOST_SENTENCES = 10
_MOST_RANKED = 120
"""Sentences a ranker sees; abstracts have ten, and some algorithms take quadratic time."""
_LONGEST_SENTENCE = 2_000
"""Characters of one sentence that a ranker sees."""
_KEPT = 1_024
"""Summaries that are remembered: a morning's digests ask for the same few papers again and again."""
_LONGEST_KEPT = 20_000
"""Characters of a text whose summary is remembered; abstracts have 2,000."""

_OWN: dict[str, type[Learned] | type[Lead]] = {"learned": Learned, "lead": Lead}
_SUMY = ("lexrank", "textrank", "lsa", "luhn", "kl", "sumbasic", "reduction", "edmundson")


class Summarizer:
    """Draws summaries with one ranker unless another is asked for."""

    def __init__(self, ranker_name: str = "learned") -> None:
        self.ranker_name = _known(ranker_name)

    @staticmethod
    def ranker_names() -> tuple[str, ...]:
        """Return the names of all rankers, our own first."""
        return (*_OWN, *_SUMY)

    def summarize(self, paper: Paper, *, sentences: int = 1, ranker: str | None = None) -> Summary:
        """Return the sentences that tell most of ``paper``, taken from its abstract, else its synopsis.

        About 1 ms with our own rankers and an abstract of ten sentences, and nothing where the same was asked lately;
        the first use of another ranker loads sumy (0.2 s). May be called from several threads.

        Raises:
            InvalidInput: no ranker has that name, or ``sentences`` is not in 1..10.
        """
        name = _known(ranker or self.ranker_name)
        of = SummaryOf.ABSTRACT if paper.abstract else SummaryOf.SYNOPSIS if paper.synopsis else SummaryOf.NOTHING
        title = None if paper.title_made else paper.title
        _check(sentences)
        kept = len(paper.text) <= _LONGEST_KEPT
        indexes, chosen = (_remembered if kept else _summarized)(name, title, paper.text, sentences)
        return Summary(sentences=chosen, indexes=indexes, ranker=name, of=of if chosen else SummaryOf.NOTHING)

    def summarize_text(
        self, title: str | None, sentences: Sequence[str] | str, *, count: int, ranker: str | None = None
    ) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return the positions and the sentences that tell most, in the order of the text.

        Args:
            title: the paper's own title; None where it has none.
            sentences: a text, or its sentences where they are split already.
            count: 1..10; fewer come back where the text has fewer different sentences, and a text that has no more
                comes back whole.
            ranker: a name from ``ranker_names``; None is this summarizer's own.

        Raises:
            InvalidInput: no ranker has that name, or ``count`` is not in 1..10.
        """
        name = _known(ranker or self.ranker_name)
        _check(count)
        return _summarized(name, title, sentences, count)


def _check(count: int) -> None:
    if not 1 <= count <= MOST_SENTENCES:
        raise InvalidInput(f"A summary has 1 to {MOST_SENTENCES} sentences; {count} is not possible.")


def _summarized(
    name: str, title: str | None, text: Sequence[str] | str, count: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    given = split(text) if isinstance(text, str) else list(text)
    short = len(given) <= count
    indexes = list(range(len(given))) if short else _choose(_ranker(name), given, title, count)
    return tuple(indexes), tuple(given[index] for index in indexes)


@lru_cache(maxsize=_KEPT)
def _remembered(name: str, title: str | None, text: str, count: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """``_summarized``, by all that it depends on: a corrected abstract or another ranker is another question."""
    return _summarized(name, title, text, count)


def _known(name: str) -> str:
    wanted = name.strip().lower()
    if wanted not in _OWN and wanted not in _SUMY:
        names = ", ".join(Summarizer.ranker_names())
        raise InvalidInput(f"There is no ranker “{name[:40]}”. Choose one of: {names}.")
    return wanted


def _ranker(name: str) -> Ranker:
    if name in _OWN:
        return _OWN[name]()
    from bot.summaries.sumy_rankers import sumy_ranker  # noqa: PLC0415 (sumy loads NLTK: 0.2 s and 36 MB, only when used)

    return sumy_ranker(name)


def _choose(ranker: Ranker, given: Sequence[str], title: str | None, count: int) -> list[int]:
    """Let the ranker choose among sentences with words, each once; others only fill up."""
    first_of: dict[str, int] = {}
    for index, sentence in enumerate(given[:_MOST_RANKED]):
        first_of.setdefault(sentence.strip(), index)
    worded = [index for sentence, index in first_of.items() if words(sentence)]
    if len(worded) > count:
        shown = [given[index][:_LONGEST_SENTENCE] for index in worded]
        chosen = [worded[index] for index in ranker.choose(shown, title, count)]
    else:
        spare = [index for sentence, index in first_of.items() if sentence and index not in worded]
        chosen = [*worded, *spare][:count]
    return sorted(chosen)
