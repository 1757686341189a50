"""Wrong arguments are reported before the work, and Ctrl+C ends it with a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.cli.arguments import columns, report_cancelled, write_out
from anaphora.core.reading_choices import Columns
from anaphora.main import main


def fails_with(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The error of a command that does not start."""
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n甲一,乙一,\n", "utf-8")
    return path


@pytest.mark.parametrize("named", ["two", "0", "2:0", "2:", "-1", "2,2", "2:3,1:3", "1:3,1:2", "1001", ""])
def test_invalid_columns_are_refused(named: str, table: Path, capsys) -> None:
    printed = fails_with(capsys, "translate", "--pseudo", table, f"--columns={named}")
    assert "argument --columns" in printed and list(table.parent.iterdir()) == [table]


def test_columns_are_pairs_or_replaced_in_place() -> None:
    assert columns("2:3,4") == Columns((1, 3), (2, -1), True)
    assert columns("1:2,3:4,6:5") == Columns((0, 2, 5), (1, 3, 4), True)


def test_columns_need_a_single_table_that_has_them(table: Path, tmp_path: Path, capsys) -> None:
    text = tmp_path / "a.txt"
    text.write_text("甲一\n", "utf-8")
    assert "needs a table" in fails_with(capsys, "translate", "--pseudo", text, "--columns", "1")
    command = ["translate", "--pseudo", str(table), "-o", str(tmp_path / "out.csv"), "--columns"]
    assert main([*command, "9"]) == 1
    assert "“a.csv” has no text to translate in these columns" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()
    assert main([*command, "2:2"]) == 0
    assert (tmp_path / "out.csv").read_text("utf-8") == "a,b,c\n甲一,[·乙一],\n"


@pytest.mark.parametrize("number", ["0", "-3", "many"])
def test_there_is_at_least_one_thread_and_process(number: str, table: Path, capsys) -> None:
    folder = table.parent
    for command in (
        ["translate", table, "--threads", number],
        ["translate", folder, "-o", folder / "out", "--jobs", number],
        ["--threads", number],
    ):
        assert f"expected a number of at least 1, not “{number}”" in fails_with(capsys, *command)


def test_a_report_without_a_folder_is_refused_before_the_work(qapp, table: Path, capsys) -> None:
    out, lost = table.parent / "out", table.parent / "none" / "report.json"
    command = ["translate", "--pseudo", table.parent, "-o", out, "--report"]
    assert f"there is no folder {lost.parent}" in fails_with(capsys, *command, lost)
    assert not out.exists()
    assert f"there is no folder {lost.parent}" in fails_with(capsys, "check", table, "-o", lost)
    assert main([str(each) for each in (*command, out / "report.json")]) == 0
    assert (out / "report.json").exists() and (out / "a.csv").exists()


def test_missing_files_and_unknown_types_are_reported(tmp_path: Path, capsys) -> None:
    assert main(["translate", "--pseudo", str(tmp_path / "none"), "-o", str(tmp_path / "b.txt")]) == 1
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "a.dat").write_text("甲\n", "utf-8")
    assert main(["translate", "--pseudo", str(tmp_path / "a.dat"), "-o", str(tmp_path / "b.txt")]) == 1
    assert "must end in" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("working", "command"),
    [
        ("anaphora.cli.batch.translating.translate_file", ["translate", "--pseudo"]),
        ("anaphora.cli.check.read_texts", ["check"]),
    ],
)
def test_ctrl_c_ends_with_a_short_message(
    qapp, working: str, command: list[str], table, capsys, monkeypatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(working, interrupted)
    assert main([*command, str(table)]) == 130
    assert capsys.readouterr().err == "\nCancelled.\n"


@pytest.mark.parametrize("pattern", ["(", "a" * 401])
def test_invalid_patterns_are_refused(pattern: str, table: Path, capsys) -> None:
    printed = fails_with(capsys, "translate", "--pseudo", table, "--placeholder", pattern)
    assert "argument --placeholder: The regular expression" in printed
    assert list(table.parent.iterdir()) == [table]


def test_writing_reports_success(tmp_path: Path, capfdbinary) -> None:
    assert write_out("账本 \udcff\n", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == "账本 \\udcff\n".encode(), "file names may not be valid text"
    assert write_out("账本\n")
    assert capfdbinary.readouterr().out == "账本\n".encode()
    assert not write_out("账本\n", tmp_path / "none" / "a.txt")
    assert capfdbinary.readouterr().err.startswith(b"anaphora: ")
    assert report_cancelled("Nothing is lost.") == 130 and report_cancelled() == 130
    assert capfdbinary.readouterr().err.split(b"\n") == [
        b"",
        b"Cancelled. Nothing is lost.",
        b"",
        b"Cancelled.",
        b"",
    ]
