"""How quick completions are, and how many keys they save: references typed letter by letter.

    python tests/benchmarks/bench_completion.py DEV.jsonl.xz [--documents N] [--segments N]

Documents are drawn at random (seed 5). Each of their first segments is drafted, then its reference is typed
as the window has it: a proposal is kept as long as the letters agree with it, and the engine is asked where
they differ, or a proposal is about to run out. Tab is struck where the whole proposal is right, Ctrl+Right
where its next word is; all else is typed. Then the reference is confirmed, and the next segment begins.
Beside it, the keys of typing everything, and of editing the draft: a key to go to each place that differs,
one for each word deleted there, one for each letter typed. Times are of the engine's calls alone.
"""

from __future__ import annotations

import argparse
import random
import re
from difflib import SequenceMatcher
from pathlib import Path

from milliseconds import HEADINGS, report, timed

from anaphora.drafting.requests import COMPLETED_TOKENS
from anaphora.drafting.view.completer import FEW_WORDS
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import Completion, SourceSegment

WORD = re.compile(r"\s*\S+")


class Typist:
    """Types references with what is proposed.

    Attributes:
        first: milliseconds until the first words of each answer, wall clock and CPU.
        whole: the same until all of it.
    """

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.first: list[tuple[float, float]] = []
        self.whole: list[tuple[float, float]] = []

    def type(self, document: str, segment: str, reference: str) -> int:
        """The keys struck until a reference stands there."""
        text, expected, ended, keys = "", "", False, 0
        while text != reference:
            left = reference[len(text) :]
            proposed = expected[len(text) :]
            word = WORD.match(proposed)
            if proposed and proposed == left:
                text = reference
            elif word and len(word.group()) > 1 and is_next(word.group(), left):
                text += word.group()
            else:
                text += left[0]
            keys += 1
            agrees = expected.startswith(text) and len(expected) > len(text)
            if not agrees or (not ended and len(expected[len(text) :].split()) < FEW_WORDS):
                found = self._ask(document, segment, text)
                if found.text or not agrees:
                    expected, ended = text + found.text, found.ended
        return keys

    def _ask(self, document: str, segment: str, text: str) -> Completion:
        """Ask as the window does: for a few words, and then for more, unless they are all."""
        answers: list[Completion] = []

        def ask(most: int) -> None:
            answers.append(self._translator.complete(document, segment, text, most))

        few, many = COMPLETED_TOKENS
        wall, cpu = timed(lambda: ask(few))
        self.first.append((wall, cpu))
        if not answers[0].ended:
            more = timed(lambda: ask(many))
            wall, cpu = wall + more[0], cpu + more[1]
        self.whole.append((wall, cpu))
        return answers[-1]


def is_next(word: str, left: str) -> bool:
    """Whether a text goes on with a word, and the word ends there."""
    return left.startswith(word) and (len(left) == len(word) or left[len(word)].isspace())


def edit_keys(draft: str, reference: str) -> int:
    """The keys of making a reference of a draft, word by word."""
    old, new = draft.split(), reference.split()
    keys = 0
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            keys += 1 + (last - first) + len(" ".join(new[begin:end]))
    return keys


def main() -> None:
    """Print the times and the keys."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--segments", type=int, default=5)
    options = parser.parse_args()
    translator = Translator.load(embedded_model(), "cpu", 1)
    documents = [each for each in read_documents(options.corpus) if len(each.pairs) >= options.segments]
    random.Random(5).shuffle(documents)
    typist = Typist(translator)
    letters = typed = edited = better = count = 0
    for document in documents[: options.documents]:
        sources = [source for source, _ in document.pairs]
        translator.open_document("d", [SourceSegment(str(n), source) for n, source in enumerate(sources)])
        for number, (_, reference) in enumerate(document.pairs[: options.segments]):
            segment, reference = str(number), " ".join(reference.split())
            draft = translator.translate("d", segment).text
            keys, edits = typist.type("d", segment, reference), edit_keys(draft, reference)
            letters, typed, edited = letters + len(reference), typed + keys, edited + edits
            better, count = better + min(keys, edits), count + 1
            translator.remember("d", segment, reference)
        translator.close_document("d")
    print(HEADINGS)
    report("the first words of an answer", typist.first, "200")
    report("all of it", typist.whole, "200")
    print(
        f"{count} segments of {min(options.documents, len(documents))} documents, {len(typist.whole)} answers"
    )
    for name, keys in (
        ("typed without help", letters),
        ("typed with completion", typed),
        ("the draft edited", edited),
        ("the better of these two", better),
    ):
        print(f"{name:26}{keys:8} keys  {keys / letters:6.1%}")


if __name__ == "__main__":
    main()
