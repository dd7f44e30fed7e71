"""Every ranker on summaries that authors wrote: python tests/bench/bench_summaries.py [DATA_FOLDER].

SciTLDR's development part: the score of a summary is that of the reference with the best ROUGE-1, SciTLDR's own rule
(Cachola et al. 2020). Pairs of abstract and TLDR from OpenReview: abstracts are split by our own rules. The last line
is JSON with every figure.
"""

import gzip
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rouge_score.rouge_scorer import RougeScorer

from bot.summaries.summarizer import Summarizer
from bot.text.sentences import split

Scores = tuple[float, float, float]


def _rouge() -> Callable[[str, str], Scores]:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)

    def score(reference: str, summary: str) -> Scores:
        found = scorer.score(reference, summary)
        return found["rouge1"].fmeasure, found["rouge2"].fmeasure, found["rougeL"].fmeasure

    return score


def scored(papers: Sequence[dict[str, Any]], rouge: Callable[[str, str], Scores]) -> list[list[Scores]]:
    """Return the scores of each sentence of each paper, so that every ranker is scored at no cost."""
    return [
        [max(rouge(reference, sentence) for reference in paper["target"]) for sentence in paper["source"]]
        for paper in papers
    ]


def measure(papers: Sequence[dict[str, Any]], scores: Sequence[Sequence[Scores]], ranker: str) -> dict[str, float]:
    summarizer = Summarizer(ranker)
    summarizer.summarize_text(None, "One here. Two there. Three more.", count=1)
    milliseconds: list[float] = []
    totals, best = [0.0, 0.0, 0.0], 0
    for paper, found in zip(papers, scores, strict=True):
        began = time.perf_counter()
        (index,), _ = summarizer.summarize_text(paper.get("title"), paper["source"], count=1)
        milliseconds.append((time.perf_counter() - began) * 1000)
        totals = [total + part for total, part in zip(totals, found[index], strict=True)]
        best += found[index][0] >= max(found)[0]
    milliseconds.sort()
    means = [round(100 * total / len(papers), 2) for total in totals]
    p50, p99 = (round(milliseconds[int(len(milliseconds) * share)], 2) for share in (0.5, 0.99))
    return {
        "rouge1": means[0],
        "rouge2": means[1],
        "rougeL": means[2],
        "best": round(best / len(papers), 3),
        "p50_ms": p50,
        "p99_ms": p99,
    }


def _read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    if "source" in papers[0]:
        return papers
    found = [
        {"title": paper["title"], "source": split(paper["abstract"]), "target": [paper["tldr"]]} for paper in papers
    ]
    return [paper for paper in found if paper["source"]]


def main(arguments: Sequence[str]) -> int:
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[3] / "shared" / "data"
    figures: dict[str, Any] = {}
    for name in ("scitldr_dev", "openreview_tldr_pairs"):
        source = folder / f"{name}.jsonl.gz"
        if not source.is_file():
            print(f"Skipped: {source} is not here; name the folder that holds it.", file=sys.stderr)
            continue
        papers = _read(source)
        scores = scored(papers, _rouge())
        results = {ranker: measure(papers, scores, ranker) for ranker in Summarizer.ranker_names()}
        print(f"{name}: {len(papers)} papers, one sentence")
        print(f"{'ranker':<12}{'R1':>9}{'R2':>9}{'RL':>9}{'best':>9}{'p50 ms':>9}{'p99 ms':>9}")
        for ranker, found in results.items():
            print(f"{ranker:<12}" + "".join(f"{value:>9.2f}" for value in found.values()))
        figures[name] = {"papers": len(papers), "rankers": results}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
