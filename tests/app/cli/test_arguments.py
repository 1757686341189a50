"""Wrong arguments are reported before the work, and Ctrl+C ends it with a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.cli.arguments import cancelled, columns, write_out
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
def test_columns_that_make_no_sense_are_refused(named: str, table: Path, capsys) -> None:
    said = fails_with(capsys, "translate", "--pseudo", table, f"--columns={named}")
    assert "argument --columns" in said and list(table.parent.iterdir()) == [table]


def test_columns_are_pairs_or_are_written_in_their_places() -> None:
    assert columns("2:3,4") == Columns((1, 3), (2, -1), True)
    assert columns("1:2,3:4,6:5") == Columns((0, 2, 5), (1, 3, 4), True)


def test_columns_go_with_one_table_that_has_them(table: Path, tmp_path: Path, capsys) -> None:
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
        assert f"a number from 1 on is wanted, not “{number}”" in fails_with(capsys, *command)


def test_a_report_without_a_folder_is_refused_before_the_work(qapp, table: Path, capsys) -> None:
    out, lost = table.parent / "out", table.parent / "none" / "report.json"
    command = ["translate", "--pseudo", table.parent, "-o", out, "--report"]
    assert f"there is no folder {lost.parent}" in fails_with(capsys, *command, lost)
    assert not out.exists()
    assert f"there is no folder {lost.parent}" in fails_with(capsys, "check", table, "-o", lost)
    assert main([str(each) for each in (*command, out / "report.json")]) == 0
    assert (out / "report.json").exists() and (out / "a.csv").exists()


def test_a_file_that_is_not_there_or_of_no_known_kind_is_called_so(tmp_path: Path, capsys) -> None:
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
def test_ctrl_c_is_answered_in_a_word(
    qapp, working: str, command: list[str], table, capsys, monkeypatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(working, interrupted)
    assert main([*command, str(table)]) == 130
    assert capsys.readouterr().err == "\nCancelled.\n"


@pytest.mark.parametrize("pattern", ["(", "a" * 401])
def test_patterns_that_make_no_sense_are_refused(pattern: str, table: Path, capsys) -> None:
    said = fails_with(capsys, "translate", "--pseudo", table, "--placeholder", pattern)
    assert "argument --placeholder: The pattern" in said and list(table.parent.iterdir()) == [table]


def test_writing_reports_its_outcome(tmp_path: Path, capfdbinary) -> None:
    assert write_out("账本 \udcff\n", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == "账本 \\udcff\n".encode(), "names of files need not be text"
    assert write_out("账本\n")
    assert capfdbinary.readouterr().out == "账本\n".encode()
    assert not write_out("账本\n", tmp_path / "none" / "a.txt")
    assert capfdbinary.readouterr().err.startswith(b"anaphora: ")
    assert cancelled("Nothing is lost.") == 130 and cancelled() == 130
    assert capfdbinary.readouterr().err.split(b"\n") == [
        b"",
        b"Cancelled. Nothing is lost.",
        b"",
        b"Cancelled.",
        b"",
    ]
