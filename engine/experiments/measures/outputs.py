"""Everything that is measured on a system's outputs of a test set alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.counts import count_matches
from anaphora_nmt.evaluation.report import Comparison, EvaluationSet, compare
from anaphora_nmt.evaluation.significance import paired_bootstrap
from experiments.measures.adequacy import measure_adequacy
from experiments.measures.alignment_error import AlignedPair
from experiments.measures.coherence import coherence
from experiments.measures.consistency import shared_with_context, term_consistency
from experiments.measures.disambiguation import measure_disambiguation
from experiments.measures.lexicon import Lexicon
from experiments.measures.sentence_encoder import SentenceEncoder
from experiments.measures.shared_words import shared_with_caches
from experiments.measures.word_vectors import WordVectors

Json = dict[str, Any]
REFERENCE = "reference"
LONG = 30
"""Source pieces from which on a segment counts as long."""
FEWEST = 20  # resampling fewer long segments says nothing


@dataclass(frozen=True)
class MeasureResources:
    """What measures need beside texts; a measure that lacks something is left out.

    Attributes:
        lexicon: counted in alignments of the training text.
        dictionary: CC-CEDICT, or the lexicon as one. dictionary_name: which of them.
        vectors: of words, trained on the target side. encoder: the pretrained sentence encoder.
        topics: topic words of each document. cache_sizes: |c_d| and |c_t|.
        aligned: pairs of this test set that were aligned by hand, with their segments' numbers in it.
    """

    lexicon: Lexicon | None = None
    dictionary: Mapping[str, Collection[str]] | None = None
    dictionary_name: str = ""
    vectors: WordVectors | None = None
    encoder: SentenceEncoder | None = None
    topics: Mapping[object, Sequence[str]] | None = None
    cache_sizes: tuple[int, int] = (100, 200)
    aligned: Sequence[tuple[int, AlignedPair]] = ()


def measure_outputs(test: EvaluationSet, outputs: Sequence[str], resources: MeasureResources) -> Json:
    """Consistency, coherence, disambiguation and adequacy of outputs (or of a reference), as JSON values."""
    reference = test.references[0]
    shared = shared_with_context(outputs, test.documents, reference=reference)
    found: Json = {"context_types": asdict(shared)}
    found["coherence"] = _coherences(outputs, test.documents, resources)
    lexicon = resources.lexicon
    if lexicon is not None:
        found["terms"] = asdict(term_consistency(test.sources, outputs, test.documents, lexicon))
    if resources.dictionary is not None:
        spread = measure_disambiguation(test.sources, outputs, resources.dictionary)
        found["disambiguation"] = {"dictionary": resources.dictionary_name, **asdict(spread)}
    if resources.topics is not None:
        held = shared_with_caches(outputs, test.documents, resources.topics, resources.cache_sizes, reference)
        found["cache_types"] = asdict(held)
    if resources.aligned and lexicon is not None:
        of_pairs = [outputs[number] for number, _ in resources.aligned]
        adequacy = measure_adequacy([pair for _, pair in resources.aligned], of_pairs, lexicon)
        found["adequacy"] = {
            **asdict(adequacy),
            "under_share": adequacy.under_share,
            "over_share": adequacy.over_share,
        }
    return found


def compare_outputs(
    test: EvaluationSet, baseline: Sequence[str], system: Sequence[str], names: tuple[str, str]
) -> Json:
    """A system's scores and tests against a baseline, as JSON values.

    Args:
        names: of the baseline and the system.
    """
    return comparison_json(
        compare(test, dict(zip(names, (baseline, system), strict=True)), names[0])[1], names[0]
    )


def compare_long(
    test: EvaluationSet, baseline: Sequence[str], system: Sequence[str], lengths: Sequence[int]
) -> Json | None:
    """BLEU of the segments whose sources have `LONG` pieces or more, with the paired bootstrap over them.

    Args:
        lengths: of the sources, in pieces.
    Returns:
        JSON values; None where there are fewer than `FEWEST` of them.
    """
    chosen = [number for number, length in enumerate(lengths) if length >= LONG]
    if len(chosen) < FEWEST:
        return None
    references = [[lines[number] for number in chosen] for lines in test.references]
    counts = [
        count_matches("BLEU", [outputs[number] for number in chosen], references, test.options)
        for outputs in (baseline, system)
    ]
    return {"segments": len(chosen), **asdict(paired_bootstrap(counts[0], counts[1]))}


def comparison_json(comparison: Comparison, baseline: str) -> Json:
    """A comparison without the scores that stand elsewhere; tests that were not made are null."""
    tests = {
        "bleu": comparison.bleu,
        "chrf": comparison.chrf,
        "by_document": comparison.by_document,
        "signs": comparison.signs,
    }
    values = {name: None if test is None else asdict(test) for name, test in tests.items()}
    return {"baseline": baseline, **values}


def find_aligned(test: EvaluationSet, pairs: Sequence[AlignedPair]) -> list[tuple[int, AlignedPair]]:
    """The aligned pairs with their segments' numbers in a test set; empty where it is another set.

    Raises:
        CorpusError: a document is there, but the segment has another text.
    """
    first: dict[object, int] = {}
    for number, document in enumerate(test.documents):
        first.setdefault(document, number)
    found = []
    for pair in pairs:
        if pair.document not in first:
            continue
        number = first[pair.document] + pair.segment
        if number >= len(test.sources) or test.sources[number] != pair.source:
            raise CorpusError(f"{pair.document}, segment {pair.segment}: not the text that was aligned")
        found.append((number, pair))
    return found


def _coherences(outputs: Sequence[str], documents: Sequence[object], resources: MeasureResources) -> Json:
    makers = {
        "vectors": resources.vectors.sentences if resources.vectors else None,
        "encoder": resources.encoder.encode if resources.encoder else None,
    }
    return {
        name: coherence(np.asarray(make(outputs)), documents)
        for name, make in makers.items()
        if make is not None
    }
