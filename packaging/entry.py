"""Entry point of the installed program: `anaphora` or, if called by that name, `anaphora-nmt`."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path


def main() -> int:
    # Worker processes start from this program.
    multiprocessing.freeze_support()
    pin_archive()
    if Path(sys.argv[0]).stem == "anaphora-nmt":
        from anaphora_nmt.cli import main as engine

        return engine() or 0
    from anaphora.main import main as app

    return app()


def pin_archive() -> None:
    """Keep the program's file readable after an upgrade replaces it, because open windows import from it.

    PyInstaller opens the file by its path for each import, and would read another version at this version's
    offsets. On Linux, a running program's file can still be opened after it has been replaced.
    """
    running = Path("/proc/self/exe")
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    if running.exists() and Path(getattr(archive, "_filename", "")) == running.resolve():
        archive._filename = str(running)  # type: ignore[union-attr]


if __name__ == "__main__":
    sys.exit(main())
