"""After kill -9, saved memory rules are restored and applied."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.segment import Segment
from anaphora.features.steering.steering import RULES_SETTING
from anaphora.project.store.project import ProjectStore
from anaphora_nmt.types import rules_from_plain

CHILD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from anaphora.project.document.autosave import Autosave
from anaphora.features.drafting.drafting import DraftingService
from anaphora.engine.worker import EngineWorker
from anaphora.project.document.session import DocumentSession
from anaphora.features.steering.steering import RULES_SETTING, SteeringService, read_rules
from anaphora.project.store.project import ProjectStore
from anaphora_nmt.types import MemoryRule

application = QCoreApplication([])
store = ProjectStore.open(Path(sys.argv[1]))
session = DocumentSession("d", store.load_document())
autosave = Autosave(session, store)
# the engine is not needed and never starts
worker = EngineWorker(lambda: None)
steering = SteeringService(worker, DraftingService(worker))
steering.open(session, read_rules(store.setting(RULES_SETTING)), autosave.save_setting)
for number in range(len(steering.rules), 100_000):
    rule = MemoryRule(f"word{number}", "s0", weight=0.5, pinned=number % 2 == 0)
    steering.use_rules((*steering.rules, rule))
    assert autosave.flush(30)
    print(number + 1, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.slow
def test_rules_that_were_saved_are_there_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.anaphora"
    segments = tuple(Segment(f"s{number}", f"第{number}句。") for number in range(3))
    ProjectStore.create(path, SourceDocument("a.txt", Path("a.txt"), "txt", "utf-8", b"", segments)).close()
    acknowledged = 0
    for delay in (0.0, 0.07):
        with subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            lines = [child.stdout.readline()]
            time.sleep(delay)
            os.kill(child.pid, signal.SIGKILL)
            lines += child.stdout.readlines()
        done = [int(line) for line in lines if line.endswith(b"\n")]
        assert done and done[0] == acknowledged + 1, "it continued with the stored rules"
        store = ProjectStore.open(path)
        rules = rules_from_plain(json.loads(store.setting(RULES_SETTING)))
        store.close()
        assert done[-1] <= len(rules) <= done[-1] + 1
        words = [(rule.word, rule.segment, rule.pinned) for rule in rules]
        assert words == [(f"word{n}", "s0", n % 2 == 0) for n in range(len(rules))]
        acknowledged = len(rules)
