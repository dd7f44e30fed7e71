"""The rankers of sumy, fed with our sentences and words, so that they need nothing from NLTK or the network."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

from sumy import utils
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.edmundson import EdmundsonSummarizer
from sumy.summarizers.kl import KLSummarizer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.luhn import LuhnSummarizer
from sumy.summarizers.reduction import ReductionSummarizer
from sumy.summarizers.sum_basic import SumBasicSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer

from bot.summaries.rankers import Ranker
from bot.text.words import words


class _SteadyLsa(LsaSummarizer):
    """sumy numbers the words in the order of a set, so that its picks change from one process to the next."""

    def _create_dictionary(self, document: Any) -> dict[object, int]:
        numbered = super()._create_dictionary(document)  # pyright: ignore[reportUnknownMemberType] (sumy has no types)
        return {word: row for row, word in enumerate(sorted(numbered, key=str))}


_SUMMARIZERS: dict[str, Callable[..., Any]] = {
    "lexrank": LexRankSummarizer,
    "textrank": TextRankSummarizer,
    "lsa": _SteadyLsa,
    "luhn": LuhnSummarizer,
    "kl": KLSummarizer,
    "sumbasic": SumBasicSummarizer,
    "reduction": ReductionSummarizer,
    "edmundson": EdmundsonSummarizer,
}
# Edmundson (1969) asks for words that speak for a sentence and against one; sumy has none.
_BONUS = (
    "propose introduce present show demonstrate prove develop novel new method approach model framework algorithm "
    "results achieve outperform significant contribution paper work we our"
).split()
_STIGMA = (
    "however although recently existing previous prior traditional often typically usually many some although "
    "example instance available code difficult challenging hard problem"
).split()

_stop_words = cast("Callable[[str], frozenset[str]]", utils.get_stop_words)  # pyright: ignore[reportUnknownMemberType] (sumy has no types)


class _Words:
    """What sumy asks of a tokenizer, without NLTK's data (miso-belica/sumy#216)."""

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(words(sentence))

    def to_sentences(self, paragraph: str) -> tuple[str, ...]:
        return (paragraph,)


class SumyRanker:
    """One algorithm of sumy, by its name here."""

    def __init__(self, name: str) -> None:
        self.name = name
        summarizer = _SUMMARIZERS[name](Stemmer("english"))
        if isinstance(summarizer, EdmundsonSummarizer):
            for kind, chosen in (("bonus", _BONUS), ("stigma", _STIGMA), ("null", _stop_words("english"))):
                setattr(summarizer, f"{kind}_words", chosen)
        else:
            summarizer.stop_words = _stop_words("english")
        self._summarize = cast("Callable[[object, int], Sequence[object]]", summarizer)

    def choose(self, sentences: Sequence[str], title: str | None, count: int) -> list[int]:
        """Return the indexes sumy chooses, in the order of the text; the first ones where only stop words are left."""
        tokenizer = _Words()
        nodes = [Sentence(sentence, tokenizer) for sentence in sentences]
        heading = [Sentence(title, tokenizer, is_heading=True)] if title else []
        document = ObjectDocumentModel([Paragraph([*heading, *nodes])])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picked = self._summarize(document, count)
        wanted = {id(node) for node in picked}
        chosen = [index for index, node in enumerate(nodes) if id(node) in wanted]
        return chosen or list(range(count))


def sumy_ranker(name: str) -> Ranker:
    """Return the ranker of sumy called ``name``, new: sumy's objects remember, ours are not shared."""
    return SumyRanker(name)
