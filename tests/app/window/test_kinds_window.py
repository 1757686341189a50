"""Multilingual models and Argos packages with random weights are dropped on the window and chosen."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
import sentencepiece as spm
from ctranslate2_files import argos
from m2m100_files import save_m2m100_folder, save_nllb_folder
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from anaphora.core.segment import Status
from anaphora.features.models.feature import Models
from anaphora.features.models.view.dialog import LanguagesDialog

TEXTS = ["Both parties sign the contract.", "The buyer pays within ten days.", "双方签署合同。", "买方付款。"]


def pieces(**options: Any) -> bytes:
    model = io.BytesIO()
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter(TEXTS * 20),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return model.getvalue()


def make(kind: str, folder: Path) -> tuple[Path, dict[str, str], str]:
    """A model, the languages to choose, and the name of its kind."""
    if kind == "M2M100":
        return save_m2m100_folder(folder, pieces(), seed=4), {"source": "en", "target": "zh"}, "M2M100"
    if kind == "NLLB-200":
        chosen = {"source": "eng_Latn", "target": "zho_Hans"}
        return save_nllb_folder(folder, pieces(model_type="bpe", character_coverage=1.0)), chosen, "NLLB"
    argos(folder / "translate-en_zh-1_0", pieces())
    packed = shutil.make_archive(str(folder / "en_zh"), "zip", folder, "translate-en_zh-1_0")
    return Path(packed).rename(folder / "en_zh.argosmodel"), {}, "Argos"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["M2M100", "NLLB-200", "Argos"])
def test_a_dropped_model_gets_its_languages_from_a_dialog_and_drafts(qtbot, make_window, tmp_path, kind):
    given, languages, called = make(kind, tmp_path / "given")
    path = tmp_path / "contract.txt"
    path.write_text("\n".join(TEXTS[:2]) + "\n", "utf-8")
    window = make_window(None, path)
    models = window.desk.models
    with qtbot.waitSignal(models.installed, timeout=60000):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(given))])
        place, buttons = QPointF(50, 50), Qt.MouseButton.LeftButton
        no_key = Qt.KeyboardModifier.NoModifier
        window.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, buttons, no_key))
        if languages:
            qtbot.waitUntil(lambda: window.findChild(LanguagesDialog) is not None, timeout=60000)
            for side, code in languages.items():
                window.findChild(LanguagesDialog).choose(side, code)
            assert window.findChild(LanguagesDialog).choices == languages
            window.findChild(LanguagesDialog).accept()
    dialog = window.of(Models).controller.dialog
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2, timeout=30000)
    item = dialog.list.topLevelItem(1)
    assert item.text(1) == "English → Chinese" and called in item.text(2)
    dialog.list.setCurrentItem(item)
    with qtbot.waitSignal(window.desk.worker.loaded, timeout=60000):
        dialog.use_button.click()
    dialog.close()

    def segments():
        return [window.model.segment(row) for row in range(window.model.rowCount())]

    def are_drafted() -> bool:
        drafts = [each.target for each in segments() if each.status is Status.DRAFT]
        # An untrained model may give an empty draft for a segment.
        return len(drafts) == 2 and any(draft not in ("", *TEXTS) for draft in drafts)

    qtbot.waitUntil(are_drafted, timeout=60000)
    headings = [window.model.headerData(column, Qt.Orientation.Horizontal) for column in (1, 3)]
    assert headings == ["English", "Chinese"]
