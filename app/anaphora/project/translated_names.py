"""The names of translated files, and the original that belongs to such a name."""

from __future__ import annotations

import os.path
from pathlib import Path

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.languages import code_of, known_codes
from anaphora.formats.registry import suffixes_converted_to
from anaphora.system.locations import with_ending

_CODES = frozenset(known_codes())
_TRANSLATED = "translated"
"""Replaces the language code in a file name if the target language is unknown."""


def default_destination(original: Path, pair: LanguagePair = CHINESE_TO_ENGLISH) -> Path:
    """The default path of a translation: `report.en.docx` for `report.docx`, `guide.en.md` for `guide.zh.md`,
    `a.en.po` for `a.pot`; `report.translated.docx` if the target language is unknown."""
    stem = original.stem
    for ending in _endings(pair):
        if stem.lower().endswith(ending):
            stem = stem[: -len(ending)]
            break
    suffix = ".po" if original.suffix.lower() == ".pot" else original.suffix
    return original.with_name(with_ending(stem, f".{pair.target_language.code or _TRANSLATED}{suffix}"))


def original_of(path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH) -> Path | None:
    """The original beside a file that has the name of a translation (`default_destination`), or None."""
    stem, _, code = path.stem.rpartition(".")
    language = code_of(code)
    if not stem or language == pair.source_language.code or (code != _TRANSLATED and language not in _CODES):
        return None
    others = (".pot",) if path.suffix.lower() == ".po" else suffixes_converted_to(path.suffix)
    suffixes = (path.suffix, *others)
    paths = (path.with_name(f"{stem}{end}{suffix}") for end in ("", *_endings(pair)) for suffix in suffixes)
    return next(filter(os.path.exists, paths), None)


def _endings(pair: LanguagePair) -> tuple[str, ...]:
    source = pair.source_language.code
    return (*((f".{source}",) if source else ()), *((".zh-cn", ".zh_cn", ".cn") if source == "zh" else ()))
