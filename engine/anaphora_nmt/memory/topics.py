"""Topics of documents: an LDA model for each language, and a projection of source topics to target topics.

Kuang et al. (2018), section 4.1.2. Inference uses the updates of collapsed variational inference, which are
deterministic.
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.vocabulary import words
from anaphora_text.function_words import CHINESE_STOP_WORDS, STOP_WORDS
from anaphora_text.han import HAN

_FORMAT = 1
_ITERATIONS = 50
"""Number of updates in an inference."""
_LABEL_WORDS = 3
_SAMPLE = 400
"""Minimum number of sentences that `TopicModel.infer` reads of a document with more sentences."""
_MIN_KNOWN, _MIN_SIZE = 0.75, 60
"""Minimum share of known content words, and minimum number of content words, for `Topic.is_sure`.

Chosen on development texts: nine in ten documents of two documentation sets (131 and 56 documents) have a
share of at least 0.80, and nine in ten technical articles have at least 0.79. No law, game, part of the Bible
or text of the five test genres has a share above 0.66.
"""
_CHINESE_WORD = re.compile(f"[{HAN}]{{2,}}|[a-z][a-z-]+")
_ENGLISH_WORD = re.compile(r"[A-Za-z][A-Za-z-]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Topic:
    """A target topic.

    Attributes:
        words: the most probable words with p(w|z), in descending order.
        label: the first few words, for display.
        is_sure: whether the document resembles the texts that the topics were learned from.
    """

    number: int
    words: tuple[tuple[str, float], ...]
    label: str
    is_sure: bool = False


@dataclass(frozen=True)
class TopicSide:
    """The LDA model of one language.

    Attributes:
        counts: number of occurrences of each word in each topic, int32 [words, topics].
        alpha, beta: priors of a document's topics, and of a topic's words.
    """

    words: tuple[str, ...]
    counts: np.ndarray
    alpha: float
    beta: float

    def topic(self, tokens: Iterable[str]) -> int | None:
        """The topic with the highest probability p(z|d); None if no token is known."""
        frequencies = Counter(token for token in tokens if token in self._index)
        if not frequencies:
            return None
        rows = self._word_given_topic[[self._index[token] for token in frequencies]]
        weights = np.fromiter(frequencies.values(), np.float64, len(frequencies))
        totals = np.full(rows.shape[1], weights.sum() / rows.shape[1])
        for _ in range(_ITERATIONS):
            shares = rows * (totals + self.alpha)
            shares /= shares.sum(1, keepdims=True)
            totals = weights @ shares
        return int(totals.argmax())

    def count_known(self, tokens: Iterable[str]) -> int:
        return sum(token in self._index for token in tokens)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _word_given_topic(self) -> np.ndarray:
        smoothed = self.counts + self.beta
        return smoothed / smoothed.sum(0)


@dataclass(frozen=True)
class TopicModel:
    """Infers the target topic of a document.

    Attributes:
        projection: number of document pairs with each source topic z_s and target topic z_t, [z_s, z_t].
    """

    source: TopicSide
    target: TopicSide
    projection: np.ndarray
    topics: tuple[Topic, ...] = field(repr=False)

    @classmethod
    def load(cls, path: Path) -> TopicModel:
        """Read an `.npz` file. Raises ModelFileError if the file is missing or damaged."""
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                about = json.loads(file["about"].tobytes())
                if about["format"] != _FORMAT:
                    raise ValueError(f"its format is {about['format']}, this version reads {_FORMAT}")
                sides = [_load_side(file, about, name) for name in ("source", "target")]
                projection = file["projection"]
        except (OSError, KeyError, ValueError, IndexError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise ModelFileError(
                "The topic model {path} cannot be read ({reason}). Install the model again.",
                path=path,
                reason=error,
            ) from error
        return cls(sides[0], sides[1], projection, make_topics(about["topics"]))

    def save(self, path: Path) -> None:
        about = {
            "format": _FORMAT,
            "source": _about_side(self.source),
            "target": _about_side(self.target),
            "topics": [[[word, round(weight, 6)] for word, weight in topic.words] for topic in self.topics],
        }
        text = json.dumps(about, ensure_ascii=False).encode("utf-8")
        arrays: dict[str, Any] = {"about": np.frombuffer(text, np.uint8), "projection": self.projection}
        for name, side in (("source", self.source), ("target", self.target)):
            rows, columns = np.nonzero(side.counts)
            arrays[f"{name}_rows"] = rows.astype(np.int32)
            arrays[f"{name}_columns"] = columns.astype(np.int32)
            arrays[f"{name}_counts"] = side.counts[rows, columns].astype(np.int32)
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def infer(self, sources: Sequence[str]) -> Topic | None:
        """The target topic that occurs most often with a document's source topic; None if no word is known.

        If a document has 800 sentences or more, only evenly spaced ones are read.
        """
        step = max(1, len(sources) // _SAMPLE)
        tokens = [token for text in sources[::step] for token in source_tokens(text)]
        number = self.source.topic(tokens)
        if number is None:
            return None
        is_sure = len(tokens) >= _MIN_SIZE and self.source.count_known(tokens) >= _MIN_KNOWN * len(tokens)
        return replace(self.topics[int(self.projection[number].argmax())], is_sure=is_sure)

    def infer_target(self, targets: Sequence[str]) -> Topic | None:
        number = self.target.topic(token for text in targets for token in target_tokens(text))
        return None if number is None else self.topics[number]


def make_topics(lists: Sequence[Sequence[Sequence]]) -> tuple[Topic, ...]:
    """Topics from their (word, p(w|z)) lists, most probable first."""
    return tuple(
        Topic(
            number,
            tuple((str(word), float(weight)) for word, weight in entries),
            ", ".join(str(word) for word, _ in entries[:_LABEL_WORDS]),
        )
        for number, entries in enumerate(lists)
    )


def source_tokens(text: str) -> list[str]:
    """Chinese words and lower-cased Latin words, without function words."""
    return [
        word
        for word in (token.lower() for token, _, _ in words(normalize_source(text)))
        if _CHINESE_WORD.fullmatch(word) and word not in CHINESE_STOP_WORDS and word not in STOP_WORDS
    ]


def target_tokens(text: str) -> list[str]:
    """Lower-cased English words, without function words."""
    return [word.lower() for word in target_words(text)]


def target_words(text: str) -> list[str]:
    """English words in their original case, without function words."""
    tokens = _ENGLISH_WORD.findall(normalize_target(text))
    return [word for word in tokens if word.lower() not in STOP_WORDS]


def _about_side(side: TopicSide) -> dict:
    return {"words": side.words, "topics": side.counts.shape[1], "alpha": side.alpha, "beta": side.beta}


def _load_side(file: np.lib.npyio.NpzFile, about: dict, name: str) -> TopicSide:
    entry = about[name]
    counts = np.zeros((len(entry["words"]), entry["topics"]), np.int32)
    counts[file[f"{name}_rows"], file[f"{name}_columns"]] = file[f"{name}_counts"]
    return TopicSide(tuple(entry["words"]), counts, float(entry["alpha"]), float(entry["beta"]))
