"""Which of a file's languages is translated into which."""

from __future__ import annotations

from collections import Counter


def base_language(language: str) -> str:
    """A language without its region: "zh" of "zh-CN"."""
    return language.strip().lower().replace("_", "-").partition("-")[0]


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
