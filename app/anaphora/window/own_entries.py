"""The window's own menu entries (features declare the others), and the table's context menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from anaphora.editor.actions.entries import Action, MenuEntry, MenuPart, choice
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.editor.feature import Desk
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.system.interface_language import UiLanguage
from anaphora.window.docks import Docks, WindowState
from anaphora.window.focus import FocusKeeper
from anaphora.window.menus import Menus

translate = QCoreApplication.translate


def own_entries(
    desk: Desk, docks: Docks, state: WindowState, focus: FocusKeeper, show_message: Callable[[str], None]
) -> Iterable[MenuEntry]:
    """`show_message` displays a notice when the user chooses a language."""
    step = focus.step
    quit_text = translate("Menus", "&Quit")
    yield Action("quit", quit_text, desk.window.close, "document:leave:20", "Ctrl+Q", is_global=True)
    yield MenuPart("view:panels:10", lambda menu: menu.addActions(docks.toggles()))
    following = translate("Menus", "Next &pane")
    yield Action("next_part", following, lambda: step(1), "view:parts:10", "F6")
    previous = translate("Menus", "Previous pa&ne")
    yield Action("previous_part", previous, lambda: step(-1), "view:parts:20", "Shift+F6")
    text, keys = translate("Menus", "&Larger text"), "Ctrl++ Ctrl+="
    yield Action("larger", text, lambda: state.scale_text(1), "view:text:10", keys, is_global=True)
    text = translate("Menus", "S&maller text")
    yield Action("smaller", text, lambda: state.scale_text(-1), "view:text:20", "Ctrl+-", is_global=True)
    themes = {
        ThemeChoice.SYSTEM: translate("Menus", "Follow the &system"),
        ThemeChoice.LIGHT: translate("Menus", "&Light"),
        ThemeChoice.DARK: translate("Menus", "&Dark"),
        ThemeChoice.CONTRAST: translate("Menus", "&High contrast"),
    }
    colours = translate("Menus", "&Colours")
    yield choice("view:look:10", colours, themes, desk.theme.choice, state.choose_theme)
    # Each language is named in that language, so that its speakers recognise it.
    languages = {
        UiLanguage.SYSTEM: translate("Menus", "Follow the &system"),
        UiLanguage.ENGLISH: "&English",
        UiLanguage.CHINESE: "简体中文(&C)",
    }

    def choose(language: UiLanguage) -> None:
        state.choose_language(language)
        show_message(translate("Menus", "The language changes the next time you start Anaphora."))

    yield choice("view:look:20", translate("Menus", "L&anguage"), languages, state.language, choose)


_UNDO_AND_REDO = ("edit-undo", "edit-redo")  # object names of Qt's own actions


class ContextMenus(QObject):
    """Opens the context menus of the table's rows, the source and the target. In the target's menu, Undo and
    Redo are those of the window, and the functions `add_at_word` add entries for the clicked word."""

    def __init__(
        self, table: SegmentTable, menus: Menus, add_at_word: Sequence[Callable[[QMenu], None]] = ()
    ) -> None:
        super().__init__(table)
        self._add_at_word = add_at_word
        self._table = table
        self._menus = menus
        card = table.card
        for widget, fill in (
            (card.editor, self.fill_target_menu),
            (card.source, self.fill_source_menu),
            (table, self.fill_row_menu),
        ):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(
                lambda point, widget=widget, fill=fill: self._pop_up(
                    fill, widget.viewport().mapToGlobal(point)
                )
            )

    def fill_target_menu(self, menu: QMenu) -> None:
        for add in self._add_at_word:
            add(menu)
        self._menus.fill(menu, "text_history")
        menu.addSeparator()
        self._add_standard(menu, self._table.editor)
        menu.addSeparator()
        self._menus.fill(menu, "target", on_request=True)

    def fill_source_menu(self, menu: QMenu) -> None:
        self._add_standard(menu, self._table.card.source)
        menu.addSeparator()
        self._menus.fill(menu, "source", on_request=True)

    def fill_row_menu(self, menu: QMenu) -> None:
        self._menus.fill(menu, "row", on_request=True)

    def _pop_up(self, fill: Callable[[QMenu], None], position: QPoint) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill(menu)
        menu.popup(position)

    @staticmethod
    def _add_standard(menu: QMenu, field: QPlainTextEdit) -> None:
        standard = field.createStandardContextMenu()
        standard.setParent(menu, standard.windowFlags())
        menu.addActions([each for each in standard.actions() if each.objectName() not in _UNDO_AND_REDO])
