"""Adding a term to a large term base does not block the window."""

from __future__ import annotations

import os
import time
from itertools import islice, product

from PySide6.QtCore import QTimer

from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.features.terms.feature import Terms
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.system.locations import shared_terms_path

COUNT = int(os.environ.get("TERMS", "30000"))
MAX_SECONDS = 0.01


def test_adding_a_term_to_many_does_not_block_the_window(qtbot, make_window, document) -> None:
    """Measures processor time of the window's thread, which does not depend on other programs."""
    shared_terms_path().parent.mkdir(parents=True, exist_ok=True)
    file = TermFile.open(shared_terms_path())
    sources = islice(map("".join, product(map(chr, range(0x4E00, 0x4E00 + 200)), repeat=2)), COUNT)
    TermBase("", file).add(TermEntry(each, (TargetTerm(f"term {each}"),)) for each in sources)
    file.close()
    window = make_window(start=False)
    service = window.of(Terms).service
    window.opener.open(document)
    qtbot.waitUntil(lambda: service.terms is not None, timeout=60000)
    qtbot.waitUntil(lambda: not service.writing and not window.desk.tasks.is_busy, timeout=60000)
    turns: list[float] = []
    last = time.thread_time()

    def look() -> None:
        nonlocal last
        now = time.thread_time()
        turns.append(now - last)
        last = now

    clock = QTimer(interval=0)
    clock.timeout.connect(look)
    clock.start()
    for number in range(3):
        with qtbot.waitSignal(service.changed, timeout=30000):
            service.add_pair(f"新账本{number}", f"ledger {number}")
    qtbot.waitUntil(lambda: not service.writing and not window.desk.tasks.is_busy, timeout=60000)
    clock.stop()
    print(f"{COUNT} terms, one added: the longest turn takes {1000 * max(turns):.1f} ms")
    assert max(turns) < MAX_SECONDS
    assert service.terms is not None and service.terms.translations("新账本2") == ("ledger 2",)
