"""Untrusted imports: refused with a message, or read within bounds; cancelling is immediate."""

from __future__ import annotations

import json
import struct
import threading
import time
from pathlib import Path

import pytest
from hostile_imports import IMPORTS

from anaphora.core.errors import AnaphoraError
from anaphora.features.tm import exchange_service
from anaphora.features.tm.exchange import ImportReport
from anaphora.features.tm.exchange_service import ExchangeService
from anaphora.features.tm.feature import Tm
from anaphora.formats.base import format as limits
from anaphora.formats.terminology import table
from anaphora.project.saving import BRIEF_SECONDS
from anaphora_nmt.errors import AnaphoraNmtError

REFUSED = {
    "memory: variants of one unit": ("more than 300 tags", 400),
    "memory: pairs in one text": ("more than 300 tags", 200),
    "memory: elements beside units": ("more than 300 tags", 400),
    "terms: rows": ("more than 300 rows", 400),
    "terms: a long cell": ("damaged near row 1", 200_000),
    "pack: lists": ("not a memory pack", 1_100_000),
    "pack: deep": ("not a memory pack", 1000),
    "catalogue: lines of comments": ("more than 300 lines", 400),
    "model: packed weights": ("it is compressed", 40),
    "model: packed arrays": ("is too large for a model archive", 100),
    "model: claims": ("is damaged or incomplete", 10),
    "model: settings": ("JSON of too many values", 1_100_000),
    "model: deep settings": ("JSON that is too deep", 1000),
}
"""What is said of each kind, and of what size already where limits are small."""


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_too_much_is_refused_with_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    monkeypatch.setattr(limits, "MAX_TAGS", 300)
    monkeypatch.setattr(table, "MAX_ROWS", 300)
    words, size = REFUSED[kind]
    path = IMPORTS[kind].write(tmp_path, size)
    begun = time.thread_time()
    with pytest.raises((AnaphoraError, AnaphoraNmtError), match=words) as refused:
        IMPORTS[kind].receive(path)
    assert time.thread_time() - begun < 5
    assert not isinstance(refused.value, AnaphoraError) or refused.value.advice


def test_weights_that_are_refused_are_not_copied_before(tmp_path: Path) -> None:
    from anaphora_nmt.api import install_model
    from anaphora_nmt.types import ModelToInstall

    size = 10**9
    path = IMPORTS["model: claims"].write(tmp_path)
    tensor = {"t": {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}}
    header = json.dumps(tensor).encode()
    with (path / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + size)  # it takes no room on the disk
    copied: list[int] = []
    wanted = ModelToInstall(path, tmp_path / "installed", "m", "zh", "en")
    with pytest.raises(AnaphoraNmtError):
        install_model(wanted, copied.append)
    assert copied == [] and not (tmp_path / "installed").exists()


@pytest.mark.parametrize(
    ("kind", "size"), [(kind, 200) for kind in REFUSED if not kind.startswith(("pack", "model", "terms: a"))]
)
def test_what_is_within_the_bounds_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, size: int
) -> None:
    if kind in ("memory: pairs in one text", "memory: variants of one unit"):
        size //= 2  # each is two elements
    monkeypatch.setattr(limits, "MAX_TAGS", 300)
    monkeypatch.setattr(table, "MAX_ROWS", 300)
    assert IMPORTS[kind].receive(IMPORTS[kind].write(tmp_path, size)) is not None


def test_a_unit_that_is_longer_than_a_segment_is_left_out(tmp_path: Path) -> None:
    kind = IMPORTS["memory: a long text"]
    report = kind.receive(kind.write(tmp_path, 25_000))
    assert isinstance(report, ImportReport)
    assert (report.units, report.added, report.left_out) == (2, 1, 1)


def test_closing_does_not_wait_for_a_file_that_is_still_read(
    qtbot, make_window, document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has entered the memory, and nothing will."""
    goes_on, begun = threading.Event(), threading.Event()
    importing = exchange_service.import_units

    def read_slowly(path, *rest):
        begun.set()
        goes_on.wait(60)
        return importing(path, *rest)

    monkeypatch.setattr(exchange_service, "import_units", read_slowly)
    window = make_window(path=document)
    exchange = window.findChild(ExchangeService)
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=30000)
    catalogue = tmp_path / "a.po"
    catalogue.write_text('msgid ""\nmsgstr ""\n\nmsgid "账"\nmsgstr "t"\n', "utf-8")
    said: list[object] = []
    exchange.failed.connect(said.append)
    assert exchange.import_file(catalogue, "project")
    assert begun.wait(60)
    start = time.monotonic()
    window.controller.close(BRIEF_SECONDS)
    assert time.monotonic() - start < 10
    with qtbot.waitSignal(exchange.ended, timeout=30000):
        goes_on.set()
    assert said == []
