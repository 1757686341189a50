"""What travels to a machine with a GPU and back: packed data, results, weights in pieces."""

from __future__ import annotations

import argparse
import json
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

PIECE = 15 * 1024 * 1024
RESULTS = "results.tar.xz"
ENCODER = "encoder.bin"
RESULT_FILES = (
    "run.json",
    "system.json",
    "curve.jsonl",
    "memory_curve.jsonl",
    "memory.json",
    "outputs.*.json",
)


def write_results(folder: Path, runs: Path, out: Path, weights: Sequence[str]) -> None:
    """One archive of the runs' small files, and the weights of these runs, in float16, in pieces.

    Args:
        folder: of the calls, with their plans and logs.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tarfile.open(out / RESULTS, "w:xz") as archive:
        for pattern in RESULT_FILES:
            for path in sorted(runs.glob(f"*/{pattern}")):
                archive.add(path, path.relative_to(runs))
        for path in (*sorted(folder.glob("plan*.json")), *sorted((folder / "logs").glob("*.log"))):
            archive.add(path, Path("call") / path.name)
    for name in weights:
        _write_weights(runs / name, out)


def _write_weights(run: Path, out: Path) -> None:
    import torch
    from safetensors.torch import load_file, save

    path = run / "memory.safetensors"
    path = path if path.exists() else run / "last" / "model.safetensors"
    data = save({key: value.to(torch.float16) for key, value in load_file(path).items()})
    for number, start in enumerate(range(0, len(data), PIECE)):
        (out / f"{run.name}.{path.name}.{number:03d}").write_bytes(data[start : start + PIECE])


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the archive's files below the folder and nowhere else; Python before 3.11.4 has no filters."""
    for member in archive:
        path = (folder / member.name).resolve()
        content = archive.extractfile(member) if member.isfile() else None
        if content is None or not path.is_relative_to(folder.resolve()):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.read())


def restore(arguments: argparse.Namespace) -> int:
    """Put results and weights that came back into a folder of runs, where `load_run` reads them."""
    import torch
    from safetensors.torch import load, save_file

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.training.runs import DataPaths, RunRecord

    runs: Path = arguments.runs
    runs.mkdir(parents=True, exist_ok=True)
    with tarfile.open(arguments.results / RESULTS) as archive:
        _unpack(archive, runs)
    DataPaths(arguments.data, arguments.pretrained).save(runs)
    for first in sorted(arguments.results.glob("*.safetensors.000")):
        name, file = first.name.split(".", 1)
        file = file.removesuffix(".000")
        parts = sorted(arguments.results.glob(f"{name}.{file}.*"))
        tensors = load(b"".join(p.read_bytes() for p in parts))
        folder = runs / name if file == "memory.safetensors" else runs / name / "last"
        folder.mkdir(parents=True, exist_ok=True)
        save_file({key: value.to(torch.float32) for key, value in tensors.items()}, folder / file)
        if folder.name == "last":
            model = to_dict(RunRecord.load(runs / name).stage.model)
            (folder / "state.json").write_text(json.dumps({"model": model}, indent=1), "utf-8")
    return 0


def pack_all(arguments: argparse.Namespace) -> int:
    """Pack prepared data, and the parts of jieba that cutting words takes."""
    import jieba
    import numpy as np

    from anaphora_nmt.data.packing import pack
    from anaphora_nmt.nn.pretrained import trim_blocks

    out: Path = arguments.out
    pack(arguments.prepared, out, pairs=arguments.pairs)
    if arguments.pretrained is not None:
        rows = np.load(arguments.prepared / "rows.npy")
        trim_blocks(arguments.pretrained, rows, out / ENCODER)
        np.save(out / "rows.npy", np.arange(len(rows)))
    source = Path(jieba.__file__).parent
    target = out / "site" / "jieba"
    target.mkdir(parents=True, exist_ok=True)
    for name in ("__init__.py", "_compat.py", "dict.txt"):
        shutil.copyfile(source / name, target / name)
    shutil.copytree(
        source / "finalseg",
        target / "finalseg",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", "*.p"),
    )
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.1f} MB")
    return 0
