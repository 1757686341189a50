"""Translate each office golden file into English-looking text and have LibreOffice print it (not in CI).

Needs LibreOffice (`soffice`) and poppler (`pdftotext`, `pdftoppm`). For each file the share of translated
sentences that stand in the PDF is printed; what is never in one (comments, alternative texts, notes, sheets'
names) is not asked for, and what falls off a slide or cell is forgiven. Leaves PDFs and pictures of the pages
in the output folder, to be looked at.

    python tests/golden/check_with_libreoffice.py OUTPUT_FOLDER [FORMAT…]
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from anaphora.core.segment import Segment, SegmentState
from anaphora.formats.registry import fill, read

GOLDEN = Path(__file__).parent
FORMATS = ("docx", "odt", "pptx", "xlsx", "html", "epub")
WORDS = (
    "cache", "memory", "translation", "document", "sentence", "reader", "context", "network", "model",
    "window", "engine", "cluster", "service", "request", "response", "history", "example", "result",
    "setting", "version",
)  # fmt: skip
VERBS = (
    "keeps", "finds", "opens", "explains", "repeats", "connects", "describes", "measures", "changes",
    "follows",
)  # fmt: skip
UNPRINTED = re.compile(
    r"Alternative text|Title of|Description of|omment|, notes|Name of a sheet|Tooltip|of the page"
    r"|Table of contents|Label of|Hint in|Layout of"
)
TAG = re.compile(r"\{/?[0-9]{1,9}/?\}")
ENOUGH = 0.85


def english(segment: Segment, number: int, tight: bool) -> str:
    """A sentence unlike all others, with the source's tags in their order.

    Args:
        tight: for cells and boxes that cut off what is too long.
    """
    tags = TAG.findall(segment.source)
    plain = TAG.sub("", segment.source)
    words = [f"N{number}x", WORDS[number % len(WORDS)], VERBS[number % len(VERBS)]][: 1 if tight else 3]
    while len(words) < len(plain) // (9 if tight else 3):
        words.append(WORDS[(number * 7 + len(words) * 3) % len(WORDS)])
    step = max(1, len(words) // (len(tags) + 1))
    for place, tag in enumerate(tags, start=1):
        at = min(len(words) - 1, place * step)
        words[at] = words[at] + tag if tag.startswith("{/") or tag.endswith("/}") else tag + words[at]
    return " ".join(words) + ("." if plain.endswith(("。", ".", "！", "？")) else "")


def printed(path: Path, folder: Path) -> str:
    """A document's text in its PDF, white space left out."""
    subprocess.run(
        ["soffice", "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(path)],
        check=True,
        capture_output=True,
        timeout=300,
    )
    pdf = folder / (path.stem + ".pdf")
    subprocess.run(["pdftoppm", "-r", "60", "-png", str(pdf), str(folder / path.stem)], check=True)
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], check=True, capture_output=True).stdout
    return re.sub(r"\s+", "", text.decode())


def check(path: Path, folder: Path) -> bool:
    """True if a golden file, translated, is printed with its translation."""
    document = read(path)
    targets = {
        s.id: english(s, number, path.suffix in (".pptx", ".xlsx"))
        for number, s in enumerate(document.segments, start=1)
    }
    translated = folder / path.name
    segments = [segment.with_state(SegmentState(targets[segment.id])) for segment in document.segments]
    translated.write_bytes(fill(document.data, document.format, segments))
    again = read(translated)
    if path.suffix == ".epub":
        print(f"{path.parent.name}/{path.name}: {len(again.segments)} segments (LibreOffice prints no EPUB)")
        return len(again.segments) >= len(document.segments)
    text = printed(translated, folder)
    wanted = [s for s in document.segments if not any(UNPRINTED.search(note.text) for note in s.notes)]
    marks = {s.id: f"N{number}x" for number, s in enumerate(document.segments, start=1)}
    missing = [s for s in wanted if marks[s.id] not in text]
    share = 1 - len(missing) / max(1, len(wanted))
    found = len(wanted) - len(missing)
    print(f"{path.parent.name}/{path.name}: {found} of {len(wanted)} printed sentences found")
    for segment in missing[:5]:
        print(f"    missing: {segment.source[:60]} {segment.notes}")
    return share >= ENOUGH


def main() -> int:
    """Check all files; returns the exit status."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    formats = sys.argv[2:] or FORMATS
    good = True
    for name in formats:
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted((GOLDEN / name).iterdir()):
            if path.suffix not in (".md", ".pdf"):
                good = check(path, folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
