"""Words of translations that the topic and dynamic caches hold (Kuang et al., 2018, Tables 3 and 4)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from anaphora_nmt.evaluation.bleu import check_parallel
from experiments.measures.tokens import content_words


@dataclass(frozen=True, slots=True)
class SharedWithCaches:
    """Average numbers of words, stop words left out.

    Attributes:
        first_topic: of a document's first sentence that are in the topic cache (Table 3).
        document_topic, document_both: of a document that are in the topic cache, and in either (Table 4).
        sentence_topic, sentence_both: the same for a sentence.
    """

    first_topic: float
    document_topic: float
    document_both: float
    sentence_topic: float
    sentence_both: float


def shared_with_caches(
    outputs: Sequence[str],
    documents: Sequence[object],
    topics: Mapping[object, Sequence[str]],
    sizes: tuple[int, int] = (100, 200),
) -> SharedWithCaches:
    """Count the words of translations that stand in the caches at their time.

    The caches are those that the documents' texts make, as the paper fills them, whether or not a system
    has caches: the topic words of the source document, and the last words of the sentences before. So
    systems and the reference can be compared, as in Table 3. Every occurrence counts, as the ratio of
    the paper's numbers for documents and sentences says.

    Args:
        topics: topic words of each document, most probable first.
        sizes: |c_d| and |c_t|, words.
    Raises:
        CorpusError: no outputs, or lists of different lengths.
    """
    check_parallel(outputs, [documents])
    groups = [list(group) for _, group in groupby(range(len(documents)), key=lambda n: documents[n])]
    first = in_topic = in_both = 0
    for numbers in groups:
        topic = {word.lower() for word in topics.get(documents[numbers[0]], ())[: sizes[1]]}
        dynamic: OrderedDict[str, None] = OrderedDict()
        for place, number in enumerate(numbers):
            bag = content_words(outputs[number])
            of_topic = sum(word in topic for word in bag)
            first += of_topic if place == 0 else 0
            in_topic += of_topic
            in_both += sum(word in topic or word in dynamic for word in bag)
            _remember(dynamic, bag, sizes[0])
    return SharedWithCaches(
        first / len(groups),
        in_topic / len(groups),
        in_both / len(groups),
        in_topic / len(outputs),
        in_both / len(outputs),
    )


def _remember(dynamic: OrderedDict[str, None], bag: Sequence[str], size: int) -> None:
    """Enter a sentence's words; the ones longest unused leave."""
    for word in bag:
        dynamic.pop(word, None)
        dynamic[word] = None
    while len(dynamic) > size:
        dynamic.popitem(last=False)
