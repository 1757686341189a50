"""Collecting a closed document's history and its steps does not crash the process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WORK = """
import gc
from PySide6.QtCore import QCoreApplication
from anaphora.core.document import Document
from anaphora.core.segment import Segment
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession

application = QCoreApplication([])
gc.disable()  # it is searched where the order of what is found frees steps before their history

def work():
    segments = [Segment(f"1/{number}", "账本", document="1") for number in range(10)]
    session = DocumentSession("k", Document("d", segments))
    editing = Editing(session, session)
    for segment in segments:
        editing.type_text(segment.id, "A ledger")
        gc.collect(0)
        editing.confirm(segment.id)

for _ in range(5):
    work()
    gc.collect()
print("alive")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc overwrites what is freed")
def test_a_history_that_is_collected_frees_each_step_once() -> None:
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", WORK],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
