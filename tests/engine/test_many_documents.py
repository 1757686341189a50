"""An engine that has worked on many documents keeps nothing of them, nor of their sentences' lengths."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))
from allocated_memory import allocated

from anaphora_nmt.api import Translator
from anaphora_nmt.kept_kernels import CACHES
from anaphora_nmt.types import SourceSegment

SUPPORT = Path(__file__).parents[1] / "app" / "support"
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks glibc")
DOCUMENTS, SETTLED = 12, 4
MULTIPLY = """
import torch
from allocated_memory import allocated
from anaphora_nmt.memory.confirmed_slots import PackedKeys

def multiply(sizes):
    for size in sizes:
        packed = PackedKeys.of(torch.ones(size, 384, dtype=torch.bfloat16))
        if packed is None:
            raise SystemExit("this processor multiplies otherwise")
        packed.products(torch.ones(5, 384))

with torch.inference_mode():
    multiply(range(2, 22))
    before, _ = allocated()
    multiply(range(22, 322))
    print(allocated()[0] - before)
"""


@ON_LINUX
@pytest.mark.slow
def test_closed_documents_leave_nothing_in_the_engine(translator: Translator) -> None:
    early = 0.0
    for number in range(DOCUMENTS):
        texts = [
            f"账本{'保存' * (number % 4 + 1)}每个{what}，共{number}个。" for what in ("交易", "记录", "日志")
        ]
        translator.open_document("d", [SourceSegment(str(place), text) for place, text in enumerate(texts)])
        for place in range(len(texts)):
            draft = translator.translate("d", str(place)).text
            translator.remember("d", str(place), f"{draft} Number {number} of them.")
        translator.close_document("d")
        gc.collect()
        if number == SETTLED - 1:
            early, _ = allocated()
    grown = allocated()[0] - early
    assert grown < 4, f"{grown:.1f} MiB are kept of {DOCUMENTS - SETTLED} documents"


@ON_LINUX
@pytest.mark.slow
def test_kernels_of_many_numbers_of_pieces_are_not_kept() -> None:
    """Without the native library each number of confirmed pieces has a kernel of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in CACHES}
    paths = os.pathsep.join((str(SUPPORT), environment.get("PYTHONPATH", "")))
    environment |= {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", MULTIPLY], capture_output=True, text=True, env=environment)
    if "multiplies otherwise" in done.stderr:
        pytest.skip("this processor has no such kernels")
    assert float(done.stdout) < 5, "MiB of 300 kernels; 172 where torch may keep 1,024"
