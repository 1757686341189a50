"""Prepare what training reads: vocabularies, corpora in pieces, outputs of frozen layers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.data.binary_corpus import Side, clean_pairs, count_pieces, encode_corpus, pad
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.data.mixing import SOURCES
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.encoders import MAX_POSITIONS, PretrainedTransformerEncoder
from anaphora_nmt.nn.precision import mixed_precision
from anaphora_nmt.nn.pretrained import PretrainedEncoder, read_pretrained
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import (
    BOS,
    EOS,
    PAD,
    UNK,
    Vocabulary,
    train_vocabulary,
    vocabulary_from_pieces,
)
from anaphora_nmt.text.words import SegmentedVocabulary, load_source_vocabulary, train_source_vocabulary
from anaphora_nmt.training.pretrained_weights import is_model_folder, load_encoder_weights
from anaphora_text.han import is_han

# A placeholder stands for something unknown, as a Greek letter does in the pretraining text.
_PLACEHOLDER_ROWS = "αβγδθλμπσωφερτηκ"
TARGET_PIECES = 8000
_LAYERS = ".layers"
_PREPARED_LAYERS = 6  # of the first prepared folders, which do not say
_PRETRAINED_SPECIALS = {PAD: 1, BOS: 0, EOS: 2, UNK: 3}


@dataclass(frozen=True, slots=True)
class VocabularySizes:
    """Pieces of the target vocabulary, and of the source vocabulary where it is trained here.

    Attributes:
        target: None: a model folder's own, and `TARGET_PIECES` without one.
    """

    target: int | None = None
    source: int = 16000


def prepare(
    train: Sequence[Path], dev: Path, pretrained: Path | None, folder: Path, sizes: VocabularySizes
) -> None:
    """Write source.model, target.model, train.npz, train.sources.json and dev.npz.

    Args:
        train, dev: corpus files.
        pretrained: see `read_pretrained`; its vocabulary is trimmed to the corpus (rows.npy), and start
            values of the target embeddings are taken from it (target_init.npy). A model folder keeps the
            vocabularies that it has, the target's unless another size is asked for, and its proper names are
            protected. Without one, the source vocabulary is trained on jieba's words, for a recurrent
            encoder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    bundle = load_bundle(pretrained) if pretrained is not None and is_model_folder(pretrained) else None
    table = bundle.names if bundle else None
    documents = _named(chain.from_iterable(read_documents(path) for path in train), names)
    pairs = list(clean_pairs(documents, table))
    (folder / SOURCES).write_text(json.dumps(names, ensure_ascii=False), "utf-8")
    if bundle is not None and sizes.target is None:
        target = bundle.target
    else:
        target = Vocabulary(train_vocabulary((text for _, _, text in pairs), sizes.target or TARGET_PIECES))
    source = bundle.source if bundle else _source_pieces(pairs, target, pretrained, folder, sizes)
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    encode_corpus(pairs, source, target).save(folder / "train.npz")
    encode_corpus(clean_pairs(read_documents(dev), table), source, target).save(folder / "dev.npz")


def _named(documents: Iterable[ParallelDocument], names: list[str]) -> Iterator[ParallelDocument]:
    """The documents; the name of each one's source goes to `names`."""
    for document in documents:
        names.append(document.source_name)
        yield document


def _source_pieces(
    pairs: Sequence[tuple[int, str, str]],
    target: Vocabulary,
    pretrained: Path | None,
    folder: Path,
    sizes: VocabularySizes,
) -> Vocabulary:
    if pretrained is None:
        return SegmentedVocabulary(train_source_vocabulary((text for _, text, _ in pairs), sizes.source))
    encoder = read_pretrained(pretrained)
    source, rows = trim_vocabulary(encoder, (text for _, text, _ in pairs))
    np.save(folder / "rows.npy", rows)
    np.save(folder / "target_init.npy", target_embeddings(encoder, target).astype(np.float16))
    return source


class _FullVocabulary:
    """All pretrained pieces as a sentencepiece model; those that hold a placeholder's character left out."""

    def __init__(self, encoder: PretrainedEncoder) -> None:
        self.lookup = {piece: row for row, (piece, _) in enumerate(encoder.pieces)}
        marks = set(PLACEHOLDERS)
        self.rows = [
            row for row in range(4, len(encoder.pieces) - 1) if not marks & set(encoder.pieces[row][0])
        ]
        self.entries = [encoder.pieces[row] for row in self.rows]
        self.pieces = Vocabulary(vocabulary_from_pieces(self.entries))
        self.first = len(self.pieces) - len(self.entries)

    def encode_rows(self, text: str) -> list[int]:
        """Pretrained rows of the pieces of `text`, unknown ones left out."""
        return [self.rows[number - self.first] for number in self.pieces.encode(text) if number >= self.first]

    def letter_row(self, letter: str) -> int:
        """Row of a letter by itself."""
        return self.lookup.get("▁" + letter, self.lookup[letter])


