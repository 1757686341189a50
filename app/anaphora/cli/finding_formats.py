"""Findings as text and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict

from anaphora.cli.findings import Finding

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LEVEL = "warning"


def as_text(findings: Sequence[Finding]) -> str:
    """One line for each finding: file, document (if named differently), segment number, kind and message."""
    return "".join(f"{_place(each)}: {each.kind}: {one_line(each.message)}\n" for each in findings)


def as_json(findings: Sequence[Finding]) -> str:
    listed = []
    for each in findings:
        values = asdict(each)
        listed.append({"file": str(values.pop("path")), "level": _LEVEL, **values})
    return json.dumps({"findings": listed}, ensure_ascii=False, indent=1) + "\n"


def _place(finding: Finding) -> str:
    is_part = finding.document != finding.path.name
    part = f"#{one_line(finding.document)}" if is_part else ""
    return f"{one_line(str(finding.path))}{part}:{finding.number}"


def one_line(text: str) -> str:
    """A text on one line: single spaces replace white space, and control characters are removed."""
    return " ".join(_CONTROLS.sub("", " ".join(text.split())).split())
