"""CTranslate2 folders: drafts and scores equal CTranslate2's, for all converters and quantisations."""

from __future__ import annotations

import json
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.ctranslate2_folder import read_ctranslate2
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import Kind, find_model
from anaphora_nmt.imported.model import ModelContent, build
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import EOS, PAD, UNK

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from ctranslate2_files import WIDTH, argos, convert

MakeFolder = Callable[..., Path]
LIMIT = 40


def read(folder: Path, languages: Languages = Languages()) -> ModelContent:
    kind, files = find_model(folder)
    assert kind is Kind.CTRANSLATE2
    return read_ctranslate2(files, languages)


def rows(ids: list[tuple[int, ...]]) -> torch.Tensor:
    longest = max(map(len, ids))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in ids])


def compare(folder: Path, found: ModelContent, texts: list[str], mark: str = "") -> None:
    """Check that greedy and beam-5 drafts and log-probabilities equal CTranslate2's."""
    import ctranslate2

    theirs = ctranslate2.Translator(str(folder), compute_type="float32", intra_threads=1)
    model = build(found.architecture, found.tensors)
    searcher = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(found.target))
    marked = [found.source.marked(found.source.encode(text)) for text in texts]
    named = {EOS: "</s>", UNK: "<unk>"}
    given = [[named.get(one, found.source.piece(one)) for one in row] for row in marked]
    front = [[mark]] * len(texts) if mark else None
    with torch.inference_mode():
        encoded = model.encode(rows(marked))
        for size in (1, 5):
            results = theirs.translate_batch(
                given,
                front,
                beam_size=size,
                length_penalty=0,
                min_decoding_length=0,
                max_decoding_length=LIMIT + bool(mark),
            )
            best = beam_search(
                searcher, searcher.start(encoded, []), [LIMIT] * len(texts), BeamOptions(size, 0.0)
            )
            drafts = [
                [named.get(one, found.target.piece(one)) for one in each[0].pieces if one != EOS]
                for each in best
            ]
            assert drafts == [each.hypotheses[0][bool(mark) :] for each in results]
            assert len(set(map(tuple, drafts))) > 10
        scores = theirs.score_batch(given, [each.hypotheses[0] for each in results])
        log_probs = searcher.force_decode(
            encoded, rows([each[0].pieces for each in best]), [MemorySnapshot()] * len(texts)
        )
    for row, score in enumerate(scores):
        steps = len(best[row][0].pieces)  # CTranslate2 adds an end mark at the limit
        expected = torch.tensor(score.log_probs[bool(mark) :][:steps])
        torch.testing.assert_close(log_probs.target_log_probs[row, :steps], expected, rtol=0, atol=1e-4)


@pytest.fixture(scope="session")
def converted(opus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An OPUS-MT model in 8 bits. Tests must not change it."""
    out = tmp_path_factory.mktemp("ctranslate2") / "model"
    return convert(opus, out, "int8", "source.spm", "target.spm")


@pytest.fixture(scope="session")
def opus(marian_folder: MakeFolder) -> Path:
    """CTranslate2's converter requires the same number of heads on both sides."""
    return marian_folder(seed=4, decoder_attention_heads=4)


@pytest.mark.slow
@pytest.mark.parametrize("quantization", [None, "int8", "int16", "bfloat16"])
def test_marian_models(opus: Path, tmp_path: Path, texts: list[str], quantization: str | None) -> None:
    folder = convert(opus, tmp_path / "model", quantization, "source.spm", "target.spm")
    compare(folder, read(folder), texts[:80])


@pytest.mark.slow
@pytest.mark.parametrize("quantization", [None, "int8"])
def test_m2m100_models(m2m100: Path, tmp_path: Path, texts: list[str], quantization: str | None) -> None:
    folder = convert(m2m100, tmp_path / "model", quantization, "sentencepiece.bpe.model")
    found = read(folder, Languages("zh", "en"))
    assert found.source.piece(found.source.before[0]) == "__zh__" and found.source.after == (EOS,)
    compare(folder, found, texts, "__en__")
    for pair, message in ((Languages("zh"), "choose one"), (Languages("zh", "xx"), "does not support")):
        with pytest.raises(ModelFileError, match=message):
            read(folder, pair)


def interleaved(length: int) -> np.ndarray:
    """OpenNMT-py's sinusoids: a sine, a cosine, a sine, …"""
    rates = np.exp(np.arange(0, WIDTH, 2) * -(np.log(10000.0) / WIDTH))
    angles = np.arange(length)[:, None] * rates
    return np.stack((np.sin(angles), np.cos(angles)), 2).reshape(length, WIDTH).astype(np.float32)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "positions"),
    [({}, None), ({"add_source_bos": True, "add_source_eos": True, "layer_norm_epsilon": 1e-3}, 5000)],
)
def test_argos_packages(
    tmp_path: Path, source_pieces: bytes, texts: list[str], config: dict[str, Any], positions: int | None
) -> None:
    table = None if positions is None else interleaved(positions)
    folder = argos(tmp_path / "package", source_pieces, table, **config)
    found = read(folder)
    assert found.languages == Languages("en", "zh")
    given = texts
    if config:  # CTranslate2 adds the marks to the source
        assert found.source.piece(found.source.before[0]) == "<s>" and found.source.after == (EOS,)
        settings = json.loads((folder / "model" / "config.json").read_text())
        (folder / "model" / "config.json").write_text(
            json.dumps(settings | {"add_source_bos": False, "add_source_eos": False})
        )
    else:
        assert found.source.before == found.source.after == ()
    compare(folder / "model", found, given)


