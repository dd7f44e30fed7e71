"""Train the ranker ``learned``: python tests/bench/train_ranker.py [DATA_FOLDER] [--check].

Reads scitldr_train.jsonl.gz (Cachola et al. 2020), selects on scitldr_dev.jsonl.gz, and writes
bot/summaries/learned.json; with --check it only says whether it would write the same.

The model is a weighted sum. Its loss is listwise (Cao et al. 2007): the cross-entropy between a softmax over the mean
ROUGE of an abstract's sentences and one over their sums, with an L2 penalty; convex, so that Newton's steps find its
only minimum and no seed is needed. Every abstract stands in the training twice, with its title and without, because a
paper of a plain list has none.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rouge_score.rouge_scorer import RougeScorer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bot.summaries.features import of_sentences

Floats = NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "bot" / "summaries" / "learned.json"
TEMPERATURES = (0.05, 0.1, 0.2)
PENALTIES = (10.0, 30.0, 100.0, 300.0)


@dataclass(frozen=True)
class Example:
    """One abstract: features with and without its title (sentences × features), and each sentence's ROUGE (× 3)."""

    titled: Floats
    untitled: Floats
    rouge: Floats


def read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def example(paper: dict[str, Any], names: Sequence[str], scorer: RougeScorer) -> Example:
    sentences, title = paper["source"], paper["title"]
    return Example(
        *(
            np.array([[row[name] for name in names] for row in of_sentences(sentences, given)])
            for given in (title, None)
        ),
        np.array([best_rouge(scorer, paper["target"], sentence) for sentence in sentences]),
    )


def best_rouge(scorer: RougeScorer, references: Sequence[str], sentence: str) -> tuple[float, ...]:
    """Return ROUGE-1, 2 and L (F, 0..1) against the reference with the best ROUGE-1, SciTLDR's own rule."""
    return max(
        tuple(scorer.score(reference, sentence)[kind].fmeasure for kind in ("rouge1", "rouge2", "rougeL"))
        for reference in references
    )


def fit(examples: Sequence[Example], scale: Floats, temperature: float, penalty: float) -> Floats:
    """Return the weights of scaled features at the minimum of the loss."""
    lists = [(rows / scale, one.rouge.mean(1)) for one in examples for rows in (one.titled, one.untitled)]
    wanted = [_softmax(rouge / temperature) for _, rouge in lists]
    weights = np.zeros(len(scale))
    for _ in range(50):
        slope, curve = penalty * weights, penalty * np.eye(len(scale))
        for (rows, _), goal in zip(lists, wanted, strict=True):
            chance = _softmax(rows @ weights)
            slope += rows.T @ (chance - goal)
            centred = rows - chance @ rows
            curve += centred.T @ (centred * chance[:, None])
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max())
    return powers / powers.sum()


def score(examples: Sequence[Example], weights: Floats) -> Floats:
    """Return mean ROUGE-1, 2 and L × 100 of the best sentence, and how often it is the best possible one."""
    picks = [(one.rouge, int(np.argmax(one.titled @ weights))) for one in examples]
    means = 100 * np.mean([rouge[pick] for rouge, pick in picks], axis=0)
    return np.append(means, np.mean([rouge[pick, 0] >= rouge[:, 0].max() - 1e-12 for rouge, pick in picks]))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the file would change")
    chosen = parser.parse_args(arguments)
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    names = list(of_sentences(["We count.", "We sort."], "Counting")[0])
    train, dev = (
        [example(paper, names, scorer) for paper in read(chosen.folder / f"scitldr_{part}.jsonl.gz")]
        for part in ("train", "dev")
    )
    scale = np.concatenate([one.titled for one in train]).std(axis=0) + 1e-6
    best: tuple[float, Floats] | None = None
    for temperature in TEMPERATURES:
        for penalty in PENALTIES:
            weights = fit(train, scale, temperature, penalty) / scale
            found = score(dev, weights)
            print(f"temperature {temperature} penalty {penalty:g}:", score(train, weights).round(3), found.round(3))
            if best is None or found[:3].mean() > best[0]:
                best = float(found[:3].mean()), weights
    assert best is not None
    text = (
        json.dumps({"weights": dict(zip(names, (round(float(one), 3) for one in best[1]), strict=True))}, indent=1)
        + "\n"
    )
    if chosen.check:
        same = TARGET.read_text(encoding="utf-8") == text
        print("The file is what this training writes." if same else f"{TARGET} differs from what this training writes.")
        return 0 if same else 1
    TARGET.write_text(text, encoding="utf-8")
    print(f"Wrote {TARGET}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
