"""Tense and person of the narration in English targets, and segments that deviate from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from anaphora.features.discourse.passages import FEMALE, GENDER_OF, MALE, UNKNOWN, WORDS, Passage
from anaphora.features.discourse.results import Mismatch
from anaphora_text.inflections import penn_tags
from anaphora_text.word_forms import is_known

PAST, PRESENT = "past", "present"
_MIN_PASSAGES, _MIN_TENSE_SHARE = 8, 0.8
"""Minimum number of passages in the usual tense; their minimum share of all passages with a tense."""
_MIN_PERSONAL, _MAX_ADDRESSED = 0.25, 0.05
"""Minimum share of a narration's passages that mention persons; maximum share that contain 你 or 您.
Manuals mention few persons and often contain 你."""
_TIME_WORD = re.compile(
    "如今|现在|今天|至今|目前|这些年|那时|当时|当年|以前|从前|后来|以后|过去|曾|小时候|[前去昨明今][年天]|将|梦|人都|总是|永远|都会"
)
"""Words that can explain a tense other than the usual one."""
_EVENT_MARK = re.compile("[了着过它]")
"""Characters that are common in sources about events, but rare in general truths, which use the present."""
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[^\sA-Za-z]")


def tense_of(text: str, names: frozenset[str] = frozenset()) -> str:
    """The tense of a text's finite verbs, or "" if it is unclear. `names` has the words that are names."""
    words = [word.replace("’", "'") for word in _WORD.findall(text)]
    tenses, last_index = set[str](), -1  # index of the last word that is not an adverb
    for index, word in enumerate(words):
        tenses.add(_tense_at(words, index, last_index, names))
        if word.lower() not in WORDS["between"] and not word.endswith("ly"):
            last_index = index
    tenses.discard("")
    return tenses.pop() if len(tenses) == 1 else ""


def _tense_at(words: Sequence[str], index: int, last_index: int, names: frozenset[str]) -> str:
    """The tense of the finite verb at `index`; "" for any other word, or if the tense is unclear."""
    word, last_word = words[index].lower(), words[last_index].lower() if last_index >= 0 else ""
    for tense in (PAST, PRESENT):
        if word in WORDS[tense]:
            return "" if last_word in WORDS["infinitive"] else tense
    if not words[index].islower() or last_word in WORDS["auxiliary"] or last_word in WORDS["infinitive"]:
        return ""
    capital = words[last_index] if last_index >= 0 else words[min(index + 1, len(words) - 1)]  # "said Liu"
    is_name = capital in names or (capital[0].isupper() and not is_known(capital.lower()))
    tags, is_after_subject = penn_tags(word), last_word in WORDS["singular"] or is_name
    if "VBZ" in tags and is_after_subject:
        return PRESENT
    is_certain = is_after_subject or last_word in WORDS["plural"] or "VBN" not in tags
    return PAST if "VBD" in tags and "VB" not in tags and is_certain else ""  # "put" is unclear


def narration_of(passages: Sequence[Passage], names: frozenset[str]) -> tuple[str, str, list[Mismatch]]:
    """The narration's tense and person, and the deviations from them; all empty if there is no narration."""
    narrated = [each for each in passages if not each.is_speech and each.target]
    personal = sum(bool(each.genders - {UNKNOWN} or "我" in each.pronouns) for each in narrated)
    addressed = sum("你" in each.source or "您" in each.source for each in narrated)
    tenses = [tense_of(each.target, names) for each in narrated]
    counts = Counter(filter(None, tenses))
    (tense, count), *_ = (*counts.most_common(1), ("", 0))
    is_narrated = personal >= _MIN_PERSONAL * len(narrated) and addressed <= _MAX_ADDRESSED * len(narrated)
    if not is_narrated or count < max(_MIN_PASSAGES, _MIN_TENSE_SHARE * counts.total()):
        return "", "", []
    first = sum("我" in each.pronouns for each in narrated)
    mismatches = [each for passage in narrated if (each := _person_mismatch(passage)) is not None]
    person = "first" if 10 * first >= len(narrated) else "third"
    return tense, person, [*_tense_mismatches(narrated, tenses, tense), *mismatches]


def _tense_mismatches(narrated: Sequence[Passage], tenses: Sequence[str], usual: str) -> Iterator[Mismatch]:
    """Passages about events in an unusual tense; a change over several passages counts as deliberate."""
    judged = [(passage, tense) for passage, tense in zip(narrated, tenses, strict=True) if tense]
    for (_, before), (passage, tense), (_, after) in zip(judged, judged[1:], judged[2:], strict=False):
        is_event = passage.genders or "我" in passage.pronouns or _EVENT_MARK.search(passage.source)
        if before == after == usual != tense and is_event and not _TIME_WORD.search(passage.source):
            yield Mismatch("tense", passage.segment, "", tense, usual)


def _person_mismatch(passage: Passage) -> Mismatch | None:
    """A mismatch if 我 is certainly translated as "he" or "she", or 他 or 她 as "I"; otherwise None."""
    pronouns, first, third = passage.pronouns, passage.uses("I"), passage.uses(MALE, FEMALE)
    if pronouns == {"我"} and not passage.genders and third and not first:
        return Mismatch("person", passage.segment, "我", third[0], "I")
    is_third = (
        bool(pronouns) and pronouns <= GENDER_OF.keys() and not re.search("[我俺咱吾]|本人", passage.source)
    )
    if is_third and first and not third and not passage.uses("they"):
        usual = "he" if "他" in pronouns else "she"
        return Mismatch("person", passage.segment, min(pronouns), first[0], usual)
    return None
