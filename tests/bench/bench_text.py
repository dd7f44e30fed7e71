"""Clean text: what is left of TeX, what is lost of words, how fast it goes; and pylatexenc alone beside it.

    python tests/bench/bench_text.py [--show]

``--show`` prints every snippet that is not clean or has lost something. Ends with one line of JSON. Without the real
data it says so and ends well.
"""

import gzip
import html
import itertools
import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import ftfy
from pylatexenc.latex2text import LatexNodes2Text

from bot.text.clean import clean_text
from bot.text.latex import readable

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_UNSEEN = re.compile(
    r"\\(?:label|vspace|hspace|begin|end|cite[a-z]*|ref|eqref|color|textcolor)\s*\*?(?:\[[^\]]*\])?\{[^{}]*\}|\\[A-Za-z]+|<[^<>]{1,400}>|&#?\w+;"
)


def ours(text: str) -> str:
    return readable(clean_text(text))


def pylatexenc_alone(text: str) -> str:
    try:
        return LatexNodes2Text().latex_to_text(text)
    except Exception:  # noqa: BLE001 - what a user would see is a crash
        return text


def is_clean(text: str) -> bool:
    """Return whether no backslash, lone dollar or stray brace is left; balanced braces are those of sets."""
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    lone_dollars = len(re.findall(r"\$(?![\d.,])", text.replace("US$", "").replace("CA$", "")))
    return depth == 0 and "\\" not in text and lone_dollars == 0


def letters(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text).casefold() if one.isascii() and one.isalnum())


def lost(source: str, result: str) -> str:
    """Return the first letters and digits of the source, commands aside, that the result has not in this order."""
    position = 0
    wanted = letters(_UNSEEN.sub(" ", html.unescape(html.unescape(ftfy.fix_encoding(source)))))
    given = letters(result)
    for place, letter in enumerate(wanted):
        found = given.find(letter, position)
        if found < 0:
            return wanted[max(0, place - 15) : place + 15]
        position = found + 1
    return ""


def snippets(name: str) -> list[str]:
    with (DATA / name).open(encoding="utf-8", newline="\n") as stream:
        return [json.loads(line)["text"] for line in stream if line.strip()]


def a_second(convert: Callable[[str], str], texts: list[str]) -> float:
    began = time.process_time()
    for text in texts:
        convert(text)
    return len(texts) / (time.process_time() - began)


def main(arguments: list[str]) -> None:
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not here ({DATA}).")
        return
    figures: dict[str, float] = {}
    tex, nasty = snippets("latex_snippets.jsonl"), snippets("nasty_text.jsonl")
    for name, convert in (("ours", ours), ("pylatexenc", pylatexenc_alone)):
        results = [(text, convert(text)) for text in tex]
        figures[f"{name}: clean"] = sum(is_clean(result) for _, result in results) / len(tex)
        figures[f"{name}: nothing lost"] = sum(not lost(text, result) for text, result in results) / len(tex)
    kept = [(text, ours(text)) for text in tex + nasty]
    figures["ours: nothing lost, with the nasty"] = sum(not lost(text, result) for text, result in kept) / len(kept)
    figures["ours: unchanged by a second run"] = sum(ours(result) == result for _, result in kept) / len(kept)
    if "--show" in arguments:
        for text, result in kept:
            if not is_clean(result) or lost(text, result):
                print(f"{text!r}\n  → {result!r}\n  lost: {lost(text, result)!r}")
    with gzip.open(DATA / "scale_100k.jsonl.gz", "rt", encoding="utf-8", newline="\n") as stream:
        abstracts = [json.loads(line)["abstract"] for line in itertools.islice(stream, 10_000)]
    with_tex = [text for text in abstracts if "\\" in text or "$" in text]
    figures["a second, without TeX"] = a_second(ours, [text for text in abstracts if not ("\\" in text or "$" in text)])
    figures["a second, with TeX"] = a_second(ours, with_tex)
    figures["pylatexenc a second, with TeX"] = a_second(pylatexenc_alone, with_tex)
    for name, figure in figures.items():
        print(f"{name:40} {figure:10,.3f}" if figure <= 1 else f"{name:40} {figure:10,.0f}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
