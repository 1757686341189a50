"""Builds the native library with a C++ compiler; uses only Python's standard library.

python -m anaphora_nmt.native.build [OUT]

The build tries $CXX, c++, g++, clang++ and, if it is installed, the package ziglang. The library's name
contains a hash of the sources, so that a library built from other sources is never loaded.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

SOURCES = Path(__file__).parent / "source"
FOLDER = Path(__file__).parent / "library"
NO_COMPILER = 3
"""Exit status if no compiler can build the library."""

_X86 = ("-mavx2", "-mfma", "-mf16c")
_AVX512 = ("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mavx512vnni")
# machine → kernel table → alternative sets of flags, and the name of the required processor in processor.h
_KERNELS: dict[str, dict[str, tuple[tuple[tuple[str, ...], ...], str]]] = {
    "x86_64": {
        "AVX512_VNNI": (((*_X86, *_AVX512),), "WITH_AVX512_VNNI"),
        "AVX_VNNI": (((*_X86, "-mavxvnni"),), "WITH_AVX_VNNI"),
        "AVX2": ((_X86,), "WITH_AVX2"),
    },
    "aarch64": {"NEON_DOT": ((("-march=armv8.2-a+dotprod",), ("-mcpu=generic+dotprod",)), "WITH_NEON_DOT")},
}
_PLAIN: tuple[tuple[tuple[str, ...], ...], str] = (((),), "ANY_PROCESSOR")
_FLAGS = ("-std=c++17", "-O3", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math", "-w")
_ENDINGS = {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}


def sources() -> list[Path]:
    return sorted(path for path in SOURCES.iterdir() if path.suffix in (".cpp", ".h"))


def library_name() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.read_bytes())
    return f"anaphora-{digest.hexdigest()[:16]}{_ENDINGS.get(sys.platform, '.so')}"


def library_path() -> Path:
    return FOLDER / library_name()


def compilers() -> Iterator[list[str]]:
    """The commands of the compilers to try, in order."""
    if command := os.environ.get("CXX"):
        yield shlex.split(command)
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            yield [name]
    if importlib.util.find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "c++", *_zig_target()]


def _zig_target() -> list[str]:
    """The target options of zig, whose default target would use all instructions of this machine."""
    machine = _machine()
    if sys.platform.startswith("linux"):
        return ["-target", f"{machine}-linux-gnu.2.17"]
    return ["-target", f"{machine}-{'macos' if sys.platform == 'darwin' else 'windows-gnu'}"]


def _machine() -> str:
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


def build(out: Path, compiler: Sequence[str], flags: Sequence[str] = (), machine: str = "") -> list[str]:
    """Build the library with one compiler, without the kernel tables that this compiler cannot compile.

    Args:
        flags: additional flags of the compiler.
        machine: "x86_64" or "aarch64"; "" for this machine.
    Returns:
        names of the compiled kernel tables; empty if the build failed.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    common = [*compiler, *_FLAGS, *flags]
    with tempfile.TemporaryDirectory(dir=out.parent) as temporary:
        objects, names = [], []
        for name, (sets, processor) in {**_KERNELS.get(machine or _machine(), {}), "PLAIN_C": _PLAIN}.items():
            target = Path(temporary) / f"{name}.o"
            definitions = (f"-DKERNELS={name}", f"-DPROCESSOR={processor}")
            command = [*common, *definitions, "-c", str(SOURCES / "kernels.cpp"), "-o", str(target)]
            if any(_succeeds([*command, *options]) for options in sets):
                objects.append(str(target))
                names.append(name)
        parts = [str(path) for path in sources() if path.suffix == ".cpp" and path.name != "kernels.cpp"]
        library, defined = Path(temporary) / out.name, [f"-DHAS_{name}" for name in names]
        if not _succeeds([*common, *defined, "-shared", "-s", *parts, *objects, "-o", str(library)]):
            return []
        library.replace(out)
    return names


def _succeeds(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def main() -> int:
    """Build the library unless it exists; return the exit status."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else library_path()
    if out.exists():
        return 0
    for compiler in compilers():
        print(f"Building the native library with {compiler[0]} (once; half a minute) …", flush=True)
        if build(out, compiler):
            return 0
    return NO_COMPILER


if __name__ == "__main__":
    sys.exit(main())