def trim_vocabulary(encoder: PretrainedEncoder, sources: Iterable[str]) -> tuple[Vocabulary, np.ndarray]:
    """The pretrained pieces that occur in `sources`, and every single character of theirs.

    Returns:
        the trimmed vocabulary, and for each of its pieces the pretrained row, int64 [V].
    """
    full = _FullVocabulary(encoder)
    counts = count_pieces(sources, full.pieces)
    kept = [
        number
        for number, (piece, _) in enumerate(full.entries)
        if counts[number + full.first] or (len(piece) == 1 and (piece.isascii() or is_han(piece)))
    ]
    rows = [_PRETRAINED_SPECIALS[number] for number in range(len(_PRETRAINED_SPECIALS))]
    rows += [full.letter_row(letter) for letter in _PLACEHOLDER_ROWS]
    rows += [full.rows[number] for number in kept]
    return Vocabulary(vocabulary_from_pieces([full.entries[number] for number in kept])), np.array(
        rows, np.int64
    )


def target_embeddings(encoder: PretrainedEncoder, target: Vocabulary) -> np.ndarray:
    """Start values of the target embeddings: the mean of the pretrained rows that spell each piece."""
    full = _FullVocabulary(encoder)
    table = np.zeros((len(target), encoder.width), np.float32)
    for number in range(len(target)):
        piece = target.piece(number)
        if number in _PRETRAINED_SPECIALS:
            rows = [_PRETRAINED_SPECIALS[number]]
        elif piece[-1] in PLACEHOLDERS:
            rows = [full.letter_row(_PLACEHOLDER_ROWS[PLACEHOLDERS.index(piece[-1])])]
        elif piece in full.lookup:
            rows = [full.lookup[piece]]
        else:
            rows = full.encode_rows(piece.replace("▁", " "))
        if rows:
            table[number] = encoder.embedding[rows].mean(axis=0)
    return table


def build_frozen_encoder(
    folder: Path, pretrained: Path, config: EncoderConfig
) -> PretrainedTransformerEncoder:
    """The pretrained encoder over a prepared folder's trimmed vocabulary."""
    pieces = load_source_vocabulary(folder / "source.model", config.kind)
    encoder = PretrainedTransformerEncoder(config, len(pieces))
    load_encoder_weights(encoder, folder, pretrained)
    return encoder.eval()


@torch.inference_mode()
def precompute(
    encoder: PretrainedTransformerEncoder,
    source: Side,
    path: Path,
    part: tuple[int, int] = (0, 1),
    batch_tokens: int = 4000,
    bfloat16: bool = False,
) -> None:
    """Write the frozen layers' outputs of every source sentence, float16 [all pieces, D], in corpus order.

    Sentences are batched by length. A run that was cut off goes on where it stopped.

    Args:
        part: (k, n) does the kth of n shares, so that n processes fill one file.
        bfloat16: matrix products in half precision where the machine multiplies in it: nearly twice as fast,
            and less exact than what the file could hold.
    """
    share, shares = part
    path.with_suffix(_LAYERS).write_text(str(encoder.config.frozen_layers))
    order = np.argsort(source.lengths, kind="stable")[share::shares]
    done_path = path.with_suffix(f".{share}-{shares}.done")
    done = int(done_path.read_text()) if done_path.exists() else 0
    store = open_frozen(path, source, encoder.width, create=True)
    device = encoder.embedding.words.weight.device
    with tqdm(total=len(order), initial=done, unit="sentence", desc="frozen layers") as bar:
        while done < len(order):
            longest = int(source.lengths[order[min(done + batch_tokens // 8, len(order) - 1)]])
            chosen = order[done : done + max(1, batch_tokens // longest)]
            pieces = torch.from_numpy(pad(source, chosen))[:, :MAX_POSITIONS].to(device)
            with mixed_precision(device, bfloat16):
                outputs = encoder.frozen(pieces, pieces != PAD)
            states = outputs.to(torch.float16).cpu().numpy()
            for row, sentence in enumerate(chosen):
                start, size = source.offsets[sentence], min(int(source.lengths[sentence]), states.shape[1])
                store[start : start + size] = states[row, :size]
            done += len(chosen)
            bar.update(len(chosen))
            if done // 4000 != (done - len(chosen)) // 4000 or done == len(order):
                store.flush()
                done_path.write_text(str(done))


def frozen_layers(path: Path) -> int:
    """How many layers' outputs `precompute` wrote to `path`; 0 where there is no such file."""
    if not path.exists():
        return 0
    about = path.with_suffix(_LAYERS)
    return int(about.read_text()) if about.exists() else _PREPARED_LAYERS


def open_frozen(path: Path, source: Side, width: int, create: bool = False) -> np.memmap:
    """The precomputed outputs, float16 [all pieces, width].

    Raises:
        CorpusError: the file is missing or has another size.
    """
    shape = (int(source.offsets[-1]), width)
    size = shape[0] * width * 2
    if create:
        with path.open("ab") as file:
            file.truncate(size)
    if not path.exists() or path.stat().st_size != size:
        raise CorpusError(f"{path} does not fit the prepared corpus; run `anaphora-nmt prepare` again")
    return np.memmap(path, np.float16, "r+" if create else "r", shape=shape)
