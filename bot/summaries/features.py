"""What tells the sentence of an abstract that says what the paper does: one row of numbers a sentence. Pure."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.summaries.wording import content, similarity
from bot.text.words import words


def _pattern(text: str) -> Callable[[str], object]:
    return re.compile(text, re.IGNORECASE).search


_WE = r"\bwe (?:\w+ )?"
_THIS_PAPER = r"\b(?:this|our|the present) (?:paper|work|article|study|contribution|report|thesis)\b"

CUES: dict[str, Callable[[str], object]] = {
    "we_propose": _pattern(
        _WE + r"(?:propose|introduce|present|develop|describe|design|devise|construct|formulate|put forward|advocate)\b"
    ),
    "we_show": _pattern(
        _WE + r"(?:show|demonstrate|prove|establish|find|observe|provide|derive|reveal|argue|identify|verify)\b"
    ),
    "we_study": _pattern(
        _WE + r"(?:study|investigat|explore|analy[sz]e|examine|consider|address|tackle|revisit|focus|aim|ask|seek"
        r"|compare|evaluate|apply|extend|use|train|learn|build|create)"
    ),
    "this_paper": _pattern(_THIS_PAPER),
    "paper_says": _pattern(
        _THIS_PAPER + r" (?:\w+ )?(?:propos|introduc|present|develop|describ|show|demonstrat|prov|stud|investigat"
        r"|explor|analy|address|offer|review)"
    ),
    "to_this_end": _pattern(
        r"^(?:here\b|in this (?:paper|work)|to (?:this end|address|tackle|overcome|solve|bridge|fill|alleviate|mitigate"
        r"|remedy)\b)"
    ),
    "our_method": _pattern(
        r"\bour (?:\w+ )?(?:method|approach|model|algorithm|framework|technique|architecture|results|system|experiments"
        r"|analysis|proposed|key|main)\b"
    ),
    "novel": _pattern(r"\b(?:novel|new|first)\b"),
    "praise": _pattern(r"\b(?:simple|effective|efficient|general|scalable|robust|end-to-end|unified|fast)\b"),
    "propose": _pattern(r"\b(?:propos|introduc|present)(?:e|es|ed|ing)?\b"),
    "called": _pattern(r"\b(?:called|named|termed|dubbed|referred to as|coined)\b"),
    "better": _pattern(r"\b(?:state[- ]of[- ]the[- ]art|outperform|superior|competitive|significantly|improv|better)"),
    "tested": _pattern(r"\b(?:experiment|empirical|evaluat|benchmark|dataset|tasks)"),
    "results_show": _pattern(
        r"\b(?:results|experiments|evaluations?|analysis|findings)\b.{0,40}?\b(?:show|demonstrate|suggest|indicate|reveal"
        r"|confirm|validate)"
    ),
    "however": _pattern(r"^(?:however|but|yet|unfortunately|nevertheless|despite|although|while|though|still)\b"),
    "recent": _pattern(
        r"\b(?:recent|recently|existing|previous|prior|traditional|current|conventional|most|many|often|typically"
        r"|usually)\b"
    ),
    "moreover": _pattern(
        r"^(?:moreover|furthermore|additionally|in addition|also|finally|besides|second|third|lastly|then|further)\b"
    ),
    "in_particular": _pattern(
        r"^(?:specifically|in particular|concretely|for (?:example|instance)|more specifically|intuitively|notably)\b"
    ),
    "thus": _pattern(r"^(?:thus|therefore|hence|consequently|as a result|in contrast|unlike|instead|by)\b"),
    "anaphor": _pattern(
        r"^(?:this|these|those|it|they|such|both|the (?:proposed|resulting|latter|former|method|model|key|main))\b"
    ),
    "background": _pattern(
        r"\b(?:important|fundamental|crucial|challeng|problem|difficult|essential|central|success|popular|widely"
        r"|has been|have been|has become|is a|are a)\b"
    ),
    "availability": _pattern(r"\bcode\b|https?:|github|available at|publicly"),
    "number": _pattern(r"\d"),
    "aside": _pattern(r"\("),
    "colon": _pattern(":"),
    "by_doing": _pattern(r"\b(?:by|via|through|for|based on) \w+ing\b"),
    "that_can": _pattern(r"\bthat (?:can|is|are|allows|enables|learns|uses|does|combines)\b"),
    "effect": _pattern(r"\b(?:allow|enabl|lead|result|achiev|reduc|provid)\w*\b"),
    "we": _pattern(r"\bwe\b"),
    "our": _pattern(r"\bour\b"),
    "theory": _pattern(r"\b(?:theor|bound|converge|guarantee|proof|optimal|provabl)"),
    "method_noun": _pattern(
        r"\b(?:method|approach|model|algorithm|framework|technique|architecture|network|mechanism|strategy|objective"
        r"|loss|dataset|benchmark|regulari[sz]\w+)\b"
    ),
}
_DANGLING = _pattern(
    r"^(?:however|but|yet|unfortunately|nevertheless|nonetheless|this|these|those|it|they|such|moreover|furthermore"
    r"|additionally|also|in addition|besides|finally|thus|therefore|hence|for (?:example|instance)|specifically"
    r"|in particular|instead|consequently|as a result|in contrast|accordingly|conversely|similarly)\b"
    r"(?! (?:paper|work|article|study|thesis|report)\b)"
)


@dataclass(frozen=True)
class _Text:
    """What the features of every sentence of one text are measured against."""

    bags: Sequence[Counter[str]]
    whole: Counter[str]
    title: Counter[str]
    coined: str | None
    proposing: int | None
    central: Sequence[float]


def bags_of(sentences: Sequence[str]) -> list[Counter[str]]:
    """Return the words that carry meaning of each sentence, counted."""
    return [Counter(content(sentence)) for sentence in sentences]


def dangles(sentence: str) -> bool:
    """Whether the sentence leans on the one before it, as those that begin with *However* or *This* do."""
    return bool(_DANGLING(sentence))


def of_sentences(sentences: Sequence[str], title: str | None) -> list[dict[str, float]]:
    """Return the features of each sentence by name, most of them 0..1; comparable within one text only.

    Args:
        sentences: the text's, in order.
        title: the paper's own title; without one, the features that compare with it are 0.
    """
    bags = bags_of(sentences)
    whole: Counter[str] = Counter()
    for bag in bags:
        whole.update(bag)
    found = [{name: float(bool(cue(sentence))) for name, cue in CUES.items()} for sentence in sentences]
    text = _Text(
        bags=bags,
        whole=whole,
        title=Counter(content(title or "")),
        coined=_coined(title),
        proposing=next((index for index, cues in enumerate(found) if cues["we_propose"] or cues["paper_says"]), None),
        central=[similarity(bag, whole) for bag in bags],
    )
    return [
        cues | _place(index, text) | _length(sentence, text.bags[index]) | _closeness(index, sentence, cues, text)
        for index, (sentence, cues) in enumerate(zip(sentences, found, strict=True))
    ]


def _place(index: int, text: _Text) -> dict[str, float]:
    last = len(text.bags) - 1
    return {
        "first": float(index == 0),
        "second": float(index == 1),
        "last": float(index == last),
        "depth": index / max(1, last),
        "depth_squared": (index / max(1, last)) ** 2,
        "proposes_first": float(index == text.proposing),
        "after_proposal": float(text.proposing is not None and index == text.proposing + 1),
        "before_proposal": float(text.proposing is not None and index < text.proposing),
    }


def _length(sentence: str, bag: Counter[str]) -> dict[str, float]:
    found = words(sentence)
    many = len(found)
    return {
        "log_length": math.log(many + 1),
        "length": many / 30,
        "length_squared": (many / 30) ** 2,
        "too_long": max(0, many - 30) / 20,
        "too_short": max(0, 14 - many) / 10,
        "density": bag.total() / max(1, many),
        "capitals": sum(sum(sign.isupper() for sign in word) >= 2 for word in sentence.split()) / 5,
    }


def _closeness(index: int, sentence: str, cues: Mapping[str, float], text: _Text) -> dict[str, float]:
    bag = text.bags[index]
    shared = text.title.keys() & bag.keys()
    of_title = len(shared) / len(text.title) if shared else 0.0
    neighbours = [similarity(bag, text.bags[near]) for near in (index - 1, index + 1) if 0 <= near < len(text.bags)]
    return {
        "central": text.central[index],
        "most_central": float(text.central[index] == max(text.central)),
        "near_neighbours": sum(neighbours) / len(neighbours) if neighbours else 0.0,
        "common": sum(text.whole[word] for word in bag) / max(1, len(bag)) / 3,
        "of_title": of_title,
        "in_title": len(shared) / len(bag) if shared else 0.0,
        "like_title": similarity(bag, text.title) if shared else 0.0,
        "title_proposed": of_title * max(cues["we_propose"], cues["paper_says"], cues["propose"]),
        "title_coined": float(text.coined is not None and text.coined in sentence.lower()),
    }


def _coined(title: str | None) -> str | None:
    """Return the name a title begins with, as in *Nimbus: Sharing Clouds*, in lower case."""
    name = re.match(r"\s*([A-Za-z][\w+-]{1,20})\s*[:\u2013]", title or "")
    return name[1].lower() if name else None
