"""Entry point of the installed program: runs `anaphora-nmt` if called by that name, otherwise `anaphora`."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path


def main() -> int:
    # Worker processes run this program again; this call then runs the worker and exits.
    multiprocessing.freeze_support()
    pin_archive()
    if Path(sys.argv[0]).stem == "anaphora-nmt":
        from anaphora_nmt.cli import main as engine

        return engine() or 0
    from anaphora.main import main as app

    return app()


def pin_archive() -> None:
    """Let a running program import from its own file even after an upgrade has replaced that file.

    For each import, PyInstaller opens the program's file by its path and reads at a known offset, which would
    be wrong in a newer file. On Linux, `/proc/self/exe` still opens the old file; elsewhere, nothing changes.
    """
    running_file = Path("/proc/self/exe")
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    if running_file.exists() and Path(getattr(archive, "_filename", "")) == running_file.resolve():
        archive._filename = str(running_file)  # type: ignore[union-attr]


if __name__ == "__main__":
    sys.exit(main())
