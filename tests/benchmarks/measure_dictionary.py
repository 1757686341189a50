"""What the dictionary's words in the rail are worth: how often the reference has a gloss that is shown.

    python tests/benchmarks/measure_dictionary.py D/general-zh-en/dev.jsonl.xz D/docs-zh-en/dev.jsonl.xz

Drafts of every sixth document (`--every`) by the embedded model, without memory. Shown are nouns, verbs and
adjectives of the source of which no gloss stands in the draft (`anaphora/dictionary/unrendered.py`); the
window shows them beside drafts that the model doubts. What is in the reference is judged in the same way, so
a synonym of the gloss is not.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from anaphora.core.segment import Segment
from anaphora.dictionary.entries import Dictionary
from anaphora.dictionary.unrendered import is_rendered, lemmas_of, unrendered
from anaphora.services.dictionary_service import MOST, content_words
from anaphora.shipped import default_model, glossary
from anaphora_nmt.api import Translator
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment


def main() -> None:
    """Print for doubted drafts and for the others what is shown and what the reference has of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=6)
    arguments = parser.parse_args()
    path = glossary("zh", "en")
    assert path is not None
    dictionary = Dictionary.read(path)
    translator = Translator.load(default_model(), "cpu", 1)
    options = SearchOptions(memories={"confirmed": False})
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for corpus in arguments.corpora:
        for document in list(read_documents(corpus))[:: arguments.every]:
            segments = [SourceSegment(str(place), source) for place, (source, _) in enumerate(document.pairs)]
            translator.open_document("d", segments)
            for segment, (source, reference) in zip(segments, document.pairs, strict=True):
                draft = translator.translate("d", segment.id, options)
                doubted = draft.quality is not None and (
                    draft.quality.doubtful or any(word.invented for word in draft.quality.words)
                )
                words = content_words(Segment(segment.id, source))
                shown = unrendered(words, draft.text, dictionary)[:MOST]
                there = lemmas_of(reference)
                counts[doubted] += Counter(
                    drafts=1,
                    with_words=bool(shown),
                    words=len(shown),
                    in_reference=sum(is_rendered(entry, there) for entry in shown),
                )
            translator.close_document("d")
    print("drafts        number   with words   words   in the reference")
    for doubted, count in counts.items():
        share = count["in_reference"] / max(count["words"], 1)
        name = "doubted" if doubted else "others"
        print(
            f"{name:<12} {count['drafts']:>7} {count['with_words']:>12} {count['words']:>7} "
            f"{count['in_reference']:>8} ({share:.0%})"
        )


if __name__ == "__main__":
    main()
