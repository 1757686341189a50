"""Starting: nothing heavy is imported, and a missing system library is explained."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.main import main
from anaphora.system.platform_check import platform_problem


@pytest.mark.slow
def test_the_window_hardly_waits_for_threads_that_compute():
    program = (
        "import sys\n"
        "from anaphora.editor.appearance.application import make_application\n"
        "application = make_application()\n"
        "sys.exit(sys.getswitchinterval() > 0.001)"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.slow
def test_importing_the_app_loads_no_torch():
    program = (
        "import sys, anaphora.main, anaphora.window.main_window\n"
        "bad = [m for m in ('torch', 'anaphora_nmt.api', 'jieba', 'tomotopy') if m in sys.modules]\n"
        "sys.exit(', '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("anaphora ")


def test_headless_with_a_missing_file_is_reported(capsys, tmp_path):
    assert main(["translate", str(tmp_path / "missing.docx"), "--model", str(tmp_path)]) == 1
    assert "anaphora: " in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_a_missing_display_and_a_missing_library_are_explained(tmp_path: Path):
    assert "translate without a window" in platform_problem({})
    (tmp_path / "libqxcb.so").write_bytes(b"not a library")
    problem = platform_problem({"DISPLAY": ":0"}, tmp_path)
    assert "apt-get install" in problem and "libxcb-cursor0" in problem
    assert platform_problem({"QT_QPA_PLATFORM": "offscreen"}) == ""
