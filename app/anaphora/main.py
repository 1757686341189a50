"""The composition root: the only place that puts the app together. Loads no torch."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from anaphora.services.engine_worker import Loader
    from anaphora.views.window.main_window import MainWindow

STOP_SECONDS = 2.0


def version() -> str:
    """The installed version."""
    try:
        return metadata.version("anaphora")
    except metadata.PackageNotFoundError:
        return "unknown"


def default_model() -> Path:
    """The folder of the model that comes with the app."""
    return Path(str(files("anaphora_resources").joinpath("models", "zh-en")))


def dictionaries() -> Path:
    """The folder of the dictionaries that come with the app."""
    return Path(str(files("anaphora_resources").joinpath("dictionaries")))


def sample_document() -> Path:
    """The document that comes with the app."""
    return Path(str(files("anaphora_resources").joinpath("samples", "sample.zh.md")))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the app.

    Args:
        argv: the arguments without the program's name; those of the process by default.
    Returns:
        the exit status.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if arguments[:1] == ["translate"]:
        return translate(arguments[1:])
    options = _window_parser().parse_args(arguments)
    return run_window(options)


def _window_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora",
        description="A translation editor that remembers (Chinese to English, offline).",
        epilog="anaphora translate IN -o OUT translates a file without a window.",
    )
    parser.add_argument("file", nargs="?", type=Path, help="a document to open")
    parser.add_argument("--sample", action="store_true", help="open the sample document")
    parser.add_argument("--model", type=Path, default=None, help="a model folder instead of the default one")
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default=None,
        help="instead of the device in the settings",
    )
    parser.add_argument("--threads", type=int, default=None, help="compute threads on the CPU")
    parser.add_argument("--version", action="version", version=f"anaphora {version()}")
    return parser


def translate(arguments: Sequence[str]) -> int:
    """`anaphora translate`: translate a file from end to end without a window."""
    parser = argparse.ArgumentParser(prog="anaphora translate", description="Translate a document.")
    parser.add_argument("input", type=Path)
    parser.add_argument(
        "-o", "--output", type=Path, default=None, help="default: INPUT with .en before its suffix"
    )
    parser.add_argument(
        "--memory",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a translation memory: TMX, a bilingual document, a project; several times for several",
    )
    parser.add_argument(
        "--terms",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a term base: TBX, CSV; several times for several",
    )
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--threads", type=int, default=None)
    options = parser.parse_args(arguments)

    from anaphora.core.errors import AnaphoraError
    from anaphora.core.language_pair import LanguagePair
    from anaphora.services.export import default_destination
    from anaphora.services.headless import translate_file
    from anaphora.services.headless_help import help_of
    from anaphora_nmt.errors import AnaphoraNmtError

    output = options.output or default_destination(options.input)

    def report_progress(done: int, total: int) -> None:
        print(f"\r{done}/{total}", end="", file=sys.stderr, flush=True)

    try:
        from anaphora_nmt.api import Translator

        translator = Translator.load(options.model or default_model(), options.device, options.threads)
        pair = LanguagePair(translator.info.source_language, translator.info.target_language)
        with help_of(options.memory, options.terms) as found:
            report = translate_file(
                options.input, output, translator, progress=report_progress, pair=pair, given=found
            )
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    print(file=sys.stderr)
    for note in report.notes:
        print(f"note: {note}", file=sys.stderr)
    for segment, warning in report.warnings:
        print(f"check {segment}: {warning}", file=sys.stderr)
    if report.unlike:
        print("This document is unlike what the model was trained on: expect weak drafts.", file=sys.stderr)
    if report.doubtful:
        segments = " ".join(report.doubtful)
        count = f"{len(report.doubtful)} of {report.translated} drafts are doubtful"
        print(f"{count}: {segments}", file=sys.stderr)
    if report.remembered:
        print(f"from the translation memory: {report.remembered}", file=sys.stderr)
    done = report.translated + report.remembered
    print(f"{output}: {done} of {report.segments} segments translated")
    return 0


def run_window(options: argparse.Namespace) -> int:
    """Show the window, then load the engine behind it."""
    from anaphora.platform_check import platform_problem

    if problem := platform_problem():
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    from PySide6.QtCore import QTimer

    from anaphora.services.engine_worker import default_loader
    from anaphora.views.window.device_choice import stored_device

    application = make_application()
    settings = window_settings()
    device = options.device or stored_device(settings).value
    loader = default_loader(options.model or default_model(), device, options.threads)
    window = make_window(
        application,
        loader,
        settings,
        lambda folder: default_loader(folder, device, options.threads),
        options.model,
    )
    window.show()
    # The window is painted before the engine's import takes the interpreter for seconds.
    QTimer.singleShot(100, window.services.worker.start)
    if options.sample:
        window.open_sample()
    elif options.file is not None:
        window.controller.open(options.file)
    status = application.exec()
    window.controller.tasks.finish_writing()
    window.services.memory.finish()
    window.services.terms.finish()
    window.services.models.finish()
    stopped = window.services.worker.stop(STOP_SECONDS)
    idle = window.controller.tasks.finish(200)
    if not (stopped and idle):
        # The load of a model or a search for terms is under way and cannot be interrupted; everything
        # of the user's is on the disk.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def make_application() -> QApplication:
    """The Qt application with its names and icon."""
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    application = QApplication(sys.argv[:1])
    application.setApplicationName("Anaphora")
    application.setOrganizationName("Anaphora")
    application.setApplicationVersion(version())
    application.setWindowIcon(QIcon(str(files("anaphora_resources").joinpath("icons", "anaphora.svg"))))
    return application


def window_settings() -> QSettings:
    """The settings in the user's data folder."""
    from PySide6.QtCore import QSettings

    from anaphora.store.locations import data_folder

    return QSettings(str(data_folder() / "window.ini"), QSettings.Format.IniFormat)


