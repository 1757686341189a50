"""`anaphora-nmt translate`: inputs and outputs, without loss of existing files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora_nmt.cli import main

TEXT = "账本保存交易。\n节点读取账本。\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "文.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_the_input_is_never_overwritten(text: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["translate", str(text), "-o", str(text)]) == 2
    (text.parent / "same.txt").symlink_to(text)
    assert main(["translate", str(text), "-o", str(text.parent / "same.txt")]) == 2
    assert capsys.readouterr().err.count("is the input;") == 2
    assert text.read_text("utf-8") == TEXT


def test_an_unwritable_output_is_reported_before_translating(
    text: Path, capsys: pytest.CaptureFixture
) -> None:
    """The model's folder does not exist, which would be the next error."""
    model = ["--model", str(text.parent / "no model")]
    assert main(["translate", str(text), "-o", str(text.parent), *model]) == 2
    assert "is a folder" in capsys.readouterr().err
    assert main(["translate", str(text), "-o", str(text.parent / "no" / "out.txt"), *model]) == 2
    assert "does not exist" in capsys.readouterr().err and not (text.parent / "no").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_reported_in_one_line(text: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["translate", str(text), "-o", "/dev/full"]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert Path("/dev/full").is_char_device()


def test_a_byte_order_mark_is_ignored_and_empty_input_gives_empty_output(
    text: Path, capsys: pytest.CaptureFixture
) -> None:
    out = text.parent / "out.txt"
    assert main(["translate", str(text), "-o", str(out)]) == 0
    plain = out.read_text("utf-8")
    assert len(plain.splitlines()) == 2
    text.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert main(["translate", str(text), "-o", "-"]) == 0
    assert capsys.readouterr().out == plain
    text.write_text("")
    assert main(["translate", str(text), "-o", str(out)]) == 0
    assert out.read_bytes() == b""


def test_a_dash_is_standard_input_and_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "anaphora_nmt.cli", "translate", "-"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(TEXT.encode())
    process.stdin.close()
    assert (process.stderr.read(), process.wait(120)) == (b"", 0)
    process.stderr.close()
