"""Marian's files: `.npz` compared with CTranslate2, Bergamot's `.bin` compared with the equations."""

from __future__ import annotations

import json
import math
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.loading import Kind, find_model
from anaphora_nmt.imported.marian_folder import read_marian, read_pieces
from anaphora_nmt.imported.model import ModelContent, build
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK, Vocabulary

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from marian_files import (
    HEADS,
    STUDENT,
    WIDTH,
    Arrays,
    binary,
    is_product,
    rounded,
    save_npz_model,
    sinusoids,
    student,
)


@pytest.fixture(scope="session")
def opus(marian_folder: Any) -> Path:
    """Marian requires the same number of heads and feed-forward width on both sides."""
    return marian_folder(seed=2, decoder_attention_heads=HEADS, decoder_ffn_dim=48)


@pytest.fixture(scope="session")
def npz(opus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An OPUS-MT model in Marian's format."""
    return save_npz_model(tmp_path_factory.mktemp("npz"), opus)


def rows(ids: list[tuple[int, ...]]) -> torch.Tensor:
    longest = max(map(len, ids))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in ids])


@pytest.mark.slow
def test_npz_translates_like_ctranslate2(npz: Path, texts: list[str], tmp_path: Path) -> None:
    import ctranslate2
    from ctranslate2.converters import MarianConverter

    # without a table of positions, CTranslate2's converter uses other sinusoids than Marian
    arrays: Any = dict(np.load(npz / "model.npz"))
    np.savez(tmp_path / "model.npz", **arrays, Wpos=sinusoids(WIDTH))
    vocabulary = str(npz / "opus.vocab.yml")
    converted = str(tmp_path / "converted")
    MarianConverter(str(tmp_path / "model.npz"), [vocabulary] * 2).convert(converted)
    theirs = ctranslate2.Translator(converted, compute_type="float32", intra_threads=1)
    kind, files = find_model(npz)
    assert kind is Kind.MARIAN
    found = read_marian(files)
    model = build(found.architecture, found.tensors)
    pieces = [
        [found.source.piece(one) if one != UNK else "<unk>" for one in found.source.encode(text)]
        for text in texts
    ]
    searcher = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(found.target))
    own = rows([found.source.marked(found.source.encode(text)) for text in texts])
    with torch.inference_mode():
        encoded = model.encode(own)
        for size in (1, 5):
            results = theirs.translate_batch(
                pieces, beam_size=size, length_penalty=0, min_decoding_length=0, max_decoding_length=60
            )
            best = beam_search(
                searcher, searcher.start(encoded, []), [60] * len(texts), BeamOptions(size, 0.0)
            )
            drafts = [[found.target.piece(one) for one in each[0].pieces if one != EOS] for each in best]
            assert drafts == [each.hypotheses[0] for each in results] and len(set(map(tuple, drafts))) > 10
        scores = theirs.score_batch(pieces, [each.hypotheses[0] for each in results])
        log_probs = searcher.force_decode(
            encoded, rows([each[0].pieces for each in best]), [MemorySnapshot()] * len(texts)
        )
    for row, score in enumerate(scores):
        expected = torch.tensor(score.log_probs)
        torch.testing.assert_close(
            log_probs.target_log_probs[row, : len(expected)], expected, rtol=0, atol=1e-4
        )


