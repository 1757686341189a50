"""Typing does not wait for a slow disk that takes half a second per write, as over a network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from anaphora.project.document.editing import Editing
from anaphora.project.document.autosave import Autosave
from anaphora.project.opening import open_paths
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore

application = QCoreApplication([])
opened = open_paths([Path(sys.argv[1])])
session = DocumentSession("a", opened.document)
editing, autosave = Editing(session, session), Autosave(session, opened.store)
longest = 0.0
for number in range(20):
    begin = time.perf_counter()
    editing.type_text(session.document.at(number % 2).id, "letters " * number)
    editing.confirm(session.document.at(number % 2).id)
    longest = max(longest, time.perf_counter() - begin)
    time.sleep(0.02)
begin = time.perf_counter()
assert autosave.flush(60) and autosave.close(60)
print(round(longest, 3), round(time.perf_counter() - begin, 3))
store = ProjectStore.open(opened.store.path)
assert [segment.target for segment in store.load_document()][:2] == ["letters " * 18, "letters " * 19]
store.close()
"""
SLOW = ["-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=500000"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace slows the disk down")
@pytest.mark.slow
def test_typing_does_not_wait_for_a_slow_disk(document: Path, tmp_path: Path) -> None:
    command = ["strace", "-o", str(tmp_path / "calls"), *SLOW, sys.executable, "-c", CHILD, str(document)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if "ptrace" in done.stderr.lower() and "not permitted" in done.stderr.lower():
        pytest.skip("strace may not run here")
    assert done.returncode == 0, done.stderr
    longest, saving = map(float, done.stdout.split())
    assert saving > 0.4, "the disk was slow"
    assert longest < 0.45, "a step waited for the disk"
