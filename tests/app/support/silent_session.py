"""A session with the real window and the real model that records network access and new processes.

Run as a program with two arguments: the folder of documents, and the folder for exports. Network access
raises an exception; the recorded events are printed as JSON at the end. Finally the dialog "Get models" is
opened and its button clicked; the events of this step are reported as `clicked`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from anaphora.features.documents.feature import Documents

FORBIDDEN = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.")
STARTED = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.startfile", "pty.spawn")
WAIT = 240.0


def main(folder: Path, out: Path) -> None:
    """Open, draft, explain, confirm, check the terms, export, close."""
    seen: list[tuple[str, str]] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith((*FORBIDDEN, *STARTED)):
            seen.append((event, repr(arguments)[:200]))
        # An asyncio loop wakes itself through a local pair of sockets, which is recorded but allowed.
        if event.startswith(FORBIDDEN) and event != "socket.__new__" and "127.0.0.1" not in repr(arguments):
            raise PermissionError(f"a session of work used {event}")

    sys.addaudithook(hook)

    from anaphora.composition import make_window
    from anaphora.editor.appearance.application import make_application
    from anaphora.engine.worker import default_loader
    from anaphora.features.downloads.feature import Downloads
    from anaphora.features.drafting.feature import Drafting
    from anaphora.features.explain.feature import Explain
    from anaphora.features.models.feature import Models
    from anaphora.features.terms.feature import Terms
    from anaphora.system.locations import default_model

    application = make_application()
    window = make_window(application, default_loader(default_model(), "cpu", 1))
    window.show()
    window.desk.worker.start()

    def until(done: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + WAIT
        while not done():
            application.processEvents()
            if time.monotonic() > end:
                raise TimeoutError(what)
            time.sleep(0.005)

    drafting = window.of(Drafting).service
    reports: list[object] = []
    window.of(Terms).consistency.reported.connect(reports.append)
    window.opener.open(folder)
    until(lambda: window.model.rowCount() > 0, "opening")
    until(lambda: drafting.progress.done == drafting.progress.total > 0, "drafting")
    window.table.go_to_row(1)
    until(lambda: window.of(Explain).inspector.explanation is not None, "explaining")
    for row in range(window.model.rowCount()):
        editing, segment = window.controller.editing, window.model.segment(row)
        assert editing is not None and segment is not None
        editing.confirm(segment.id)
    until(lambda: bool(reports), "consistency")
    exported: list[object] = []
    window.of(Documents).exporting.exported_all.connect(exported.append)
    window.of(Documents).exporting.export_all(out)
    until(lambda: bool(exported), "exporting")
    rows = window.model.rowCount()
    drafts = [segment.target for row in range(rows) if (segment := window.model.segment(row))]
    downloads = window.of(Downloads).controller
    window.of(Models).controller.open_dialog()
    downloads.open_dialog()
    until(lambda: downloads.dialog is not None and downloads.dialog.selected() is not None, "the offers")
    application.processEvents()
    before = list(seen)
    failed: list[object] = []
    downloads.service.failed.disconnect()
    downloads.service.failed.connect(failed.append)
    downloads.dialog.get_button.click()
    until(lambda: bool(failed), "the blocked download")
    clicked = seen[len(before) :]
    window.close()
    window.controller.tasks.finish_writing()
    window.desk.worker.stop(5.0)
    window.controller.tasks.finish(5000)
    written = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    print(json.dumps({"seen": before, "clicked": clicked, "drafts": drafts, "written": written}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
