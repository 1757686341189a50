"""TVSub (Wang et al., 2018), the Subtitle domain of Tu et al. (2018), made ready for training and testing.

Sources hardly have punctuation in the training set (a space stands for it), but have it in the test set:
here they have none anywhere. Targets are in lower case, as the references are, and not tokenised.
Episodes are documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.data.binary_corpus import clean_pairs, encode_corpus
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import Vocabulary, train_vocabulary
from anaphora_nmt.text.words import SegmentedVocabulary, train_source_vocabulary

TEST_SET = "tvsub-test"
_NO_WORD = re.compile(r"[^\w%+]+")
_MUSIC = re.compile(r"[♬♪*#]+|<[^<>]*>|^\s*-\s*")
_VOCABULARY_STRIDE = 5


@dataclass(frozen=True)
class TvsubSizes:
    """How much of it.

    Attributes:
        source, target: pieces of the vocabularies.
        pairs: training pairs at most, in whole episodes; None: all.
    """

    source: int = 16000
    target: int = 8000
    pairs: int | None = None


def clean_source(text: str) -> str:
    """A source without punctuation, as the training set mostly has it."""
    return _NO_WORD.sub(" ", text).strip()


def clean_target(text: str) -> str:
    """A target in lower case, without music signs, mark-up and a leading dash."""
    return " ".join(_MUSIC.sub(" ", text).lower().split())


def prepare_tvsub(
    raw: Path, folder: Path, sizes: TvsubSizes, detokenise: Callable[[list[str]], list[str]]
) -> list[list[str]]:
    """Write source.model, target.model, train.npz and dev.npz.

    Args:
        raw: folder of train.jsonl.xz, dev.jsonl.xz and test.jsonl.xz.
        detokenise: undoes the tokenisation of dev's targets.
    Returns:
        the test set's sources, a list for each episode.
    Raises:
        CorpusError: a file is missing or damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pairs = list(clean_pairs(_episodes(raw / "train.jsonl.xz", sizes.pairs)))
    # the vocabularies of a fifth of so many short sentences are those of all
    some = pairs[::_VOCABULARY_STRIDE] if len(pairs) > 1_000_000 else pairs
    target = Vocabulary(train_vocabulary((text for _, _, text in some), sizes.target))
    source = SegmentedVocabulary(train_source_vocabulary((text for _, text, _ in some), sizes.source))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    encode_corpus(pairs, source, target).save(folder / "train.npz")
    dev = [_detokenised(document, detokenise) for document in read_documents(raw / "dev.jsonl.xz")]
    encode_corpus(clean_pairs(dev), source, target).save(folder / "dev.npz")
    return [
        [clean_source(text) for text, _ in document.pairs]
        for document in read_documents(raw / "test.jsonl.xz")
    ]


def _episodes(path: Path, most: int | None) -> Iterator[ParallelDocument]:
    """Whole episodes up to `most` pairs, from all over the corpus."""
    total = sum(len(document.pairs) for document in read_documents(path)) if most else 0
    if most == 0:
        raise CorpusError("TVSub without training pairs is of no use; give a number above 0")
    share = min(1.0, most / total) if most and total else 1.0
    kept = seen = 0
    for document in read_documents(path):
        seen += len(document.pairs)
        if kept + len(document.pairs) > seen * share + 0.5:
            continue
        kept += len(document.pairs)
        yield _cleaned(document, [target for _, target in document.pairs])


def _detokenised(
    document: ParallelDocument, detokenise: Callable[[list[str]], list[str]]
) -> ParallelDocument:
    return _cleaned(document, detokenise([target for _, target in document.pairs]))


def _cleaned(document: ParallelDocument, targets: list[str]) -> ParallelDocument:
    sources = [source for source, _ in document.pairs]
    pairs = tuple(
        (clean_source(source), clean_target(target)) for source, target in zip(sources, targets, strict=True)
    )
    return ParallelDocument(document.id, document.source_name, document.licence, pairs)
