"""The window's own menu entries: its parts, its appearance, and quitting."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication

from anaphora.editor.actions.choices import choice
from anaphora.editor.actions.entries import Action, AnyEntry, Entry
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.editor.desk import Desk
from anaphora.system.interface_language import UiLanguage
from anaphora.window.docks import Docks
from anaphora.window.focus import FocusKeeper
from anaphora.window.window_state import WindowState

translate = QCoreApplication.translate


def own_entries(
    desk: Desk, docks: Docks, state: WindowState, focus: FocusKeeper, show_message: Callable[[str], None]
) -> Iterable[AnyEntry]:
    """`show_message` shows a sentence in the status bar."""
    step = focus.step
    quit_text = translate("Menus", "&Quit")
    yield Action("quit", quit_text, desk.window.close, "document:leave:20", "Ctrl+Q", always=True)
    yield Entry("view:panels:10", lambda menu: menu.addActions(docks.toggles()))
    following = translate("Menus", "Next &part of the window")
    yield Action("next_part", following, lambda: step(1), "view:parts:10", "F6")
    previous = translate("Menus", "Previous part of the &window")
    yield Action("previous_part", previous, lambda: step(-1), "view:parts:20", "Shift+F6")
    text, keys = translate("Menus", "&Larger text"), "Ctrl++ Ctrl+="
    yield Action("larger", text, lambda: state.scale_text(1), "view:text:10", keys, always=True)
    text = translate("Menus", "S&maller text")
    yield Action("smaller", text, lambda: state.scale_text(-1), "view:text:20", "Ctrl+-", always=True)
    themes = {
        ThemeChoice.SYSTEM: translate("Menus", "Follow the &system"),
        ThemeChoice.LIGHT: translate("Menus", "&Light"),
        ThemeChoice.DARK: translate("Menus", "&Dark"),
        ThemeChoice.CONTRAST: translate("Menus", "&High contrast"),
    }
    colours = translate("Menus", "&Colours")
    yield choice("view:look:10", colours, themes, desk.theme.choice, state.choose_theme)
    # Each language has its own name, so that every user can find it.
    languages = {
        UiLanguage.SYSTEM: translate("Menus", "Follow the &system"),
        UiLanguage.ENGLISH: "&English",
        UiLanguage.CHINESE: "简体中文(&C)",
    }

    def choose(language: UiLanguage) -> None:
        state.choose_language(language)
        show_message(translate("Menus", "The language changes the next time you start Anaphora."))

    yield choice("view:look:20", translate("Menus", "L&anguage"), languages, state.language, choose)
