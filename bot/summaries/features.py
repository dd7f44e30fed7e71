"""What tells the sentence of an abstract that says what the paper does: one row of numbers a sentence. Pure."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.summaries.wording import content, norm, similarity
from bot.text.words import words

_THIS_PAPER = r"\b(?:this|our|the present) (?:paper|work|article|study|contribution|report|thesis)\b"

# Cues of one word, so that what a word speaks for is found once.
_OF_A_WORD = {
    "novel": r"novel|new|first",
    "praise": r"simple|effective|efficient|general|scalable|robust|unified|fast",
    "propose": r"(?:propos|introduc|present)(?:e|es|ed|ing)?",
    "called": r"called|named|termed|dubbed|referred|coined",
    "better": r"art|outperform.*|superior|competitive|significantly|improv.*|better",
    "tested": r"experiment.*|empirical.*|evaluat.*|benchmark.*|dataset.*|tasks.*",
    "recent": r"recent|recently|existing|previous|prior|traditional|current|conventional|most|many|often|typically"
    r"|usually",
    "background": r"important|fundamental|crucial|challeng.*|problem.*|difficult.*|essential|central|success.*"
    r"|popular.*|widely|been|become",
    "availability": r"code|https?|github|available|publicly",
    "effect": r"(?:allow|enabl|lead|result|achiev|reduc|provid).*",
    "we": r"we",
    "our": r"our",
    "theory": r"(?:theor|bound|converge|guarantee|proof|optimal|provabl).*",
    "method_noun": r"method|approach|model|algorithm|framework|technique|architecture|network|mechanism|strategy"
    r"|objective|loss|dataset|benchmark|regulari[sz].*",
}
# Cues of several words, each with those without one of which it cannot be there.
_OF_WORDS = {
    "we_propose": (
        "we",
        (
            r"\bwe (?:\w+ )?(?:propose|introduce|present|develop|describe|design|devise|construct|formulate|put forward"
            r"|advocate)\b"
        ),
    ),
    "we_show": (
        "we",
        (
            r"\bwe (?:\w+ )?(?:show|demonstrate|prove|establish|find|observe|provide|derive|reveal|argue|identify"
            r"|verify)\b"
        ),
    ),
    "we_study": (
        "we",
        (
            r"\bwe (?:\w+ )?(?:study|investigat|explore|analy[sz]e|examine|consider|address|tackle|revisit|focus|aim"
            r"|ask|seek|compare|evaluate|apply|extend|use|train|learn|build|create)"
        ),
    ),
    "this_paper": ("this our present", _THIS_PAPER),
    "paper_says": (
        "this our present",
        _THIS_PAPER + r" (?:\w+ )?(?:propos|introduc|present|develop|describ|show|demonstrat|prov|stud|investigat"
        r"|explor|analy|address|offer|review)",
    ),
    "our_method": (
        "our",
        (
            r"\bour (?:\w+ )?(?:method|approach|model|algorithm|framework|technique|architecture|results|system"
            r"|experiments|analysis|proposed|key|main)\b"
        ),
    ),
    "results_show": (
        "results experiments evaluation evaluations analysis findings",
        (
            r"\b(?:results|experiments|evaluations?|analysis|findings)\b.{0,40}?\b(?:show|demonstrate|suggest|indicate"
            r"|reveal|confirm|validate)"
        ),
    ),
    "by_doing": ("by via through for on", r"\b(?:by|via|through|for|based on) \w+ing\b"),
    "that_can": ("that", r"\bthat (?:can|is|are|allows|enables|learns|uses|does|combines)\b"),
    "is_a": ("is are has have", r"\b(?:is a|are a|has been|have been|has become)\b"),
}
# What a sentence begins with.
_OPENINGS = {
    "to_this_end": r"(?:here\b|in this (?:paper|work)|to (?:this end|address|tackle|overcome|solve|bridge|fill"
    r"|alleviate|mitigate|remedy)\b)",
    "however": r"(?:however|but|yet|unfortunately|nevertheless|despite|although|while|though|still)\b",
    "moreover": r"(?:moreover|furthermore|additionally|in addition|also|finally|besides|second|third|lastly|then"
    r"|further)\b",
    "in_particular": r"(?:specifically|in particular|concretely|for (?:example|instance)|more specifically"
    r"|intuitively|notably)\b",
    "thus": r"(?:thus|therefore|hence|consequently|as a result|in contrast|unlike|instead|by)\b",
    "anaphor": r"(?:this|these|those|it|they|such|both|the (?:proposed|resulting|latter|former|method|model|key"
    r"|main))\b",
}
_DANGLING = re.compile(
    r"(?:however|but|yet|unfortunately|nevertheless|nonetheless|this|these|those|it|they|such|moreover|furthermore"
    r"|additionally|also|in addition|besides|finally|thus|therefore|hence|for (?:example|instance)|specifically"
    r"|in particular|instead|consequently|as a result|in contrast|accordingly|conversely|similarly)\b"
    r"(?! (?:paper|work|article|study|thesis|report)\b)"
)
_CAPITALS = re.compile(r"\S*[A-Z]\S*[A-Z]")

# Case is folded before, because a pattern that ignores case takes twice the time.
_word_cues = {name: re.compile(pattern).fullmatch for name, pattern in _OF_A_WORD.items()}
_phrase_cues = {
    name: (frozenset(needs.split()), re.compile(pattern).search) for name, (needs, pattern) in _OF_WORDS.items()
}
_opening_cues: dict[str, Callable[[str], object]] = {
    name: re.compile(pattern).match for name, pattern in _OPENINGS.items()
}


@dataclass(frozen=True)
class _Sentence:
    """One sentence, read once."""

    text: str
    lowered: str
    words: Sequence[str]
    bag: Counter[str]
    cues: Mapping[str, float]


@dataclass(frozen=True)
class _Text:
    """What the features of every sentence of one text are measured against."""

    sentences: Sequence[_Sentence]
    whole: Counter[str]
    title: Counter[str]
    coined: str | None
    proposing: int | None
    central: Sequence[float]


def bag_of(text: str) -> Counter[str]:
    """Return the words of ``text`` that carry meaning, counted."""
    return Counter(content(words(text)))


def dangles(sentence: str) -> bool:
    """Whether the sentence leans on the one before it, as those that begin with *However* or *This* do."""
    return _DANGLING.match(sentence.lower()) is not None


def of_sentences(sentences: Sequence[str], title: str | None) -> list[dict[str, float]]:
    """Return the features of each sentence by name, most of them 0..1; comparable within one text only.

    Args:
        sentences: the text's, in order.
        title: the paper's own title; without one, the features that compare with it are 0.
    """
    read = [_read(sentence) for sentence in sentences]
    whole: Counter[str] = Counter()
    for sentence in read:
        whole.update(sentence.bag)
    size = norm(whole)
    text = _Text(
        sentences=read,
        whole=whole,
        title=bag_of(title or ""),
        coined=_coined(title),
        proposing=next(
            (index for index, one in enumerate(read) if one.cues["we_propose"] or one.cues["paper_says"]), None
        ),
        central=[similarity(one.bag, whole, of_other=size) for one in read],
    )
    return [
        {**one.cues, **_place(index, text), **_length(one), **_closeness(index, text)} for index, one in enumerate(read)
    ]


def _read(sentence: str) -> _Sentence:
    lowered, found = sentence.lower(), words(sentence)
    present = set(found)
    cues = dict.fromkeys(_OF_A_WORD, 0.0)
    for word in present:
        for name in _cues_of(word):
            cues[name] = 1.0
    for name, (needed, search) in _phrase_cues.items():
        cues[name] = 0.0 if needed.isdisjoint(present) or search(lowered) is None else 1.0
    for name, match in _opening_cues.items():
        cues[name] = 0.0 if match(lowered) is None else 1.0
    cues["number"] = float(any(word[0].isdigit() for word in present))
    cues["aside"] = float("(" in sentence)
    cues["colon"] = float(":" in sentence)
    return _Sentence(sentence, lowered, found, Counter(content(found)), cues)


@lru_cache(maxsize=50_000)
def _cues_of(word: str) -> tuple[str, ...]:
    return tuple(name for name, matches in _word_cues.items() if matches(word))


def _place(index: int, text: _Text) -> dict[str, float]:
    last = len(text.sentences) - 1
    depth = index / max(1, last)
    return {
        "first": float(index == 0),
        "second": float(index == 1),
        "last": float(index == last),
        "depth": depth,
        "depth_squared": depth**2,
        "proposes_first": float(index == text.proposing),
        "after_proposal": float(text.proposing is not None and index == text.proposing + 1),
        "before_proposal": float(text.proposing is not None and index < text.proposing),
    }


def _length(sentence: _Sentence) -> dict[str, float]:
    many = len(sentence.words)
    return {
        "log_length": math.log(many + 1),
        "length": many / 30,
        "length_squared": (many / 30) ** 2,
        "too_long": max(0, many - 30) / 20,
        "too_short": max(0, 14 - many) / 10,
        "density": sentence.bag.total() / max(1, many),
        "capitals": len(_CAPITALS.findall(sentence.text)) / 5,
    }


def _closeness(index: int, text: _Text) -> dict[str, float]:
    sentence = text.sentences[index]
    bag, cues = sentence.bag, sentence.cues
    shared = text.title.keys() & bag.keys()
    of_title = len(shared) / len(text.title) if shared else 0.0
    neighbours = [
        similarity(bag, text.sentences[near].bag) for near in (index - 1, index + 1) if 0 <= near < len(text.sentences)
    ]
    return {
        "central": text.central[index],
        "most_central": float(text.central[index] == max(text.central)),
        "near_neighbours": sum(neighbours) / len(neighbours) if neighbours else 0.0,
        "common": sum(map(text.whole.__getitem__, bag)) / max(1, len(bag)) / 3,
        "of_title": of_title,
        "in_title": len(shared) / len(bag) if shared else 0.0,
        "like_title": similarity(bag, text.title) if shared else 0.0,
        "title_proposed": of_title * max(cues["we_propose"], cues["paper_says"], cues["propose"]),
        "title_coined": float(text.coined is not None and text.coined in sentence.lowered),
    }


def _coined(title: str | None) -> str | None:
    """Return the name a title begins with, as in *Nimbus: Sharing Clouds*, in lower case."""
    name = re.match(r"\s*([A-Za-z][\w+-]{1,20})\s*[:\u2013]", title or "")
    return name[1].lower() if name else None
