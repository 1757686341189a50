"""English words that say nothing by themselves: no rendering of a term, nothing to be offered."""

from __future__ import annotations

_WORDS = (
    "a an the of to in on at by for with from as and or but is are was were be been it its this that these "
    "those which who when if then not no do does did can could will would shall may might must should has "
    "have had after before during until since all any each every some such there here also both"
)
FUNCTION_WORDS = frozenset(_WORDS.split())
