"""The short names that conferences and journals go by."""

import re

_FULL_NAMES = {
    r"international conference on learning representations": "ICLR",
    r"(?:advances in )?neural information processing systems": "NeurIPS",
    r"international conference on machine learning": "ICML",
    r"findings of the association for computational linguistics:?\s*([a-z]+)": "{} Findings",
    r"north american chapter of the association for computational linguistics": "NAACL",
    r"european chapter of the association for computational linguistics": "EACL",
    r"annual meeting of the association for computational linguistics": "ACL",
    r"transactions of the association for computational linguistics": "TACL",
    r"empirical methods in natural language processing": "EMNLP",
    r"international conference on computational linguistics": "COLING",
    r"conference on language modeling": "COLM",
    r"computer vision and pattern recognition": "CVPR",
    r"international conference on computer vision": "ICCV",
    r"european conference on computer vision": "ECCV",
    r"aaai conference on artificial intelligence": "AAAI",
    r"international joint conferences? on artificial intelligence": "IJCAI",
    r"artificial intelligence and statistics": "AISTATS",
    r"uncertainty in artificial intelligence": "UAI",
    r"conference on robot learning": "CoRL",
    r"knowledge discovery and data mining": "KDD",
    r"transactions on machine learning research": "TMLR",
    r"journal of machine learning research": "JMLR",
    r"corr|(?:arxiv|corr)(?:\.org)?(?:\s+(?:preprint|e-prints?))?(?:\s+\S*\d{4}\S*(?:\s+\[\S+\])?)?": "arXiv",
}
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), short) for pattern, short in _FULL_NAMES.items()]
_WHOLE = frozenset({"arXiv"})
_ACRONYM = re.compile(r"\b([A-Z][A-Za-z]*[A-Z]+)\W{0,2}(?:19|20)\d\d\b")
_WORKSHOP = re.compile(r"\b(?:workshops?|tutorials?|demonstrations?|student research)\b", re.IGNORECASE)
_SUBMITTED = re.compile(r"^\s*(?:submitted to|under review)\b", re.IGNORECASE)
_LONGEST = 500


def short_venue(text: str | None) -> str | None:
    """Return the short name of a venue where it is beyond doubt, else the name as it is; None for a mere submission.

    "Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics" is "ACL"; a workshop
    at a conference is not the conference.
    """
    name = " ".join((text or "")[:_LONGEST].replace("{", "").replace("}", "").split())
    if not name or _SUBMITTED.match(name):
        return None
    if _WORKSHOP.search(name):
        return name
    for pattern, short in _PATTERNS:
        found = pattern.fullmatch(name) if short in _WHOLE else pattern.search(name)
        if found:
            return short.format(found[1].upper()) if "{}" in short else short
    acronym = _ACRONYM.search(name)
    return acronym[1] if acronym else name


def venue_year_track(text: str | None) -> tuple[str | None, int | None, str | None]:
    """Return what OpenReview's "ICLR 2024 poster" and "TMLR" say: the venue, the year, the track in small letters."""
    found = re.fullmatch(
        r"\s*(.{2,80}?)\s+((?:19|20)\d\d)\b\s*(?:conference\b\s*)?(.{0,80})", text or "", re.IGNORECASE
    )
    if found is None:
        return short_venue(text), None, None
    track = re.search(r"\b(oral|spotlight|poster|notable)\b", found[3], re.IGNORECASE)
    return found[1], int(found[2]), track[1].lower() if track else None
