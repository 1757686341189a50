"""The contents of the menus and the toolbar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar, QToolBar

from anaphora.application.languages import Language, without_mnemonic
from anaphora.document.view.caret_choice import CaretMenu
from anaphora.drafting.view.completion_choice import add_completion_choice
from anaphora.drafting.view.suggester import TAKE_ACTIONS
from anaphora.engine.view.device_choice import DeviceMenu
from anaphora.matches.view.choices import RepetitionMenu, add_filling_choice, add_shared_choice
from anaphora.spelling.view.controller import SpellingChoice
from anaphora.terms.view.controller import INSERT_ACTIONS
from anaphora.views.actions.actions import Actions
from anaphora.views.appearance.theme import ThemeChoice
from anaphora.window.docks import Docks
from anaphora.window.start_choice import add_start_choice

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


translate = QCoreApplication.translate
MEMORY_ACTIONS = (
    "what_if_unconfirmed what_if_no_memory | corrections memory_rules memory_timeline | "
    "export_pack bring_in_pack packs"
)


def fill_toolbar(window: MainWindow, actions: Actions) -> QToolBar:
    """Make the toolbar."""
    bar = QToolBar(translate("Menus", "Toolbar"), window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    bar.setIconSize(QSize(18, 18))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    # Confirming stands in the card itself; pausing comes while there is something to pause.
    actions.fill(bar, "open export | undo redo | find | previous next | again")
    _name_beside_icon(bar, actions, "open", "export", "again")
    window.addToolBar(bar)
    bar.toggleViewAction().setVisible(False)
    return bar


def show_drafting_tools(bar: QToolBar, actions: Actions, shown: bool) -> None:
    """Put what stops the drafting at the end of the toolbar, or take it away."""
    is_shown = actions["pause"] in bar.actions()
    if shown and not is_shown:
        actions.fill(bar, "| pause cancel")
        _name_beside_icon(bar, actions, "pause", "cancel")
    elif is_shown and not shown:
        for action in bar.actions()[-3:]:
            bar.removeAction(action)
            if action.isSeparator():
                action.deleteLater()  # it was made for this time


def _name_beside_icon(bar: QToolBar, actions: Actions, *names: str) -> None:
    for name in names:
        button = bar.widgetForAction(actions[name])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)  # type: ignore[attr-defined]


def fill_menus(
    window: MainWindow, actions: Actions, recent: QMenu, docks: Docks, themes: QActionGroup
) -> None:
    """Make the menu bar."""
    bar = window.menuBar()
    document = bar.addMenu(translate("Menus", "&Document"))
    actions.fill(document, "open open_folder")
    document.addMenu(recent)
    actions.fill(
        document,
        "sample | add_documents remove_document reading_choices | export export_all export_pseudo |"
        " review_out review_in |"
        " save_as back_up backups statistics |",
    )
    _fill_memory(window, document.addMenu(translate("Menus", "Translation memor&y")), actions)
    add_start_choice(document, window.services.settings)
    actions.fill(document, "| close quit")
    edit = bar.addMenu(translate("Menus", "&Edit"))
    actions.fill(
        edit,
        "undo redo | find replace find_next find_previous filter | concordance go_to |"
        " add_term terms first_sight | sentence_rules",
    )
    SpellingChoice(edit, window.services.settings, window.spelling, window.controller)
    segment = bar.addMenu(translate("Menus", "&Segment"))
    actions.fill(
        segment,
        "confirm confirm_jump unconfirm | previous next next_changed next_warning next_inconsistent checks"
        " | use_confirmed copy_source change_case clear | join split | comment | word_left word_right |",
    )
    tags = segment.addMenu(translate("Menus", "Ta&gs"))
    actions.fill(tags, "insert_tag insert_pair | tag_left tag_right")
    repetitions = segment.addMenu(translate("Menus", "R&epetitions"))
    RepetitionMenu(repetitions, window.services.settings, window.controller.choose_repetitions)
    caret = segment.addMenu(translate("Menus", "Where the caret &begins"))
    CaretMenu(caret, window.services.settings, window.table.editor)
    add_completion_choice(segment, window.services.settings, window.completer)
    take = segment.addMenu(translate("Menus", "Ta&ke a suggestion"))
    actions.fill(take, " ".join(TAKE_ACTIONS))
    insert = segment.addMenu(translate("Menus", "Insert a ter&m"))
    actions.fill(insert, " ".join(INSERT_ACTIONS))
    drafting = bar.addMenu(translate("Menus", "&Translate"))
    actions.fill(drafting, "again | draft pause cancel | pretranslate translate_all |")
    memory = drafting.addMenu(translate("Menus", "Document &memory"))
    actions.fill(memory, MEMORY_ACTIONS)
    device = drafting.addMenu(translate("Menus", "Compute &device"))
    actions.fill(drafting, "models languages")
    DeviceMenu(device, window.services.device)
    view = bar.addMenu(translate("Menus", "&View"))
    for toggle in docks.toggles():
        view.addAction(toggle)
    actions.fill(view, "preview | next_part previous_part | larger smaller |")
    _fill_themes(window, view.addMenu(translate("Menus", "&Colours")), themes)
    _fill_languages(window, view.addMenu(translate("Menus", "&Language")))
    actions.fill(bar.addMenu(translate("Menus", "&Help")), "guide tour keys | report about")


def place_in_menus(bar: QMenuBar, action: QAction) -> str:
    """Where an action stands, as “Document ▸ Backups…”; its own text where it is in no menu."""
    text = without_mnemonic(action.text())
    for menu in bar.findChildren(QMenu):
        if action in menu.actions():
            return f"{place_in_menus(bar, menu.menuAction())} ▸ {text}"
    return text


def _fill_memory(window: MainWindow, menu: QMenu, actions: Actions) -> None:
    actions.fill(
        menu,
        "import_project_memory import_shared_memory | export_project_memory export_shared_memory |",
    )
    text = translate("Menus", "&Use the memory that all projects share")
    add_shared_choice(menu, text, window.services.settings, window.services.memory.use_shared)
    text = translate("Menus", "&Fill in 100 % and 101 % matches automatically")
    add_filling_choice(menu, text, window.services.settings, window.services.filling.want)


def _fill_themes(window: MainWindow, menu: QMenu, themes: QActionGroup) -> None:
    texts = {
        ThemeChoice.SYSTEM: translate("Menus", "Follow the &system"),
        ThemeChoice.LIGHT: translate("Menus", "&Light"),
        ThemeChoice.DARK: translate("Menus", "&Dark"),
        ThemeChoice.CONTRAST: translate("Menus", "&High contrast"),
    }
    for choice, text in texts.items():
        action = QAction(text, menu, checkable=True)
        action.setChecked(choice is window.services.theme.choice)
        action.triggered.connect(lambda _=False, chosen=choice: window.state.choose_theme(chosen))
        themes.addAction(action)
        menu.addAction(action)


def _fill_languages(window: MainWindow, menu: QMenu) -> None:
    # The languages call themselves by their own names, so that nobody gets lost.
    texts = {
        Language.SYSTEM: translate("Menus", "Follow the &system"),
        Language.ENGLISH: "&English",
        Language.CHINESE: "简体中文(&C)",
    }
    group = QActionGroup(menu)
    for language, text in texts.items():
        action = QAction(text, menu, checkable=True)
        action.setChecked(language is window.state.language)
        action.triggered.connect(lambda _=False, chosen=language: _choose_language(window, chosen))
        group.addAction(action)
        menu.addAction(action)


def _choose_language(window: MainWindow, language: Language) -> None:
    window.state.choose_language(language)
    window.show_message(translate("Menus", "The language changes when Anaphora is started the next time."))
