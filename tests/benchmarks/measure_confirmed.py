"""What following confirmed text gains: BLEU on dev documents, and how many corrected terms are taken up.

    python tests/benchmarks/measure_confirmed.py DEV.jsonl.xz [KEY=VALUE,KEY=VALUE …]

Each further argument is a setting: fields of ConfirmedConfig that differ from the embedded model's.

Greedy; each reference is confirmed before the next draft. The first 24 segments of the first 36 documents
that have at least 12.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.evaluation.bleu import corpus_bleu, corpus_chrf
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.pipeline.corpus import CorpusTranslator
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.types import SearchOptions

PROBES = (
    (("密集层是一种简单的层。", "密集层能够学习线性关系。", "使用密集层创建模型。"), "fully connected"),
    (("训练循环更新模型的参数。", "编写一个基本训练循环。", "训练循环需要损失函数。"), "cycle"),
    (("装饰器改变函数的行为。", "使用装饰器定义函数。", "装饰器是一种函数。"), "wrapper"),
    (("损失函数很重要。", "定义损失函数。", "计算模型的损失函数。"), "penalty"),
)
CONFIRMED = (
    "A fully connected layer is a simple layer.",
    "The training cycle updates the parameters of the model.",
    "A wrapper changes the behaviour of a function.",
    "The penalty function is important.",
)


def translator(confirmed: ConfirmedConfig) -> CorpusTranslator:
    """The embedded model with other settings for what was confirmed."""
    bundle = load_bundle(embedded_model())
    memory: MemoryConfig = bundle.memory.with_memories(confirmed=confirmed)
    vocabulary = WordVocabulary(bundle.target)
    model = MemoryAugmentedModel(bundle.model, memory, vocabulary).eval()
    model.load_memory_state(bundle.memory_tensors)
    topics = TopicModel.load(bundle.folder / "topics.npz")
    return CorpusTranslator(
        Drafter(model, bundle.source, bundle.target), vocabulary, memory, topics, 36, bundle.names
    )


def taken_up(corpus: CorpusTranslator) -> int:
    """Of eight drafts after a confirmed correction, those that hold the corrected term."""
    found = 0
    for (sources, term), target in zip(PROBES, CONFIRMED, strict=True):
        for later in sources[1:]:
            drafts = corpus.translate([[sources[0], later]], SearchOptions(), [[target, ""]])
            found += term in drafts[0][1].lower()
    return found


def main() -> None:
    """Print a line for each setting."""
    documents = [
        document.pairs[:24] for document in read_documents(Path(sys.argv[1])) if len(document.pairs) >= 12
    ]
    documents = documents[:36]
    sources = [[source for source, _ in pairs] for pairs in documents]
    references = [[target for _, target in pairs] for pairs in documents]
    flat = [line for document in references for line in document]
    shipped = load_bundle(embedded_model()).memory.get("confirmed") or ConfirmedConfig()
    settings = [(name, shipped, name) for name in ("none", "both", "all", "confirmed")]
    for text in sys.argv[2:]:
        changes: dict[str, Any] = {
            key: float(value) for key, value in (part.split("=") for part in text.split(","))
        }
        settings.append((text, replace(shipped, **changes), "confirmed"))
    for name, confirmed, memories in settings:
        corpus = translator(confirmed)
        options = SearchOptions(beam_size=1, memories=memories_in_use(memories))
        use = memories != "none"
        drafts = corpus.translate(sources, options, references if use else None)
        lines = [line for document in drafts for line in document]
        bleu, chrf = corpus_bleu(lines, [flat]).value, corpus_chrf(lines, [flat]).value
        taken = f"{taken_up(corpus)} of 8 terms taken up" if use else ""
        print(f"{name}: BLEU {bleu:.2f} chrF2 {chrf:.2f} on {len(lines)} segments {taken}", flush=True)


if __name__ == "__main__":
    main()
