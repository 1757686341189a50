"""An OPUS-MT folder read by us and by transformers: logits, greedy and beam translations, 8 bits.

    python tests/benchmarks/compare_transformers.py FOLDER CORPUS [--sentences 200]

FOLDER is as Hugging Face has it, such as `train_marian.py` writes; CORPUS is JSON Lines of documents, of
which sentences of 10 characters or more are taken, spread over it. Both translate them in float32 (beams of
five without a norm for the length, which the two programs define differently), and what ours said is decoded
once more, forced, by both. Then our decoder in 8 bits translates them, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from model_and_corpus import arguments_of, model_and_texts, spread
from torch import Tensor

from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.int8_decoder import with_int8_decoder
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK

LIMIT = 80
"""Pieces of a translation."""
BATCH = 20


class Ours:
    """The folder as our modules read it."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.exact = MemoryAugmentedModel(bundle.model, bundle.memory, WordVocabulary(bundle.target)).eval()
        self.int8 = with_int8_decoder(self.exact)

    def rows(self, texts: Sequence[str]) -> Tensor:
        """The texts' pieces, [B, S]."""
        source = self.bundle.source
        return _padded([source.marked(source.encode(text)) for text in texts])

    def translated(self, given: Tensor, beam: int, searcher: Any) -> list[tuple[int, ...]]:
        """The pieces of the translations."""
        state = searcher.start(self.exact.encode(given), [])
        found = beam_search(searcher, state, [LIMIT] * len(given), BeamOptions(beam, 0.0))
        return [tuple(each[0].pieces) for each in found]

    def logits(self, given: Tensor, pieces: Sequence[Sequence[int]]) -> Tensor:
        """[B, T, V], forced."""
        base = self.bundle.model
        return base.decoder.logits(base.force_decode(base.encode(given), _padded(pieces)))


class Theirs:
    """The folder as transformers reads it."""

    def __init__(self, folder: Path, bundle: Bundle) -> None:
        from transformers import MarianMTModel, MarianTokenizer

        self.model = MarianMTModel.from_pretrained(folder).eval()
        self.tokenizer = MarianTokenizer.from_pretrained(folder)
        self.model.generation_config.forced_eos_token_id = (
            None  # at the limit, where no search of ours says it
        )
        self.pad = self.model.config.pad_token_id
        special = {PAD: "<pad>", BOS: "<pad>", EOS: "</s>", UNK: "<unk>"}
        target = bundle.target
        names = (special.get(number, target.piece(number)) for number in range(len(target)))
        self.order = torch.tensor([self.tokenizer.encoder[name] for name in names])
        """Their number of each of our target pieces."""

    def translated(self, texts: Sequence[str], beam: int) -> list[tuple[int, ...]]:
        """The pieces of the translations, in our numbers."""
        search = {"num_beams": beam, "length_penalty": 0.0, "early_stopping": True} if beam > 1 else {}
        given = self.tokenizer(list(texts), return_tensors="pt", padding=True)
        limits = {"max_new_tokens": LIMIT, "bad_words_ids": [[self.pad]]}
        said = self.model.generate(**given, **search, **limits, do_sample=False)
        ours = {int(number): place for place, number in enumerate(self.order) if place not in (PAD, BOS)}
        return [tuple(ours[each] for each in row[1:] if each != self.pad) for row in said.tolist()]

    def logits(self, texts: Sequence[str], pieces: Sequence[Sequence[int]]) -> Tensor:
        """[B, T, V], forced, in our order."""
        given = self.tokenizer(list(texts), return_tensors="pt", padding=True)
        before = _padded([[PAD, *row[:-1]] for row in pieces])
        return self.model(**given, decoder_input_ids=self.order[before]).logits[..., self.order]


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])


@torch.inference_mode()
def compare(folder: Path, bundle: Bundle, texts: Sequence[str]) -> None:
    """Print how far the two are from each other."""
    ours, theirs = Ours(bundle), Theirs(folder, bundle)
    same = dict.fromkeys(("greedy", "beam 5", "8 bits, greedy", "8 bits, beam 5"), 0)
    furthest, pieces = 0.0, 0
    for start in range(0, len(texts), BATCH):
        some = texts[start : start + BATCH]
        given = ours.rows(some)
        for name, beam in (("greedy", 1), ("beam 5", 5)):
            own = ours.translated(given, beam, ours.exact)
            same[name] += sum(map(tuple.__eq__, own, theirs.translated(some, beam)))
            same[f"8 bits, {name}"] += sum(map(tuple.__eq__, own, ours.translated(given, beam, ours.int8)))
        kept = _padded(own) != PAD
        distance = (ours.logits(given, own) - theirs.logits(some, own))[kept][:, EOS:].abs()
        furthest, pieces = max(furthest, float(distance.max())), pieces + int(kept.sum())
    print(f"{len(texts)} sentences, {pieces} pieces: logits at most {furthest:.1e} apart")
    print(f"the same as transformers: greedy {same['greedy']}, beam 5 {same['beam 5']}")
    print(
        f"in 8 bits the same as in float32: greedy {same['8 bits, greedy']}, beam 5 {same['8 bits, beam 5']}"
    )


def main() -> None:
    """Read the arguments."""
    arguments = arguments_of(__doc__, 200)
    bundle, texts = model_and_texts(arguments.folder, arguments.corpus)
    chosen = spread([text for text in texts if len(text) >= 10], arguments.sentences)
    compare(arguments.folder, bundle, chosen)


if __name__ == "__main__":
    main()
