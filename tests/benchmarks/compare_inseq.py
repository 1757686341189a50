"""What an explanation says of source words, held against inseq's attributions of the same weights.

    python tests/benchmarks/compare_inseq.py FOLDER CORPUS [--sentences 40]

FOLDER is an OPUS-MT folder as Hugging Face has it, CORPUS is JSON Lines of documents. inseq is no dependency
of the project (`pip install inseq`). Of some sentences without numbers and code words, the model's own
translation (greedy, without memory) is explained by `Translator.explain` and `Translator.source_influences`
(a source word is left out of what the decoder reads), and by inseq's methods `attention` (the same layer,
mean of its heads) and `occlusion` (a source piece's embedding is replaced) of the log-probability of each
piece. Pieces are added up to our words. Printed are, over all target words: how far two attentions are apart
at most; how often two methods name the same source word first; and the mean of their rank correlations.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import regex
from model_and_corpus import arguments_of, model_and_texts, spread

from anaphora_nmt.api import Translator
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.types import Explanation, SearchOptions, SourceSegment

Matrix = np.ndarray[Any, np.dtype[np.float64]]
"""[target words, source words]"""
PLAIN = regex.compile(r"[\p{Han}，。、；：]{8,30}|(?=.{20,90}$)[A-Z][a-z]*(?:,? [a-z]+)+[.]")
"""Sentences that reach the model as they stand: no numbers, no code, no quotation marks."""


class Inseq:
    """inseq on a folder."""

    def __init__(self, folder: Path, bundle: Bundle) -> None:
        import inseq  # type: ignore[import-not-found]

        self._load, self._folder, self._models = inseq.load_model, str(folder), dict[str, Any]()
        self._source, self._target = bundle.source, bundle.target
        decoder: Any = bundle.model.decoder
        self._layer = int(decoder.aligning)

    def attributed(self, method: str, found: Explanation, source: str) -> Matrix | None:
        """A method's numbers by our words; None where inseq's tokenizer cuts the translation otherwise."""
        if method not in self._models:
            self._models[method] = loaded = self._load(self._folder, method)
            # inseq scales embeddings before it gives them to the decoder, which would scale them again
            loaded.model.model.decoder.embed_scale = 1.0
        options = {} if method == "attention" else {"attributed_fn": "logit"}
        out = self._models[method].attribute(source, found.text, show_progress=False, **options)
        (sequence,) = out.sequence_attributions
        scores = sequence.source_attributions
        if scores.dim() == 4:  # layers and heads
            scores = scores[:, :, self._layer].mean(-1)
        # The first target is the beginning of the sentence in some versions; of both sides the end is last.
        values = scores.numpy().T.astype(np.float64)
        rows = _words_of(self._target, found.text, [(token.start, token.end) for token in found.tokens])
        columns = _words_of(self._source, source, [(word.start, word.end) for word in found.source_words])
        if values.shape != (len(rows) + 1, len(columns) + 1):
            return None
        result = np.zeros((len(found.tokens), len(found.source_words)))
        for row, word in enumerate(rows):
            for column, other in enumerate(columns):
                result[word, other] += values[row, column]
        # the end of the source is none of its words
        return result / result.sum(1, keepdims=True) if method == "attention" else result


def _words_of(pieces: Any, text: str, words: Sequence[tuple[int, int]]) -> list[int]:
    """The number of the word that each piece of a text belongs to."""
    _, spans = pieces.encode_with_spans(text)
    starts = [start for start, _ in words]
    return [max(0, int(np.searchsorted(starts, max(start, end - 1), "right")) - 1) for start, end in spans]


def explained(translator: Translator, source: str) -> tuple[Explanation, Matrix, Matrix]:
    """The model's own translation with what it looks at, and what leaving out source words does."""
    options = SearchOptions(beam_size=1)
    translator.open_document("d", [SourceSegment("1", source)])
    text = translator.translate("d", "1", options).text
    found = translator.explain("d", "1", text, influence=False, options=options)
    numbers = range(len(found.tokens))
    looked = np.array([found.tokens[word].attention for word in numbers])
    left_out = np.array([translator.source_influences("d", "1", text, word) for word in numbers])
    return found, looked, left_out


class Agreement:
    """How two methods agree, over target words."""

    def __init__(self) -> None:
        self._same: list[bool] = []
        self._ranks: list[float] = []
        self._furthest = 0.0

    def add(self, one: Matrix, other: Matrix) -> None:
        """Compare row by row."""
        self._furthest = max(self._furthest, float(np.abs(one - other).max()))
        for left, right in zip(one, other, strict=True):
            if len(left) > 2 and np.ptp(left) > 0 and np.ptp(right) > 0:
                self._same.append(int(left.argmax()) == int(right.argmax()))
                ranks = (side.argsort().argsort() for side in (left, right))
                self._ranks.append(float(np.corrcoef(*ranks)[0, 1]))

    def line(self) -> str:
        """For the table."""
        first, ranks = np.mean(self._same), np.mean(self._ranks)
        return f"{len(self._same):>6}{first:>9.1%}{ranks:>9.3f}{self._furthest:>10.1e}"


def main() -> None:
    """Print the table."""
    arguments = arguments_of(__doc__, 40)
    bundle, texts = model_and_texts(arguments.folder, arguments.corpus)
    chosen = spread([text for text in texts if PLAIN.fullmatch(text)], arguments.sentences)
    translator = Translator.load(arguments.folder, threads=1, int8=False)
    compare(chosen, translator, Inseq(arguments.folder, bundle))


def compare(texts: Sequence[str], translator: Translator, inseq: Inseq) -> None:
    """Go through the sentences."""
    pairs = {
        "attention, inseq's attention": Agreement(),
        "attention, inseq's occlusion": Agreement(),
        "leaving out, inseq's attention": Agreement(),
        "leaving out, inseq's occlusion": Agreement(),
        "inseq's attention, its occlusion": Agreement(),
    }
    used = 0
    for source in texts:
        found, looked, left_out = explained(translator, source)
        theirs = [inseq.attributed(method, found, source) for method in ("attention", "occlusion")]
        attention, occlusion = theirs
        if attention is None or occlusion is None:
            continue
        used += 1
        # occlusion is without a sign, so leaving out is held against it without one, too
        ours = (looked, looked, left_out, np.abs(left_out), attention)
        others = (attention, occlusion, attention, occlusion, occlusion)
        for agreement, one, other in zip(pairs.values(), ours, others, strict=True):
            agreement.add(one, other)
    print(f"{used} sentences")
    print(f"{'':<34}{'words':>6}{'first':>9}{'ranks':>9}{'furthest':>10}")
    for name, agreement in pairs.items():
        print(f"{name:<34}{agreement.line()}")


if __name__ == "__main__":
    main()
