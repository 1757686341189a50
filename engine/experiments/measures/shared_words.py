"""Words of translations that the topic and dynamic caches hold (Kuang et al., 2018, Tables 3 and 4)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from anaphora_nmt.evaluation.bleu import check_parallel
from experiments.measures.consistency import DistanceToReference, distance_to_reference
from experiments.measures.tokens import content_words


@dataclass(frozen=True, slots=True)
class SharedWithCaches:
    """Average numbers of words, stop words left out.

    Attributes:
        first_topic: of a document's first sentence that are in the topic cache (Table 3).
        document_topic, document_both: of a document that are in the topic cache, and in either (Table 4).
        sentence_topic, sentence_both: the same for a sentence.
        from_reference: how far documents are from their reference's sentences, both caches; None without one.
    """

    first_topic: float
    document_topic: float
    document_both: float
    sentence_topic: float
    sentence_both: float
    from_reference: DistanceToReference | None = None


def shared_with_caches(
    outputs: Sequence[str],
    documents: Sequence[object],
    topics: Mapping[object, Sequence[str]],
    sizes: tuple[int, int] = (100, 200),
    reference: Sequence[str] | None = None,
) -> SharedWithCaches:
    """Count the types of each sentence's words that stand in the caches at their time.

    The caches are those that the documents' texts make, as the paper fills them, whether or not a system
    has caches: the topic words of the source document, and the last words of the sentences before. So
    systems and the reference can be compared, as in Table 3. A word counts once a sentence, however often the
    sentence says it: the paper counts every occurrence, and so a decoder's loops.

    Args:
        topics: topic words of each document, most probable first.
        sizes: |c_d| and |c_t|, words.
        reference: the outputs' reference, to say how far documents are from it.
    Raises:
        CorpusError: no outputs, or lists of different lengths.
    """
    check_parallel(outputs, [documents])
    groups = [list(group) for _, group in groupby(range(len(documents)), key=lambda n: documents[n])]
    known = [{word.lower() for word in topics.get(documents[one[0]], ())[: sizes[1]]} for one in groups]

    def count(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [
            _in_caches([texts[number] for number in numbers], topic, sizes[0])
            for numbers, topic in zip(groups, known, strict=True)
        ]

    counts = count(outputs)
    in_topic = sum(of_topic for document in counts for of_topic, _ in document)
    in_both = sum(of_both for document in counts for _, of_both in document)
    distance = None
    if reference is not None:
        check_parallel(reference, [documents])
        means = [
            [sum(of_both for _, of_both in document) / len(document) for document in one]
            for one in (counts, count(reference))
        ]
        distance = distance_to_reference(*means)
    return SharedWithCaches(
        sum(document[0][0] for document in counts) / len(groups),
        in_topic / len(groups),
        in_both / len(groups),
        in_topic / len(outputs),
        in_both / len(outputs),
        distance,
    )


def _in_caches(outputs: Sequence[str], topic: set[str], size: int) -> list[tuple[int, int]]:
    """For each sentence of a document, its types in the topic cache, and in either cache."""
    dynamic: OrderedDict[str, None] = OrderedDict()
    found = []
    for output in outputs:
        bag = content_words(output)
        types = set(bag)
        found.append((len(types & topic), len(types & (topic | dynamic.keys()))))
        _remember(dynamic, bag, size)
    return found


def _remember(dynamic: OrderedDict[str, None], bag: Sequence[str], size: int) -> None:
    """Enter a sentence's words; the ones longest unused leave."""
    for word in bag:
        dynamic.pop(word, None)
        dynamic[word] = None
    while len(dynamic) > size:
        dynamic.popitem(last=False)
