"""No traceback after Ctrl+C while a command is loaded, or after its output pipe is closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.main import main

LATE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background of a shell ignore it
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from anaphora.main import main
sys.exit(main({arguments!r}))
"""


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("anaphora.features.checks.quality", ["check", "a.txt"]),
        ("anaphora.cli.batch.cluster", ["translate", ".", "-o", "out"]),
        ("anaphora.cli.translate", ["translate", "a.txt"]),
        ("anaphora.formats.registry", ["terms", "a.txt"]),
        ("anaphora.cli.models", ["models", "list"]),
    ],
)
def test_ctrl_c_while_a_command_is_loaded(tmp_path: Path, module: str, arguments: list[str]) -> None:
    code = LATE.format(module=module, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (done.stderr.strip(), done.returncode) == ("Cancelled.", 130)


def test_the_list_of_models_ends_quietly_when_its_pipe_is_closed() -> None:
    command = [sys.executable, "-m", "anaphora.main", "models", "list"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    process.stdout.close()
    assert (process.stderr.read(), process.wait(120)) == (b"", 0)
    process.stderr.close()


def test_an_unreadable_file_of_terms_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for name in ("a.txt", "names.csv"):
        (tmp_path / name).write_bytes("账本。\n".encode() if name == "a.txt" else bytes(range(256)) * 9)
    out = tmp_path / "out.txt"
    arguments = ["translate", str(tmp_path / "a.txt"), "--terms", str(tmp_path / "names.csv"), "-o", str(out)]
    assert main(arguments) == 1
    assert "“names.csv” could not be opened." in capsys.readouterr().err and not out.exists()
