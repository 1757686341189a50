"""The command `anaphora` and its subcommands. Importing this module loads neither Qt nor torch."""

from __future__ import annotations

import argparse
import errno
import gc
import logging
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.cli.arguments import at_least_one
from anaphora.system.garbage import collect_due
from anaphora.system.locations import default_model, sample_document, version

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from anaphora.window.main_window import MainWindow

_COMMANDS = ("translate", "check", "terms", "models")
STOP_SECONDS = 2.0
"""Maximum time for which the program waits for the engine's thread to end."""
END_SECONDS = 10.0
"""Maximum time for writing the settings at the program's end, and again for writing the document."""
COLLECT_MILLISECONDS = 1000
"""Time between two checks whether a garbage collection is due."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the app with arguments, by default those of the process; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if arguments and arguments[0] in _COMMANDS:
        try:
            return _run_command(*arguments)
        except KeyboardInterrupt:  # raised while the command was being imported
            from anaphora.cli.arguments import report_cancelled

            return report_cancelled()
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            print(f"anaphora: {error.filename}: {error.strerror}", file=sys.stderr)
            return 2
    return run_window(_window_parser().parse_args(arguments))


def _run_command(name: str, *arguments: str) -> int:
    command: Callable[[Sequence[str]], int] = getattr(import_module(f"anaphora.cli.{name}"), name)
    return command(arguments)


def _window_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora",
        description="A translation editor that remembers the document. Works offline.",
        epilog="Without a window: anaphora translate IN… -o OUT translates files and folders, "
        "anaphora check FILE… lists issues in translations, anaphora terms FILE lists recurring names and "
        "terms of a document, anaphora models manages translation models.",
    )
    parser.add_argument("file", nargs="?", type=Path, help="document to open")
    parser.add_argument("--sample", action="store_true", help="open the sample document")
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: from the settings")
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default=None,
        help="compute device; default: from the settings",
    )
    parser.add_argument("--threads", type=at_least_one, default=None, help="compute threads on the CPU")
    parser.add_argument("--version", action="version", version=f"anaphora {version()}")
    return parser


def exempt_lasting_objects(window: MainWindow) -> None:
    """Exclude a model's and a project's objects from collections, which would stop typing for 0.3 s."""
    for created in (window.desk.worker.loaded, window.controller.opened):
        created.connect(lambda _: gc.freeze())
    window.controller.closed.connect(lambda: gc.unfreeze())


def collect_in_this_thread(owner: QObject) -> None:
    """Collect cyclic garbage only in this thread, as long as the owner lives."""
    from PySide6.QtCore import QTimer

    gc.disable()
    timer = QTimer(owner, interval=COLLECT_MILLISECONDS)
    timer.timeout.connect(collect_due)
    timer.start()


def run_window(options: argparse.Namespace) -> int:
    """Show the window, load the engine and run until the window is closed; returns the exit status."""
    from anaphora.system.platform_check import platform_problem
    from anaphora_text.freed_memory import limit_free_memory

    limit_free_memory()
    if problem := platform_problem():
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    from PySide6.QtCore import QTimer

    from anaphora.editor.appearance.application import make_application
    from anaphora.system.locations import make_data_folder
    from anaphora.system.problem_log import log_unexpected, start_log, watch_for_crashes
    from anaphora.system.window_settings import window_settings

    make_data_folder()
    start_log()
    crashed = watch_for_crashes()
    settings = window_settings()
    file = sample_document() if options.sample else options.file
    application = make_application()
    from anaphora.composition import make_window
    from anaphora.engine.device import ComputeDevice, DeviceChoice
    from anaphora.engine.worker import Loader, default_loader
    from anaphora.window.crash_message import show_crash
    from anaphora.window.system_end import SystemEnd, open_sent_file

    device = ComputeDevice(settings, DeviceChoice(options.device) if options.device else None)

    def load(folder: Path) -> Loader:
        return default_loader(folder, device.choice.value, options.threads)

    loader = load(options.model or default_model())
    window = make_window(application, loader, settings, load, options.model, device=device)
    SystemEnd(window, application)
    window.left.connect(application.exit)  # even if a dialog with a late result opens now
    log_unexpected(window.error_noticed.emit)
    collect_in_this_thread(window)
    exempt_lasting_objects(window)
    window.show()
    if crashed:
        show_crash(window)
    # The import of the engine blocks the interpreter for seconds, so the window is painted first.
    QTimer.singleShot(100, window.desk.worker.start)
    if file is not None:
        window.opener.open(file)
    application.set_file_opener(partial(open_sent_file, window))
    status = application.exec()
    settings.finish(END_SECONDS)
    window.controller.tasks.finish_writing()
    window.controller.saving.finish(END_SECONDS)
    window.end()
    stopped = window.desk.worker.stop(STOP_SECONDS)
    idle = window.controller.tasks.finish(200)
    if not (stopped and idle):
        # A task that cannot be interrupted is running, such as the loading of a model. The user's data has
        # been saved, so end the process.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
