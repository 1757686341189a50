"""Processor time and resident memory of a process, from Python alone to the first drafts and an explanation.

python tests/benchmarks/bench_loading.py
"""

from __future__ import annotations

import time

import psutil


def mark(what: str) -> None:
    """A line about the process as it is."""
    resident = psutil.Process().memory_info().rss / 1e6
    print(f"{what:<32}{time.process_time():>8.2f} s{resident:>8.0f} MB", flush=True)


def main() -> None:
    """Load, draft, confirm and explain."""
    mark("Python")
    import numpy  # noqa: F401

    mark("numpy")
    import torch  # noqa: F401

    mark("torch")
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.shared.embedded_model import embedded_model
    from anaphora_nmt.types import SourceSegment

    mark("the engine's modules")
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    mark("the model")
    sources = "点击保存按钮以保存文件。", "张三打开了设置页面。"
    translator.open_document("d", [SourceSegment(str(n), source) for n, source in enumerate(sources)])
    mark("a document, with jieba's words")
    first = translator.translate("d", "0").text
    mark("the first draft")
    translator.remember("d", "0", first)
    second = translator.translate("d", "1").text
    mark("a confirmation, another draft")
    translator.explain("d", "1", second)
    mark("an explanation")


if __name__ == "__main__":
    main()
