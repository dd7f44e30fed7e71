"""ROUGE of every ranker on SciTLDR's development part: python tests/bench/bench_summaries.py [DATA_FOLDER].

The score of a summary is that of the reference with the best ROUGE-1, SciTLDR's own rule (Cachola et al. 2020).
Needs the package rouge-score; without it a plain n-gram F without stemming stands in, and says so.
"""

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bot.summaries.summarizer import Summarizer
from bot.text.words import words

try:
    from rouge_score import rouge_scorer
except ImportError:
    rouge_scorer = None

Scores = tuple[float, float, float]


def _overlap(one: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
    shared = sum((one & other).values())
    return 2 * shared / (one.total() + other.total()) if shared else 0.0


def _plain_rouge(reference: str, summary: str) -> Scores:
    a, b = words(reference), words(summary)
    grams = [
        _overlap(
            Counter(zip(*(a[i:] for i in range(n)), strict=False)),
            Counter(zip(*(b[i:] for i in range(n)), strict=False)),
        )
        for n in (1, 2)
    ]
    row = [0] * (len(b) + 1)
    for left in a:
        diagonal = 0
        for index, right in enumerate(b, 1):
            diagonal, row[index] = row[index], diagonal + 1 if left == right else max(row[index], row[index - 1])
    return grams[0], grams[1], 2 * row[-1] / (len(a) + len(b)) if row[-1] else 0.0


def _rouge() -> Callable[[str, str], Scores]:
    if rouge_scorer is None:
        return _plain_rouge
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)

    def score(reference: str, summary: str) -> Scores:
        found = scorer.score(reference, summary)
        return found["rouge1"].fmeasure, found["rouge2"].fmeasure, found["rougeL"].fmeasure

    return score


def measure(papers: Sequence[dict[str, object]], ranker: str, rouge: Callable[[str, str], Scores]) -> dict[str, float]:
    summarizer = Summarizer(ranker)
    summarizer.summarize_text(None, "One here. Two there. Three more.", count=1)
    milliseconds: list[float] = []
    totals = [0.0, 0.0, 0.0]
    for paper in papers:
        began = time.perf_counter()
        _, chosen = summarizer.summarize_text(paper.get("title"), paper["source"], count=1)
        milliseconds.append((time.perf_counter() - began) * 1000)
        best = max(rouge(reference, " ".join(chosen)) for reference in paper["target"])
        totals = [total + part for total, part in zip(totals, best, strict=True)]
    milliseconds.sort()
    means = [round(100 * total / len(papers), 2) for total in totals]
    p50, p99 = (round(milliseconds[int(len(milliseconds) * share)], 2) for share in (0.5, 0.99))
    return {"rouge1": means[0], "rouge2": means[1], "rougeL": means[2], "p50_ms": p50, "p99_ms": p99}


def main(arguments: Sequence[str]) -> int:
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[3] / "shared" / "data"
    name = arguments[1] if len(arguments) > 1 else "scitldr_dev.jsonl.gz"
    source = folder / name
    if not source.is_file():
        print(f"Skipped: {source} is not here; name the folder that holds {name}.", file=sys.stderr)
        return 0
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    rouge = _rouge()
    results = {ranker: measure(papers, ranker, rouge) for ranker in Summarizer.ranker_names()}
    print(f"{len(papers)} papers, one sentence, {'rouge-score' if rouge_scorer else 'plain n-grams'}")
    print(f"{'ranker':<12}{'R1':>8}{'R2':>8}{'RL':>8}{'p50 ms':>9}{'p99 ms':>9}")
    for ranker, found in results.items():
        print(
            f"{ranker:<12}"
            + "".join(f"{value:>{8 if column < 3 else 9}.2f}" for column, value in enumerate(found.values()))
        )
    print(json.dumps({"papers": len(papers), "rankers": results}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
