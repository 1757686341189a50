"""What travels to a machine with a GPU and back: packed data, and results."""

from __future__ import annotations

import argparse
import shutil
import tarfile
from pathlib import Path

RESULTS = "results.tar.xz"
RESULT_FILES = ("run.json", "system.json", "curve.jsonl", "memory_curve.jsonl", "outputs.*.json")


def write_results(work: Path, out: Path) -> None:
    """One archive of the runs' small files and the logs."""
    out.mkdir(parents=True, exist_ok=True)
    with tarfile.open(out / RESULTS, "w:xz") as archive:
        for pattern in RESULT_FILES:
            for path in sorted((work / "runs").glob(f"*/{pattern}")):
                archive.add(path, path.relative_to(work / "runs"))
        for path in sorted((work / "logs").glob("*.log")):
            archive.add(path, Path("call") / path.name)


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
