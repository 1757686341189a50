"""Settings of the Qt application."""

from __future__ import annotations

import subprocess
import sys


def test_sources_of_imported_modules_do_not_stay_in_memory() -> None:
    script = """
import linecache, sys
from anaphora.editor.appearance.application import make_application

make_application()
from xml.dom.pulldom import PullDOM
print(sys.modules[PullDOM.__module__].__file__ in linecache.cache)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_files_sent_by_the_desktop_are_opened_and_qt_options_are_ignored() -> None:
    script = """
import sys
sys.argv = ["anaphora", "-reverse", "a.txt"]
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFileOpenEvent
from anaphora.editor.appearance.application import make_application

application = make_application()
print(application.layoutDirection() is Qt.LayoutDirection.LeftToRight, sys.argv[1:])

def hand_over(name):
    print(QCoreApplication.sendEvent(application, QFileOpenEvent(name)))

opened = []
for name in ("b.txt", "c.txt"):
    hand_over(name)
application.set_file_opener(lambda path: opened.append(path.name))
hand_over("d.txt")
QCoreApplication.sendEvent(application, QEvent(QEvent.Type.ApplicationPaletteChange))
print(opened)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True ['-reverse', 'a.txt']",
        *["True"] * 3,
        "['b.txt', 'c.txt', 'd.txt']",
    ]
