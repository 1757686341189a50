"""Findings as text, JSON and SARIF."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from anaphora.cli.findings import Finding

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LEVEL = "warning"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_text(findings: Sequence[Finding]) -> str:
    """A line per finding: file, document if its name differs, segment, kind, message."""
    return "".join(f"{_place(each)}: {each.kind}: {one_line(each.message)}\n" for each in findings)


def as_json(findings: Sequence[Finding]) -> str:
    listed = []
    for each in findings:
        values = asdict(each)
        listed.append({"file": str(values.pop("path")), "level": _LEVEL, **values})
    return json.dumps({"findings": listed}, ensure_ascii=False, indent=1) + "\n"


def as_sarif(findings: Sequence[Finding], version: str) -> str:
    """A log in SARIF 2.1.0 with one run (OASIS, sections 3.13 and 3.14); `version` is the app's."""
    kinds = sorted({each.kind for each in findings})
    driver = {
        "name": "Anaphora",
        "version": version,
        "rules": [{"id": kind, "shortDescription": {"text": kind.replace("-", " ")}} for kind in kinds],
    }
    results = [
        {
            "ruleId": each.kind,
            "ruleIndex": kinds.index(each.kind),
            "level": _LEVEL,
            "message": {"text": each.message},
            "locations": [
                {
                    "physicalLocation": {"artifactLocation": {"uri": _uri(each.path)}},
                    "logicalLocations": [
                        {
                            "name": str(each.number),
                            "fullyQualifiedName": f"{each.document}#{each.segment}",
                            "kind": "segment",
                        }
                    ],
                }
            ],
        }
        for each in findings
    ]
    run = {"tool": {"driver": driver}, "results": results}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _place(finding: Finding) -> str:
    is_part = finding.document != finding.path.name
    part = f"#{one_line(finding.document)}" if is_part else ""
    return f"{one_line(str(finding.path))}{part}:{finding.number}"


def _uri(path: Path) -> str:
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def one_line(text: str) -> str:
    """A text without line breaks and other control characters."""
    return " ".join(_CONTROLS.sub("", " ".join(text.split())).split())
