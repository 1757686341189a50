"""Pronouns of English targets that contradict their Chinese sources, and subjects that Chinese leaves out.

Only what is certain: one gender in reach, and no other person to whom the pronoun could refer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.features.discourse.breaks import Break
from anaphora.features.discourse.passages import FEMALE, GENDER_OF, GENDERS, MALE, UNKNOWN, Passage

_REACH = 3
"""Passages before one to which its pronouns may refer."""
_USUAL = {"他": "he", "她": "she", MALE: "he", FEMALE: "she"}
_OPENS = r"(?:^|[，。；！？… ])(?:但|可|而|但是|可是|于是|后来|然后|现在|这时|不是，|对，)?"
_CLEAR = re.compile(rf"{_OPENS}[他她](?!们)|^[我你您](?!的)")
_TOLD = re.compile(rf"{_OPENS}[我你您](?!的)|谁")
_PLURAL = re.compile(rf"{_OPENS}[他她]们(?![^，。]*的)")
_BEGINS = re.compile(rf"(?:但|可|而|但是|可是)?([他她])(?!们|的|自己的|{'|'.join(GENDERS)})")
_TARGET_BEGINS = re.compile(r"(?:But |And |Yet )?(He|he|[Ss]he)\b(?! [A-Z])")
_SHE_OR_HE = re.compile(r"\b(?:He(?! [A-Z])|he|[Ss]he)\b")


def pronoun_breaks(passages: Sequence[Passage], is_narrated: bool) -> Iterator[Break]:
    """The breaks in a document, each passage once at most; `is_narrated`: it is no list of what is said."""
    # Texts of before 1920 write 他 for women, too.
    has_women = any(FEMALE in each.persons for each in passages)
    is_modern = not has_women or any("她" in each.pronouns for each in passages)
    for place, passage in enumerate(passages):
        reach = passages[max(place - _REACH, 0) : place]
        found = _explicit(passage, frozenset[str]().union(*(each.genders for each in reach)))
        if found is None and (is_narrated or passage.is_speech):
            found = _left_out(passage, [each for each in reach if each.is_speech == passage.is_speech])
        if found is not None and (is_modern or found.about != "他"):
            yield found


def _explicit(passage: Passage, in_reach: frozenset[str]) -> Break | None:
    """他 rendered as "she", 她 as "he", 他们 as either."""
    begins, target = _BEGINS.match(passage.source), _TARGET_BEGINS.match(passage.target)
    if begins and target and not re.search(rf"\b{_USUAL[begins[1]]}\b", passage.target, re.IGNORECASE):
        return Break("pronoun", passage.segment, begins[1], target[1], _USUAL[begins[1]])
    said, (about, *others) = passage.said(MALE, FEMALE), (*sorted(passage.pronouns - {"我", "我们"}), "")
    if not said or not about or others != [""]:
        return None
    if about not in GENDER_OF:
        is_clear = _PLURAL.search(passage.source) and not passage.persons and not passage.said("they", "I")
    else:
        (other,) = {MALE, FEMALE} - {GENDER_OF[about]}
        is_alone = other not in in_reach or _CLEAR.search(passage.source)
        is_clear = is_alone and not passage.persons & {other, UNKNOWN} and not passage.said(GENDER_OF[about])
    usual = _USUAL.get(about, "they")
    return Break("pronoun", passage.segment, about, said[0], usual) if is_clear else None


def _left_out(passage: Passage, reach: Sequence[Passage]) -> Break | None:
    """A source without a subject after one person, whose target has the other gender's pronoun for it."""
    if passage.pronouns - {"我", "我们"} or _TOLD.search(passage.source):
        return None
    subjects = _SHE_OR_HE.findall(passage.target)
    said = {MALE if each.lower() == "he" else FEMALE for each in subjects}
    genders = passage.persons.union(*(each.genders for each in reach))
    if len(said) != 1 or len(genders) != 1 or genders & (said | {UNKNOWN}):
        return None
    return Break("subject", passage.segment, "", subjects[0], _USUAL[min(genders)])
