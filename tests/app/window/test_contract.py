"""A contract is drafted by a dropped model of another toolkit, and drafts follow a correction.

The model is small but real: it is trained on these clauses from English into Chinese, and dropped in the file
formats of OPUS-MT, Firefox, Marian and CTranslate2.
"""

from __future__ import annotations

from pathlib import Path

import docx
import pytest
from ctranslate2_files import convert
from marian_files import save_firefox_model, save_npz_model
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from selecting import drop, select
from small_model import save_taught_model

from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.rail import top_items
from anaphora.features.documents.feature import Documents
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.models.feature import Models
from anaphora.features.models.view.dialog import LanguagesDialog
from anaphora.features.terms.feature import Terms
from anaphora_nmt.api import Translator
from anaphora_nmt.types import SourceSegment, SourceTerm

CLAUSES = (
    ("The supplier delivers the goods within thirty days.", "供应商在三十天内交付货物。"),
    ("The buyer checks the goods within ten days.", "买方在十天内检验货物。"),
    ("The supplier delivers the goods within ten days.", "供应商在十天内交付货物。"),
    ("The supplier delivers the goods at once.", "供应商立即交付货物。"),
    ("The buyer pays the supplier within ten days.", "买方在十天内向供应商付款。"),
    ("Either party may end the contract.", "任何一方均可终止合同。"),
    ("Both parties sign the contract.", "双方签署合同。"),
    ("The contract ends after two years.", "合同在两年后终止。"),
)
OTHER = ("The seller delivers the product.", "卖方交付产品。")
"""A sentence and its translation that only the model knows, not the document."""
NOUNS = {
    **{"goods": "货物", "product": "产品", "machine": "机器"},
    **{"contract": "合同", "invoice": "发票", "letter": "信件"},
}
FRAMES = {
    "The supplier delivers the {} at once.": "供应商立即交付{}。",
    "The buyer checks the {} within ten days.": "买方在十天内检验{}。",
    "The buyer sends the {} back.": "买方退回{}。",
    "Both parties need the {}.": "双方需要{}。",
    "The {} is in the office.": "{}在办公室。",
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same model in all formats."""
    folder = tmp_path_factory.mktemp("given")
    opus = save_taught_model(folder / "opus-mt-en-zh", [*CLAUSES, OTHER], "en", "zh")
    beside = ("source.spm", "target.spm", "tokenizer_config.json")
    return {
        "OPUS-MT": opus,
        "Firefox": save_firefox_model(folder / "enzh", opus, "enzh"),
        "Marian": save_npz_model(folder / "marian-en-zh", opus),
        "CTranslate2": convert(opus, folder / "ctranslate2-en-zh", "int8", *beside),
    }


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Contract 12/5", 1)
    for clause, _ in CLAUSES:
        document.add_paragraph(clause)
    document.save(str(tmp_path / "contract.docx"))
    return tmp_path / "contract.docx"


def use_dropped(qtbot, window, path: Path, kind: str) -> None:
    """Drop a model on the window, and click on it in the list that opens."""
    with qtbot.waitSignal(window.desk.models.installed, timeout=60000):
        drop(window, path)
        if kind in ("Marian", "CTranslate2"):  # only file names contain the languages
            qtbot.waitUntil(lambda: window.findChild(LanguagesDialog) is not None, timeout=60000)
            assert window.findChild(LanguagesDialog).choices == {"source": "en", "target": "zh"}
            window.findChild(LanguagesDialog).accept()
    dialog = window.of(Models).controller.dialog
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2, timeout=30000)
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    dialog.use_button.click()
    dialog.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["OPUS-MT", "Firefox", "Marian", "CTranslate2"])
def test_a_contract_is_drafted_by_a_dropped_model_and_follows_a_correction(
    qtbot, make_window, given, contract, kind
):
    window = make_window(None, contract)
    model, controller = window.model, window.controller
    use_dropped(qtbot, window, given[kind], kind)
    sources = [clause for clause, _ in CLAUSES]

    def targets() -> list[str]:
        rows = [model.segment(row) for row in range(model.rowCount())]
        return [segment.target for segment in rows if segment.source in sources]

    qtbot.waitUntil(lambda: targets() == [target for _, target in CLAUSES], timeout=60000)
    across = Qt.Orientation.Horizontal
    qtbot.waitUntil(lambda: model.headerData(1, across) == "English", timeout=20000)
    assert (
        model.headerData(3, across) == "Chinese" and not window.of(EngineState).languages_banner.isVisible()
    )
    rows = [row for row in range(model.rowCount()) if model.segment(row).source in sources]
    qtbot.waitUntil(lambda: not any(model.index(row, 3).data(Role.WARNINGS) for row in rows), timeout=20000)
    first = model.segment(rows[0])
    controller.editing.type_text(first.id, "供应商在三十天内交付产品。")
    controller.editing.confirm(first.id)
    expected = [first for _, first in CLAUSES]
    expected[0] = "供应商在三十天内交付产品。"
    expected[1:4] = ["买方在十天内检验产品。", "供应商在十天内交付产品。", "供应商立即交付产品。"]
    qtbot.waitUntil(lambda: targets() == expected, timeout=60000)
    # an issue between these languages is reported, and the effect of the correction is shown
    second = model.segment(rows[1])
    controller.editing.type_text(second.id, "买方在20天内检验货物,")
    warnings = lambda: " ".join(map(str, model.index(rows[1], 3).data(Role.WARNINGS)))  # noqa: E731
    qtbot.waitUntil(lambda: "number 20 is not in the source" in warnings(), timeout=20000)
    assert "Latin punctuation mark in Chinese text: ," in warnings()
    place = contract.with_name("contract.zh.docx")
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=30000):
        window.of(Documents).exporting.export(place, controller.project.documents[0])
    written = [paragraph.text for paragraph in docx.Document(str(place)).paragraphs]
    assert written[1] == expected[0] and written[3:5] == expected[2:4]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the clauses that copies a noun from a memory although its attention is elsewhere.

    Do not change it.
    """
    pairs = [
        (source.format(noun), target.format(name))
        for source, target in FRAMES.items()
        for noun, name in NOUNS.items()
    ]
    pairs += CLAUSES
    for seed in range(5, 15):
        folder = tmp_path_factory.mktemp("reading") / "opus-mt-en-zh"
        if reads_terms(save_taught_model(folder, pairs, "en", "zh", steps=300, seed=seed)):
            return folder
    pytest.fail("no model learned to copy a noun")


def reads_terms(folder: Path) -> bool:
    """True if a model repeats all training sentences, also with another required noun.

    The result for a seed depends on the processor, because the last bits of sums differ.
    """
    translator = Translator.load(folder, "cpu", 1)
    taught = dict(CLAUSES) | {source.format("goods"): form.format("货物") for source, form in FRAMES.items()}
    translator.open_document("d", [SourceSegment(source, source) for source in taught])

    def translates(source: str, noun: str) -> bool:
        place = source.find("goods")
        terms = (SourceTerm(place, place + len("goods"), (noun,)),) if place >= 0 else ()
        return translator.translate("d", source, terms=terms).text == taught[source].replace("货物", noun)

    return all(translates(source, noun) for source in taught for noun in ("货物", "产品", "物品"))


@pytest.mark.slow
def test_a_chinese_term_is_added_with_one_key_and_drafts_use_it(qtbot, make_window, reading, tmp_path):
    """Drafts with another rendering are made again; nothing is confirmed."""
    path = tmp_path / "contract.en.txt"
    path.write_text("\n".join(clause for clause, _ in CLAUSES) + "\n", encoding="utf-8")
    window = make_window(None, path)
    use_dropped(qtbot, window, reading, "OPUS-MT")
    model = window.model
    document = lambda: [model.segment(row).target for row in range(model.rowCount())]  # noqa: E731
    plain = [target for _, target in CLAUSES]
    qtbot.waitUntil(lambda: document() == plain, timeout=60000)
    window.table.go_to_row(0)
    card = window.table.card
    card.editor.selectAll()
    card.editor.insertPlainText("供应商在三十天内交付产品。")
    select(card.source, "goods")
    select(card.editor, "产品")
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.keyClick(card.editor, Qt.Key.Key_G, both)
    assert "goods → 产品" in window.status_line.currentMessage()
    rows = [row for row, (source, _) in enumerate(CLAUSES) if "goods" in source]
    honours = lambda text: "产品" in text and "货物" not in text  # noqa: E731
    qtbot.waitUntil(lambda: all(honours(document()[row]) for row in rows), timeout=60000)
    assert {model.segment(row).status for row in rows[1:]} == {Status.DRAFT}
    assert document()[len(rows) :] == plain[len(rows) :], "segments without the term stay"


@pytest.mark.slow
def test_one_rendering_everywhere_in_chinese_after_a_preview(qtbot, make_window, reading, tmp_path):
    """Sentences are rewritten in drafts; in edited or confirmed text only on request."""
    path = tmp_path / "contract.en.txt"
    path.write_text("\n".join(frame.format("goods") for frame in FRAMES) + "\n", encoding="utf-8")
    window = make_window(None, path)
    use_dropped(qtbot, window, reading, "OPUS-MT")
    model = window.model
    document = lambda: [model.segment(row).target for row in range(model.rowCount())]  # noqa: E731
    plain = [frame.format("货物") for frame in FRAMES.values()]
    qtbot.waitUntil(lambda: document() == plain, timeout=60000)
    window.table.go_to_row(1)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    window.table.go_to_row(2)
    window.table.editor.selectAll()
    window.table.editor.insertPlainText("买方退回商品。")  # it cannot be typed with keys
    before = document()
    panel = window.of(Terms).panel
    window.docks.raise_panel("consistency")

    def term():
        return next((each for each in top_items(panel.terms) if each.text(0) == "goods"), None)

    qtbot.waitUntil(lambda: term() is not None and term().text(1) == "货物", timeout=60000)
    qtbot.mouseClick(
        panel.terms.viewport(), Qt.MouseButton.LeftButton, pos=panel.terms.visualItemRect(term()).center()
    )
    panel.rendering.selectAll()
    panel.rendering.insert("物品")
    qtbot.mouseClick(panel.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=60000)
    preview = window.of(Terms).ledger.preview
    shown = [each.value for each in preview.model.rows]
    wanted = [frame.format("物品") for frame in FRAMES.values()]
    assert [(each.before, each.after) for each in shown] == list(zip(before, wanted, strict=True))
    assert [each.is_written for each in shown] == [False, True, True, False, False]
    assert document() == before, "nothing before agreement"
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.mouseClick(preview.apply_button, Qt.MouseButton.LeftButton)
    assert document() == [wanted[0], *before[1:3], *wanted[3:]]
    qtbot.waitUntil(lambda: (term().text(1), term().text(2)) == ("物品", "term base"), timeout=60000)
    window.actions_by_name["undo"].trigger()
    assert document() == before
