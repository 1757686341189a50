"""The end of the process does not disturb a thread that still computes."""

from __future__ import annotations

import subprocess
import sys

DRAFTED_AT_THE_END = """
import atexit
def draft():
    print(translator.translate("document", "2").text)
atexit.register(draft)  # before all others, so behind them: a thread that is not waited for goes on so long
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.api import Translator
from anaphora_nmt.types import SourceSegment
translator = Translator.load(embedded_model(), device="cpu", threads=1)
translator.open_document("document", [SourceSegment("1", "你好。"), SourceSegment("2", "节点保存记录。")])
translator.translate("document", "1")
"""


def test_library_objects_exist_until_the_process_ends():
    done = subprocess.run(
        [sys.executable, "-c", DRAFTED_AT_THE_END], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0 and done.stdout.strip() and not done.stderr, done.stderr