def make_window(
    application: QApplication,
    loader: Loader,
    settings: QSettings | None = None,
    load: Callable[[Path], Loader] | None = None,
    own: Path | None = None,
) -> MainWindow:
    """Wire the window; its engine thread is not started yet.

    Args:
        loader: makes the engine, in the engine's thread.
        settings: instead of those in the user's data folder.
        load: makes the loader of an installed model.
        own: the folder of the model that `loader` loads.
    """
    from anaphora.project.documents import DocumentController
    from anaphora.services.background import BackgroundTasks
    from anaphora.services.changed_drafts import ChangedDrafts
    from anaphora.services.checking import CheckingService
    from anaphora.services.confidence import ConfidenceService
    from anaphora.services.consistency_service import ConsistencyService
    from anaphora.services.dismissals import Dismissals
    from anaphora.services.drafting import DraftingService
    from anaphora.services.engine_worker import EngineWorker, default_loader
    from anaphora.services.influence import InfluenceService
    from anaphora.services.memory_service import MemoryService
    from anaphora.services.model_service import ModelService
    from anaphora.services.packs import PackService
    from anaphora.services.preview_service import PreviewService
    from anaphora.services.recent_files import RecentFiles
    from anaphora.services.recent_progress import RecentProgress
    from anaphora.services.search_service import SearchService
    from anaphora.services.settling import SettlingService
    from anaphora.services.spelling import Speller
    from anaphora.services.spelling_service import SpellingService
    from anaphora.services.steering import SteeringService
    from anaphora.services.term_service import TermService
    from anaphora.store.locations import models_folder, own_words_path, shared_memory_path, shared_terms_path
    from anaphora.views.appearance.languages import chosen_language, install_language
    from anaphora.views.appearance.theme import Theme, ThemeChoice
    from anaphora.views.window.main_window import MainWindow, Services
    from anaphora.views.window.memory_choices import stored_shared

    if settings is None:
        settings = window_settings()
    # Texts are taken when widgets are made, so the language comes before the first of them.
    install_language(application, chosen_language(settings))
    chosen = str(settings.value("theme", ThemeChoice.SYSTEM.value))
    known = {choice.value: choice for choice in ThemeChoice}
    theme = Theme(application, known.get(chosen, ThemeChoice.SYSTEM))
    terms = TermService(shared_terms_path())
    worker = EngineWorker(loader, terms=terms.for_engine)
    tasks = BackgroundTasks()
    drafting = DraftingService(worker)
    consistency = ConsistencyService(worker, tasks)
    memory = MemoryService(shared_memory_path(), stored_shared(settings))
    steering = SteeringService(worker, drafting)
    packs = PackService(worker, drafting, steering, tasks)
    models = ModelService(worker, models_folder(), own or default_model(), loader, load or default_loader)
    recent = RecentFiles()
    dismissals = Dismissals()
    services = Services(
        worker=worker,
        drafting=drafting,
        consistency=consistency,
        checking=CheckingService(tasks, dismissals),
        changed=ChangedDrafts(),
        confidence=ConfidenceService(worker),
        influence=InfluenceService(worker),
        memory=memory,
        terms=terms,
        models=models,
        settling=SettlingService(worker, tasks, terms.for_engine),
        spelling=SpellingService(Speller(dictionaries(), own_words_path()), tasks),
        steering=steering,
        packs=packs,
        search=SearchService(tasks),
        preview=PreviewService(tasks),
        controller=DocumentController(
            tasks, drafting, consistency, memory, terms, steering, packs, models, recent, dismissals
        ),
        recent=recent,
        recent_progress=RecentProgress(tasks),
        theme=theme,
        settings=settings,
        sample=sample_document(),
    )
    return MainWindow(services)


if __name__ == "__main__":
    sys.exit(main())
