"""Another language for a window that is open: its texts are looked up backwards, and put in anew.

Every text that stands as it was written in the code is found by what it reads now; where two texts read the
same, the one of the widget's own class (or of those around it) counts. Texts that are put together (numbers,
names) are found by their template; what shows the document is shown anew by those who know it. A window made
anew would lose its history of steps and start the engine again; a method in each widget would be longer.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QLibraryInfo, QObject, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QTextEdit,
    QTreeWidget,
    QWidget,
)

from anaphora.application.languages import Language

PROPERTIES = (
    "text",
    "iconText",
    "toolTip",
    "windowTitle",
    "title",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "suffix",
    "prefix",
    "specialValueText",
)
QT_TEXTS = (
    ("QDockWidget", "Float"),
    ("QDockWidget", "Undocks and re-attaches the dock widget"),
    ("QDockWidget", "Close"),
    ("QDockWidget", "Closes the dock widget"),
    ("QTabBar", "Scroll Left"),
    ("QTabBar", "Scroll Right"),
)
MAKERS = ("Docks", "SteeringController", "Menus")
"""Contexts of texts whose makers are not around what shows them."""
_FIELD = re.compile(r"\{(\w*)\}")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the interface: the context that it belongs to, and how it reads in both languages."""

    context: str
    old: str
    new: str


@lru_cache(maxsize=1)
def _catalogue() -> tuple[Text, ...]:
    """Every text, in English and in Chinese."""
    path = files("anaphora_resources").joinpath("i18n", "anaphora_zh_CN.ts")
    root = ElementTree.fromstring(path.read_text("utf-8"))
    return tuple(
        Text(
            context.findtext("name", ""),
            message.findtext("source", ""),
            message.findtext("translation", ""),
        )
        for context in root.iter("context")
        for message in context.iter("message")
    )


def _qt_texts() -> Iterator[Text]:
    """Qt's own texts that Qt does not change itself."""
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    translator = QTranslator()
    if translator.load(f"qtbase_{Language.CHINESE.value}", folder):
        for context, text in QT_TEXTS:
            yield Text(context, text, translator.translate(context, text) or text)


class Retranslator:
    """Turns what reads in one language into what reads in another."""

    def __init__(self, into: Language) -> None:
        """`into` is CHINESE or ENGLISH; the texts are in the other one."""
        chinese = into is Language.CHINESE
        self._exact: dict[str, list[Text]] = {}
        self._templates: list[tuple[re.Pattern[str], Text]] = []
        for each in (*_catalogue(), *_qt_texts()):
            found = each if chinese else Text(each.context, each.new, each.old)
            self._exact.setdefault(found.old, []).append(found)
            if _FIELD.search(found.old) and _LETTERS.search(_FIELD.sub("", found.old)):
                self._templates.append((_pattern(found.old), found))

    def text(self, shown: str, contexts: Sequence[str]) -> str:
        """How a text reads in the new language; as it is, where it is none of ours.

        Args:
            contexts: classes that may have made it, the nearest first.
        """
        if exact := self._exact.get(shown):
            return _nearest(exact, contexts).new
        lines = shown.split("\n")
        if len(lines) > 1:
            return "\n".join(self.text(line, contexts) for line in lines)
        own = set(contexts)
        for pattern, template in self._templates:
            match = pattern.fullmatch(shown) if template.context in own else None
            if match is not None:
                values = (self.text(value, contexts) for value in match.groups())
                return _filled(template.new, dict(zip(_FIELD.findall(template.old), values, strict=True)))
        return shown

    def show(self, root: QWidget) -> None:
        """Put the texts of a window, its widgets and actions into the new language."""
        for made in (root, *root.findChildren(QObject)):
            if isinstance(made, QWidget | QAction):
                self._show_properties(made)
            if isinstance(made, QComboBox):
                self._show_items(made)
            elif isinstance(made, QTabWidget):
                for place in range(made.count()):
                    made.setTabText(place, self.text(made.tabText(place), (*MAKERS, *_contexts(made))))
            elif isinstance(made, QTreeWidget):
                header, contexts = made.headerItem(), _contexts(made)
                for column in range(made.columnCount()):
                    header.setText(column, self.text(header.text(column), contexts))

    def _show_properties(self, made: QWidget | QAction) -> None:
        contexts = _contexts(made)
        # What the user typed, and the document's own texts, are nobody's to translate.
        names = PROPERTIES if isinstance(made, QWidget) else ("text",)
        typed = isinstance(made, QLineEdit | QPlainTextEdit | QTextEdit | QComboBox)
        for name in names:
            shown = made.property(name)
            if not isinstance(shown, str) or not shown or (typed and name == "text"):
                continue
            new = self.text(shown, contexts)
            if new != shown:
                made.setProperty(name, new)

    def _show_items(self, box: QComboBox) -> None:
        contexts = _contexts(box)
        for place in range(box.count()):
            box.setItemText(place, self.text(box.itemText(place), contexts))


def _pattern(template: str) -> re.Pattern[str]:
    """A pattern that finds the values in a text made from a template."""
    parts = _FIELD.split(template)[::2]
    return re.compile("(.+?)".join(map(re.escape, parts)), re.DOTALL)


def _filled(template: str, values: Mapping[str, str]) -> str:
    return _FIELD.sub(lambda field: values[field[1]], template)


def _nearest(found: Sequence[Text], contexts: Sequence[str]) -> Text:
    return next((each for context in contexts for each in found if each.context == context), found[0])


def _contexts(made: QObject | None) -> tuple[str, ...]:
    """The names of the classes of an object and of those around it, the nearest first."""
    return tuple(dict.fromkeys((*_classes(made), *MAKERS)))


def _classes(made: QObject | None) -> Iterator[str]:
    while made is not None:
        yield from (each.__name__ for each in type(made).__mro__ if each.__module__.startswith("anaphora"))
        made = made.parent()
