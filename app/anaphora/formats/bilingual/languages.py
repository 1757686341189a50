"""Which of a file's languages is translated into which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from anaphora.core.direction import ENOUGH
from anaphora.core.language_pair import LanguagePair

UNDETERMINED = "und"
"""ISO 639's code of a language that nobody says."""


def base_language(language: str) -> str:
    """A language without its region: "zh" of "zh-CN"."""
    return language.strip().lower().replace("_", "-").partition("-")[0]


def code_of_targets(texts: Iterable[tuple[str, str]], pair: LanguagePair) -> str:
    """The code of the language that targets are in; "" where nobody says.

    Args:
        texts: sources and targets; those without a target do not count.
        pair: the project's languages; a file may go the other way.
    """
    against = [not pair.fits(source, target) for source, target in texts if target.strip()]
    is_against = sum(against) >= ENOUGH * len(against) and any(against)
    return (pair.source_language if is_against else pair.target_language).code


def source_language(languages: Counter[str], default: str) -> str:
    """The language that is translated: Chinese where there is any, else what the file names.

    Args:
        languages: how often each base language occurs.
        default: the file's own source language.
    """
    if "zh" in languages or not languages:
        return "zh"
    return base_language(default) if base_language(default) in languages else next(iter(languages))


def target_language(languages: Counter[str], source: str) -> str:
    """The language that `source` is translated to: English, else the most frequent other one."""
    if source != "en":
        return "en"
    return next((language for language, _ in languages.most_common() if language != source), "zh")
