r"""Quality and speed of ``readable(clean_text(text))``: python tests/bench/bench_text.py [DATA_FOLDER] [--show].

Quality is measured on the TeX and the broken-character snippets, beside pylatexenc alone, a user's alternative:

- lost: texts whose letters and digits, commands aside, are no subsequence of the result's;
- left: texts whose result holds a backslash, a dollar that is no price, or a brace that is none of a set;
- unsettled: texts whose result a second run changes;
- crashed: texts that raise.

Speed is measured on the first 20,000 abstracts of the scale sample, in one process. ``--show`` prints what fails.
Without the data it says so and ends with exit code 0.
"""

import argparse
import contextlib
import gzip
import html
import itertools
import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import ftfy
from pylatexenc.latex2text import LatexNodes2Text

from bot.text.clean import clean_text
from bot.text.latex import readable

TEX, BROKEN, SCALE = "latex_snippets.jsonl", "nasty_text.jsonl", "scale_100k.jsonl.gz"
TIMED, SETTLED, SLOW = 20_000, 3_000, 300
NASTY = ("\\{", "$", "<a", "&amp;", "{", "^_", "\\frac{", "- \n", "\\text{$", "ab- cd ")

_EATEN = re.compile(r"[\x07\x08\x0b\x0c](?=[a-z])|\t(?=imes\b|heta\b|ext)|\r(?=ho\b|ightarrow\b)")
_EATEN_LETTERS = {"\x07": "\\a", "\x08": "\\b", "\x0b": "\\v", "\x0c": "\\f", "\t": "\\t", "\r": "\\r"}
_LOST_BACKSLASH = re.compile(r"(?<![\w\\])(?:t?ext(?:it|bf|tt|sc)|e?mph|url|href|footnote|cite[pt]?)(?=\{)")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9][0-9a-fA-F]{3})")
_TAG = re.compile(r"</?[a-zA-Z][\w:-]*(?:\s+[\w:-]+=(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>")
# What an argument of these says is for TeX, not for the reader.
_UNREAD_ARGUMENT = re.compile(
    r"\\(?:begin|end)\s*\{\w*\*?\}(?:\{[lcr|]+\})?"
    r"|\\(?:label|ref|eqref|autoref|[cC]ref|cite[a-z]*)\*?(?:\[[^\]]*\])*\{[^{}]*\}?"
    r"|\\(?:color|hspace|vspace|phantom|textcolor|unicode)\*?\{[^{}]*\}|\\href\{[^{}]*\}",
)
# arXiv's pages read \kappa as an accent and "appa".
_SPLIT_COMMAND = re.compile(r"\\[a-zA-Z]\{[a-z]{2,}\}")
_COMMAND = re.compile(r"\\+[A-Za-z]+")
_EXPONENT = re.compile(r"(\\(?:num|SI|qty)\{[\d.]+)[eE]")
_FOLDED = str.maketrans({"∛": "3", "∜": "4", "ı": "i"})
_ESCAPED_BRACE = re.compile(r"\\+[{}]|\\[lr]brace")
_SET = re.compile(r"\{[^{}]*(?:[,:|∈…=]|\w)[^{}]*\}")
_PRICE = re.compile(r"\$(?=\d)|(?<=[A-Z])\$")


def ours(text: str) -> str:
    return readable(clean_text(text))


def pylatexenc_alone(text: str) -> str:
    return str(cast("Any", LatexNodes2Text(keep_comments=True)).latex_to_text(text))


def spoken(text: str) -> str:
    """Return the letters and digits of a plain text, folded: ² counts as 2, é as e."""
    folded = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
    return "".join(character for character in folded if character.isalnum())


def spoken_source(text: str) -> str:
    """Return the letters and digits that a reader of the source must find again, folded."""
    text = ftfy.fix_encoding(html.unescape(html.unescape(text)))
    text = _EATEN.sub(lambda match: _EATEN_LETTERS[match[0]], text)
    text = _LOST_BACKSLASH.sub(r"\\\g<0>", _UNICODE_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text))
    text = _SPLIT_COMMAND.sub(" ", _UNREAD_ARGUMENT.sub(" ", _TAG.sub("", text)))
    return spoken(_COMMAND.sub(" ", _EXPONENT.sub(r"\1", text)))


def is_lost(source: str, result: str) -> bool:
    found = iter(spoken(result))
    return not all(character in found for character in spoken_source(source))


def is_left(source: str, result: str) -> bool:
    if "\\" in result or "$" in _PRICE.sub("", result):
        return True
    beyond_sets = _SET.sub("", result) if _ESCAPED_BRACE.search(source) else result
    return "{" in beyond_sets or "}" in beyond_sets


