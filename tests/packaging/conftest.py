"""Puts the folder of scripts on the path, because they import each other."""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGING = Path(__file__).parents[2] / "packaging"
if str(PACKAGING) not in sys.path:
    sys.path.insert(0, str(PACKAGING))
