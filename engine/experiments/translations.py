"""Test sets by name, and files with a system's translations of them."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tqdm import tqdm

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.files import write_json
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.pipeline.suggesting.corpus import CorpusTranslator
from anaphora_nmt.training.runs import LoadedRun
from anaphora_nmt.types import SearchOptions

SETS = "sets"
CONFIRMED = "-confirmed"
"""Suffix of sets in which each reference enters the memory, as if confirmed, before the next draft."""


@dataclass(frozen=True)
class TestSet:
    __test__ = False  # not a pytest class

    name: str
    documents: tuple[tuple[str, ...], ...]
    confirmed: tuple[tuple[str, ...], ...] | None = None

    def save(self, prepared: Path) -> None:
        path = prepared / SETS / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.documents, ensure_ascii=False), "utf-8")


@dataclass(frozen=True)
class Outputs:
    set: str
    beam: int
    seconds: float
    words: int
    hypotheses: tuple[str, ...]
    device: str = "cpu"

    def save(self, run: Path) -> None:
        write_json(outputs_path(run, self.set), asdict(self), indent=0)


def outputs_path(run: Path, name: str) -> Path:
    return run / f"outputs.{name}.json"


def load_outputs(run: Path, name: str, beam: int) -> Outputs | None:
    """A run's stored translations of a set; None if there are none with this beam."""
    path = outputs_path(run, name)
    if not path.exists():
        return None
    values = json.loads(path.read_text("utf-8"))
    outputs = Outputs(**{**values, "hypotheses": tuple(values["hypotheses"])})
    return outputs if outputs.beam == beam else None


def read_test_set(text: str, prepared: Path) -> TestSet:
    """A test set from `NAME` (in the prepared folder) or `NAME=CORPUS`. CorpusError if it cannot be read.

    If the name ends in `CONFIRMED`, the references are read, too; they require a corpus.
    """
    name, _, path = text.partition("=")
    if path:
        pairs = [document.pairs for document in read_documents(Path(path))]
        sources = tuple(tuple(source for source, _ in document) for document in pairs)
        targets = tuple(tuple(target for _, target in document) for document in pairs)
        return TestSet(name, sources, targets if name.endswith(CONFIRMED) else None)
    stored = prepared / SETS / f"{name}.json"
    try:
        documents = json.loads(stored.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"the prepared data has no test set {name} ({error}); give its corpus: {name}=FILE.jsonl.xz"
        ) from error
    return TestSet(name, tuple(tuple(document) for document in documents))


def translate_set(run: LoadedRun, test_set: TestSet, beam: int, batch: int = 24) -> Outputs:
    drafter = Drafter(run.model, run.source, run.target)
    vocabulary, memory = run.model.vocabulary, run.model.config
    translator = CorpusTranslator(drafter, vocabulary, memory, run.topics, batch)
    started = time.perf_counter()
    total = sum(map(len, test_set.documents))
    with tqdm(total=total, unit="segment", desc=test_set.name) as bar:
        memories = dict.fromkeys(memory.chosen(), True)  # reads them even if a document's topic is uncertain
        # The papers' systems have no penalties.
        options = SearchOptions(beam_size=beam, coverage=0.0, repetition=0.0, memories=memories)
        drafts = translator.translate(test_set.documents, options, test_set.confirmed, bar.update)
    seconds = time.perf_counter() - started
    lines = tuple(line.replace("\n", " ") for document in drafts for line in document)
    words = sum(len(line.split()) for line in lines)
    device = str(run.model.device)
    return Outputs(test_set.name, beam, round(seconds, 2), words, lines, device)
