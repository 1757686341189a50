"""The table "model kinds × checks" of RESULTS.md: the tests of imported models, run, and counted by kind.

    python tests/benchmarks/table_of_kinds.py

A cell says how many of its tests passed; "–": there is none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

COLUMNS = ("as the reference", "pieces, languages", "memory", "refusals", "in the window")
RULES = (
    # kind, column, file and name of the tests
    ("OPUS-MT (Hugging Face)", 0, r"hugging_face_marian test_(logits|steps)"),
    ("OPUS-MT (Hugging Face)", 1, r"hugging_face_marian test_(text|target|numbers)"),
    ("OPUS-MT (Hugging Face)", 2, r"(test_loading test_(drafts|terms|an_imported)|test_fitting )"),
    ("OPUS-MT (Hugging Face)", 3, r"(hugging_face_marian test_(unknown|settings|each)|weight_files )"),
    ("OPUS-MT (Hugging Face)", 4, r"models_window test_a_(dropped|project)"),
    ("Marian `.npz`", 0, r"test_marian test_npz_translates"),
    ("Marian `.npz`", 1, r"test_marian test_tables"),
    ("Marian `.npz`", 3, r"test_marian test_yaml"),
    ("Firefox, Bergamot `.bin`", 0, r"test_marian test_bin"),
    ("Firefox, Bergamot `.bin`", 1, r"test_marian test_(split|folders)"),
    ("Firefox, Bergamot `.bin`", 2, r"test_marian test_memory"),
    ("Firefox, Bergamot `.bin`", 3, r"test_marian test_(unknown|files_that)"),
    ("M2M100", 0, r"test_m2m100 test_(logits|steps)"),
    ("M2M100", 1, r"test_m2m100 test_both"),
    ("NLLB-200", 0, r"test_m2m100 test_nllb_is"),
    ("NLLB-200", 3, r"test_m2m100 test_nllb_without"),
    ("CTranslate2 folders", 0, r"test_ctranslate2 test_(marian|m2m100|files_of_older)"),
    ("CTranslate2 folders", 3, r"test_ctranslate2 test_(unknown|other|a_file|what|each|words|short)"),
    ("Argos packages", 0, r"test_ctranslate2 test_argos"),
    ("Argos packages", 2, r"test_ctranslate2 test_a_package"),
)
OF_EVERY_KIND = {
    "OPUS-MT": "OPUS-MT (Hugging Face)",
    "Marian": "Marian `.npz`",
    "Firefox": "Firefox, Bergamot `.bin`",
    "M2M100": "M2M100",
    "NLLB-200": "NLLB-200",
    "CTranslate2": "CTranslate2 folders",
    "Argos": "Argos packages",
}
"""What tests that are run with each kind call it."""
EVERY_RULE = (
    (1, r"every_kind test_pieces.*\[{0}\]"),
    (2, r"every_kind test_memory.*\[{0}\]"),
    (3, r"every_kind test_(weights|settings).*[\[-]{0}\]"),
    (4, r"test_(contract|kinds_window) .*\[{0}\]"),
)
FILES = (
    "tests/engine/imported",
    "tests/app/window/test_contract.py",
    "tests/app/window/test_kinds_window.py",
    "tests/app/window/test_models_window.py",
)


def rules() -> Iterator[tuple[str, int, str]]:
    """Kind, column, and what names the tests that count there."""
    yield from RULES
    for called, kind in OF_EVERY_KIND.items():
        yield from ((kind, column, pattern.format(called)) for column, pattern in EVERY_RULE)


def run(report: Path) -> None:
    """Run the tests, which write what came of them."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", f"--junitxml={report}", *FILES]
    subprocess.run(command, env=environment, check=False, stdout=sys.stderr)


def counted(report: Path) -> dict[tuple[str, int], list[bool]]:
    """By kind and column whether each of its tests passed."""
    found: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').rpartition('.')[2]} {case.get('name', '')}"
        for kind, column, pattern in rules():
            if re.search(pattern, name):
                found[kind, column].append(len(case) == 0 or case.find("system-out") is case[0])
    return found


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        run(report)
        found = counted(report)
    print("| kind |", " | ".join(COLUMNS), "|")
    print("|---|" + "---:|" * len(COLUMNS))
    for kind in dict.fromkeys(kind for kind, _, _ in RULES):
        cells = [found.get((kind, column), []) for column in range(len(COLUMNS))]
        print(
            f"| {kind} |", " | ".join(f"{sum(cell)} of {len(cell)}" if cell else "–" for cell in cells), "|"
        )


if __name__ == "__main__":
    main()
