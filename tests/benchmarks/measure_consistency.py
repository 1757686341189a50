"""How consistently terms are rendered, without against with a memory.

    anaphora-nmt prepare … --out PREPARED      (as the model's card says; with alignments)
    anaphora-nmt evaluate --model MODEL --corpus CORPUS --memories none,confirmed --out OUT
    python tests/benchmarks/measure_consistency.py OUT CORPUS PREPARED

Of the pairs of occurrences of a Chinese term in a document, the share that is rendered by the same word, as
the alignments of the training text know renderings (`experiments.measures.consistency`). p: how often the
difference is not above 0 when documents are drawn anew (paired bootstrap, one-sided).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.training.alignment import Links
from experiments.measures.consistency import term_consistency
from experiments.measures.lexicon import Lexicon, count_lexicon

SYSTEMS = "none", "confirmed"
DRAWS = 2000


def counted(outputs: Sequence[str], documents: Sequence[ParallelDocument], lexicon: Lexicon) -> np.ndarray:
    """Of each document the pairs of occurrences that are rendered alike, and all of them, [documents, 2]."""
    found, first = [], 0
    for document in documents:
        of_document = outputs[first : first + len(document.pairs)]
        first += len(document.pairs)
        sources = [source for source, _ in document.pairs]
        terms = term_consistency(sources, of_document, [0] * len(sources), lexicon)
        found.append((round(terms.share * terms.pairs), terms.pairs))
    return np.array(found)


def main() -> None:
    """Print both shares and p."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outputs", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("prepared", type=Path)
    arguments = parser.parse_args()
    documents = list(read_documents(arguments.corpus))
    lines = {name: (arguments.outputs / f"{name}.txt").read_text("utf-8").splitlines() for name in SYSTEMS}
    lexicon = _lexicon(arguments.prepared)
    before, after = (counted(lines[name], documents, lexicon) for name in SYSTEMS)
    drawn = np.random.default_rng(1).integers(0, len(documents), (DRAWS, len(documents)))
    gains = _share(after[drawn]) - _share(before[drawn])
    changed = sum(one != other for one, other in zip(*lines.values(), strict=True))
    print(
        f"{changed} of {len(lines['none'])} drafts changed; terms rendered alike:"
        f" {_share(before):.2%} without, {_share(after):.2%} with; p {np.mean(gains <= 0):.3f}"
    )


def _share(pairs: np.ndarray) -> np.ndarray:
    sums = pairs.sum(-2)
    return sums[..., 0] / np.maximum(sums[..., 1], 1)


def _lexicon(prepared: Path) -> Lexicon:
    path = prepared / "lexicon.json.gz"
    if not path.exists():
        corpus, links = BinaryCorpus.load(prepared / "train.npz"), Links.load(prepared / "train.links.npz")
        pieces = [Vocabulary.load(prepared / f"{side}.model") for side in ("source", "target")]
        count_lexicon(corpus, (links.pairs, links.offsets), pieces[0], pieces[1]).save(path)
    return Lexicon.load(path)


if __name__ == "__main__":
    main()