class _Transcription:
    """Marian's equations, word by word, in NumPy: post-norm layers, relu, a recurrent decoder (SSRU)."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        self.positions = sinusoids(WIDTH).astype(np.float64)

    def affine(self, x: np.ndarray, name: str, end: str) -> np.ndarray:
        return x @ self.arrays[f"{name}_W{end}"] + self.arrays[f"{name}_b{end}"][0]

    def norm(self, x: np.ndarray, name: str) -> np.ndarray:
        scale, bias = (self.arrays[f"{name}_ln_{part}"][0] for part in ("scale", "bias"))
        return (x - x.mean()) / math.sqrt(x.var() + 1e-6) * scale + bias

    def attend(self, x: np.ndarray, others: list[np.ndarray], name: str) -> np.ndarray:
        query = self.affine(x, name, "q")
        keys = np.stack([self.affine(other, name, "k") for other in others])
        values = np.stack([self.affine(other, name, "v") for other in others])
        heads, size = [], WIDTH // HEADS
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            scores = keys[:, part] @ query[part] / math.sqrt(size)
            weights = np.exp(scores - scores.max())
            heads.append(weights / weights.sum() @ values[:, part])
        return self.norm(x + self.affine(np.concatenate(heads), name, "o"), name + "_Wo")

    def feed(self, x: np.ndarray, name: str) -> np.ndarray:
        inner = np.maximum(self.affine(x, name, "1"), 0)
        return self.norm(x + self.affine(inner, name, "2"), name + "_ffn")

    def embed(self, number: int | None, position: int) -> np.ndarray:
        word = np.zeros(WIDTH) if number is None else self.arrays["Wemb"][number]
        return word * math.sqrt(WIDTH) + self.positions[position]

    def logits(self, source: list[int], target: list[int], layers: tuple[int, int]) -> np.ndarray:
        return self.decoded(self.encoded(source, layers), target, layers)

    def encoded(self, source: list[int], layers: tuple[int, int]) -> list[np.ndarray]:
        words = [self.embed(number, position) for position, number in enumerate(source)]
        for number in range(1, layers[0] + 1):
            words = [self.attend(word, words, f"encoder_l{number}_self") for word in words]
            words = [self.feed(word, f"encoder_l{number}_ffn") for word in words]
        return words

    def decoded(self, words: list[np.ndarray], target: list[int], layers: tuple[int, int]) -> np.ndarray:
        cells = [np.zeros(WIDTH)] * layers[1]
        found = []
        for position, previous in enumerate([None, *target[:-1]]):
            x = self.embed(previous, position)
            for number in range(1, layers[1] + 1):
                name = f"decoder_l{number}_rnn"
                forget = 1 / (1 + np.exp(-self.affine(x, name, "f")))
                cells[number - 1] = forget * cells[number - 1] + (1 - forget) * (x @ self.arrays[name + "_W"])
                x = self.norm(x + np.maximum(cells[number - 1], 0), name + "_ffn")
                x = self.attend(x, words, f"decoder_l{number}_context")
                x = self.feed(x, f"decoder_l{number}_ffn")
            found.append(x @ self.arrays["Wemb"].T + self.arrays["decoder_ff_logit_out_b"][0])
        return np.stack(found)


def student_folder(folder: Path, pieces: bytes, int8: bool, **changes: Any) -> tuple[Path, Arrays]:
    """A folder like those of Mozilla's registry: weights and a vocabulary for both sides."""
    import sentencepiece as spm

    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(pieces)
    count = processor.GetPieceSize()
    arrays = student(count)
    content = binary(arrays, {**STUDENT, "dim-vocabs": [count, count], **changes}, int8)
    folder.mkdir()
    (folder / "model.xxyy.intgemm.alphas.bin").write_bytes(content)
    (folder / "lex.50.50.xxyy.s2t.bin").write_bytes(b"\1" * 64)
    (folder / "vocab.xxyy.spm").write_bytes(pieces)
    if int8:
        whole = {name: rounded(array) for name, array in arrays.items() if is_product(name)}
        arrays |= {name: (values / np.float32(by)).astype(np.float32) for name, (values, by) in whole.items()}
    return folder, arrays


@pytest.mark.parametrize("int8", [False, True])
def test_bin_with_a_recurrent_decoder_equals_the_equations(
    tmp_path: Path, source_pieces: bytes, texts: list[str], int8: bool
) -> None:
    folder, arrays = student_folder(tmp_path / "model", source_pieces, int8)
    found = read_marian(find_model(folder)[1])
    model = build(found.architecture, found.tensors)
    transcription = _Transcription(arrays)
    theirs = marian_numbers(found)
    for text in texts[:4]:
        source = found.source.marked(found.source.encode(text))
        target = (*found.target.encode(texts[7]), EOS)
        expected = transcription.logits(
            [theirs[one] for one in source], [theirs[one] for one in target], (2, 2)
        )
        with torch.inference_mode():
            encoded = model.encode(torch.tensor([source]))
            features = model.force_decode(encoded, torch.tensor([target]))
            logits = model.decoder.logits(features)[0]
            state, previous = model.decoder.start(encoded), torch.tensor([BOS])
            for step, word in enumerate(target):
                one, state = model.decoder.step(previous, state)
                torch.testing.assert_close(one.state[0], features.state[0, step], rtol=0, atol=1e-5)
                previous = torch.tensor([word])
        order = [theirs[number] for number in range(EOS, len(theirs))]
        np.testing.assert_allclose(logits[:, EOS:].numpy(), expected[:, order], rtol=0, atol=1e-4)
        assert float(logits[:, :EOS].max()) < -1e6  # pieces that Marian lacks are never generated