def quality(name: str, convert: Callable[[str], str], texts: Sequence[str], *, show: bool) -> dict[str, int]:
    counts = {"texts": len(texts), "lost": 0, "left": 0, "unsettled": 0, "crashed": 0}
    for text in texts:
        try:
            result = convert(text)
            again = convert(result)
        except Exception as error:  # noqa: BLE001 (a crash is what is counted)
            result, failed = repr(error), ["crashed"]
        else:
            found = {"lost": is_lost(text, result), "left": is_left(text, result), "unsettled": again != result}
            failed = [kind for kind, is_so in found.items() if is_so]
        for kind in failed:
            counts[kind] += 1
            if show:
                print(f"{name} {kind}\n  < {text!r}\n  > {result!r}")
    return counts


def speed(texts: Sequence[str], convert: Callable[[str], str] = ours) -> dict[str, float]:
    began = time.process_time()
    for text in texts:
        # pylatexenc raises on some; they are counted among its results.
        with contextlib.suppress(Exception):
            convert(text)
    seconds = max(time.process_time() - began, 1e-9)
    return {
        "texts": len(texts),
        "per_second": round(len(texts) / seconds),
        "microseconds": round(1e6 * seconds / max(1, len(texts)), 2),
    }


def speeds(records: Sequence[dict[str, str]]) -> dict[str, dict[str, float]]:
    ours("$x$ and \\alpha")
    abstracts = [record["abstract"] for record in records if record["abstract"]]
    with_tex = [text for text in abstracts if "\\" in text or "$" in text]
    without = [text for text in abstracts if "\\" not in text and "$" not in text]
    return {
        "abstracts": speed(abstracts),
        "without TeX": speed(without),
        "without TeX, ASCII": speed([text for text in without if text.isascii()]),
        "without TeX, others": speed([text for text in without if not text.isascii()]),
        "with TeX": speed(with_tex),
        "with TeX, pylatexenc": speed(with_tex[:SLOW], pylatexenc_alone),
        "titles": speed([record["title"] for record in records]),
        "authors": speed([name for record in records for name in record["authors"]]),
    }


def growth(piece: str) -> float:
    """Return how many times as long 100,000 characters take as 12,500 do: 8 when linear, 64 when quadratic."""
    small, large = (min(_seconds(piece * (size // len(piece))) for _ in range(3)) for size in (12_500, 100_000))
    return round(large / max(small, 1e-5), 1)


def _seconds(text: str) -> float:
    began = time.process_time()
    ours(text)
    return time.process_time() - began


def records_of(path: Path, most: int | None = None) -> list[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in itertools.islice(lines, most) if line.strip()]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Quality and speed of cleaning texts.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--show", action="store_true", help="print the texts that fail")
    chosen, _ = parser.parse_known_args(arguments)
    missing = [name for name in (TEX, BROKEN, SCALE) if not (chosen.folder / name).is_file()]
    if missing:
        print(f"Skipped: {', '.join(missing)} not in {chosen.folder}; name the folder that holds the real data.")
        return 0
    tex, broken = ([record["text"] for record in records_of(chosen.folder / name)] for name in (TEX, BROKEN))
    records = records_of(chosen.folder / SCALE, TIMED)
    abstracts = [record["abstract"] for record in records[:SETTLED] if record["abstract"]]
    results = {
        "TeX": quality("TeX", ours, tex, show=chosen.show),
        "TeX, pylatexenc": quality("pylatexenc", pylatexenc_alone, tex, show=False),
        "broken": quality("broken", ours, broken, show=chosen.show),
        "broken, pylatexenc": quality("pylatexenc", pylatexenc_alone, broken, show=False),
        "abstracts": quality("abstracts", ours, abstracts, show=chosen.show),
    }
    print(f"{'quality':<22}" + "".join(f"{kind:>11}" for kind in next(iter(results.values()))))
    for name, found in results.items():
        print(f"{name:<22}" + "".join(f"{count:>11}" for count in found.values()))
    measured = speeds(records)
    print(f"\n{'speed':<22}{'texts':>11}{'share':>11}{'a second':>11}{'µs each':>11}")
    for name, found in measured.items():
        share = f"{found['texts'] / measured['abstracts']['texts']:.1%}" if name.startswith("with") else ""
        print(f"{name:<22}{found['texts']:>11}{share:>11}{found['per_second']:>11}{found['microseconds']:>11}")
    growths = {piece: growth(piece) for piece in NASTY}
    print("\neight times the text takes " + ", ".join(f"{times:g} ({piece!r})" for piece, times in growths.items()))
    print(json.dumps({"quality": results, "speed": measured, "growth": growths}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
