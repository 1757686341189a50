"""Disambiguation: how evenly the translations of ambiguous words are used (CAMN, Table 4)."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from anaphora_nmt.evaluation.bleu import check_parallel
from experiments.measures.tokens import chinese_tokens, english_tokens

FEWEST = 5
"""Words that are rarer in the sources are left out."""


@dataclass(frozen=True, slots=True)
class Disambiguation:
    """Spread of the counts of an ambiguous word's translations; lower means that no sense crowds others out.

    Attributes:
        deviation: standard deviation of the counts of one word's translations, mean of the words.
        pooled: standard deviation of all counts of all words together.
        words: ambiguous words found. uses: translations counted.
    """

    deviation: float
    pooled: float
    words: int
    uses: int


def measure_disambiguation(
    sources: Sequence[str], outputs: Sequence[str], dictionary: Mapping[str, Collection[str]]
) -> Disambiguation:
    """Count the dictionary's translations of ambiguous source words in the outputs.

    For each source word with several single-word translations, how often each of them stands in the
    outputs of the segments that hold the word. The paper does not say over what its standard deviation
    runs: `deviation` is over one word's translations, then averaged; `pooled` is over all of them.
    Compare with the reference's value: a system that translates at random is even, too.

    Raises:
        CorpusError: no outputs, or lists of different lengths.
    """
    check_parallel(outputs, [sources])
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    occurrences: Counter[str] = Counter()
    for source, output in zip(sources, outputs, strict=True):
        given = {token.text.lower() for token in english_tokens(output)}
        for word in {token.text for token in chinese_tokens(source)}:
            options = dictionary.get(word, ())
            if len(options) > 1:
                occurrences[word] += 1
                counts[word].update(option for option in options if option in given)
    frequent = sorted(word for word, times in occurrences.items() if times >= FEWEST and counts[word])
    tables = [[counts[word][option] for option in dictionary[word]] for word in frequent]
    everything = [count for table in tables for count in table]
    return Disambiguation(
        statistics.fmean(statistics.pstdev(table) for table in tables) if tables else 0.0,
        statistics.pstdev(everything) if everything else 0.0,
        len(tables),
        sum(everything),
    )
