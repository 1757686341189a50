"""Checks if Qt can start, because Qt aborts the process if it cannot. This module does not import Qt."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

SYSTEM_PACKAGES = (
    "libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0"
)


def platform_problem(environment: Mapping[str, str] | None = None, plugins: Path | None = None) -> str:
    """The reason why Qt cannot start on Linux, with advice; empty if it can start, and on other systems."""
    environment = os.environ if environment is None else environment
    if not sys.platform.startswith("linux"):
        return ""
    wanted = environment.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if not wanted and not environment.get("DISPLAY") and not environment.get("WAYLAND_DISPLAY"):
        return (
            "there is no display to show a window on (DISPLAY is not set). Start Anaphora on a desktop, or "
            "translate without a window: anaphora translate INPUT -o OUTPUT"
        )
    plugins = plugins or plugin_folder()
    if wanted:
        names = [wanted]
    else:
        names = [name for name in ("wayland", "xcb") if name == "xcb" or environment.get("WAYLAND_DISPLAY")]
    problems = [_load_error(plugins / f"libq{name}.so") for name in names]
    return "" if "" in problems else missing_library_message(problems[-1])


def plugin_folder() -> Path:
    spec = find_spec("PySide6")
    root = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    return root / "Qt" / "plugins" / "platforms"


def missing_library_message(problem: str) -> str:
    return (
        f"the window system's plugin cannot be loaded: {problem}\n"
        "A system library is missing. On Debian or Ubuntu install what Qt needs:\n"
        f"  sudo apt-get install {SYSTEM_PACKAGES}"
    )


def _load_error(plugin: Path) -> str:
    """The error if a plugin cannot be loaded; empty for a missing file, because Qt may find it elsewhere."""
    if not plugin.exists():
        return ""
    try:
        ctypes.CDLL(str(plugin))
    except OSError as problem:
        return str(problem)
    return ""
