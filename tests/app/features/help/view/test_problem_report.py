"""Help ▸ Report a problem…: versions and the log, with texts only on request."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from anaphora.features.help.view.about import ProblemReportDialog, versions
from anaphora.system.locations import log_path
from anaphora.system.problem_log import read_log
from anaphora_nmt.types import EngineInfo

LINE = (
    '{"time": "2026-11-26T10:00:00", "level": "ERROR", "logger": "anaphora", "template": "%s failed",'
    ' "message": "合同 failed"}\n'
)


def test_the_report_is_read_and_copied(make_window) -> None:
    window = make_window(start=False)
    log_path().parent.mkdir(parents=True)
    log_path().write_text(LINE, "utf-8")
    window.actions_by_name["report"].trigger()
    dialog = window.findChild(ProblemReportDialog)
    assert "Anaphora" in dialog.text.toPlainText() and "PyTorch" in dialog.text.toPlainText()
    assert "%s failed" in dialog.text.toPlainText() and "合同" not in dialog.text.toPlainText()
    dialog.everything.setChecked(True)
    dialog.copy.click()
    assert "合同 failed" in QApplication.clipboard().text()
    assert read_log(True) in QApplication.clipboard().text()


def test_unhandled_errors_are_reported(make_window) -> None:
    window = make_window(start=False)
    window.error_noticed.emit()
    assert "Report a problem" in window.status_line.currentMessage()


def test_the_report_names_the_engine_and_an_empty_log(qtbot) -> None:
    assert versions(EngineInfo("m", "cpu", 2, "int8")).splitlines()[3:] == ["m, cpu, int8, threads: 2"]
    assert len(versions(None).splitlines()) == 3
    asked: list[bool] = []

    def log(everything: bool) -> str:
        asked.append(everything)
        return "line\n" * 100 if everything else ""

    dialog = ProblemReportDialog(None, log)
    qtbot.addWidget(dialog)
    dialog.resize(400, 300)
    dialog.show()
    text = dialog.text
    assert text.toPlainText() == f"{versions(None)}\n\nThe log is empty." and text.isReadOnly()
    dialog.everything.setChecked(True)
    assert asked == [False, True] and text.toPlainText().endswith("line\n")
    bar = text.verticalScrollBar()
    assert bar.maximum() > 0 and bar.value() == bar.maximum(), "the end shows the latest error"
