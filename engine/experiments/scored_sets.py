"""The test sets of the experiments, with their references."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.commands.evaluate import references_of
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.report import EvaluationSet
from experiments.tvsub import HELD_OUT_SET, TEST_SET, detokenise, held_out_episodes

TVSUB, TVSUB_DEV = TEST_SET, "tvsub-dev"
_SUBTITLES = (TVSUB, TVSUB_DEV, HELD_OUT_SET)
FILES = {
    "docs-dev": Path("docs-zh-en/dev.jsonl.xz"),
    "docs-dev-confirmed": Path("docs-zh-en/dev.jsonl.xz"),
    "docs-test": Path("docs-zh-en/test.jsonl.xz"),
    "docs-test-confirmed": Path("docs-zh-en/test.jsonl.xz"),
    "unseen-dev": Path("docs-unseen-zh-en/dev.jsonl.xz"),
    "unseen-test": Path("docs-unseen-zh-en/test.jsonl.xz"),
    TVSUB: Path("tvsub/test.jsonl.xz"),
    TVSUB_DEV: Path("tvsub/dev.jsonl.xz"),
    HELD_OUT_SET: Path("tvsub/train.jsonl.xz"),
}


@dataclass(frozen=True)
class ScoredSet:
    """A test set with references. Subtitles (TVSub) are detokenised and scored without regard to case."""

    name: str
    data: EvaluationSet

    def prepare(self, outputs: list[str]) -> list[str]:
        return detokenise(outputs) if self.name in _SUBTITLES else outputs


def load_scored_set(name: str, data: Path) -> ScoredSet:
    """Read a test set of `FILES`; `data` is the folder with docs-zh-en/ and the other corpora."""
    if name not in FILES:
        raise CorpusError(f"there is no test set {name!r}; choose from: {', '.join(FILES)}")
    path = data / FILES[name]
    documents = held_out_episodes(path) if name == HELD_OUT_SET else list(read_documents(path))
    names = [document.id for document in documents for _ in document.pairs]
    sources = [source for document in documents for source, _ in document.pairs]
    has_several_references = name in (TVSUB, TVSUB_DEV)
    references = references_of(documents, has_several_references)
    if has_several_references:
        references = [detokenise(lines) for lines in references]
    return ScoredSet(name, EvaluationSet(sources, references, names, lowercase=name in _SUBTITLES))
