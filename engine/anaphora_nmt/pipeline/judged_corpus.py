"""Drafts of parallel documents with what their making shows, to fit and to measure estimates of quality."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.int8_decoder import with_int8_decoder
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.judging import Finished, judge
from anaphora_nmt.pipeline.lines import PreparedLine, prepare_source, prepare_target
from anaphora_nmt.quality.evidence import Evidence, TrainingText
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.word_list import NO_WORDS
from anaphora_nmt.types import SearchOptions

_BATCH = 16
_LONGEST = 200
_FEWEST = 8
_GENRES = {"law-tw": "laws", "bible": "Bible", "cataclysm": "game", "wesnoth": "game", "tvsub": "subtitles"}
_GENRES |= {name: name for name in ("articles", "contract", "dialogue", "letter", "news", "story")}
"""Genres of sources; all others are documentation."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft with its reference, of a document of a genre."""

    genre: str
    document: str
    draft: str
    reference: str
    evidence: Evidence


def draw(
    documents: Iterable[ParallelDocument], segments: int, seed: int = 1
) -> dict[str, list[ParallelDocument]]:
    """About so many segments of each genre, from the beginnings of many documents: cut documents by genre."""
    by_genre: dict[str, list[ParallelDocument]] = defaultdict(list)
    for document in documents:
        by_genre[_genre(document)].append(document)
    drawn: dict[str, list[ParallelDocument]] = {}
    for genre, found in sorted(by_genre.items()):
        random.Random(seed).shuffle(found)
        each, chosen, count = max(_FEWEST, -(-segments // len(found))), [], 0
        for document in found:
            if count >= segments:
                break
            pairs = document.pairs[:each]
            chosen.append(ParallelDocument(document.id, genre, document.licence, pairs))
            count += len(pairs)
        drawn[genre] = chosen
    return drawn


def _genre(document: ParallelDocument) -> str:
    return _GENRES.get(document.source_name, "documentation")


def judged(bundle: Bundle, documents: dict[str, list[ParallelDocument]]) -> list[Judged]:
    """Draft the documents, without memory, and look at what the drafts show."""
    options = SearchOptions(memories=None)
    model = MemoryAugmentedModel(bundle.model, bundle.memory, WordVocabulary(bundle.target)).eval()
    drafter = Drafter(model, bundle.source, bundle.target, with_int8_decoder(model))
    lines: list[tuple[str, str, PreparedLine, str]] = []
    for genre, some in documents.items():
        for document in some:
            names = DocumentNames(bundle.names, [source for source, _ in document.pairs])
            for source, reference in document.pairs:
                line = prepare_source(source, bundle.source, names.find)
                if line.words and len(line.ids) <= _LONGEST:
                    lines.append((genre, document.id, line, reference))
    lines.sort(key=lambda each: len(each[2].ids))
    found: list[Judged] = []
    for start in tqdm(range(0, len(lines), _BATCH), unit="batch", desc="drafts"):
        batch = lines[start : start + _BATCH]
        nothing = [MemorySnapshot()] * len(batch)
        drafts = drafter.draft([line for _, _, line, _ in batch], nothing, options)
        finished = [
            Finished(line, prepare_target(draft.text, line.line.strings, bundle.target), others=draft.others)
            for (_, _, line, _), draft in zip(batch, drafts, strict=True)
        ]
        evidence = judge(drafter, finished, frozenset())
        for (genre, name, _, reference), draft, (_, shown) in zip(batch, drafts, evidence, strict=True):
            found.append(Judged(genre, name, draft.text, reference, shown))
    return found


def count_training_text(bundle: Bundle, pairs: Sequence[tuple[str, str]], sample: int) -> TrainingText:
    """How often pieces occur in some of the training pairs, and the model's list of words."""
    counts = np.zeros(len(bundle.source)), np.zeros(len(bundle.target))
    for chinese, english in random.Random(1).sample(pairs, min(sample, len(pairs))):
        line = prepare_source(chinese, bundle.source)
        np.add.at(counts[0], list(line.ids), 1)
        np.add.at(counts[1], list(prepare_target(english, line.line.strings, bundle.target).ids), 1)
    placeholders = frozenset(piece for pieces in bundle.source.placeholder_ids for piece in pieces)
    source, target = (np.log1p(count).astype(np.float32) for count in counts)
    return TrainingText(source, target, bundle.words or NO_WORDS, placeholders)
