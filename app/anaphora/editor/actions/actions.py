"""The window's actions: texts, keys, icons, and where they stand in menus and the toolbar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from anaphora.editor.appearance.icons import icon
from anaphora.editor.appearance.theme import Theme
from anaphora.system.interface_language import without_mnemonic


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action of the window.

    Attributes:
        keys: shortcuts, the first one is shown.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    needs_document: bool = True


class Actions(QObject):
    """Every action of the main window, by name."""

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._specs = self._make_specs()
        self._actions: dict[str, QAction] = {}
        for spec in self._specs.values():
            action = QAction(spec.text, window)
            action.setStatusTip("")
            self._actions[spec.name] = action
            self.set_keys(spec.name, [QKeySequence(key) for key in spec.keys])
            window.addAction(action)
        named = {"open": self.tr("Open"), "export": self.tr("Export"), "again": self.tr("Translate again")}
        for name, text in named.items():
            self._actions[name].setIconText(f" {text}")  # styles draw it right beside the icon
        theme.changed.connect(self.update_icons)
        self.update_icons()
        self.set_document_open(False)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def names(self) -> tuple[str, ...]:
        return tuple(self._specs)

    def title(self, name: str) -> str:
        """What the user calls an action, outside of menus."""
        return without_mnemonic(self._specs[name].text).rstrip("…")

    def default_keys(self, name: str) -> tuple[str, ...]:
        return self._specs[name].keys

    def key_text(self, name: str) -> str:
        return self._actions[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def set_keys(self, name: str, keys: Sequence[QKeySequence]) -> None:
        """Give an action its keys; its tooltip shows the first one."""
        self._actions[name].setShortcuts(list(keys))
        self._actions[name].setToolTip(f"{self.title(name)}  {self.key_text(name)}".strip())

    def carry_out(self, keys: QKeySequence) -> bool:
        """Do what a key stands for; returns whether there is something, and it can be done now."""
        for action in self._actions.values():
            if action.isEnabled() and keys in action.shortcuts():
                action.trigger()
                return True
        return False

    def connect_all(self, handlers: dict[str, Callable[[], object]]) -> None:
        """Connect each action to its handler; a missing handler is an error."""
        for name, action in self._actions.items():
            handler = handlers[name]
            action.triggered.connect(lambda _=False, call=handler: call())

    def set_document_open(self, is_open: bool) -> None:
        for name, spec in self._specs.items():
            if spec.needs_document:
                self._actions[name].setEnabled(is_open)

    def update_icons(self) -> None:
        colours = self._theme.colours
        for name, spec in self._specs.items():
            if spec.icon:
                self._actions[name].setIcon(icon(spec.icon, colours.text, colours.not_started))

    def show_paused(self, paused: bool) -> None:
        action, colours = self._actions["pause"], self._theme.colours
        action.setText(self.tr("Re&sume drafting") if paused else self.tr("&Pause drafting"))
        action.setIcon(icon("resume" if paused else "pause", colours.text, colours.not_started))

    def fill(self, target: QMenu | QToolBar, names: str) -> None:
        """Add actions by their names, separated by blanks; "|" is a separator."""
        for name in names.split():
            if name == "|":
                target.addSeparator()
            else:
                target.addAction(self._actions[name])

    def _make_specs(self) -> dict[str, ActionSpec]:
        return {spec.name: spec for spec in (*self._document_specs(), *self._segment_specs())}

    def _document_specs(self) -> tuple[ActionSpec, ...]:
        return (
            ActionSpec("open", self.tr("&Open…"), ("Ctrl+O",), "open", False),
            ActionSpec("sample", self.tr("Open the &sample"), (), "document", False),
            ActionSpec("export", self.tr("&Export translation…"), ("Ctrl+S", "Ctrl+E"), "export"),
            ActionSpec(
                "open_folder", self.tr("New project from a &folder…"), ("Ctrl+Shift+O",), "open", False
            ),
            ActionSpec("add_documents", self.tr("&Add documents…"), (), "add"),
            ActionSpec("remove_document", self.tr("Re&move this document…"), (), "remove"),
            ActionSpec("export_all", self.tr("Export a&ll documents…"), ("Ctrl+Shift+E",)),
            ActionSpec("reading_choices", self.tr("&How this document is read…")),
            ActionSpec("review_out", self.tr("Export for re&view…")),
            ActionSpec("review_in", self.tr("Take &in a review…")),
            ActionSpec("save_as", self.tr("Save &project as…"), ("Ctrl+Shift+S",)),
            ActionSpec("backups", self.tr("&Backups…")),
            ActionSpec("statistics", self.tr("S&tatistics…")),
            ActionSpec("import_project_memory", self.tr("&Import into the project's memory…")),
            ActionSpec("import_shared_memory", self.tr("Import into the &shared memory…")),
            ActionSpec("export_project_memory", self.tr("&Export the project's memory…")),
            ActionSpec("export_shared_memory", self.tr("Export the s&hared memory…")),
            ActionSpec("close", self.tr("&Close document"), ("Ctrl+W",)),
            ActionSpec("quit", self.tr("&Quit"), ("Ctrl+Q",), "", False),
            ActionSpec("undo", self.tr("&Undo"), ("Ctrl+Z",), "undo"),
            ActionSpec("redo", self.tr("&Redo"), ("Ctrl+Y", "Ctrl+Shift+Z"), "redo"),
            ActionSpec("find", self.tr("&Find…"), ("Ctrl+F",), "find"),
            ActionSpec("replace", self.tr("Find and &replace…"), ("Ctrl+H",)),
            ActionSpec("find_next", self.tr("Find &next"), ("F3",)),
            ActionSpec("find_previous", self.tr("Find &previous"), ("Shift+F3",)),
            ActionSpec("concordance", self.tr("C&oncordance"), ("Ctrl+K",)),
            ActionSpec("add_term", self.tr("Add a &term"), ("Ctrl+Shift+G",)),
            ActionSpec("terms", self.tr("Term &base…"), ("Ctrl+Alt+G",)),
            ActionSpec("first_sight", self.tr("Recurring na&mes and terms…")),
            ActionSpec("go_to", self.tr("&Go to segment…"), ("Ctrl+G",)),
            ActionSpec("next_part", self.tr("Next &part of the window"), ("F6",)),
            ActionSpec("previous_part", self.tr("Previous part of the &window"), ("Shift+F6",)),
            ActionSpec("larger", self.tr("&Larger text"), ("Ctrl++", "Ctrl+="), "", False),
            ActionSpec("smaller", self.tr("S&maller text"), ("Ctrl+-",), "", False),
            ActionSpec("sentence_rules", self.tr("&Sentence rules…"), (), "", False),
            ActionSpec("models", self.tr("&Models…"), (), "", False),
            ActionSpec("languages", self.tr("&Languages of the project…")),
            ActionSpec("guide", self.tr("&Guide"), ("F1",), "", False),
            ActionSpec("keys", self.tr("&Keyboard shortcuts…"), ("Ctrl+F1",), "", False),
            ActionSpec("report", self.tr("&Report a problem…"), (), "", False),
            ActionSpec("about", self.tr("&About Anaphora"), (), "", False),
        )

    def _segment_specs(self) -> tuple[ActionSpec, ...]:
        return (
            ActionSpec("confirm", self.tr("&Confirm and go on"), ("Ctrl+Return", "Ctrl+Enter"), "confirm"),
            ActionSpec(
                "confirm_jump",
                self.tr("Confirm and go to the next &unconfirmed"),
                ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
            ),
            ActionSpec("unconfirm", self.tr("&Take back the confirmation"), ("Ctrl+Shift+U",)),
            ActionSpec("previous", self.tr("&Previous segment"), ("Ctrl+Up",), "previous"),
            ActionSpec("next", self.tr("&Next segment"), ("Ctrl+Down",), "next"),
            ActionSpec("next_inconsistent", self.tr("Next &inconsistent segment"), ("F7",), "inconsistent"),
            ActionSpec("next_warning", self.tr("Next segment to &check"), ("F8",), "warning"),
            ActionSpec("checks", self.tr("C&hecks…"), ("Shift+F8",)),
            ActionSpec("next_changed", self.tr("Next changed &draft"), ("F4",)),
            ActionSpec("comment", self.tr("&Add a comment"), ("Ctrl+Shift+M",)),
            ActionSpec("filter", self.tr("F&ilter by text"), ("Ctrl+Shift+L",)),
            ActionSpec("use_confirmed", self.tr("Use the con&firmed word here"), ("Ctrl+Alt+U",)),
            ActionSpec("copy_source", self.tr("Copy the &source"), ("Ctrl+Insert",)),
            ActionSpec("change_case", self.tr("Change capitals"), ("Alt+C",)),
            ActionSpec("clear", self.tr("Clear the t&ranslation"), ("Ctrl+Shift+Delete",)),
            ActionSpec("again", self.tr("Translate this segment &again"), ("Ctrl+T",), "again"),
            ActionSpec("join", self.tr("&Join with the next segment"), ("Ctrl+J",)),
            ActionSpec("split", self.tr("Sp&lit the segment…"), ("Ctrl+Shift+J",)),
            ActionSpec("insert_tag", self.tr("Insert the next ta&g"), ("Ctrl+,",)),
            ActionSpec("insert_pair", self.tr("Put the next pair of tags &around"), ("Ctrl+Shift+,",)),
            ActionSpec("word_left", self.tr("Explain the previous &word"), ("Alt+Left",)),
            ActionSpec("word_right", self.tr("Explain the next w&ord"), ("Alt+Right",)),
            ActionSpec("pause", self.tr("&Pause drafting"), ("F9",), "pause"),
            ActionSpec("cancel", self.tr("&Cancel drafting"), ("Shift+F9",), "cancel"),
            ActionSpec("corrections", self.tr("&Corrections…")),
            ActionSpec("memory_rules", self.tr("What you &said about the memory…")),
            ActionSpec("export_pack", self.tr("&Export as a memory pack…")),
            ActionSpec("bring_in_pack", self.tr("&Bring in a memory pack…")),
            ActionSpec("packs", self.tr("Memory &packs…")),
            ActionSpec("memory_timeline", self.tr("&Timeline…")),
            ActionSpec("draft", self.tr("&Draft the rest"), ("Ctrl+F9",)),
            ActionSpec("pretranslate", self.tr("P&re-translate…")),
            *(
                ActionSpec(
                    f"take_{number}", self.tr("Take suggestion &{0}").format(number), (f"Ctrl+{number}",)
                )
                for number in range(1, 10)
            ),
            *(
                ActionSpec(
                    f"insert_term_{number}", self.tr("Insert term &{0}").format(number), (f"Alt+{number}",)
                )
                for number in range(1, 10)
            ),
        )
