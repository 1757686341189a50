"""Untrusted files of weights: only tensors are read."""

from __future__ import annotations

import io
import os
import pickle
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import ModelFiles, reading
from anaphora_nmt.imported.weight_files import Weights, read_hugging_face_weights

TENSORS = {"a": torch.arange(6.0).view(2, 3), "b": torch.ones(4, dtype=torch.float16)}


class Intruder:
    """An object whose unpickling runs code."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self.trace),)


def read(folder: Path) -> Weights:
    return read_hugging_face_weights(ModelFiles(folder))


@pytest.mark.parametrize("form", ["safetensors", "pickled", "legacy"])
def test_all_file_formats_give_the_same_tensors(tmp_path: Path, form: str) -> None:
    if form == "safetensors":
        save_file(TENSORS, tmp_path / "model.safetensors")
    else:
        zipped = form == "pickled"
        torch.save(TENSORS, tmp_path / "pytorch_model.bin", _use_new_zipfile_serialization=zipped)
    weights = read(tmp_path)
    assert torch.equal(weights.take("a", 2, 3), TENSORS["a"])
    taken = weights.take("b", 4)
    assert torch.equal(taken, TENSORS["b"].float()) and taken.dtype == torch.float32
    weights.finish()


def test_unused_missing_and_misshapen_tensors_are_reported(tmp_path: Path) -> None:
    save_file(TENSORS, tmp_path / "model.safetensors")
    with pytest.raises(ModelFileError, match="do not match its settings: a, b"):
        read(tmp_path).finish()
    with pytest.raises(ModelFileError, match="lacks the weights c"):
        read(tmp_path).take("c", 1)
    with pytest.raises(ModelFileError, match=r"size of a is \(2, 3\), but must be \(3, 2\)"):
        read(tmp_path).take("a", 3, 2)
    save_file({"a": torch.tensor([1.0, float("nan")])}, tmp_path / "model.safetensors")
    with pytest.raises(ModelFileError, match="not finite"):
        read(tmp_path).take("a", 2)


@pytest.mark.parametrize("legacy", [False, True])
def test_no_pickled_code_runs(tmp_path: Path, legacy: bool) -> None:
    trace = tmp_path / "ran"
    values = {**TENSORS, "c": Intruder(trace)}
    torch.save(values, tmp_path / "pytorch_model.bin", _use_new_zipfile_serialization=not legacy)
    with pytest.raises(ModelFileError, match="could run a program"):
        read(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(pickle.dumps(Intruder(trace)))
    with pytest.raises(ModelFileError):
        read(tmp_path)
    assert not trace.exists()


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def pickled(steps: bytes, legacy: bool) -> bytes:
    """A file with a pickle of these operations."""
    file = io.BytesIO()
    torch.save({}, file, _use_new_zipfile_serialization=not legacy)
    if legacy:
        return file.getvalue().replace(b"\x80\x02}q\x00.\x80", b"\x80\x02" + steps + b".\x80")
    written = io.BytesIO()
    with zipfile.ZipFile(file) as plain, zipfile.ZipFile(written, "w") as changed:
        for name in plain.namelist():
            data = b"\x80\x02" + steps + b"." if name.endswith("data.pkl") else plain.read(name)
            changed.writestr(name, data)
    return written.getvalue()


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize(
    "steps",
    [
        b"}N\x85" + b"".join(b"q%ch%c\x86" % (each, each) for each in range(40)) + b"Ns",
        b"}c_codecs\nencode\n"
        + text("".join(map(chr, range(0x4E00, 0x9E00))) * 7)
        + text("punycode")
        + b"\x86RNs",
        b"]" * 20_000_000,
    ],
    ids=["shared tuples", "slow codec", "many steps"],
)
def test_endless_pickle_is_refused(tmp_path: Path, steps: bytes, legacy: bool) -> None:
    """Without limits, each takes from tens of seconds to years, or gigabytes."""
    (tmp_path / "pytorch_model.bin").write_bytes(pickled(steps, legacy))
    begun = time.process_time()
    with pytest.raises(ModelFileError, match="contains more than weights"):
        read(tmp_path)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("values", [torch.zeros(1).expand(1 << 40), torch.zeros(3).expand(2, 3)])
def test_tensors_cannot_claim_more_values_than_bytes(tmp_path: Path, values: torch.Tensor) -> None:
    torch.save({"a": values}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelFileError, match="more values than the file"):
        read(tmp_path)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda: {"a": torch.zeros(9, 9).to_sparse()},
        lambda: {"a": torch.empty(1 << 40, device="meta")},
        lambda: {"a": torch.quantize_per_tensor(torch.randn(4), 0.1, 0, torch.qint8)},
        lambda: {"a": torch.zeros(4, dtype=torch.complex64)},
        lambda: dict.fromkeys(map(str, range(100)), torch.zeros(1 << 20, dtype=torch.float16)),
    ],
    ids=["sparse", "without values", "quantised", "complex", "one under many names"],
)
def test_unusual_weight_types_are_refused_with_a_message(tmp_path: Path, make: Callable) -> None:
    torch.save(make(), tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelFileError, match=r"pytorch_model\.bin is damaged or"):
        read(tmp_path)


@pytest.mark.parametrize("error", [ImportError("DLL load failed"), MemoryError(), KeyboardInterrupt()])
def test_lack_of_memory_is_not_reported_as_file_damage(tmp_path: Path, error: BaseException) -> None:
    with pytest.raises(type(error)), reading(tmp_path):
        raise error


def test_irregular_or_too_large_files_are_not_read(tmp_path: Path) -> None:
    files = ModelFiles(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "config.json")
        with pytest.raises(ModelFileError, match="missing"):
            files.read_json("config.json")
    with (tmp_path / "vocab.json").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ModelFileError, match=r"1024 MB \(at most 64 MB\)"):
        files.read_json("vocab.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    for name in ("deep.json", "list.json", "bytes.json"):
        with pytest.raises(ModelFileError, match="damaged"):
            files.read_json(name)


def test_compressed_pickle_is_refused_before_reading(tmp_path: Path) -> None:
    torch.save(TENSORS, tmp_path / "plain.bin")
    with (
        zipfile.ZipFile(tmp_path / "plain.bin") as plain,
        zipfile.ZipFile(tmp_path / "pytorch_model.bin", "w") as packed,
    ):
        for place, entry in enumerate(plain.infolist()):
            kind = zipfile.ZIP_STORED if place else zipfile.ZIP_DEFLATED
            packed.writestr(entry.filename, plain.read(entry), compress_type=kind)
    with pytest.raises(ModelFileError, match="it is compressed"):
        read(tmp_path)
