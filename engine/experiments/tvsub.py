"""Prepare TVSub (Wang et al., 2018), the domain Subtitle of Tu et al. (2018), for training and testing.

In the sources of the training set, unlike those of the test set, spaces replace most punctuation marks, so
punctuation marks are removed from all sources. Targets are in lower case, like the references, and not
tokenised. Each episode is a document.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from anaphora_nmt.data.binary_corpus import clean_pairs, encode_corpus
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import (
    SegmentedVocabulary,
    Vocabulary,
    train_source_vocabulary,
    train_vocabulary,
)

TEST_SET = "tvsub-test"
HELD_OUT_SET = "tvsub-held-out"
"""Test set of episodes that are held out from the training set: 5,240 segments; `TEST_SET` has 1,154."""
HELD_OUT_EPISODES = 8
PRONOUN_EPISODES = 40
_NO_WORD = re.compile(r"[^\w%+]+")
_MUSIC = re.compile(r"[♬♪*#]+|<[^<>]*>|^\s*-\s*")
_HE_OR_SHE = re.compile("[他她](?!们)")
_VOCABULARY_STRIDE = 5
_MIN_LENGTH = 12  # characters; shorter sentences occur in many episodes


def clean_source(text: str) -> str:
    return _NO_WORD.sub(" ", text).strip()


def clean_target(text: str) -> str:
    return " ".join(_MUSIC.sub(" ", text).lower().split())


def hide_gender(text: str) -> str:
    return _HE_OR_SHE.sub("TA", text)


def held_out_episodes(path: Path, count: int = HELD_OUT_EPISODES) -> list[ParallelDocument]:
    """Evenly spaced episodes of `train.jsonl.xz`, cleaned, as a test set; none if there are too few."""
    episodes = list(read_documents(path))
    chosen = _spaced_numbers(len(episodes), count)
    return [_clean(episodes[n]) for n in chosen]


def prepare_tvsub(
    raw: Path, folder: Path, source_pieces: int = 16000, target_pieces: int = 8000, hidden: bool = False
) -> dict[str, list[list[str]]]:
    """Write source.model, target.model, train.npz (without the held-out episodes) and dev.npz.

    Args:
        hidden: hide the gender of pronouns in every second sentence.
    Returns:
        the sources of `TEST_SET` and `HELD_OUT_SET`, as a list of sources for each episode.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held_out = held_out_episodes(raw / "train.jsonl.xz", PRONOUN_EPISODES if hidden else HELD_OUT_EPISODES)
    episodes = map(_clean, read_documents(raw / "train.jsonl.xz"))
    pairs = list(clean_pairs(_exclude(episodes, held_out)))
    if hidden:
        pairs[::2] = [(number, hide_gender(source), target) for number, source, target in pairs[::2]]
    # A fifth of a large corpus gives the same vocabularies.
    sample = pairs[::_VOCABULARY_STRIDE] if len(pairs) > 1_000_000 else pairs
    target = Vocabulary(train_vocabulary((text for _, _, text in sample), target_pieces))
    source = SegmentedVocabulary(train_source_vocabulary((text for _, text, _ in sample), source_pieces))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    encode_corpus(pairs, source, target).save(folder / "train.npz")
    dev = [_clean(document, tokenised=True) for document in read_documents(raw / "dev.jsonl.xz")]
    encode_corpus(clean_pairs(dev), source, target).save(folder / "dev.npz")
    sets = {TEST_SET: read_documents(raw / "test.jsonl.xz"), HELD_OUT_SET: held_out}
    return {
        name: [[clean_source(text) for text, _ in document.pairs] for document in documents]
        for name, documents in sets.items()
    }


def _spaced_numbers(end: int, count: int) -> list[int]:
    step = end // count
    return list(range(step // 2, end, step))[:count] if step > 1 else []


def _exclude(
    documents: Iterable[ParallelDocument], held_out: Sequence[ParallelDocument]
) -> Iterator[ParallelDocument]:
    """The documents that are not held out, without pairs whose long source is in a held-out document."""
    names = {document.id for document in held_out}
    long = {source for document in held_out for source, _ in document.pairs if len(source) >= _MIN_LENGTH}
    for document in documents:
        if document.id not in names:
            yield replace(document, pairs=tuple(pair for pair in document.pairs if pair[0] not in long))


def _clean(document: ParallelDocument, tokenised: bool = False) -> ParallelDocument:
    targets = [target for _, target in document.pairs]
    targets = detokenise(targets) if tokenised else targets
    sources = [source for source, _ in document.pairs]
    pairs = tuple(
        (clean_source(source), clean_target(target)) for source, target in zip(sources, targets, strict=True)
    )
    return ParallelDocument(document.id, document.source_name, document.licence, pairs)


def detokenise(lines: Iterable[str]) -> list[str]:
    """Lines as before Moses tokenisation, without entities (`&apos;`) and spaces before punctuation marks."""
    try:
        from sacremoses import MosesDetokenizer
    except ImportError as error:
        raise CorpusError("the package sacremoses is missing: pip install anaphora[experiments]") from error
    moses = MosesDetokenizer("en")
    return [str(moses.detokenize(html.unescape(line).split())) for line in lines]
