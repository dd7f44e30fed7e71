"""A display title for a paper that came without one, made from its own words."""

import re

LONGEST_MADE_TITLE = 90
"""Characters."""

_LOOKED_AT = 8_000

# "We propose Reinforcement Learning from Contrastive Distillation (RLCD), a method …", "This paper introduces …".
_INTRODUCES = re.compile(
    r"\b(?:we|this (?:paper|work|article|study)|our (?:paper|work)|authors)\s+"
    r"(?:(?:then|thus|therefore|also|further|hence|first|here)\s+)?"
    r"(?:propose|present|introduce|develop|describe|design|devise)s?\s+(?:and\s+\w+\s+)?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the use of|an?|the|our|novel|new)\s+", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:called|named|dubbed|termed|coined|namely|referred to as)\s+", re.IGNORECASE)
_ABBREVIATION = re.compile(r"\(([A-Z][\w\-]*[A-Z][\w\-+]*|[A-Z]{2,}[\w\-+]*)\)")
_STUDIES = re.compile(
    r"\b(?:we|this (?:paper|work|article|study))\s+(?:(?:also|here|first)\s+)?"
    r"(?:study|studies|considers?|investigates?|analy[sz]es?|shows?|proves?|examines?|address(?:es)?|explores?|revisits?|"
    r"focus(?:es)? on|tackles?)\s+(?:that\s+|the (?:problem|task|question) of\s+)?",
    re.IGNORECASE,
)
# A method's description ends where it begins to say what it does.
_CLAUSE_END = re.compile(
    r"[,;:.!?](?=\s|$)|\s[-–—]\s|—|"
    r"\s(?:which|that|where|who|whose|while|designed|in order to|so that|such that|"
    r"to (?=\w+ (?:the|this|these|a|an)\b))",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(])")
_VAGUE = re.compile(
    r"^(?:to\s|it\b|them\b|this\b|these\b|that\b|such\b|here\b|results?\b|experiments?\b|evidence\b|"
    r"(?:simple|novel|new|general|effective|efficient|first|two|three|several)?\s*(?:approach|method|framework|model|algorithm|technique|system)s?$)",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:\s+(?:a|an|the|of|for|to|in|on|with|by|and|or|from|at|as|via|using|is|are|be|that|which|into|over|under|between|"
    r"based|its|their|our|we|not|than|can|has|have|been))+$",
    re.IGNORECASE,
)


def made_title(text: str) -> str:
    """Return a title for readable text: the method it introduces, else what it studies, else its first words.

    At most ``LONGEST_MADE_TITLE`` characters, ending at a word's end and without a stop; never empty
    where the text is not.
    """
    text = " ".join(text[:_LOOKED_AT].split())
    for pattern in (_INTRODUCES, _STUDIES):
        for found in pattern.finditer(text):
            title = _named(text[found.end() :])
            if title:
                return title
    sentences = _SENTENCE_END.split(text)
    return _finished(next((sentence for sentence in sentences if len(sentence.split()) >= 4), text))


def _named(rest: str) -> str | None:
    """Return what is introduced in ``rest``, which begins right after the verb."""
    sentence = _SENTENCE_END.split(rest, maxsplit=1)[0]
    called = _CALLED.search(sentence[:140])
    if called:
        name = _clause(sentence[called.end() :])
        if name and name[0].isupper() and len(name) >= 3:
            return _finished(name)
    abbreviation = _ABBREVIATION.search(sentence[: LONGEST_MADE_TITLE + 10])
    phrase = _clause(sentence)
    if abbreviation and (name := _with_abbreviation(sentence, abbreviation)):
        return name
    phrase = _ARTICLE.sub("", _ARTICLE.sub("", phrase))
    if len(phrase.split()) < 3 or _VAGUE.match(phrase):
        own_name = re.match(r"[A-Z]\S*[A-Z\d]\S*\b", phrase)
        if not own_name:
            return None
        after = sentence[sentence.find(phrase) + len(phrase) :].lstrip(" ,:–—-")
        told = _clause(_ARTICLE.sub("", after))
        return _finished(f"{phrase}: {told}") if told else _finished(phrase)
    return _finished(phrase)


def _with_abbreviation(sentence: str, abbreviation: re.Match[str]) -> str | None:
    """Return "ABC: a Big Concept" for "… a Big Concept (ABC) …", where nothing but its name stands before it."""
    full = _ARTICLE.sub("", _ARTICLE.sub("", sentence[: abbreviation.start()].strip()))
    if not full or re.search(r"[,;:.]\s", full) or len(full) + len(abbreviation[1]) + 2 > LONGEST_MADE_TITLE:
        return None
    return _finished(f"{abbreviation[1]}: {full[0].upper()}{full[1:]}")


def _clause(text: str) -> str:
    end = _CLAUSE_END.search(text)
    return text[: end.start()].strip() if end else text.strip()


def _finished(text: str) -> str:
    """Return the text cut at a word's end, without a stop, its first letter large."""
    text = text.strip()
    if len(text) > LONGEST_MADE_TITLE:
        cut = text[: LONGEST_MADE_TITLE + 1]
        text = cut.rsplit(" ", 1)[0] if " " in cut else text[:LONGEST_MADE_TITLE]
        if text.count("(") > text.count(")"):
            text = text.rsplit("(", 1)[0]
        text = _DANGLING.sub("", text)
    bare = text.strip().rstrip(" .,;:!?-–—…").strip() or text[:LONGEST_MADE_TITLE].strip()
    first = bare.split(" ", 1)[0]
    return bare[0].upper() + bare[1:] if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", first) and first.islower() else bare