def marian_numbers(found: ModelContent, side: Vocabulary | None = None) -> list[int]:
    """Marian's numbers of our pieces (by default the target's); arbitrary for pieces that it lacks."""
    side = side or found.target
    import sentencepiece as spm

    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(side.serialized)
    special = {PAD: 0, BOS: 0, EOS: processor.PieceToId("</s>"), UNK: processor.PieceToId("<unk>")}
    return [special.get(number, processor.PieceToId(side.piece(number))) for number in range(len(side))]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"transformer-decoder-autoreg": "average-attention"},
            "transformer-decoder-autoreg to average-attention",
        ),
        ({"dec-cell": "gru"}, "dec-cell to gru"),
        ({"transformer-preprocess": "n"}, "transformer-postprocess"),
        ({"transformer-tied-layers": [1, 1]}, "transformer-tied-layers to"),
        ({"transformer-ffn-activation": "mish"}, "transformer-ffn-activation to mish"),
        ({"new-invention": 1}, "new-invention to 1"),
        ({"type": "s2s"}, "type to s2s"),
        ({"dim-emb": 64}, r"32.*64"),
        ({"dec-depth": 1}, "do not match its settings: decoder_l2"),
    ],
)
def test_unknown_settings_are_refused_by_name(
    tmp_path: Path, source_pieces: bytes, changes: dict[str, Any], message: str
) -> None:
    folder, _ = student_folder(tmp_path / "model", source_pieces, False, **changes)
    with pytest.raises(ModelFileError, match=message):
        read_marian(find_model(folder)[1])


def test_marian_tables_of_pieces_are_read() -> None:
    text = '</s>: 0\n<unk>: 1\n"\\"": 2\n\'\'\'\': 3\n": ": 4\n▁a: 5\n"\\x85": 6\n"\\\\": 7\n\'#\': 8\n:: 9\n'
    found = read_pieces(Path("vocab.yml"), text)
    assert found == {
        0: "</s>",
        1: "<unk>",
        2: '"',
        3: "'",
        4: ": ",
        5: "▁a",
        6: "\x85",
        7: "\\",
        8: "#",
        9: ":",
    }
    for damaged in ("▁a\n", "a: b\n", "? x\n"):
        with pytest.raises(ModelFileError, match="line 1"):
            read_pieces(Path("vocab.yml"), damaged)


def test_yaml_with_aliases_is_refused(tmp_path: Path, npz: Path) -> None:
    folder = shutil.copytree(npz, tmp_path / "model")
    (folder / "decoder.yml").write_text("a: &a [x, x]\nmodels: [*a, *a]\nvocabs: [*a]\n")
    with pytest.raises(ModelFileError, match="alias"):
        read_marian(find_model(folder)[1])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decoder.yml", "version: " + "1:" * 400_000 + "1\n"),
        ("decoder.yml", "version: " + "1:" * 30_000 + "1.5\n"),
        ("decoder.yml", "version: [" + "a," * 450_000 + "a]\n"),
        ("opus.vocab.yml", '"\\UFFFFFFFF": 1\n'),
        ("opus.vocab.yml", '"\\uD800": 0\n'),
        ("opus.vocab.yml", "a: " + "9" * 100_000 + "\n"),
        ("opus.vocab.yml", "\n" * 3_000_000),
    ],
    ids=["base 60", "fractions in base 60", "lists", "no character", "half", "a long number", "lines"],
)
def test_strange_settings_and_tables_are_refused_quickly(
    tmp_path: Path, npz: Path, name: str, text: str
) -> None:
    folder = shutil.copytree(npz, tmp_path / "model")
    (folder / name).write_text((folder / name).read_text("utf-8") + text, "utf-8")
    begun = time.thread_time()
    with pytest.raises(ModelFileError, match="damaged"):
        read_marian(find_model(folder)[1])
    assert time.thread_time() - begun < 10


