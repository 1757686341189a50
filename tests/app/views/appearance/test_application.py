"""What the Qt application sees to before anything else is loaded."""

from __future__ import annotations

import subprocess
import sys


def test_no_sources_of_modules_that_are_imported_later_stay_in_memory() -> None:
    script = """
import linecache, sys
from anaphora.views.appearance.application import make_application

make_application()
from xml.dom.pulldom import PullDOM
print(sys.modules[PullDOM.__module__].__file__ in linecache.cache)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
