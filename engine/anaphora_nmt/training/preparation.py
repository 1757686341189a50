"""Prepare what training reads: vocabularies, corpora in pieces, outputs of frozen layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.data.batches import like_lengths
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, count_pieces, encode_corpus, pad
from anaphora_nmt.data.mixing import save_sources
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
from anaphora_nmt.training.cleaning import CleanCorpus, Workers, clean_corpus
from anaphora_nmt.training.pretrained_weights import is_model_folder, load_encoder_weights
from anaphora_text.han import is_han

# A placeholder stands for something unknown, as a Greek letter does in the pretraining text.
_PLACEHOLDER_ROWS = "αβγδθλμπσωφερτηκ"
TARGET_PIECES = 8000
_LAYERS = ".layers"
_PRETRAINED_SPECIALS = {PAD: 1, BOS: 0, EOS: 2, UNK: 3}


@dataclass(frozen=True, slots=True)
class VocabularySizes:
    """Pieces of the target vocabulary, and of the source vocabulary where it is trained here.

    Attributes:
        target: None: a model folder's own, and `TARGET_PIECES` without one.
        pairs: of a larger corpus that vocabularies are trained on.
    """

    target: int | None = None
    source: int = 16000
    pairs: int = 4_000_000


def prepare(
    train: Sequence[Path],
    dev: Path,
    pretrained: Path | None,
    folder: Path,
    sizes: VocabularySizes,
    workers: Workers,
) -> None:
    """Write source.model, target.model, train.npz, the names of its sources and dev.npz.

    What is written is the same by any number of workers.

    Args:
        train, dev: corpus files.
        pretrained: see `read_pretrained`; its vocabulary is trimmed to the corpus (rows.npy), and start
            values of the target embeddings are taken from it (target_init.npy). A model folder keeps the
            vocabularies that it has, the target's unless another size is asked for, and its proper names are
            protected. Without one, the source vocabulary is trained on jieba's words, for a recurrent
            encoder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bundle = load_bundle(pretrained) if pretrained is not None and is_model_folder(pretrained) else None
    model = pretrained if bundle else None
    corpus = clean_corpus(train, model, workers)
    save_sources(folder, corpus.names, corpus.sources)
    if bundle is not None and sizes.target is None:
        target = bundle.target
    else:
        size = sizes.target or TARGET_PIECES
        target = Vocabulary(train_vocabulary(corpus.texts(1, sizes.pairs), size))
    (folder / "target.model").write_bytes(target.serialized)
    if bundle is not None:
        source, kind = bundle.source, bundle.model.config.encoder.kind
    elif pretrained is not None:
        source, kind = _pretrained_pieces(corpus, target, pretrained, folder), "pretrained"
    else:
        texts, kind = corpus.texts(0, sizes.pairs), "recurrent"
        source = SegmentedVocabulary(train_source_vocabulary(texts, sizes.source))
    (folder / "source.model").write_bytes(source.serialized)
    source = load_source_vocabulary(folder / "source.model", kind)
    encode_corpus(corpus.pairs, source, target).save(folder / "train.npz")
    # the last: a folder that has it is whole
    encode_corpus(clean_corpus([dev], model, workers).pairs, source, target).save(folder / "dev.npz")


def _pretrained_pieces(corpus: CleanCorpus, target: Vocabulary, pretrained: Path, folder: Path) -> Vocabulary:
    encoder = read_pretrained(pretrained)
    full = _FullVocabulary(encoder)
    source, rows = full.trimmed(count_pieces((source for _, source, _ in corpus.pairs), full.pieces))
    np.save(folder / "rows.npy", rows)
    np.save(folder / "target_init.npy", _target_embeddings(encoder, full, target).astype(np.float16))
    return source


class _FullVocabulary:
    """All pretrained pieces as a sentencepiece model; those that hold a placeholder's character left out."""

    def __init__(self, encoder: PretrainedEncoder) -> None:
        pieces = tuple(encoder.pieces)
        self.lookup = {piece: row for row, (piece, _) in enumerate(pieces)}
        marks = set(PLACEHOLDERS)
        self.rows = [row for row in range(4, len(pieces) - 1) if marks.isdisjoint(pieces[row][0])]
        self.entries = [pieces[row] for row in self.rows]
        self.pieces = Vocabulary(vocabulary_from_pieces(self.entries))
        self.first = len(self.pieces) - len(self.entries)

    def encode_rows(self, text: str) -> list[int]:
        """Pretrained rows of the pieces of `text`, unknown ones left out."""
        return [self.rows[number - self.first] for number in self.pieces.encode(text) if number >= self.first]

    def letter_row(self, letter: str) -> int:
        """Row of a letter by itself."""
        return self.lookup.get("▁" + letter, self.lookup[letter])

    def trimmed(self, counts: Mapping[int, int]) -> tuple[Vocabulary, np.ndarray]:
        """See `trim_vocabulary`; `counts` says how often pieces occur."""
        kept = [
            number
            for number, (piece, _) in enumerate(self.entries)
            if counts.get(number + self.first) or (len(piece) == 1 and (piece.isascii() or is_han(piece)))
        ]
        rows = [_PRETRAINED_SPECIALS[number] for number in range(len(_PRETRAINED_SPECIALS))]
        rows += [self.letter_row(letter) for letter in _PLACEHOLDER_ROWS]
        rows += [self.rows[number] for number in kept]
        pieces = Vocabulary(vocabulary_from_pieces([self.entries[number] for number in kept]))
        return pieces, np.array(rows, np.int64)


