"""What a document memory knows of the sentences to come, and what the model knew without it.

    python -m experiments.trials.history_worth MODEL CORPUS [--documents 30] [--segments 40] [--memory A,A+B]

MODEL is a run or a model folder. The references of CORPUS are scored (forced decoding) with histories of four
kinds: none, the model's own drafts, the references themselves, and the references of another document.
`oracle` reads the memory only at the pieces that it makes likelier: more than any gate can gain. Of the
memories that offer words it is counted how many pieces of the references they offer, and how many of these
the model thinks of first without them. Names joined by + are read together; what commas part is scored one
after the other, on the same histories.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.word_caches import WordReading
from anaphora_nmt.pipeline.corpus import CorpusTranslator
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine, prepare_pairs
from anaphora_nmt.text.vocabulary import EOS, PAD
from anaphora_nmt.training.runs import load_run
from anaphora_nmt.types import SearchOptions

_BATCH = 16
_SHORTEST = 8
PLAIN = SearchOptions(beam_size=1, memories=None)


@dataclass
class Worth:
    """Sums over the pieces of the references, nats.

    Attributes:
        loss: of each kind of history. oracle: the same where the memory is read only where it helps.
        offered: pieces that the memory offers. known: of these, what the model alone thinks first.
    """

    pieces: int = 0
    loss: dict[str, float] = field(default_factory=dict)
    oracle: dict[str, float] = field(default_factory=dict)
    offered: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, plain: torch.Tensor, read: torch.Tensor) -> None:
        """Log-probabilities of the pieces without the memory and with it, [pieces]."""
        for sums, values in ((self.loss, read), (self.oracle, torch.maximum(plain, read))):
            sums[kind] = sums.get(kind, 0.0) - float(values.double().sum())


class Scorer:
    """Scores the references of documents under histories.

    Attributes:
        readings: the memories that are read together, each choice of them scored by itself.
    """

    def __init__(
        self, drafter: Drafter, topics: TopicModel | None, readings: Sequence[frozenset[str]]
    ) -> None:
        self.readings = readings
        self._drafter, self._model, self._topics = drafter, drafter.model, topics

    def score(self, documents: Sequence[ParallelDocument]) -> list[Worth]:
        """Scores of all documents, for each of `readings`; the other document's history is the one before."""
        drafts = CorpusTranslator(self._drafter, self._model.vocabulary, self._model.config, None).translate(
            [[source for source, _ in document.pairs] for document in documents], PLAIN
        )
        found = [Worth() for _ in self.readings]
        for number, document in enumerate(documents):
            histories = {
                "drafts": self._history(document, drafts[number]),
                "references": self._history(document),
                "another's": self._history(documents[number - 1]),
            }
            for start in range(0, len(document.pairs), _BATCH):
                places = range(start, min(start + _BATCH, len(document.pairs)))
                self._add(found, document, places, histories)
        return found

    def _history(self, document: ParallelDocument, drafts: Sequence[str] | None = None) -> DocumentMemory:
        """The memory of a document with its drafts, or with its references as if they had been confirmed."""
        texts = [target for _, target in document.pairs] if drafts is None else drafts
        topic = None
        if self._topics is not None:
            topic = self._topics.infer([source for source, _ in document.pairs])
        info = DocumentInfo(self._model.vocabulary, topic)
        memory = DocumentMemory(document.id, [str(n) for n in range(len(texts))], self._model.config, info)
        for start in range(0, len(texts), _BATCH):
            written = zip(document.pairs[start : start + _BATCH], texts[start:], strict=False)
            sources, lines = self._prepared([(source, text) for (source, _), text in written])
            for place, given in enumerate(self._drafter.contributions(sources, lines), start):
                memory.confirm(place, given) if drafts is None else memory.draft(place, given)
        return memory

    def _prepared(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[PreparedLine], list[PreparedLine]]:
        return prepare_pairs(pairs, self._drafter.source, self._drafter.target)

    @torch.inference_mode()
    def _add(
        self,
        found: Sequence[Worth],
        document: ParallelDocument,
        places: range,
        histories: dict[str, DocumentMemory],
    ) -> None:
        pairs = [document.pairs[place] for place in places]
        sources, lines = self._prepared(pairs)
        target = self._drafter.padded([[*line.ids, EOS] for line in lines])
        encoded = self._drafter.encode_whole(sources)
        counted = target != PAD
        nothing = [MemorySnapshot()] * len(pairs)
        without = self._model.force_decode(encoded, target, nothing, frozenset())
        plain = without.target_log_probs[counted]
        first = without.log_probs.argmax(-1) == target
        for worth in found:
            worth.pieces += int(counted.sum())
            worth.add("none", plain, plain)
        for kind, memory in histories.items():
            last = len(memory.segments) - 1
            snapshots = [memory.before(min(place, last)) for place in places]
            for worth, read in zip(found, self.readings, strict=True):
                forced = self._model.force_decode(encoded, target, snapshots, read)
                worth.add(kind, plain, forced.target_log_probs[counted])
                for name in read & forced.readings.keys():
                    reading = forced.readings[name].reading
                    if isinstance(reading, WordReading):
                        offered = ((reading.offered == target[..., None]) & reading.visible).any(-1) & counted
                        worth.offered[kind] = worth.offered.get(kind, 0) + int(offered.sum())
                        worth.known[kind] = worth.known.get(kind, 0) + int((offered & first).sum())


def opened(path: Path) -> tuple[Drafter, TopicModel | None]:
    """A run or a model folder, on the CPU."""
    if (path / "run.json").exists():
        loaded = load_run(path)
        return Drafter(loaded.model, loaded.source, loaded.target), loaded.topics
    corpus = Translator.load(path, "cpu", threads=1).corpus()
    return corpus.drafter, corpus.topics


def main() -> None:
    """Print a line of JSON for each choice of memories."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--segments", type=int, default=40, help="of each document")
    parser.add_argument("--memory", help="what is read; default: the model's first")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    drafter, topics = opened(arguments.model)
    memories = (arguments.memory or next(iter(drafter.model.memories))).split(",")
    readings = [frozenset(memory.split("+")) for memory in memories]
    if unknown := frozenset().union(*readings) - drafter.model.memories.keys():
        raise ConfigError(f"{arguments.model} has no memory {min(unknown)}")
    long = [each for each in read_documents(arguments.corpus) if len(each.pairs) >= _SHORTEST]
    documents = [
        ParallelDocument(each.id, each.source_name, each.licence, each.pairs[: arguments.segments])
        for each in long[: arguments.documents]
    ]
    for memory, worth in zip(memories, Scorer(drafter, topics, readings).score(documents), strict=True):
        mean = {kind: round(loss / worth.pieces, 4) for kind, loss in worth.loss.items()}
        oracle = {
            kind: round(loss / worth.pieces, 4) for kind, loss in worth.oracle.items() if kind != "none"
        }
        print(
            json.dumps(
                {
                    **{"memory": memory, "documents": len(documents), "pieces": worth.pieces},
                    **{"nats": mean, "oracle": oracle, "offered": worth.offered, "known": worth.known},
                }
            )
        )


if __name__ == "__main__":
    main()
