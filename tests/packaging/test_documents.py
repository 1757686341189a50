"""Files and names in the documents exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("app", "engine", "packaging", "resources", "tests")
SCRIPT = re.compile(r"(?<![\w./-])[\w/]+\.py\b(?!\.)")
HISTORY = "CHANGELOG.md"
"""Tells of what there was."""


def test_scripts_and_modules_in_documents_exist() -> None:
    there = [f"/{path.relative_to(ROOT)}" for part in PARTS for path in (ROOT / part).rglob("*.py")]
    documents = [ROOT / "README.md", *(path for part in PARTS for path in (ROOT / part).rglob("*.md"))]
    missing = [
        f"{document.relative_to(ROOT)}: {name}"
        for document in documents
        if document.name != HISTORY
        for name in sorted({*SCRIPT.findall(document.read_text("utf-8"))})
        if not any(path.endswith(f"/{name}") for path in there)
    ]
    assert missing == []
