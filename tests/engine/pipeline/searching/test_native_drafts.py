"""Drafts by the native library equal torch's, independent of other drafts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.native.library import native_library
from anaphora_nmt.pipeline.preparing.lines import prepare_source
from anaphora_nmt.types import SearchOptions, SourceSegment, SourceTerm

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

SOURCES = (
    "打开文件之后，程序会读取配置并连接服务器。",
    "服务器把数据发送给客户端，客户端再写入数据库。",
    "您可以使用命令行选项更改默认的输出格式。",
    "张量是多维数组，可以存放在 GPU 上，见 <0>指南</0>。",
    "2023 年，公司的收入增长了 12.5%，达到 340 万美元。",
    "她把信放在桌上，没有再说一句话。",
    "张量的形状由 `shape` 给出，元素的类型由 `dtype` 给出。",
)
CONFIRMED = "Once the file is open, the program reads its settings and connects to the server."
OPTIONS = SearchOptions(beam_size=5, n_best=3)


@pytest.fixture(scope="module")
def ways() -> dict[str, Translator]:
    return {
        name: Translator.load(embedded_model(), "cpu", threads=1, int8=name == "native")
        for name in ("torch", "native")
    }


def drafts(translator: Translator, order: list[int], options: SearchOptions) -> dict[int, tuple[str, ...]]:
    """The drafts of all sources after the first, confirmed one, made in some order."""
    translator.open_document("d", [SourceSegment(str(n), text) for n, text in enumerate(SOURCES)])
    translator.remember("d", "0", CONFIRMED)
    found = {}
    for number in order:
        suggestion = translator.translate("d", str(number), options)
        found[number] = (suggestion.text, *suggestion.alternatives)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("caches", [False, True], ids=["confirmed", "caches"])
def test_native_drafts_equal_torchs(ways: dict[str, Translator], caches: bool) -> None:
    options = replace(OPTIONS, memories={"word_caches": caches})
    assert ways["torch"].info.kernels == "PyTorch" != ways["native"].info.kernels
    order = list(range(1, len(SOURCES)))
    wanted, found = (drafts(way, order, options) for way in ways.values())
    assert {number: texts[0] for number, texts in found.items()} == {n: t[0] for n, t in wanted.items()}


@pytest.mark.slow
def test_terms_and_completions_equal_torchs(ways: dict[str, Translator]) -> None:
    found = []
    for way in ways.values():
        way.open_document("d", [SourceSegment("0", SOURCES[1])])
        term = SourceTerm(3, 5, ("records",))
        held = way.translate("d", "0", OPTIONS, terms=[term]).text
        ends = [way.complete("d", "0", typed).text for typed in ("", "The ser", "The server s", "Data")]
        found.append((held, ends))
    assert found[0] == found[1] and "records" in found[1][0]


@pytest.mark.slow
def test_drafts_do_not_depend_on_other_drafts(ways: dict[str, Translator]) -> None:
    drafter = ways["native"].corpus().drafter
    sources = [prepare_source(text, drafter.source) for text in SOURCES]
    nothing = [MemorySnapshot()] * len(sources)
    together = drafter.draft(sources, nothing, OPTIONS)
    backwards = drafter.draft(sources[::-1], nothing, OPTIONS)[::-1]
    for source, one, other in zip(sources, together, backwards, strict=True):
        (alone,) = drafter.draft([source], nothing[:1], OPTIONS)
        assert alone.text == one.text == other.text
        assert alone.score == pytest.approx(one.score, abs=1e-5)
