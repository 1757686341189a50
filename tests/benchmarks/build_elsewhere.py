"""Builds the native library for other systems with the package ziglang: does it compile? Nothing of it runs.

python tests/benchmarks/build_elsewhere.py     # with ziglang installed, or in PYTHONPATH
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from anaphora_nmt.native.build import build

TARGETS = (
    ("x86_64", "x86_64-linux-gnu.2.17", ".so"),
    ("aarch64", "aarch64-linux-gnu.2.17", ".so"),
    ("x86_64", "x86_64-windows-gnu", ".dll"),
    ("aarch64", "aarch64-windows-gnu", ".dll"),
    ("aarch64", "aarch64-macos", ".dylib"),
    ("x86_64", "x86_64-macos", ".dylib"),
)


def main() -> None:
    """A line for each system; the exit status says whether all were built."""
    failed = False
    with tempfile.TemporaryDirectory() as made:
        for machine, target, ending in TARGETS:
            out = Path(made) / f"{target}{ending}"
            compiler = [sys.executable, "-m", "ziglang", "c++", "-target", target]
            kernels = build(out, compiler, machine=machine)
            said = f"{out.stat().st_size / 1e3:.0f} kB, {', '.join(kernels)}" if kernels else "not built"
            print(f"{target:<24}{said}", flush=True)
            failed |= not kernels
    sys.exit(failed)


if __name__ == "__main__":
    main()
