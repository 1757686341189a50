"""The most that following corrections can gain in the first segments of documents.

    python tests/benchmarks/bound_uptake.py CORPUS.jsonl.xz [--model FOLDER] [--first 15] [--documents 60]

Each reference is confirmed before the next draft (greedy). Printed are BLEU and chrF2 of

- drafts without memory, and with confirmed text;
- of each segment the one of these two that its own reference prefers (sentence BLEU): no choice between them
  can gain more;
- drafts of both kinds in which each source word that was rendered by its reference as an earlier reference
  of the document had rendered it is written so, once: no following of words, however sure, can gain more by
  those words. Words of two characters or more that stand once in their sentence, by the model's attention.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measure_uptake import first_segments, long_enough, scores
from sacrebleu import sentence_bleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.renderings import renderings
from anaphora_nmt.types import SearchOptions

Texts = list[list[str]]


@dataclass
class Words:
    """Source words of the references: all, those met before, those that drafts had rendered otherwise."""

    all: int = 0
    again: int = 0
    replaced: int = 0


def preferred(plain: Sequence[str], confirmed: Sequence[str], references: Sequence[str]) -> list[str]:
    """Of each segment the draft that is nearer to its reference."""
    return [
        max(drafts, key=lambda draft: sentence_bleu(draft, [reference]).score)
        for *drafts, reference in zip(plain, confirmed, references, strict=True)
    ]


def followed(
    drafter: Drafter, sources: Sequence[str], references: Sequence[str], drafts: Sequence[str], words: Words
) -> list[str]:
    """A document's drafts, each word as an earlier reference has it where the segment's own agrees."""
    known: dict[str, set[str]] = {}
    result = []
    for source, reference, draft in zip(sources, references, drafts, strict=True):
        right = renderings(drafter, source, reference)
        written = renderings(drafter, source, draft) if draft.strip() else {}
        for word, wording in right.items():
            words.all += 1
            words.again += word in known
            if wording in known.get(word, ()) and wording != written.get(word, wording):
                pattern = rf"\b{re.escape(written[word])}\b"
                draft, count = re.subn(pattern, wording, draft, count=1, flags=re.IGNORECASE)
                words.replaced += count
        for word, wording in right.items():
            known.setdefault(word, set()).add(wording)
        result.append(draft)
    return result


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--first", type=int, default=15)
    parser.add_argument("--documents", type=int, default=60)
    arguments = parser.parse_args()
    chosen = first_segments(long_enough(arguments.corpus), arguments.first, arguments.documents)
    corpus = Translator.load(arguments.model or embedded_model(), threads=1).corpus(24)
    sources, references = ([[pair[side] for pair in pairs] for pairs in chosen] for side in (0, 1))
    plain, confirmed = (
        corpus.translate(sources, SearchOptions(beam_size=1, memories=memories_in_use(memories)), references)
        for memories in ("none", "confirmed")
    )
    nearer = [preferred(*each) for each in zip(plain, confirmed, references, strict=True)]
    print(f"without memory: {scores(plain, references)}")
    print(f"confirmed text: {scores(confirmed, references)}")
    print(f"of each segment the better of both: {scores(nearer, references)}")
    for name, drafts in (("without memory", plain), ("confirmed text", confirmed)):
        words = Words()
        all_followed: Texts = [
            followed(corpus.drafter, *document, words)
            for document in zip(sources, references, drafts, strict=True)
        ]
        print(f"{name}, words as confirmed where that is right: {scores(all_followed, references)}")
        print(f"  {words.all} words, {words.again} met before, {words.replaced} replaced")


if __name__ == "__main__":
    main()