@pytest.mark.parametrize("size", [1 << 24, -1, 10**30, True])
def test_sizes_of_vocabularies_are_bounded(tmp_path: Path, source_pieces: bytes, size: int) -> None:
    folder, _ = student_folder(tmp_path / "model", source_pieces, False, **{"dim-vocabs": [size, size]})
    with pytest.raises(ModelFileError, match="dim-vocabs"):
        read_marian(find_model(folder)[1])


def split_folder(folder: Path, source: bytes, target: bytes) -> tuple[Path, Arrays]:
    """A folder of Mozilla's registry with a separate vocabulary for each side."""
    import sentencepiece as spm

    counts = []
    for pieces in (source, target):
        processor = spm.SentencePieceProcessor()
        processor.LoadFromSerializedProto(pieces)
        counts.append(processor.GetPieceSize())
    arrays, random = student(counts[1]), np.random.default_rng(6)
    arrays["decoder_Wemb"] = arrays.pop("Wemb")
    arrays["encoder_Wemb"] = (random.normal(size=(counts[0], WIDTH)) / math.sqrt(WIDTH)).astype(np.float32)
    changes = {"tied-embeddings-all": False, "tied-embeddings": True, "dim-vocabs": counts}
    folder.mkdir()
    (folder / "model.zhen.bin").write_bytes(binary(arrays, {**STUDENT, **changes}, False))
    (folder / "srcvocab.zhen.spm").write_bytes(source)
    (folder / "trgvocab.zhen.spm").write_bytes(target)
    (folder / "lex.50.50.zhen.s2t.bin").write_bytes(b"\1" * 64)
    return folder, arrays


class _SplitTranscription(_Transcription):
    """The same equations with an embedding for each side."""

    def logits(self, source: list[int], target: list[int], layers: tuple[int, int]) -> np.ndarray:
        self.arrays["Wemb"] = self.arrays["encoder_Wemb"]
        encoded = self.encoded(source, layers)
        self.arrays["Wemb"] = self.arrays["decoder_Wemb"]
        return self.decoded(encoded, target, layers)


def test_split_vocabularies_equal_the_equations(
    tmp_path: Path, source_pieces: bytes, target_pieces: bytes, texts: list[str]
) -> None:
    folder, arrays = split_folder(tmp_path / "zhen", source_pieces, target_pieces)
    found = read_marian(find_model(folder)[1])
    assert (found.languages.source, found.languages.target) == ("zh", "en")
    model, transcription = build(found.architecture, found.tensors), _SplitTranscription(arrays)
    theirs = marian_numbers(found), marian_numbers(found, found.source)
    for text in texts[:4]:
        source = found.source.marked(found.source.encode(text))
        target = (*found.target.encode(texts[7]), EOS)
        expected = transcription.logits(
            [theirs[1][one] for one in source], [theirs[0][one] for one in target], (2, 2)
        )
        with torch.inference_mode():
            features = model.force_decode(model.encode(torch.tensor([source])), torch.tensor([target]))
            logits = model.decoder.logits(features)[0]
        order = [theirs[0][number] for number in range(EOS, len(theirs[0]))]
        np.testing.assert_allclose(logits[:, EOS:].numpy(), expected[:, order], rtol=0, atol=1e-4)


def test_translate_locally_folders_are_read(tmp_path: Path, source_pieces: bytes) -> None:
    folder, _ = student_folder(tmp_path / "model", source_pieces, True)
    (folder / "model.xxyy.intgemm.alphas.bin").rename(folder / "model.intgemm8.bin")
    (folder / "vocab.xxyy.spm").rename(folder / "vocab.spm")
    config = {
        "relative-paths": True,
        "models": ["model.intgemm8.bin"],
        "vocabs": ["vocab.spm", "vocab.spm"],
        "shortlist": ["lex.s2t.bin", 50, 50],
        "beam-size": 1,
    }
    (folder / "config.intgemm8bitalpha.yml").write_text(yaml.safe_dump(config))
    about = {"shortName": "de-en-tiny", "srcTags": {"de": "German"}, "trgTag": "en"}
    (folder / "model_info.json").write_text(json.dumps(about))
    found = read_marian(find_model(folder)[1])
    assert (found.languages.source, found.languages.target) == ("de", "en")
    assert found.architecture.recurrent
