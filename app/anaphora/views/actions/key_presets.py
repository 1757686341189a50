"""Sets of keys that translators know from other programs.

A preset names only the actions whose keys differ from the default ones. A plain Enter confirms in no preset.
"""

from __future__ import annotations

from collections.abc import Mapping

DEFAULT = "Default"

PRESETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    DEFAULT: {},
    "OmegaT": {
        "export": ("Ctrl+D", "Ctrl+S"),
        "close": ("Ctrl+Shift+W",),
        "replace": ("Ctrl+K",),
        "concordance": ("Ctrl+Shift+F",),
        "go_to": ("Ctrl+J",),
        "next": ("Ctrl+N",),
        "previous": ("Ctrl+P",),
        "confirm_jump": ("Ctrl+U",),
        "copy_source": ("Ctrl+Shift+R",),
        "again": ("Ctrl+M",),
        "next_warning": ("Ctrl+Shift+V",),
        "join": ("Ctrl+Alt+J",),
        "insert_tag": ("Ctrl+T",),
        "insert_pair": ("Ctrl+Shift+T",),
        "change_case": ("Shift+F3",),
        "find_previous": ("Ctrl+Shift+F3",),
    },
    "Trados": {
        "export": ("Shift+F12", "Ctrl+S"),
        "confirm": ("Ctrl+Alt+Return", "Ctrl+Alt+Enter"),
        "confirm_jump": ("Ctrl+Return", "Ctrl+Enter"),
        "clear": ("Alt+Delete",),
        "concordance": ("F3",),
        "find_next": ("Ctrl+F3",),
        "find_previous": ("Ctrl+Shift+F3",),
        "change_case": ("Shift+F3",),
        "join": ("Ctrl+Alt+S",),
        "split": ("Ctrl+Alt+T",),
    },
    "memoQ": {
        "copy_source": ("Ctrl+Shift+S",),
        "split": ("Ctrl+T",),
        "again": ("Ctrl+Shift+T",),
        "insert_tag": ("F6",),
        "next_part": ("Ctrl+F6",),
        "previous_part": ("Ctrl+Shift+F6",),
        "change_case": ("Shift+F3",),
        "find_previous": ("Ctrl+Shift+F3",),
        "save_as": (),
    },
}
