"""Draft the sentences of this folder with a model, and score them.

    python tests/golden/genres/draft.py MODEL > tests/golden/genres/drafts-VERSION.txt

Beam 5, each genre as one document, without memory. BLEU and chrF2 (sacrebleu) on the last lines.
"""

from __future__ import annotations

import sys
from pathlib import Path

import sacrebleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions

OPTIONS = SearchOptions(memories=memories_in_use("none"))


def main() -> None:
    """Print source, draft and reference of every sentence, then the scores by genre."""
    corpus = Translator.load(Path(sys.argv[1]), threads=1).corpus()
    scores = []
    for path in sorted(Path(__file__).parent.glob("*.jsonl")):
        (document,) = read_documents(path)
        drafts = corpus.translate([[source for source, _ in document.pairs]], OPTIONS)[0]
        references = [reference for _, reference in document.pairs]
        bleu, chrf = sacrebleu.corpus_bleu(drafts, [references]), sacrebleu.corpus_chrf(drafts, [references])
        scores.append(f"{document.id:<10}{bleu.score:6.2f}{chrf.score:7.2f}")
        print(f"# {document.id}\n")
        for (source, reference), draft in zip(document.pairs, drafts, strict=True):
            print(f"{source}\n  {draft}\n  ({reference})")
        print()
    print("# scores (BLEU, chrF2)\n", *scores, sep="\n")


if __name__ == "__main__":
    main()