def trim_vocabulary(encoder: PretrainedEncoder, sources: Iterable[str]) -> tuple[Vocabulary, np.ndarray]:
    """The pretrained pieces that occur in `sources`, and every single character of theirs.

    Returns:
        the trimmed vocabulary, and for each of its pieces the pretrained row, int64 [V].
    """
    full = _FullVocabulary(encoder)
    return full.trimmed(count_pieces(sources, full.pieces))


def _target_embeddings(encoder: PretrainedEncoder, full: _FullVocabulary, target: Vocabulary) -> np.ndarray:
    """Start values of the target embeddings: the mean of the pretrained rows that spell each piece."""
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
            table[number] = encoder.words(rows).mean(axis=0)
    return table


def build_frozen_encoder(
    folder: Path, pretrained: Path, config: EncoderConfig
) -> PretrainedTransformerEncoder:
    """The pretrained encoder over a prepared folder's trimmed vocabulary."""
    pieces = load_source_vocabulary(folder / "source.model", config.kind)
    encoder = PretrainedTransformerEncoder(config, len(pieces))
    load_encoder_weights(encoder, folder, pretrained)
    return encoder.eval()


def precompute_together(
    folder: Path, name: str, pretrained: Path, layers: int, bfloat16: bool, workers: Workers
) -> None:
    """`precompute` a corpus of a prepared folder, by several processes.

    Args:
        name: of the corpus, "train" or "dev".
        pretrained: the encoder. layers: how many are frozen.
    """
    config = EncoderConfig(layers=layers, frozen_layers=layers)
    work = partial(_precompute_share, folder, name, pretrained, config, bfloat16)
    for _ in workers.map(work, [(share, workers.processes) for share in range(workers.processes)]):
        pass


def _precompute_share(
    folder: Path, name: str, pretrained: Path, config: EncoderConfig, bfloat16: bool, part: tuple[int, int]
) -> None:
    encoder = build_frozen_encoder(folder, pretrained, config)
    source = BinaryCorpus.load(folder / f"{name}.npz").source
    precompute(encoder, source, folder / f"{name}.frozen.f16", part, bfloat16=bfloat16)


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

    Sentences are batched by length. A run that was cut off goes on where it stopped, by as many processes.

    Args:
        part: (k, n) does the kth of n shares of the batches, so that n processes fill one file: what is
            computed of a sentence does not depend on n.
        bfloat16: matrix products in half precision where the machine multiplies in it: nearly twice as fast,
            and less exact than what the file could hold.
    """
    share, shares = part
    path.with_suffix(_LAYERS).write_text(str(encoder.config.frozen_layers))
    done_path = path.with_suffix(f".{share}-{shares}.done")
    done = int(done_path.read_text()) if done_path.exists() else 0
    store = open_frozen(path, source, encoder.width, create=True)
    device = encoder.embedding.words.weight.device
    with tqdm(total=len(source), unit="sentence", desc="frozen layers", disable=share > 0) as bar:
        for number, (end, chosen) in enumerate(_like_batches(source, batch_tokens)):
            bar.update(len(chosen))
            if end <= done or number % shares != share:
                continue
            pieces = torch.from_numpy(pad(source, chosen))[:, :MAX_POSITIONS].to(device)
            with mixed_precision(device, bfloat16):
                outputs = encoder.frozen(pieces, pieces != PAD)
            states = outputs.to(torch.float16).cpu().numpy()
            for row, sentence in enumerate(chosen):
                start, size = source.offsets[sentence], min(len(source[sentence]), states.shape[1])
                store[start : start + size] = states[row, :size]
            if end // 4000 != (end - shares * len(chosen)) // 4000:
                store.flush()
                done_path.write_text(str(end))
    store.flush()
    done_path.write_text(str(len(source)))


def _like_batches(source: Side, tokens: int) -> Iterator[tuple[int, np.ndarray]]:
    """Sentences of like length, and how many there were up to them."""
    lengths = source.lengths
    order = np.argsort(lengths, kind="stable")
    for span in like_lengths(lengths[order], tokens, tokens // 8):
        yield span.stop, order[span]


def frozen_layers(path: Path) -> int:
    """How many layers' outputs `precompute` wrote to `path`; 0 where there is no such file."""
    return int(path.with_suffix(_LAYERS).read_text()) if path.exists() else 0


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
