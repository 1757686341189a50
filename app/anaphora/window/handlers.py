"""What each action of the window does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from anaphora.features.drafting.view.suggester import TAKE_ACTIONS
from anaphora.features.help.view.about import AboutDialog
from anaphora.features.help.view.guide import GuideDialog
from anaphora.features.help.view.problem_report import ProblemReportDialog
from anaphora.features.help.view.shortcuts import ShortcutsDialog
from anaphora.features.statistics.view.dialog import show_statistics
from anaphora.features.terms.view.terms_of_segment import INSERT_ACTIONS
from anaphora.features.tm.memories import PROJECT, SHARED
from anaphora.system.problem_log import read_log
from anaphora.window.menus import place_in_menus

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


Handlers = dict[str, Callable[[], object]]


def handlers(window: MainWindow) -> Handlers:
    return {**_of_project(window), **_of_segments(window)}


def _of_project(window: MainWindow) -> Handlers:
    return {
        "open": window.files.choose_document,
        "sample": window.open_sample,
        "open_folder": window.files.choose_folder,
        "add_documents": window.files.choose_additions,
        "remove_document": window.presenter.ask_removal_of_current,
        "export": window.files.choose_destination,
        "export_all": window.files.choose_export_folder,
        "review_out": window.review.give_out,
        "review_in": window.review.take_in,
        "reading_choices": window.presenter.ask_how_to_read,
        "save_as": window.files.choose_project_file,
        "backups": window.presenter.projects.list_backups,
        "statistics": partial(show_statistics, window.controller, window),
        "import_project_memory": partial(window.memory.choose_import, PROJECT),
        "import_shared_memory": partial(window.memory.choose_import, SHARED),
        "export_project_memory": partial(window.memory.choose_export, PROJECT),
        "export_shared_memory": partial(window.memory.choose_export, SHARED),
        "close": window.close_prompt.close_document,
        "quit": window.close,
        "terms": window.terms.open_dialog,
        "first_sight": window.first_sight.look,
        "models": window.models.open_dialog,
        "languages": window.models.ask_project_languages,
        "sentence_rules": window.resegmentation.edit_rules,
        "find": lambda: window.find_bar.open(False),
        "replace": lambda: window.find_bar.open(True),
        "find_next": lambda: window.finder.step(1),
        "find_previous": lambda: window.finder.step(-1),
        "concordance": window.look_up,
        "next_part": lambda: window.focus_keeper.step(1),
        "previous_part": lambda: window.focus_keeper.step(-1),
        "larger": lambda: window.state.scale_text(1),
        "smaller": lambda: window.state.scale_text(-1),
        "guide": partial(_open_guide, window),
        "keys": lambda: ShortcutsDialog(window.keymap, window).open(),
        "report": lambda: ProblemReportDialog(window.engine_state.info, read_log, window).open(),
        "about": lambda: AboutDialog(window.engine_state.info, window).open(),
        "checks": window.checks.open_dialog,
        "next_changed": window.filtering.review_next,
        "comment": window.records.write_comment,
        "filter": window.strip.needle.setFocus,
        "corrections": window.docks.show_corrections,
        "memory_rules": window.steering.list_rules,
        "export_pack": window.packs.choose_export,
        "bring_in_pack": window.packs.choose_import,
        "packs": window.packs.list_packs,
        "memory_timeline": window.steering.show_timeline,
    }


def _of_segments(window: MainWindow) -> Handlers:
    segments, drafting = window.segment_actions, window.services.drafting
    return {
        "go_to": lambda: segments.ask_number(window),
        "undo": segments.undo,
        "redo": segments.redo,
        "confirm": segments.confirm,
        "confirm_jump": segments.confirm_and_jump,
        "unconfirm": segments.unconfirm,
        "previous": lambda: window.table.step(-1),
        "next": lambda: window.table.step(1),
        "next_inconsistent": segments.go_to_inconsistent,
        "next_warning": segments.go_to_warning,
        "copy_source": segments.copy_source,
        "change_case": segments.change_case,
        "clear": segments.clear,
        "again": segments.translate_again,
        "join": window.resegmentation.merge,
        "split": window.resegmentation.split,
        "insert_tag": segments.insert_tag,
        "insert_pair": segments.insert_pair,
        "word_left": lambda: segments.step_word(-1),
        "word_right": lambda: segments.step_word(1),
        "pause": lambda: drafting.set_paused(not drafting.paused),
        "cancel": drafting.cancel,
        "draft": drafting.draft_remaining,
        "pretranslate": window.memory.pretranslation.open_dialog,
        "add_term": window.terms.add,
        **{name: partial(window.suggester.take, number) for number, name in enumerate(TAKE_ACTIONS, 1)},
        **{name: partial(window.terms.insert, number) for number, name in enumerate(INSERT_ACTIONS, 1)},
        "use_confirmed": window.influence.use_here,
    }


def _open_guide(window: MainWindow) -> None:
    """Show the guide, or bring the one that is open to the front."""
    dialog = window.findChild(GuideDialog)
    if dialog is None:
        actions, bar = window.actions_by_name, window.menuBar()
        dialog = GuideDialog(
            window.state.language,
            actions.key_text,
            lambda name: place_in_menus(bar, actions[name]),
            window,
        )
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
