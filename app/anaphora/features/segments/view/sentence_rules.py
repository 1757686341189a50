"""The dialog to view, edit and test the sentence rules; joining and splitting segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.errors import AnaphoraError
from anaphora.core.languages import known_codes, language_of
from anaphora.core.tags import MARK
from anaphora.editor.appearance.theme import language_name
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import set_up_dialog, side_button, stack, use_fixed_width, wrapped
from anaphora.editor.widgets.rail import listing, top_items
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.formats.segmentation.segmenter import UNDETERMINED, Rule, check_expression, read_srx
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.importing.sentence_rules import UserRules, built_in_rules, segment_sample
from anaphora.system.messages import describe_error, localise_message

SAMPLE = "他说：“好的。”然后走了……见 Fig. 3。Dr. Wang uses v2.0.1, e.g. on Linux. It works!"
LANGUAGES_WIDTH = 170
RULE_ROLE = Qt.ItemDataRole.UserRole
_LANGUAGE_LIST = re.compile(r"\(?([a-z]{2,3}(?:\|[a-z]{2,3})*)\)?\.\*")
"""Matches the language expression of a rule if it lists language codes."""


class RulesDialog(QDialog):
    """A list of rules, a form for the selected rule, and a sample text to test the rules."""

    announced = Signal(str)

    def __init__(
        self, rules: UserRules, parent: QWidget | None = None, language: str = "zh", sample: str = SAMPLE
    ) -> None:
        """`language` is the language code of new rules and of the sample text; `rules` stores the rules."""
        super().__init__(parent)
        self._user_rules = rules
        self._language = language
        self._is_filling_fields = False
        set_up_dialog(self, self.tr("Sentence rules"), 860, 720)
        self.list = self._make_list()
        self.language, self.kind = use_fixed_width(QComboBox()), QComboBox()
        self.before, self.after = QLineEdit(), QLineEdit()
        self.message = wrapped(role="muted")
        self.sample, self.parts = QPlainTextEdit(sample), QListWidget()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._rule_buttons: list[QPushButton] = []
        self._test_timer = QTimer(self, singleShot=True, interval=150)
        self._test_timer.timeout.connect(self._show_parts)
        self._set_up_fields()
        self._lay_out()
        self._connect()
        try:
            self.show_rules(read_srx(rules.text()))
        except AnaphoraError as problem:
            self.show_rules(built_in_rules())
            self._show_message(describe_error(problem), is_wrong=True)

    @property
    def listed_rules(self) -> tuple[Rule, ...]:
        return tuple(item.data(0, RULE_ROLE) for item in top_items(self.list))

    def show_rules(self, rules: Sequence[Rule]) -> None:
        self.list.clear()
        for rule in rules:
            self._fill(QTreeWidgetItem(self.list), rule)
        for item in top_items(self.list)[:1]:
            self.list.setCurrentItem(item)
        self._show_current()
        self._test_timer.start()

    def save(self) -> None:
        try:
            self._user_rules.save(self.listed_rules)
        except AnaphoraError as problem:
            self._show_message(describe_error(problem), is_wrong=True)
            return
        self.announced.emit(self.tr("The rules apply to new documents, not to those already opened."))
        self.accept()

    def _make_list(self) -> QTreeWidget:
        title, language = self.tr("Sentence rules"), self.tr("Language")
        sides = self.tr("Text before"), self.tr("Text after")
        result = listing(title, [language, self.tr("Sentence ends"), *sides])
        result.setAlternatingRowColors(True)
        header = result.header()
        # A rule may apply to twenty languages, so the column of languages has a fixed width.
        for column, mode in enumerate(("Interactive", "ResizeToContents", "Stretch", "Stretch")):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode[mode])
        header.resizeSection(0, LANGUAGES_WIDTH)
        return result

    def _set_up_fields(self) -> None:
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.language.addItem(self.tr("All languages"), ".*")
        for code in sorted(known_codes(), key=lambda code: language_name(code).casefold()):
            self.language.addItem(language_name(code), f"{code}.*")
        self.kind.addItems([self.tr("A sentence ends here"), self.tr("No sentence ends here")])
        for field, name in ((self.before, self.tr("Text before")), (self.after, self.tr("Text after"))):
            field.setFont(fixed)
            field.setAccessibleName(name)
        self.language.setAccessibleName(self.tr("Language"))
        self.kind.setAccessibleName(self.tr("Effect of the rule"))
        self.sample.setAccessibleName(self.tr("Sample text for the rules"))
        self.sample.setTabChangesFocus(True)
        self.parts.setAccessibleName(self.tr("Resulting sentences"))
        self.parts.setWordWrap(True)
        self.parts.setAlternatingRowColors(True)

    def _lay_out(self) -> None:
        hint = wrapped(
            self.tr(
                "At each position, the first matching rule applies. “Text before” and “Text after” "
                "are regular expressions."
            ),
            "muted",
        )
        form = QFormLayout()
        form.addRow(self.tr("&Language:"), self.language)
        form.addRow(self.tr("&Rule:"), self.kind)
        form.addRow(self.tr("Text &before:"), self.before)
        form.addRow(self.tr("Text a&fter:"), self.after)
        label = QLabel(self.tr("&Test the rules:"))
        label.setBuddy(self.sample)
        trial = QSplitter()
        trial.setMaximumHeight(140)
        trial.addWidget(self.sample)
        trial.addWidget(self.parts)
        upper = hint, self.list, self._button_row(), form, self.message
        # Larger spacing would not fit a small screen.
        stack(self, *upper, label, trial, self.buttons, grows=self.list, spacing=8)

    def _button_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        entries = (
            (self.tr("&Add"), self._add, False),
            (self.tr("Re&move"), self._remove, True),
            (self.tr("&Up"), lambda: self._move(-1), True),
            (self.tr("&Down"), lambda: self._move(1), True),
            (self.tr("R&eset"), self._reset, False),
        )
        for text, handler, needs_rule in entries:
            button = side_button(text, handler)
            if text == self.tr("R&eset"):
                row.addStretch(1)
            if needs_rule:
                self._rule_buttons.append(button)
            row.addWidget(button)
        return row

    def _connect(self) -> None:
        self.list.currentItemChanged.connect(lambda *_: self._show_current())
        for signal in (
            self.language.currentIndexChanged,
            self.kind.currentIndexChanged,
            self.before.textEdited,
            self.after.textEdited,
        ):
            signal.connect(lambda _: self._apply_fields())
        self.sample.textChanged.connect(self._test_timer.start)
        self.buttons.accepted.connect(self.save)
        self.buttons.rejected.connect(self.reject)

    def _fill(self, item: QTreeWidgetItem, rule: Rule) -> None:
        item.setData(0, RULE_ROLE, rule)
        index = self.language.findData(rule.language)
        item.setText(0, self.language.itemText(index) if index >= 0 else _language_names(rule.language))
        item.setToolTip(0, plain_tip(item.text(0)))
        item.setText(1, self.tr("yes") if rule.breaks else self.tr("no"))
        fixed = QFont(self.before.font())
        for column, expression in ((2, rule.before), (3, rule.after)):
            item.setText(column, expression)
            item.setToolTip(column, plain_tip(expression))
            item.setFont(column, fixed)

    def _show_current(self) -> None:
        item = self.list.currentItem()
        for widget in (self.language, self.kind, self.before, self.after, *self._rule_buttons):
            widget.setEnabled(item is not None)
        if item is None:
            return
        rule = item.data(0, RULE_ROLE)
        self._is_filling_fields = True
        if self.language.findData(rule.language) < 0:
            self.language.addItem(_language_names(rule.language), rule.language)
        self.language.setCurrentIndex(self.language.findData(rule.language))
        self.kind.setCurrentIndex(0 if rule.breaks else 1)
        self.before.setText(rule.before)
        self.after.setText(rule.after)
        # Show the beginning of a long expression.
        self.before.setCursorPosition(0)
        self.after.setCursorPosition(0)
        self._is_filling_fields = False

    def _apply_fields(self) -> None:
        item = self.list.currentItem()
        if self._is_filling_fields or item is None:
            return
        language = str(self.language.currentData())
        rule = Rule(self.kind.currentIndex() == 0, self.before.text(), self.after.text(), language)
        self._fill(item, rule)
        problem = localise_message(check_expression(rule.before) or check_expression(rule.after))
        self._show_message(problem, is_wrong=True)
        self._test_timer.start()

    def _add(self) -> None:
        item = QTreeWidgetItem()
        self._fill(item, Rule(False, "", "", f"{self._language}.*"))
        self.list.insertTopLevelItem(max(self.list.currentIndex().row(), 0), item)
        self.list.setCurrentItem(item)
        self.before.setFocus()

    def _remove(self) -> None:
        self.list.takeTopLevelItem(self.list.currentIndex().row())
        self._test_timer.start()

    def _move(self, offset: int) -> None:
        row = self.list.currentIndex().row()
        is_inside = 0 <= row + offset < self.list.topLevelItemCount()
        if is_inside and (item := self.list.takeTopLevelItem(row)) is not None:
            self.list.insertTopLevelItem(row + offset, item)
            self.list.setCurrentItem(item)
            self._test_timer.start()

    def _reset(self) -> None:
        self.show_rules(built_in_rules())
        self._show_message(self.tr("These are the default rules."))

    def _show_parts(self) -> None:
        self.parts.clear()
        rules = [rule for rule in self.listed_rules if rule.before or rule.after]
        invalid = next((e for each in rules for e in (each.before, each.after) if check_expression(e)), "")
        if invalid:
            return
        try:
            self.parts.addItems(list(segment_sample(rules, self.sample.toPlainText(), self._language)))
        except AnaphoraError as problem:
            self._show_message(describe_error(problem), is_wrong=True)

    def _show_message(self, text: str, is_wrong: bool = False) -> None:
        self.message.setProperty("role", "wrong" if is_wrong and text else "muted")
        self.message.style().polish(self.message)
        self.message.setText(text)


def _language_names(expression: str) -> str:
    listed = _LANGUAGE_LIST.fullmatch(expression)
    codes = [code for code in listed[1].split("|") if code != UNDETERMINED] if listed else []
    return ", ".join(map(language_name, codes)) or expression


_SAMPLE_SEGMENTS = 5
"""The sample text for the rules has at most this many segments, from the beginning of the document."""


class ResegmentationController(Announcer):
    """Joins and splits segments, and opens the dialog with the sentence rules."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._table, self._project = desk.table, desk.project
        self._service = service = desk.project.resegmentation
        desk.table.card.source.split_chosen.connect(service.split)
        desk.table.card.source.choice_ended.connect(self._leave)
        service.planned.connect(self._apply)
        service.failed.connect(self.announced)

    def merge(self) -> None:
        if (segment := self._table.current_segment) is not None:
            self._service.merge(segment.id)

    def split(self) -> None:
        segment = self._table.current_segment
        if segment is None:
            return
        if problem := self._service.obstacle(segment):
            self.announced.emit(problem)
            return
        self._table.go_to_row(self._table.currentIndex().row())
        self._table.card.source.begin_choice()
        self.announced.emit(self.tr("Move the cursor and press Enter to split, or press Esc to cancel."))

    def edit_rules(self) -> None:
        session = self._project.session
        language = session.pair.source_language if session is not None else language_of("zh")
        sample = SAMPLE
        if session is not None and language.code != "zh":
            texts = (MARK.sub("", each.source) for each in islice(session.document, _SAMPLE_SEGMENTS))
            sample = (" " if language.is_spaced else "").join(texts)
        dialog = RulesDialog(UserRules(), self._table.window(), language.code or "zh", sample)
        dialog.announced.connect(self.announced)
        dialog.open()

    def _leave(self, by_key: bool) -> None:
        self.announced.emit("")
        if by_key:
            self._table.editor.setFocus()

    def _apply(self, plan: ResegmentationPlan) -> None:
        editing = self._project.editing
        if editing is None or not editing.resegment(plan):
            return
        joined = len(plan.after) < len(plan.before)
        self.announced.emit(self.tr("Segments joined") if joined else self.tr("Segment split"))
