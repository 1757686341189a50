"""The start of an installed program."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from entry import pin_archive


@pytest.mark.skipif(not Path("/proc/self/exe").exists(), reason="Linux only")
def test_modules_are_read_from_the_running_file_after_it_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = SimpleNamespace(_filename=str(Path("/proc/self/exe").resolve()))
    monkeypatch.setitem(sys.modules, "pyimod02_importers", SimpleNamespace(pyz_archive=own))
    pin_archive()
    assert own._filename == "/proc/self/exe"
    other = SimpleNamespace(_filename="/elsewhere/anaphora.pyz")
    monkeypatch.setitem(sys.modules, "pyimod02_importers", SimpleNamespace(pyz_archive=other))
    pin_archive()
    assert other._filename == "/elsewhere/anaphora.pyz"
    monkeypatch.delitem(sys.modules, "pyimod02_importers")
    pin_archive()
