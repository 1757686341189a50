"""Cards and licences of models: rendered Markdown, plain licences, and no loading of other files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QTextDocument, QTextTable
from pytestqt.qtbot import QtBot

from anaphora.core.installed_model import ModelText
from anaphora.editor.widgets.card_view import CardView

CARD = """---
license: cc-by-4.0
tags:
- translation
---
# opus-mt

| set | BLEU |
|---|---:|
| test | 41.2 |

<b>HTML</b> and ![a picture](picture.png)
"""
LICENCE = "Permission is hereby granted,\nfree of charge:\n\n    # not a heading\n| nor | a table |\n"


@pytest.fixture
def view(qtbot: QtBot) -> CardView:
    view = CardView()
    qtbot.addWidget(view)
    return view


def headings(view: CardView) -> list[str]:
    document = view.document()
    blocks = (document.findBlockByNumber(number) for number in range(document.blockCount()))
    return [block.text() for block in blocks if block.blockFormat().headingLevel()]


@pytest.mark.parametrize("card", [CARD, "\ufeff" + CARD.replace("\n", "\r\n")], ids=["unix", "windows"])
def test_a_card_shows_headings_tables_and_its_licence(view: CardView, card: str) -> None:
    view.show_texts([ModelText(card, is_markdown=True), ModelText(LICENCE)])
    assert headings(view) == ["opus-mt"]
    assert [type(frame) for frame in view.document().rootFrame().childFrames()] == [QTextTable]
    text = view.toPlainText()
    assert "license: cc-by-4.0" in text and "|---" not in text and "<b>HTML</b>" in text
    assert text.endswith(LICENCE)


def test_a_licence_is_shown_as_plain_text(view: CardView) -> None:
    view.show_texts([ModelText(LICENCE)])
    assert view.toPlainText() == LICENCE and not headings(view)
    view.show_texts([])
    assert view.toPlainText() == ""


@pytest.mark.parametrize(
    "table", ["|a|b|\n|-|-|\n" + "|x|y|\n" * 9000, ("|a" * 900 + "|\n|" + "-|" * 900 + "\n") * 20]
)
def test_a_huge_table_is_shown_quickly(view: CardView, table: str) -> None:
    view.show()
    begun = time.process_time()
    view.show_texts([ModelText(table, is_markdown=True)])
    assert time.process_time() - begun < 2 and not view.document().rootFrame().childFrames()
    assert view.toPlainText() == table


def test_no_picture_is_loaded(view: CardView, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    assert QImage(40, 40, QImage.Format.Format_RGB32).save(str(picture))
    address = QUrl.fromLocalFile(str(picture))
    view.show_texts([ModelText(f"![a picture]({address.toString()})", is_markdown=True)])
    kind = QTextDocument.ResourceType.ImageResource.value
    assert view.document().resource(kind, address).size() == QSize(1, 1)


def test_only_web_pages_are_opened(view: CardView, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: opened.append(address.toString()))
    for address in ("file:///bin/sh", "https://example.org/card", "smb://host/share", "LICENCE.md"):
        view.anchorClicked.emit(QUrl(address))
    assert opened == ["https://example.org/card"]
