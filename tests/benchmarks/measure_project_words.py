"""Measure topic words from a project's own translations, beside a memory pack of the project.

    python tests/benchmarks/measure_project_words.py D/docs-unseen-zh-en OUT.jsonl

The pack of a project contains the pairs of its dev documents. The test documents are drafted with the pack
alone, with topic words from the same pairs, and with those of another project; drafts do not enter the
memory. The topic words of a sentence are the English words that occur in the same pairs as its source words
(`experiments.new_memories`, which trains a model for them). OUT contains the
finished documents: repeat the command to continue. The scores are compared by a bootstrap over documents.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.evaluation.report import EvaluationSet, compare
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.pipeline.preparing.lines import prepare_pairs, prepare_source
from anaphora_nmt.types import SearchOptions
from experiments.new_memories import Words, topic_of, words_by_source

SYSTEMS = ("pack", "own words", "another project's words")
_BATCH = 16


class Project:
    """A project's memory with its pack, and its words."""

    def __init__(self, translator: Translator, pairs: Sequence[tuple[str, str]]) -> None:
        self._drafter = translator.corpus().drafter
        self._model = self._drafter.model
        memory = DocumentMemory("", ["0"], self._model.config, DocumentInfo(self._model.vocabulary))
        pack = []
        for start in range(0, len(pairs), _BATCH):
            some = pairs[start : start + _BATCH]
            prepared = prepare_pairs(some, self._drafter.source, self._drafter.target)
            pack += self._drafter.contributions(*prepared)
        memory.bring_in([(str(number), each) for number, each in enumerate(pack)])
        self._pack, self.words = memory.before(0), words_by_source(pairs)

    def drafts(self, sources: Sequence[str], words: Words | None) -> list[str]:
        """Drafts of a document's sentences, with the pack and topic words."""
        options = SearchOptions(5, memories={"confirmed": True, "word_caches": words is not None})
        lines = [prepare_source(source, self._drafter.source) for source in sources]
        texts = [""] * len(sources)
        places = sorted((n for n, line in enumerate(lines) if line.ids), key=lambda n: len(sources[n]))
        for start in range(0, len(places), _BATCH):
            some = places[start : start + _BATCH]
            memories = [self._snapshot(sources[place], words) for place in some]
            drafts = self._drafter.draft([lines[place] for place in some], memories, options)
            for place, draft in zip(some, drafts, strict=True):
                texts[place] = draft.text.replace("\n", " ")
        return texts

    def _snapshot(self, source: str, words: Words | None) -> MemorySnapshot:
        if words is None:
            return self._pack
        info = DocumentInfo(self._model.vocabulary, topic_of(source, words))
        contents = self._model.config.empty(info).contents["word_caches"]
        return replace(self._pack, contents={**self._pack.contents, "word_caches": contents})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, default=embedded_model(), help="a model folder")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    translator = Translator.load(arguments.model, device="cpu", threads=1)
    pairs = defaultdict[str, list[tuple[str, str]]](list)
    for document in read_documents(arguments.corpus / "dev.jsonl.xz"):
        pairs[document.source_name] += document.pairs
    projects = {name: Project(translator, pairs[name]) for name in sorted(pairs)}
    names = [*projects, next(iter(projects))]
    arguments.out.touch()
    done = dict(map(json.loads, arguments.out.read_text("utf-8").splitlines()))
    documents = list(read_documents(arguments.corpus / "test.jsonl.xz"))
    with arguments.out.open("a", encoding="utf-8") as out:
        for document in documents:
            project = projects[document.source_name]
            other = projects[names[names.index(document.source_name) + 1]]
            if document.id not in done:
                sources = [source for source, _ in document.pairs]
                choices = (None, project.words, other.words)
                done[document.id] = [project.drafts(sources, words) for words in choices]
                print(json.dumps((document.id, done[document.id])), file=out, flush=True)
    owners = [document.id for document in documents for _ in document.pairs]
    both = [pair for document in documents for pair in document.pairs]
    systems = {
        name: [text for document in documents for text in done[document.id][number]]
        for number, name in enumerate(SYSTEMS)
    }
    for row in compare(
        EvaluationSet([z for z, _ in both], [[e for _, e in both]], owners), systems, SYSTEMS[0]
    ):
        print(json.dumps(asdict(row)))


if __name__ == "__main__":
    main()
