"""Shared parts of the tests of the memory: the real engine, and a document with confirmed text."""

from __future__ import annotations

import pytest

from anaphora.editor.table.segment_model import Column, Role
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.types import SourceSegment

SENTENCES = (
    "账本保存所有交易。",
    "每个节点读取账本。",
    "区块链是一种分布式账本。",
    "模型的性能取决于数据。",
    "我们比较模型的性能。",
)
CONFIRMED = {0: "The register keeps all transactions.", 3: "The accuracy of the model depends on the data."}


@pytest.fixture(scope="session")
def translator():
    """The shipped model after its first sentence."""
    found = Translator.load(embedded_model(), "cpu", 1)
    found.open_document("warm", [SourceSegment("1", "账本保存每个交易。")])
    found.explain("warm", "1", found.translate("warm", "1").text)
    found.close_document("warm")
    return found


@pytest.fixture
def make_real_window(make_window, translator):
    """Makes windows on the real engine, which is loaded once."""
    return lambda path=None: make_window(translator, path)


@pytest.fixture
def remembering(qtbot, make_window, tmp_path, drafted, translator):
    """A document with two confirmed segments and drafts after them."""
    path = tmp_path / "性能.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    for row, text in CONFIRMED.items():
        segment = window.model.segment(row)
        window.controller.editing.type_text(segment.id, text)
        window.controller.editing.confirm(segment.id)
    model = window.model
    qtbot.waitUntil(lambda: "accuracy" in model.segment(4).target, timeout=30000)

    def marked() -> set[int]:
        return {row for row in range(5) if model.index(row, Column.TARGET).data(Role.INFLUENCE)}

    qtbot.waitUntil(lambda: marked() == {1, 2, 4}, timeout=30000)
    return window
