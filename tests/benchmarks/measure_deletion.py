"""A deletion test of what an explanation names: does the word without memory come back without it?

    python tests/benchmarks/measure_deletion.py DEV.jsonl.xz [--words 500]

Greedy drafts, each reference confirmed before the next segment is drafted. Of each draft, the words are taken
that the model goes on with because of what was confirmed: without it, another word would stand there after
the same words. The remembered words are ranked by what leaving each out changes (as the panel names them), by
matching probability (the share of p_confirmed, whichever piece they speak for), and by attention (how alike
the attention's readings of the source, c_t, are). The first 1, 2, 3 and 5 are taken away together. Printed is
how often the model then says the very word that it says without any memory, whole, after the same words.

Measured on docs-zh-en dev with --words 250: 250 words in 335 drafts.

| taken away first | 1 | 2 | 3 | 5 |
|---|---:|---:|---:|---:|
| leaving out | 87.2 % | 87.2 % | 87.2 % | 87.2 % |
| matching | 88.0 % | 96.0 % | 97.6 % | 98.0 % |
| attention | 72.4 % | 88.0 % | 92.4 % | 96.0 % |

What leaving out names is short: of words that hide one another ("keypoints" and "keypoint" begin alike)
neither alone turns the word, and where a third remembered word steps in, none gives the plain word back.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import torch

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.memory.confirmed import ConfirmedReading, ConfirmedText
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.influences import Forced, MemoryInfluences
from anaphora_nmt.pipeline.lines import Word, prepare_target
from anaphora_nmt.pipeline.other_words import words_instead
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import SearchOptions, SourceSegment

CONFIRMED = frozenset({ConfirmedText.name})
GREEDY = SearchOptions(beam_size=1, memories={ConfirmedText.name: True})
TAKEN = (1, 2, 3, 5)
RANKINGS = ("leaving out", "matching", "attention")


class Deletion:
    """Counts, for each ranking and number of words taken away, how often the plain word comes back."""

    def __init__(self) -> None:
        bundle = load_bundle(embedded_model())
        vocabulary = WordVocabulary(bundle.target)
        self.model = MemoryAugmentedModel(bundle.model, bundle.memory, vocabulary).eval()
        self.model.load_memory_state(bundle.memory_tensors)
        self.bundle, self.vocabulary = bundle, vocabulary
        self.drafter = Drafter(self.model, bundle.source, bundle.target)
        self.words = self.segments = 0
        self.back: Counter[tuple[str, int]] = Counter()

    def run(self, pairs: Sequence[tuple[str, str]], most: int) -> None:
        """One document."""
        segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(pairs)]
        document = OpenDocument(
            "d", segments, self.bundle.source, self.bundle.memory, self.vocabulary, None, self.drafter.context
        )
        for index, (_, reference) in enumerate(pairs):
            if index and self.words < most:
                self._segment(document, index)
            source = document.source(index)
            target = prepare_target(reference, source.line.strings, self.bundle.target)
            document.memory.confirm(index, self.drafter.contributions([source], [target])[0])

    @torch.inference_mode()
    def _segment(self, document: OpenDocument, index: int) -> None:
        source, snapshot = document.source(index), document.memory.before(index)
        text = self.drafter.draft([source], [snapshot], GREEDY)[0].text
        target = prepare_target(text, source.line.strings, self.bundle.target)
        if not target.words:
            return
        encoded = self.drafter.encode_whole([source])
        ids = torch.tensor([[*target.ids, EOS]])
        decoding = self.model.force_decode(encoded, ids, [snapshot], CONFIRMED)
        if not decoding.readings:
            return
        self.segments += 1
        plain, fused = (part[0].argmax(-1).tolist() for part in self.model.fused_log_probs(decoding))
        forced = Forced(self.model, decoding, target.words, plain, fused)
        found = MemoryInfluences(forced, ConfirmedText.name, snapshot, document.memory.reader(index))
        changed = {n: word for n, word in enumerate(target.words) if _changed(word, ids[0].tolist(), forced)}
        uses = found.uses(True)
        reading = decoding.readings[ConfirmedText.name].reading
        assert isinstance(reading, ConfirmedReading)
        columns = {each.label: each.columns for each in found.remembered}
        for number, plain_word in words_instead(self.model, encoded, ids, changed, plain).items():
            steps = slice(*changed[number].pieces)
            rankings = {
                "leaving out": [
                    columns[use.label] for use in uses[number] if use.decisive or (use.influence or 0.0) > 0
                ],
                "matching": _ranked(reading.shares[0, steps].mean(0), columns.values()),
                "attention": _ranked(_attention(reading, steps), columns.values()),
            }
            self._count(encoded, snapshot, ids[0, : plain_word.start].tolist(), plain_word.pieces, rankings)

    def _count(
        self,
        encoded: Encoded,
        snapshot: MemorySnapshot,
        prefix: list[int],
        pieces: tuple[int, ...],
        rankings: Mapping[str, list[tuple[int, ...]]],
    ) -> None:
        """Decode the plain word in place and see whether the model says it without what was taken away."""
        self.words += 1
        ids = torch.tensor([[*prefix, *pieces, EOS]])
        decoding = self.model.force_decode(encoded, ids, [snapshot], CONFIRMED)
        steps = torch.arange(len(prefix), ids.shape[1])
        for ranking, groups in rankings.items():
            for taken in TAKEN:
                group = tuple(column for each in groups[:taken] for column in each)
                *said, after = self.model.best_without(
                    decoding, ConfirmedText.name, [group] * len(steps), steps
                ).tolist()
                ended = not bool(self.vocabulary.continues[after]) if pieces else after == EOS
                self.back[ranking, taken] += tuple(said) == pieces and ended


def _changed(word: Word, given: list[int], forced: Forced) -> bool:
    steps = slice(*word.pieces)
    return given[steps] == forced.fused[steps] != forced.plain[steps]


def _attention(reading: ConfirmedReading, steps: slice) -> torch.Tensor:
    """Cosine of c_t with that of each confirmed piece, its mean over the steps of a word, [N]."""
    assert reading.again is not None
    _, compared, slots = reading.again
    contexts = compared.context[0, steps]
    return (contexts @ slots.steps[0, :, : contexts.shape[-1]].T).mean(0)


def _ranked(strengths: torch.Tensor, groups: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Groups of columns, the one with the strongest column first."""
    values = strengths.numpy()
    return sorted(groups, key=lambda columns: -float(values[list(columns)].max()))


def main() -> None:
    """Print a line for each ranking."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--segments", type=int, default=40, help="of a document at most")
    arguments = parser.parse_args()
    deletion = Deletion()
    for document in read_documents(arguments.corpus):
        if deletion.words < arguments.words:
            deletion.run(document.pairs[: arguments.segments], arguments.words)
            print(f"\r{deletion.words} words", end="", file=sys.stderr, flush=True)
    print(f"\n{deletion.words} words that confirmed text changed, in {deletion.segments} drafts")
    print(f"{'taken away first':20}" + "".join(f"{taken:>8}" for taken in TAKEN))
    for ranking in RANKINGS:
        shares = (deletion.back[ranking, taken] / max(deletion.words, 1) for taken in TAKEN)
        print(f"{ranking:20}" + "".join(f"{share:8.1%}" for share in shares))


if __name__ == "__main__":
    main()