def test_files_of_older_versions_are_read(tmp_path: Path, source_pieces: bytes, texts: list[str]) -> None:
    """Binary version 5: no config.json, and a vocabulary of lines."""
    folder = argos(tmp_path / "package", source_pieces) / "model"
    content = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(struct.pack("<I", 5) + content[4:])
    pieces = json.loads((folder / "shared_vocabulary.json").read_text())
    (folder / "shared_vocabulary.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    for name in ("config.json", "shared_vocabulary.json"):
        (folder / name).unlink()
    found = read(folder)
    assert found.source.after == () and found.languages == Languages("en", "zh")
    compare(folder, found, texts[:40])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"multi_query_attention": True}, "multi_query_attention to True"),
        ({"new_invention": 1}, "new_invention to 1"),
        ({"add_source_eos": "no"}, "add_source_eos to no"),
        ({"decoder_start_token": None}, "decoder_start_token to None"),
        ({"eos_token": "<eos>"}, "a vocabulary without <eos>"),
        ({"layer_norm_epsilon": -1}, "epsilon to -1"),
        ({"quantization_type": 1}, "quantization_type to 1"),
    ],
)
def test_unknown_settings_are_refused_by_name(
    converted: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    folder = shutil.copytree(converted, tmp_path / "model")
    settings = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(ModelFileError, match=message):
        read(folder)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("encoder/num_heads", b"\x07\x00", "encoder/num_heads to 7"),
        ("decoder/activation", b"\x06", "decoder/activation to 6"),
        ("decoder/alibi", b"\x01", "decoder/alibi to 1"),
        ("decoder/pre_norm", b"\x01", "encoder to settings that differ from the decoder's"),
    ],
)
def test_unknown_settings_among_the_variables_are_refused_by_name(
    converted: Path, tmp_path: Path, name: str, value: bytes, message: str
) -> None:
    folder = shutil.copytree(converted, tmp_path / "model")
    content = bytearray((folder / "model.bin").read_bytes())
    place = content.index(name.encode() + b"\0") + len(name) + 1 + 6
    content[place : place + len(value)] = value
    (folder / "model.bin").write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        read(folder)


def test_claimed_sizes_are_checked(converted: Path, tmp_path: Path) -> None:
    """Each of the first 400 bytes, and of 400 in the middle, set to 255, gives an error or the same model."""
    folder = shutil.copytree(converted, tmp_path / "model")
    content = (folder / "model.bin").read_bytes()
    middle = content.index(b"decoder/layer_1")
    for place in (*range(0, 400, 3), *range(middle, middle + 400, 3)):
        changed = content[:place] + b"\xff" * 4 + content[place + 4 :]
        (folder / "model.bin").write_bytes(changed)
        try:
            read(folder)
        except ModelFileError:
            continue


@pytest.mark.parametrize("name", ["shared_vocabulary.json", "config.json", "source.spm", "target.spm"])
def test_missing_or_truncated_files_are_reported(converted: Path, tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(converted, tmp_path / "model")
    content = (folder / name).read_bytes()
    for part in (content[: len(content) // 2], b"", b'{"a": 1}', None):
        (folder / name).unlink() if part is None else (folder / name).write_bytes(part)
        with pytest.raises(ModelFileError):
            read(folder)


def test_other_tokenizers_are_refused_by_name(tmp_path: Path, source_pieces: bytes) -> None:
    folder = argos(tmp_path / "package", source_pieces)
    for table in (b"#version: 0.2\ne n\n", b"e n</w>\nt h\na n</w>\n"):
        (folder / "sentencepiece.model").write_bytes(table)
        with pytest.raises(ModelFileError, match="is not a SentencePiece model"):
            read(folder)
    (folder / "sentencepiece.model").rename(folder / "codes.bpe")
    with pytest.raises(ModelFileError, match=r"lacks the tokenizer file vocab\.spm"):
        read(folder)


@pytest.mark.slow
def test_first_piece_of_argos_translations_is_kept(
    tmp_path: Path, source_pieces: bytes, texts: list[str]
) -> None:
    folder = argos(tmp_path / "package", source_pieces)
    mark = read(folder).target.piece(12)
    metadata = json.loads((folder / "metadata.json").read_text())
    (folder / "metadata.json").write_text(json.dumps(metadata | {"target_prefix": mark}))
    compare(folder / "model", read(folder), texts, mark)
    for other, message in (("no piece", "without no piece"), (["a"], "target_prefix")):
        (folder / "metadata.json").write_text(json.dumps(metadata | {"target_prefix": other}))
        with pytest.raises(ModelFileError, match=message):
            read(folder)
