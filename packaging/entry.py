"""Start of the installed program: `anaphora` or, under that name, `anaphora-nmt`."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path


def main() -> int:
    # Workers are started from this very program.
    multiprocessing.freeze_support()
    keep_modules()
    if Path(sys.argv[0]).stem == "anaphora-nmt":
        from anaphora_nmt.cli import main as engine

        return engine() or 0
    from anaphora.main import main as app

    return app()


def keep_modules() -> None:
    """An upgrade may replace this program's file while a window is open, which still imports modules from it.

    PyInstaller opens it by its path each time, and would find another version's modules at this one's places.
    On Linux the file that runs can be opened even when it has been replaced.
    """
    running = Path("/proc/self/exe")
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    if running.exists() and Path(getattr(archive, "_filename", "")) == running.resolve():
        archive._filename = str(running)  # type: ignore[union-attr]


if __name__ == "__main__":
    sys.exit(main())
