"""The contents of the menus and the toolbar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QToolBar

from anaphora.editor.actions.actions import Actions
from anaphora.editor.actions.choices import add_choices, add_switch
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.engine.device import DeviceChoice
from anaphora.features.drafting.view.completer import SETTING as COMPLETION
from anaphora.features.drafting.view.suggester import TAKE_ACTIONS
from anaphora.features.spelling.view.misspellings import SETTING as SPELLING
from anaphora.features.terms.view.terms_of_segment import INSERT_ACTIONS
from anaphora.features.tm.view.choices import FILL_SETTING, SHARED_SETTING, RepetitionMenu
from anaphora.system.interface_language import Language, without_mnemonic
from anaphora.window.docks import Docks

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


translate = QCoreApplication.translate
MEMORY_ACTIONS = "corrections memory_rules memory_timeline | export_pack bring_in_pack packs"


def fill_toolbar(window: MainWindow, actions: Actions) -> QToolBar:
    bar = QToolBar(translate("Menus", "Toolbar"), window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    bar.setIconSize(QSize(18, 18))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    # Confirming stands in the card itself.
    actions.fill(bar, "open export | undo redo | find | previous next | again | pause cancel")
    for name in ("open", "export", "again"):
        button = bar.widgetForAction(actions[name])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)  # type: ignore[attr-defined]
    window.addToolBar(bar)
    bar.toggleViewAction().setVisible(False)
    return bar


def fill_menus(window: MainWindow, actions: Actions, recent: QMenu, docks: Docks) -> None:
    bar = window.menuBar()
    document = bar.addMenu(translate("Menus", "&Document"))
    actions.fill(document, "open open_folder")
    document.addMenu(recent)
    actions.fill(
        document,
        "sample | add_documents remove_document reading_choices | export export_all |"
        " review_out review_in |"
        " save_as backups statistics |",
    )
    _fill_memory(window, document.addMenu(translate("Menus", "Translation memor&y")), actions)
    actions.fill(document, "| close quit")
    edit = bar.addMenu(translate("Menus", "&Edit"))
    actions.fill(
        edit,
        "undo redo | find replace find_next find_previous filter | concordance go_to |"
        " add_term terms first_sight | sentence_rules",
    )
    text = translate("Menus", "C&heck spelling")
    add_switch(edit, text, window.services.settings, SPELLING, window.spelling.switch)
    segment = bar.addMenu(translate("Menus", "&Segment"))
    actions.fill(
        segment,
        "confirm confirm_jump unconfirm | previous next next_changed next_warning next_inconsistent checks"
        " | use_confirmed copy_source change_case clear | join split | comment | word_left word_right |",
    )
    tags = segment.addMenu(translate("Menus", "Ta&gs"))
    actions.fill(tags, "insert_tag insert_pair")
    repetitions = segment.addMenu(translate("Menus", "R&epetitions"))
    choice, tell = window.controller.repetitions, window.services.drafting.choose_repetitions
    RepetitionMenu(repetitions, window.services.settings, choice, tell)
    text = translate("Menus", "Complete te&xt while typing (Tab takes it, Ctrl+→ a word)")
    add_switch(segment, text, window.services.settings, COMPLETION, window.completer.switch)
    take = segment.addMenu(translate("Menus", "Ta&ke a suggestion"))
    actions.fill(take, " ".join(TAKE_ACTIONS))
    insert = segment.addMenu(translate("Menus", "Insert a ter&m"))
    actions.fill(insert, " ".join(INSERT_ACTIONS))
    drafting = bar.addMenu(translate("Menus", "&Translate"))
    actions.fill(drafting, "again | draft pause cancel | pretranslate |")
    memory = drafting.addMenu(translate("Menus", "Document &memory"))
    actions.fill(memory, MEMORY_ACTIONS)
    _fill_devices(window, drafting.addMenu(translate("Menus", "Compute &device")))
    actions.fill(drafting, "models languages")
    view = bar.addMenu(translate("Menus", "&View"))
    for toggle in docks.toggles():
        view.addAction(toggle)
    actions.fill(view, "next_part previous_part | larger smaller |")
    _fill_themes(window, view.addMenu(translate("Menus", "&Colours")))
    _fill_languages(window, view.addMenu(translate("Menus", "&Language")))
    actions.fill(bar.addMenu(translate("Menus", "&Help")), "guide keys | report about")


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
    settings = window.services.settings
    text = translate("Menus", "&Use the memory that all projects share")
    add_switch(menu, text, settings, SHARED_SETTING, window.services.memory.use_shared)
    text = translate("Menus", "&Fill in 100 % and 101 % matches automatically")
    add_switch(menu, text, settings, FILL_SETTING, window.services.filling.want)


def _fill_devices(window: MainWindow, menu: QMenu) -> None:
    texts = {
        DeviceChoice.AUTO: translate("DeviceMenu", "&Automatic"),
        DeviceChoice.CPU: translate("DeviceMenu", "&CPU"),
        DeviceChoice.GPU: translate("DeviceMenu", "&GPU (CUDA)"),
    }
    add_choices(menu, texts, window.services.device.choice, window.services.device.choose)


def _fill_themes(window: MainWindow, menu: QMenu) -> None:
    texts = {
        ThemeChoice.SYSTEM: translate("Menus", "Follow the &system"),
        ThemeChoice.LIGHT: translate("Menus", "&Light"),
        ThemeChoice.DARK: translate("Menus", "&Dark"),
        ThemeChoice.CONTRAST: translate("Menus", "&High contrast"),
    }
    add_choices(menu, texts, window.services.theme.choice, window.state.choose_theme)


def _fill_languages(window: MainWindow, menu: QMenu) -> None:
    # The languages call themselves by their own names, so that nobody gets lost.
    texts = {
        Language.SYSTEM: translate("Menus", "Follow the &system"),
        Language.ENGLISH: "&English",
        Language.CHINESE: "简体中文(&C)",
    }

    def choose(language: Language) -> None:
        window.state.choose_language(language)
        window.show_message(
            translate("Menus", "The language changes when Anaphora is started the next time.")
        )

    add_choices(menu, texts, window.state.language, choose)
