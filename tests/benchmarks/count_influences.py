"""How many words of drafts something remembered acts on: fresh, after 12 and after 40 confirmations.

    python tests/benchmarks/count_influences.py [SOURCE.md] [--read NAME ...]

The sample document, or another. Confirmed are the drafts as they stand, the least that a memory can do:
nothing was corrected. Counted are the words of the drafts behind the last confirmed segment: those on which a
remembered word acts noticeably (0.05 nats) or by 0.1 nats, those that are turned (after
the same words, the model alone would go on with another), and of these the ones that the window marks: a
whole draft without memory has not got them.

    after  0 confirmed: 1076 words; acted on 60, by 0.1 nats 25; turned 4, marked 1
    after 12 confirmed: 971 words; acted on 88, by 0.1 nats 30; turned 3, marked 1
    after 40 confirmed: 626 words; acted on 120, by 0.1 nats 56; turned 3, marked 0

Version 0.11, 2026-11-29. Where nothing is confirmed, only topic words and recent words are read.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from anaphora.core.drafts import needs_draft
from anaphora.core.influence import influence_marks, needs_comparison
from anaphora.core.remembered import acting
from anaphora.formats.registry import read
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.types import SearchOptions, SourceSegment, WhatIf

STAGES = (0, 12, 40)


def main() -> None:
    """Print a line for each stage."""
    parser = argparse.ArgumentParser()
    sample = Path(str(files("anaphora_resources").joinpath("samples", "sample.zh.md")))
    parser.add_argument("source", type=Path, nargs="?", default=sample)
    parser.add_argument("--read", nargs="*", default=[], help="memories to read besides those that are read")
    parser.add_argument("--beam", type=int, default=SearchOptions().beam_size)
    arguments = parser.parse_args()
    options = SearchOptions(arguments.beam, memories={name: True for name in arguments.read})
    without = replace(options, memories=None)
    translator = Translator.load(embedded_model(), device="cpu", threads=1)
    segments = [each for each in read(arguments.source).segments if needs_draft(each)]
    document = [SourceSegment(each.id, each.source) for each in segments]
    for stage in STAGES:
        translator.open_document("d", document)
        total = noticeable = tenth = because = marked = 0
        for number, segment in enumerate(document):
            draft = translator.translate("d", segment.id, options).text
            if number < stage:
                translator.remember("d", segment.id, draft)
                continue
            explanation = translator.explain("d", segment.id, draft, options=options)
            if needs_comparison(explanation):
                (plain,) = translator.preview("d", (segment.id,), WhatIf(), without)
                explanation = replace(explanation, draft_without_memory=plain.text)
            marked += sum(mark.followed for mark in influence_marks(explanation))
            tokens = explanation.tokens
            total += len(tokens)
            noticeable += sum(bool(acting(token)) for token in tokens)
            tenth += sum(any(abs(use.influence or 0.0) >= 0.1 for use in token.uses) for token in tokens)
            because += sum(token.without_memory is not None for token in tokens)
        print(
            f"after {stage:2} confirmed: {total} words; acted on {noticeable}, by 0.1 nats {tenth};"
            f" turned {because}, marked {marked}",
            flush=True,
        )


if __name__ == "__main__":
    main()
