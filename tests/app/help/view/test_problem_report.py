"""Help ▸ Report a problem…: versions and the log, without texts unless they are asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from anaphora.application.problem_log import read_log
from anaphora.help.view.problem_report import ProblemReportDialog
from anaphora.store.locations import log_path
from anaphora.window.unexpected import UnexpectedNotice

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


def test_an_error_that_nobody_handled_is_said(make_window) -> None:
    window = make_window(start=False)
    UnexpectedNotice(window).noticed.emit()
    assert "Report a problem" in window.status_line.currentMessage()
