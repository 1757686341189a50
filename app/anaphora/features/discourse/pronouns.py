"""Finds English pronouns that contradict the Chinese source, also where the source omits the subject.

Without a clear subject in the source, a pronoun is reported only if no person in the passages before it
explains the pronoun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.features.discourse.passages import FEMALE, GENDER_OF, GENDERS, MALE, UNKNOWN, Passage
from anaphora.features.discourse.results import Mismatch
from anaphora_text.punctuation import CLAUSE, SEMICOLONS, WIDE_COMMAS, WIDE_SENTENCE_ENDS

_MAX_PRECEDING = 3
"""Number of preceding passages that may mention the person to whom a pronoun refers."""
_USUAL = {"他": "he", "她": "she", MALE: "he", FEMALE: "she"}
_COMMA = WIDE_COMMAS[0]
_CLAUSE_START = (
    rf"(?:^|[{_COMMA}{SEMICOLONS}{WIDE_SENTENCE_ENDS}… ])"
    rf"(?:但|可|而|但是|可是|于是|后来|然后|现在|这时|不是{_COMMA}|对{_COMMA})?"
)
_CLEAR_SUBJECT = re.compile(rf"{_CLAUSE_START}[他她](?!们)|^[我你您](?!的)")
"""他 or 她 as the subject of a clause, or 我, 你 or 您 as that of the first clause."""
_FIRST_OR_SECOND = re.compile(rf"{_CLAUSE_START}[我你您](?!的)|谁")
"""我, 你 or 您 as the subject of a clause; or 谁 anywhere."""
_PLURAL = re.compile(rf"{_CLAUSE_START}[他她]们(?!{CLAUSE}*的)")
"""他们 or 她们 as the subject of a clause."""
_FIRST_PRONOUN = re.compile(rf"(?:但|可|而|但是|可是)?([他她])(?!们|的|自己的|{'|'.join(GENDERS)})")
_FIRST_TARGET_PRONOUN = re.compile(r"(?:But |And |Yet )?(He|he|[Ss]he)\b(?! [A-Z])")
_SHE_OR_HE = re.compile(r"\b(?:He(?! [A-Z])|he|[Ss]he)\b")


def pronoun_mismatches(passages: Sequence[Passage], is_narrated: bool) -> Iterator[Mismatch]:
    """The pronouns that contradict the source, at most one in each passage."""
    # If women occur but 她 does not, 他 may refer to women, as in texts from before 1920.
    has_women = any(FEMALE in each.persons for each in passages)
    is_modern = not has_women or any("她" in each.pronouns for each in passages)
    for index, passage in enumerate(passages):
        before = passages[max(index - _MAX_PRECEDING, 0) : index]
        error = _wrong_pronoun(passage, frozenset[str]().union(*(each.genders for each in before)))
        if error is None and (is_narrated or passage.is_speech):
            same_kind = [each for each in before if each.is_speech == passage.is_speech]
            error = _omitted_subject(passage, same_kind)
        if error is not None and (is_modern or error.about != "他"):
            yield error


def _wrong_pronoun(passage: Passage, preceding_genders: frozenset[str]) -> Mismatch | None:
    """A mismatch if 他 is rendered as "she", 她 as "he", or 他们 or 她们 as "he" or "she"; otherwise None."""
    first, target = _FIRST_PRONOUN.match(passage.source), _FIRST_TARGET_PRONOUN.match(passage.target)
    if first and target and not re.search(rf"\b{_USUAL[first[1]]}\b", passage.target, re.IGNORECASE):
        return Mismatch("pronoun", passage.segment, first[1], target[1], _USUAL[first[1]])
    uses, (about, *others) = passage.uses(MALE, FEMALE), (*sorted(passage.pronouns - {"我", "我们"}), "")
    if not uses or not about or others != [""]:
        return None
    if about not in GENDER_OF:
        is_clear = _PLURAL.search(passage.source) and not passage.persons and not passage.uses("they", "I")
    else:
        (other,) = {MALE, FEMALE} - {GENDER_OF[about]}
        is_alone = other not in preceding_genders or _CLEAR_SUBJECT.search(passage.source)
        is_clear = is_alone and not passage.persons & {other, UNKNOWN} and not passage.uses(GENDER_OF[about])
    usual = _USUAL.get(about, "they")
    return Mismatch("pronoun", passage.segment, about, uses[0], usual) if is_clear else None


def _omitted_subject(passage: Passage, before: Sequence[Passage]) -> Mismatch | None:
    """A mismatch if "he" or "she" renders an omitted subject, but persons nearby have the other gender."""
    if passage.pronouns - {"我", "我们"} or _FIRST_OR_SECOND.search(passage.source):
        return None
    subjects = _SHE_OR_HE.findall(passage.target)
    target_genders = {MALE if each.lower() == "he" else FEMALE for each in subjects}
    genders = passage.persons.union(*(each.genders for each in before))
    if len(target_genders) != 1 or len(genders) != 1 or genders & (target_genders | {UNKNOWN}):
        return None
    return Mismatch("subject", passage.segment, "", subjects[0], _USUAL[min(genders)])
