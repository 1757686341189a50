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
RESULT_FILES = ("run.json", "system.json", "curve.jsonl", "memory_curve.jsonl", "outputs.*.json")


def write_results(work: Path, out: Path, weights: Sequence[str]) -> None:
    """One archive of the runs' small files and the logs, and the weights of some runs, float16, in pieces."""
    out.mkdir(parents=True, exist_ok=True)
    with tarfile.open(out / RESULTS, "w:xz") as archive:
        for pattern in RESULT_FILES:
            for path in sorted((work / "runs").glob(f"*/{pattern}")):
                archive.add(path, path.relative_to(work / "runs"))
        for path in sorted((work / "logs").glob("*.log")):
            archive.add(path, Path("call") / path.name)
    for name in weights:
        _write_weights(work / "runs" / name, out)


def _write_weights(run: Path, out: Path) -> None:
    import torch
    from safetensors.torch import load_file, save

    path = run / "memory.safetensors"
    path = path if path.exists() else run / "last" / "model.safetensors"
    data = save({key: value.to(torch.float16) for key, value in load_file(path).items()})
    for number, start in enumerate(range(0, len(data), PIECE)):
        (out / f"{run.name}.{path.name}.{number:03d}").write_bytes(data[start : start + PIECE])


def restore(arguments: argparse.Namespace) -> int:
    """Put results and weights that came back into a folder of runs, where `load_run` reads them."""
    import torch
    from safetensors.torch import load, save_file

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.training.runs import RunRecord

    runs: Path = arguments.runs
    runs.mkdir(parents=True, exist_ok=True)
    with tarfile.open(arguments.results / RESULTS) as archive:
        archive.extractall(runs, filter="data")
    for first in sorted(arguments.results.glob("*.safetensors.000")):
        name, file = first.name.split(".", 1)
        file = file.removesuffix(".000")
        parts = sorted(arguments.results.glob(f"{name}.{file}.*"))
        tensors = load(b"".join(part.read_bytes() for part in parts))
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

    from anaphora_nmt.data.packing import pack

    out: Path = arguments.out
    pack(arguments.prepared, out, pairs=arguments.pairs)
    source, target = Path(jieba.__file__).parent, out / "site" / "jieba"
    target.mkdir(parents=True, exist_ok=True)
    for name in ("__init__.py", "_compat.py", "dict.txt"):
        shutil.copyfile(source / name, target / name)
    ignored = shutil.ignore_patterns("__pycache__", "*.p")
    shutil.copytree(source / "finalseg", target / "finalseg", dirs_exist_ok=True, ignore=ignored)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.1f} MB")
    return 0
