"""Determine the source and target languages of a file, and choose between variants of a language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, MIN_SHARE, LanguagePair
from anaphora.core.languages import language_of, regional_tag_of
from anaphora.formats.base.tables import words_of

Item = TypeVar("Item")
_TRADITIONAL = re.compile(
    r"hant|tradit|taiwan|hong|maca[ou]|[-_ (]\W{0,3}(?:tw|hk|mo)\b|[繁台臺港澳]", re.IGNORECASE
)
"""Signs of traditional characters in the names of Chinese variants."""
UNDETERMINED = "und"
"""ISO 639's code for an unknown language."""


def base_language(language: str) -> str:
    """A language without its region: "zh" for "zh-CN"."""
    return language_of(language).code


@lru_cache(maxsize=1024)
def distance(name: str, wanted: str) -> tuple[bool, bool, int]:
    """A sort key: smaller for variants, such as zh-TW or "Chinese (Taiwan)", that are nearer to `wanted`."""
    words, region = words_of(name.upper()), words_of(regional_tag_of(wanted).upper())[-1:]
    is_traditional = _TRADITIONAL.search(name) is not None
    return is_traditional != (_TRADITIONAL.search(wanted) is not None), not {*region} & {*words}, len(words)


def nearest(items: Iterable[Item], name_of: Callable[[Item], str], wanted: str) -> list[Item]:
    """The items (all in one language) whose variants are nearest to `wanted`."""
    listed = list(items)
    if len(listed) < 2:
        return listed  # the usual case in tables
    distances = [distance(name_of(each), wanted) for each in listed]
    return [each for each, value in zip(listed, distances, strict=True) if value == min(distances)]


def variants(items: Iterable[Item], name_of: Callable[[Item], str], language: str, wanted: str) -> list[Item]:
    """The items in `language` that are nearest to `wanted`, or to `language` if `wanted` is not in it."""
    in_language = [each for each in items if base_language(name_of(each)) == language]
    return nearest(in_language, name_of, wanted if base_language(wanted) == language else language)


def code_of_targets(texts: Iterable[tuple[str, str]], pair: LanguagePair) -> str:
    """The code of the targets' language, judging by (source, target) texts; "" if unknown.

    Args:
        pair: the project's languages; the file may have the opposite direction.
    """
    reversed_pairs = [not pair.fits(source, target) for source, target in texts if target.strip()]
    is_reversed = sum(reversed_pairs) >= MIN_SHARE * len(reversed_pairs) and any(reversed_pairs)
    return (pair.source_language if is_reversed else pair.target_language).code


def pair_to_read(language: str) -> LanguagePair:
    """The pair for reading a file: Chinese into English for "", otherwise `language` into an unknown one."""
    return LanguagePair(language, "") if language else CHINESE_TO_ENGLISH


def languages_of_file(
    languages: Counter[str], default: str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> tuple[str, str]:
    """The source and target languages of a file: the project's, or else those that the file suggests.

    Args:
        languages: the frequency of each base language in the file, in order of first occurrence.
        default: the source language that the file declares.
    """
    source, target = pair.source_language.code, pair.target_language.code
    if languages and source not in languages:
        declared = base_language(default)
        source = declared if declared in languages else next(iter(languages))
    if target and target != source:
        return source, target
    others = (language for language, _ in languages.most_common() if language != source)
    return source, next(others, "" if source == pair.source_language.code else pair.source_language.code)
