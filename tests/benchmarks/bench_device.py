"""A report on the engine on a device: its tests there, and drafts per second, within five minutes.

    python tests/benchmarks/bench_device.py [--device auto] [--minutes 5] [--no-tests]

It requires torch, numpy, safetensors, sentencepiece, jieba, pytest and hypothesis; run it in the project's
folder with PYTHONPATH=app:engine:resources. The tests, which draft, remember, forget, explain, steer,
complete and fit on the device, get half of the time. Then sentences are drafted, 1, 16 and 64 at a time,
with an empty memory and a full one (2,000 pieces), and, on a GPU, also on one core of the processor. The
report includes the peak memory. On a machine without a GPU everything runs on the processor, as a trial.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/engine/test_devices.py",
    "tests/engine/test_steering.py",
    "tests/engine/pipeline/suggesting/test_withheld.py",
    "tests/engine/pipeline/suggesting/test_completing.py",
    "tests/engine/imported/test_fitting.py",
    "tests/engine/test_api.py",
)
"""The most important tests come first."""
BATCHES = (1, 16, 64)
SENTENCES = (
    "打开文件之后，程序会读取配置并连接服务器。",
    "服务器把数据发送给客户端，客户端再写入数据库。",
    "如果连接失败，请检查网络设置，然后重新启动程序。",
    "模型的参数保存在目录中，每个文件对应一个变量。",
    "您可以使用命令行选项更改默认的输出格式。",
    "该函数返回一个列表，其中包含所有匹配的元素。",
    "公司的收入增长了，董事会对结果表示满意。",
    "她把信放在桌上，没有再说一句话。",
)


def run_tests(device: str, seconds: float) -> Iterator[str]:
    """A line for each test file, until the time is up."""
    marker, end = "cuda" if device == "cuda" else "device", time.monotonic() + seconds
    for path in TESTS:
        left = end - time.monotonic()
        if left < 5:
            yield f"{path}: no time was left"
            continue
        plain = "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider"
        command = [sys.executable, "-m", "pytest", *plain, "-m", marker, path]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=left)
        except subprocess.TimeoutExpired as over:
            passed = sum(map(len, re.findall(r"\.py (\.+)", (over.stdout or b"").decode())))
            yield f"{path}: {passed} passed when the time was over"
            continue
        lines = done.stdout.strip().splitlines()
        yield f"{path}: {lines[-1].strip('= ') if lines else 'pytest did not start'}"
        yield from (f"    {line}" for line in lines if re.match(r"(FAILED|ERROR) ", line))


def drafts_a_second(translator: object, batch: int, full: bool, seconds: float, end: float) -> str:
    """Sentences per second in batches, measured for about `seconds`, unless `end` has passed."""
    if time.monotonic() > end:
        return "no time left"
    from anaphora_nmt.memory.contents import MemorySnapshot
    from anaphora_nmt.pipeline.preparing.lines import prepare_source
    from anaphora_nmt.types import SearchOptions

    drafter = translator.corpus().drafter  # type: ignore[attr-defined]
    sources = [prepare_source(SENTENCES[n % len(SENTENCES)], drafter.source) for n in range(batch)]
    remembered = translator.opened("d").memory.before(1)  # type: ignore[attr-defined]
    memory = remembered if full else MemorySnapshot()
    snapshots = [memory] * batch

    def draft() -> None:
        drafter.clear_caches()
        drafter.draft(sources, snapshots, SearchOptions(5))

    if batch == 1 or translator.info.device != "cpu":  # type: ignore[attr-defined]
        draft()  # warm up
    started, count = time.perf_counter(), 0
    while not count or time.perf_counter() - started < seconds:
        draft()
        count += batch
    return f"{count / (time.perf_counter() - started):.1f}"


def with_full_memory(device: str, threads: int) -> object:
    """The embedded model with a document whose memory of confirmed text is full."""
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.translate import embedded_model
    from anaphora_nmt.types import MemoryPack, SourceSegment

    translator = Translator.load(embedded_model(), device, threads=threads)
    translator.open_document("d", [SourceSegment(str(n), SENTENCES[n]) for n in range(2)])
    plain = [translator.translate("d", str(number)).text for number in range(2)]
    words = [f"term{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400)]
    pairs = [(SENTENCES[n % len(SENTENCES)] + word, f"{plain[n % 2]} {word}") for n, word in enumerate(words)]
    translator.bring_in("d", [MemoryPack("full", tuple(pairs[:150]))])
    return translator


def measure(device: str, seconds: float) -> Iterator[str]:
    """The lines of the table; a cell may be "no time left"."""
    end = time.monotonic() + seconds
    cores: Sequence[tuple[str, str]] = [(device, "the GPU" if device == "cuda" else "one core")]
    if device == "cuda":
        cores = [*cores, ("cpu", "one core")]
    each = seconds / (2 * len(BATCHES) * len(cores))
    yield f"{'drafts a second, beam 5':<26}" + "".join(f"{f'batch {batch}':>14}" for batch in BATCHES)
    for place, name in cores:
        translator = with_full_memory(place, 1)
        pieces = translator.opened("d").memory.before(1).contents["confirmed"]  # type: ignore[attr-defined]
        for full in (False, True):
            speeds = [drafts_a_second(translator, batch, full, each * 0.7, end) for batch in BATCHES]
            label = f"{name}, {len(pieces) if full else 0} pieces held"  # type: ignore[arg-type]
            yield f"{label:<26}" + "".join(f"{speed:>14}" for speed in speeds)
    if device == "cuda":
        yield f"most memory of the GPU in use: {torch.cuda.max_memory_allocated() / 1e6:.0f} MB"
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    yield f"most memory of this process: {used:.0f} MB"


def main() -> None:
    """Print the report."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--no-tests", action="store_true")
    arguments = parser.parse_args()
    started, seconds = time.monotonic(), 60 * arguments.minutes
    device = arguments.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    name = torch.cuda.get_device_name() if device == "cuda" else platform.processor() or platform.machine()
    print(f"{time.strftime('%Y-%m-%d')}, {device} ({name}), torch {torch.__version__}, {platform.platform()}")
    if not arguments.no_tests:
        for line in run_tests(device, seconds * 0.55):
            print(line, flush=True)
    left = seconds - (time.monotonic() - started) - 30  # a draft cannot be interrupted
    for line in measure(device, max(10.0, min(left, 120.0))):
        print(line, flush=True)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
