"""Count the keys that a translator needs to write the references, with drafts, suggestions and completions.

    python tests/benchmarks/measure_effort.py FILES.jsonl.xz … [--documents 8] [--first 12] [--list]

The engine drafts each segment after the segments before it are confirmed, with dictionary hints as in the
app. A simulated translator uses the cheapest way to the reference and confirms it, so that the engine learns:

- post-editing the draft or a suggestion (one key to accept it): for each differing run of words, one action
  places the caret, one key deletes a word, and one key types a character;
- starting over: one key clears the field; from left to right (prefix-based interactive translation), one key
  accepts a completion that agrees with the reference, or its next word; else one key types a character.

KSMR is the number of keys and mouse actions, including the confirmation, in percent of the references'
characters. A segment is retyped if more than half of its characters were typed one by one. Both are printed
with and without completions, for the same drafts. hTER is the TER (sacrebleu) of the drafts; earlier figures
counted segments above 50 as retyped. The simulated translator waits for completions and reads all of them.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from sacrebleu.metrics import TER

from anaphora.core.text import NEXT_WORD
from anaphora.engine.jobs import EngineContext
from anaphora.features.dictionary.entries import Dictionary
from anaphora.features.dictionary.hinted_drafts import drafter_with_hints, lacking_words
from anaphora.features.drafting.completions import (
    DeletedTexts,
    ExpectedText,
    completion,
    is_finished,
    suggestions,
)
from anaphora.features.spelling.speller import Speller, dictionaries_of, words_of
from anaphora.system.locations import dictionaries, glossary, training_words
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import Completion, Correction, SearchOptions, SourceSegment, SourceTerm, Suggestion

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
ALL, DOCUMENT = 10**9, "effort"
COMPLETED = "started over"
Way = tuple[int, int]
"""Number of keys and mouse actions, and number of typed characters among them."""
Measured = tuple[str, str, dict[str, Way]]
"""Draft, reference, ways to the reference."""


@dataclass
class Effort:
    """Counts; `ways` is the number of segments by the chosen way."""

    keys: int = 0
    characters: int = 0
    segments: int = 0
    retyped: int = 0
    ways: Counter[str] = field(default_factory=Counter)

    def add(self, ways: dict[str, Way], reference: str) -> None:
        cheapest = min(ways, key=ways.__getitem__)
        keys, typed = ways[cheapest]
        self.keys += keys + 1
        self.characters += len(reference)
        self.segments += 1
        self.retyped += typed > len(reference) / 2
        self.ways[cheapest] += 1

    def __str__(self) -> str:
        ways = ", ".join(f"{count} {way}" for way, count in self.ways.most_common())
        share = f"{self.retyped} ({100 * self.retyped / self.segments:.0f} %)"
        return f"KSMR {100 * self.keys / self.characters:.1f}, retyped {share}; {ways}"


def post_editing(draft: str, reference: str, before: int) -> Way:
    old, new = TOKEN.findall(draft), TOKEN.findall(reference)
    keys, typed = before, 0
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            keys += 1 + sum(not token.isspace() for token in old[i:j])
            typed += len("".join(new[k:m]))
    return keys + typed, typed


class Simulation:
    """Translates a document from its first segment to its last."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._context = EngineContext(SearchOptions(), lambda segment: (), lambda: False)
        self._context.loaded = translator
        shipped = glossary("zh", "en")
        assert shipped is not None
        self._dictionary = Dictionary.read(shipped)
        self._speller = Speller(dictionaries(), Path("no-own-words"), training_words())

    def measure(self, pairs: Sequence[tuple[str, str]], lists: bool) -> Iterator[Measured]:
        segments = [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)]
        self._translator.open_document(DOCUMENT, segments)
        for at, (source, reference) in enumerate(pairs):
            lacking = partial(self._lacking, source, pairs[:at])
            draft, hints = drafter_with_hints(lacking)(self._context, DOCUMENT, str(at))
            self._context.hints[DOCUMENT, str(at)] = hints
            ways = dict(self._ways(str(at), source, reference, draft))
            if lists:
                print(f"{source}\n  {draft.text}\n  {reference}\n  {ways}", flush=True)
            yield draft.text, reference, ways
            self._translator.remember(DOCUMENT, str(at), reference, draft.text)

    def _lacking(
        self,
        source: str,
        known: Sequence[tuple[str, str]],
        segment: str,
        draft: str,
        held: Sequence[Correction],
    ) -> Sequence[SourceTerm]:
        return lacking_words(source, draft, self._dictionary, known, held)

    def _ways(
        self, segment: str, source: str, reference: str, draft: Suggestion
    ) -> Iterator[tuple[str, Way]]:
        withheld = draft.quality is not None and draft.quality.unusable
        yield (
            "accepted" if draft.text == reference else "edited",
            post_editing(draft.text, reference, withheld),
        )
        found: list[Suggestion] = []
        suggestions(DOCUMENT, segment, found.append).run(self._context, found.append)
        others = [post_editing(text, reference, 1) for text in found[0].alternatives]
        yield "from a suggestion", min(others, default=(ALL, ALL))
        keys, typed = self._typing(segment, source, reference, draft.text)
        yield COMPLETED, (keys + (not withheld), typed)
        yield "typed in full", (len(reference) + (not withheld), len(reference))

    def _typing(self, segment: str, source: str, reference: str, draft: str) -> Way:
        text, keys, typed, expected, deleted = "", 0, 0, ExpectedText(), DeletedTexts()
        deleted.note(draft, "")
        invented = partial(self._invented, source)
        while text != reference:
            ghost = ""
            if text.strip() and not is_finished(source, text):
                if expected.is_short(text):
                    found: list[Completion] = []
                    asked = completion(DOCUMENT, segment, source, text, found.append, invented)
                    asked.run(self._context, found.append)
                    if found[-1].text:
                        expected = ExpectedText(text + found[-1].text, found[-1].ended)
                ghost = expected.rest(text)
                ghost = "" if deleted.is_deleted(text, ghost) else ghost
            rest, word = reference[len(text) :], NEXT_WORD.match(ghost)
            if ghost and rest.startswith(ghost):
                text += ghost
            elif word and NEXT_WORD.match(rest + " ").group() == word.group():
                text += word.group()
            else:
                text += rest[0]
                typed += 1
            keys += 1
        return keys, typed

    def _invented(self, source: str, text: str) -> Sequence[str]:
        return self._speller.invented(dictionaries_of("en"), text, words_of([source]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=8, help="number for each file, evenly spaced")
    parser.add_argument("--first", type=int, help="number of segments for each document")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    simulation = Simulation(Translator.load(embedded_model(), "cpu", threads=1))
    for file in options.files:
        documents, drafts, references, on, off = [*read_documents(file)], [], [], Effort(), Effort()
        for document in documents[:: max(1, len(documents) // options.documents)][: options.documents]:
            for draft, reference, ways in simulation.measure(document.pairs[: options.first], options.list):
                drafts.append(draft)
                references.append(reference)
                on.add(ways, reference)
                del ways[COMPLETED]
                off.add(ways, reference)
        ter = TER().corpus_score(drafts, [references]).score
        above = sum(TER().sentence_score(d, [r]).score > 50 for d, r in zip(drafts, references, strict=True))
        print(f"{file.name}: {len(drafts)} segments, hTER {ter:.1f}, above 50: {above}")
        print(f"  off: {off}\n  now: {on}", flush=True)


if __name__ == "__main__":
    main()
