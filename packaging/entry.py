"""What an installed program starts with: `anaphora` or, by the name it is called, `anaphora-nmt`."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path


def main() -> int:
    """Run the command that the program is called by."""
    # Workers are started from this very program.
    multiprocessing.freeze_support()
    if Path(sys.argv[0]).stem == "anaphora-nmt":
        from anaphora_nmt.cli import main as engine

        return engine() or 0
    from anaphora.main import main as app

    return app()


if __name__ == "__main__":
    sys.exit(main())
