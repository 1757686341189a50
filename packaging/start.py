"""Set up `.venv`, then start the editor or run the checks. This script needs only Python (3.11 or newer).

python3.11 packaging/start.py app [FILE]       start the editor, by default with the sample
python3.11 packaging/start.py test             check style, imports and types, and run the tests
python3.11 packaging/start.py setup [EXTRA]    set up only, with an extra (default: dev)
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_MIN_FREE = 8 << 30  # minimum number of free bytes in /dev/shm for the tests' temporary files
ENVIRONMENT = ROOT / ".venv"
# The lists of pinned packages; `app` is always installed, each extra of pyproject.toml adds its own list.
LOCKS = ROOT / "packaging" / "locks"
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
# System libraries that Qt loads on Linux: library → Debian and Ubuntu package.
QT_LIBRARIES = {
    "EGL": "libegl1",
    "GL": "libgl1",
    "xkbcommon": "libxkbcommon0",
    "dbus-1": "libdbus-1-3",
    "fontconfig": "libfontconfig1",
}
# Further libraries for a visible window on X11.
X11_LIBRARIES = {
    "xcb-cursor": "libxcb-cursor0",
    "xkbcommon-x11": "libxkbcommon-x11-0",
    "xcb-icccm": "libxcb-icccm4",
}
X11_LIBRARIES |= {f"xcb-{each}": f"libxcb-{each}0" for each in ("image", "keysyms", "render-util", "shape")}


def python() -> Path:
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(extra: str) -> None:
    """Install the project in `.venv` with an extra ("" for none), unless the lists are unchanged."""
    names = ["build", "torch-cpu", "torch", "app", *([extra] if extra else [])]
    wanted = "".join(path.read_text("utf-8") for path in (ROOT / "pyproject.toml", *map(lock_file, names)))
    record = ENVIRONMENT / f"installed-{extra or 'app'}.txt"
    if record.exists() and record.read_text("utf-8") == wanted:
        return
    if not python().exists():
        print("Creating .venv …", flush=True)
        venv.create(ENVIRONMENT, with_pip=True)
    print("Installing Anaphora and its packages (once; takes a few minutes) …", flush=True)
    if failed := (
        pip(*pins("build")) or install_torch() or pip(*pins(*names[3:])) or pip("--editable", ROOT)
    ):
        sys.exit(failed)
    record.write_text(wanted, "utf-8")


def lock_file(name: str) -> Path:
    return LOCKS / f"{name}.txt"


def pins(*names: str) -> list[object]:
    """Arguments with which pip installs the packages in these lists after checking their hashes."""
    return ["--require-hashes", *(word for name in names for word in ("--requirement", lock_file(name)))]


def pip(*arguments: object) -> int:
    quiet = ["--quiet", "--disable-pip-version-check"]
    command = [python(), "-m", "pip", "install", *quiet, "--no-deps", "--no-build-isolation", "--use-pep517"]
    return subprocess.call([str(part) for part in (*command, *arguments)], cwd=ROOT)


def build_native() -> bool:
    """Build the native library unless it is up to date; False on failure."""
    builder = [str(python()), "-m", "anaphora_nmt.native.build"]
    if not subprocess.call(builder, cwd=ROOT):
        return True
    print("The native library was not built: trying again with the package ziglang (once) …", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if not pip("--target", folder, *pins("native")):
            environment = {**os.environ, "PYTHONPATH": folder}
            if not subprocess.call(builder, cwd=ROOT, env=environment):
                return True
    print("The native library could not be built: PyTorch makes the drafts, which takes longer.", flush=True)
    return False


def install_torch() -> int:
    """Install PyTorch, if possible without gigabytes of unused CUDA libraries; returns pip's exit status."""
    if sys.platform.startswith("linux") and not has_nvidia_driver():
        source = ["--index-url", CPU_WHEELS] if can_reach(CPU_WHEELS) else []
        if not pip(*source, *pins("torch-cpu")):
            return 0
        print("PyTorch's build for CPUs is unavailable: downloading the one for NVIDIA GPUs …", flush=True)
    return pip(*pins("torch"))


def has_nvidia_driver() -> bool:
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def can_reach(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/", timeout=5):
            return True
    except (OSError, ValueError):
        return False


def missing_packages(libraries: dict[str, str]) -> list[str]:
    if not sys.platform.startswith("linux"):
        return []
    return [package for library, package in libraries.items() if ctypes.util.find_library(library) is None]


def check_qt(libraries: dict[str, str]) -> None:
    missing = missing_packages(libraries)
    if missing:
        sys.exit(
            "Qt needs system libraries that are not installed. On Debian or Ubuntu:\n"
            f"    sudo apt-get install {' '.join(missing)}"
        )


def run(command: list[object], **environment: str) -> None:
    status = subprocess.call([str(part) for part in command], cwd=ROOT, env={**os.environ, **environment})
    if status:
        sys.exit(status)


def start_app(arguments: list[str]) -> None:
    offscreen = os.environ.get("QT_QPA_PLATFORM") == "offscreen"
    check_qt(QT_LIBRARIES if offscreen else QT_LIBRARIES | X11_LIBRARIES)
    install("")
    build_native()
    run([python(), "-m", "anaphora.main", *(arguments or ["--sample"])])


def run_tests(arguments: list[str]) -> None:
    check_qt(QT_LIBRARIES)
    install("dev")
    run([python(), "-m", "ruff", "check", "."])
    run([python(), "-m", "ruff", "format", "--check", "."])
    run([ENVIRONMENT / python().parent.name / "lint-imports"])
    with subprocess.Popen([*nice_prefix(), python(), "-m", "mypy"], cwd=ROOT, stdout=subprocess.PIPE) as mypy:
        status = call_pytest(arguments, build_native())
        print("mypy:", mypy.communicate()[0].decode(), flush=True)
    sys.exit(status or mypy.returncode)


def nice_prefix() -> list[str]:
    return ["nice", "-n", "10"] if shutil.which("nice") else []


def call_pytest(arguments: list[str], has_native: bool) -> int:
    """Run the tests; PYTHONDONTWRITEBYTECODE is empty so that subprocesses find compiled modules."""
    native = "1" if has_native else ""
    environment = {"QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1", "ANAPHORA_NATIVE": native}
    environment["PYTHONDONTWRITEBYTECODE"] = ""
    command = [python(), "-m", "pytest", "-n", "2", "--dist", "worksteal", *arguments]
    with tempfile.TemporaryDirectory(prefix="anaphora-tests-", dir=shared_memory_folder()) as folder:
        environment["TMPDIR"] = folder
        return subprocess.call([str(part) for part in command], cwd=ROOT, env={**os.environ, **environment})


def shared_memory_folder() -> str | None:
    """/dev/shm for temporary files; None if TMPDIR is set or /dev/shm is not writable or lacks space."""
    folder = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(folder, os.W_OK) or shutil.disk_usage(folder).free < _MIN_FREE:
        return None
    return str(folder)


def set_up_only(arguments: list[str]) -> None:
    install(arguments[0] if arguments else "dev")
    build_native()


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036  (older versions may run this)
        sys.exit("Anaphora needs Python 3.11 or newer.")
    if "--help" in sys.argv[1:2]:
        print(__doc__)
        sys.exit()
    commands = {"app": start_app, "test": run_tests, "setup": set_up_only}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
